/* parser.y -- calc's grammar: text to the tree of calc.h. */
%define api.pure full
%define api.prefix {calc_yy}
%define parse.error detailed
%locations
%lex-param {void *scanner}
%parse-param {struct CalcParse *parse}
%parse-param {void *scanner}
%code requires {
#include "parse.h"
}
%code {
#include "lexer.h"

static MlcLoc
place(const CalcParse *parse, const CALC_YYLTYPE *at)
{
    return mlc_loc_file(parse->ctx, parse->name, (unsigned)at->first_line, (unsigned)at->first_column);
}

static void
calc_yyerror(CALC_YYLTYPE *at, CalcParse *parse, void *scanner, const char *message)
{
    (void)scanner;
    mlc_error(parse->ctx, place(parse, at), "%s", message);
    parse->failed = true;
}

// `args` is copied and released.
static CalcExpr *
expr(CalcParse *parse, const CALC_YYLTYPE *at, CalcKind kind, MlcStr name, CalcExprVec *args)
{
    CalcExpr *e = MLC_NEW(parse->arena, CalcExpr);
    *e = (CalcExpr){.kind = kind, .loc = place(parse, at), .name = name, .num_args = args->size};
    e->args = MLC_NEW_ARRAY(parse->arena, CalcExpr *, args->size + 1);
    for (size_t i = 0; i < args->size; i++)
        e->args[i] = args->data[i];
    mlc_vec_release(args);
    return e;
}

static CalcExpr *
number(CalcParse *parse, const CALC_YYLTYPE *at, double value)
{
    CalcExpr *e = expr(parse, at, CALC_NUMBER, (MlcStr){0}, &(CalcExprVec){0});
    e->number = value;
    return e;
}

static CalcExpr *
call(CalcParse *parse, const CALC_YYLTYPE *at, const char *name, CalcExpr *a, CalcExpr *b)
{
    CalcExprVec args = {0};
    mlc_vec_push(&args, a);
    if (b)
        mlc_vec_push(&args, b);
    return expr(parse, at, CALC_CALL, mlc_str(name), &args);
}

static CalcStatement *
statement(CalcParse *parse, const CALC_YYLTYPE *at, CalcStatementKind kind, MlcStr name, CalcExpr *e)
{
    CalcStatement *s = MLC_NEW(parse->arena, CalcStatement);
    *s = (CalcStatement){.kind = kind, .loc = place(parse, at), .name = name, .expr = e};
    mlc_vec_push(parse->program, s);
    return s;
}
}
%union {
    MlcStr text;
    double number;
    struct CalcExpr *expr;
    struct CalcStatement *statement;
    CalcExprVec exprs;
    CalcNameVec names;
}
%token END "end of line" LET "let" FN "fn" INPUT "input" REPEAT "repeat"
%token <text> NAME "name"
%token <number> NUMBER "number"
%token UNKNOWN "unknown character"
%precedence ':'
%left '+' '-'
%left '*' '/' '@'
%precedence NEGATIVE
%precedence '^'
%type <expr> expr row element
%type <exprs> exprs rows elements
%type <names> names
%type <statement> input
%destructor { mlc_vec_release(&$$); } <exprs> <names>
%%
program: line | program END line
line: %empty
    | LET NAME '=' expr                 { statement(parse, &@2, CALC_LET, $2, $4); }
    | FN NAME '(' names ')' '=' expr    { CalcStatement *s = statement(parse, &@2, CALC_FUNCTION, $2, $7);
                                          s->num_params = $4.size;
                                          s->params = mlc_arena_memdup(parse->arena, $4.data, $4.size * sizeof *$4.data,
                                                                       _Alignof(MlcStr));
                                          mlc_vec_release(&$4); }
    | input
    | expr                              { statement(parse, &@1, CALC_SHOW, (MlcStr){0}, $1); }
    | error                             // the rest of the line is skipped
input: INPUT NAME                       { $$ = statement(parse, &@2, CALC_INPUT, $2, NULL); }
     | INPUT NAME ':' '[' NUMBER ',' NUMBER ']'
                                        { $$ = statement(parse, &@2, CALC_INPUT, $2, NULL);
                                          const double sizes[] = {$5, $7};
                                          const CALC_YYLTYPE *at[] = {&@5, &@7};
                                          for (int i = 0; i < 2; i++) {
                                              $$->shape[i] = sizes[i] >= 1 && sizes[i] <= 1e6 ? (int64_t)sizes[i] : 1;
                                              if ((double)$$->shape[i] != sizes[i])
                                                  calc_yyerror((CALC_YYLTYPE *)at[i], parse, scanner, "a size is a whole number from 1 to 1000000");
                                          } }
names: NAME                             { $$ = (CalcNameVec){0}; mlc_vec_push(&$$, $1); }
     | names ',' NAME                   { $$ = $1; mlc_vec_push(&$$, $3); }
exprs: expr                             { $$ = (CalcExprVec){0}; mlc_vec_push(&$$, $1); }
     | exprs ',' expr                   { $$ = $1; mlc_vec_push(&$$, $3); }
expr: NUMBER                            { $$ = number(parse, &@1, $1); }
    | NAME                              { $$ = expr(parse, &@1, CALC_NAME, $1, &(CalcExprVec){0}); }
    | NAME '(' exprs ')'                { $$ = expr(parse, &@1, CALC_CALL, $1, &$3); }
    | '(' expr ')'                      { $$ = $2; }
    | '[' rows ']'                      { $$ = expr(parse, &@1, CALC_MATRIX, (MlcStr){0}, &$2); }
    | '-' expr %prec NEGATIVE           { $$ = call(parse, &@1, "-", $2, NULL); }
    | expr '+' expr                     { $$ = call(parse, &@2, "+", $1, $3); }
    | expr '-' expr                     { $$ = call(parse, &@2, "-", $1, $3); }
    | expr '*' expr                     { $$ = call(parse, &@2, "*", $1, $3); }
    | expr '/' expr                     { $$ = call(parse, &@2, "/", $1, $3); }
    | expr '@' expr                     { $$ = call(parse, &@2, "@", $1, $3); }
    | expr '^' NUMBER                   { $$ = call(parse, &@2, "^", $1, number(parse, &@3, $3)); }
    | REPEAT NUMBER NAME '=' expr ':' expr %prec ':'
                                        { $$ = call(parse, &@1, "", $5, $7);
                                          $$->kind = CALC_REPEAT;
                                          $$->name = $3;
                                          $$->number = $2; }
rows: row                               { $$ = (CalcExprVec){0}; mlc_vec_push(&$$, $1); }
    | rows ',' row                      { $$ = $1; mlc_vec_push(&$$, $3); }
row: '[' elements ']'                   { $$ = expr(parse, &@1, CALC_MATRIX, (MlcStr){0}, &$2); }
elements: element                       { $$ = (CalcExprVec){0}; mlc_vec_push(&$$, $1); }
        | elements ',' element          { $$ = $1; mlc_vec_push(&$$, $3); }
element: NUMBER                         { $$ = number(parse, &@1, $1); }
       | '-' NUMBER                     { $$ = number(parse, &@1, -$2); }
%%
bool
calc_parse(MlcContext *ctx, MlcArena *arena, MlcStr name, MlcStr text, CalcProgram *program)
{
    CalcParse parse = {.ctx = ctx, .arena = arena, .name = name, .program = program, .line = 1, .column = 1};
    yyscan_t scanner;
    mlc_context_add_source(ctx, name, text);
    calc_yylex_init_extra(&parse, &scanner);
    calc_yy_scan_bytes(text.data, (int)text.size, scanner);
    calc_yyparse(&parse, scanner);
    calc_yylex_destroy(scanner);
    return !parse.failed;
}
