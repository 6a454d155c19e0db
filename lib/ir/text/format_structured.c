// format_structured.c -- `ins(%a, %b : types) outs(%c : types) -> results`: the custom form of
// every structured op.
#include "parse_format.h"
#include "print_format.h"
#include "text.tab.h"

// word(%a, %b : types) into an operand group.
static bool
parse_clause(MlcFormatParse *s, const char *word, size_t group)
{
    MlcParser *p = s->p;
    if (!mlc_parse_optional_token(p, word))
        return true;
    MlcFormatGroup *g = &s->operands[group];
    if (!mlc_parse_token(p, "(") || !mlc_parse_operand_list(p, &g->refs))
        return false;
    g->has_types = true;
    g->types_at = p->tok.at;
    if ((g->refs.size || !mlc_parser_is(p, ')')) &&
        (!mlc_parse_token(p, ":") || !mlc_parse_type_list(p, &g->types)))
        return false;
    return mlc_parse_token(p, ")");
}

bool
mlc_format_parse_structured(MlcFormatParse *s)
{
    if (s->def->num_operands < 2 || !parse_clause(s, "ins", 0) || !parse_clause(s, "outs", 1))
        return s->p->failed
                   ? false
                   : mlc_parser_fail_wrong(s->p, "'%s' op has no inputs and outputs", s->def->name);
    s->all_results.has_types = true;
    s->all_results.types_at = s->p->tok.at;
    return !mlc_parser_is(s->p, TOK_ARROW) || mlc_parse_arrow_types(s->p, &s->all_results.types);
}

static void
print_clause(MlcFormatPrint *s, const char *word, size_t group, bool blank)
{
    size_t first, count;
    mlc_op_operand_group(s->op, group, &first, &count);
    if (!count)
        return;
    mlc_buf_append_c(s->p->buf, blank ? " " : "");
    mlc_buf_append_c(s->p->buf, word);
    mlc_print_operands(s->p, s->op, first, count);
    for (size_t i = 0; i < count; i++) {
        mlc_buf_append_c(s->p->buf, i ? ", " : " : ");
        mlc_print_type(s->p, mlc_value_type(mlc_op_operand(s->op, first + i)));
    }
    mlc_buf_append_char(s->p->buf, ')');
}

void
mlc_format_print_structured(MlcFormatPrint *s)
{
    size_t first, count;
    mlc_op_operand_group(s->op, 0, &first, &count);
    print_clause(s, "ins(", 0, false); // the format printed a blank
    print_clause(s, "outs(", 1, count > 0);
    mlc_print_arrow_types(s->p, s->op);
}
