// rules_parse.c -- runs the grammar of rules over a text.
#include "rules_parse.h"

#include "rules.tab.h"
#include "rules_lex.h"

bool
rules_parse(RulesParse *parse, MlcStr text)
{
    yyscan_t scanner;
    if (!parse->line)
        parse->line = parse->column = 1;
    if (mlc_rules_lex_init_extra(parse, &scanner) != 0)
        mlc_bug("no scanner for rules");
    mlc_rules__scan_bytes(text.data, (int)text.size, scanner);
    bool ok = mlc_rules_parse(parse, scanner) == 0 && parse->num_faults == 0;
    mlc_rules_lex_destroy(scanner);
    return ok;
}
