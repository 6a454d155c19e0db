/* rules.y -- rule not_not: xori(xori(x, -1), -1) => x */
%define api.pure full
%define api.prefix {mlc_rules_}
%define parse.error verbose
%locations
%lex-param {void *scanner}
%parse-param {struct RulesParse *parse}
%parse-param {void *scanner}
%code requires {
#include "rewrite/rules_parse.h"
}
%code {
#include "rules_lex.h"
static void
mlc_rules_error(MLC_RULES_LTYPE *at, struct RulesParse *parse, void *scanner, const char *message)
{
    (void)scanner;
    rules_fail(parse, (unsigned)at->first_line, (unsigned)at->first_column, "%s", message);
}

static RuleTerm *
term(RulesParse *parse, const MLC_RULES_LTYPE *at, RuleTermKind kind, MlcStr name)
{
    RuleTerm *t = MLC_NEW(parse->arena, RuleTerm);
    t->kind = (uint8_t)kind;
    t->name = name;
    t->line = (unsigned)at->first_line;
    t->column = (unsigned)at->first_column;
    return t;
}

static RuleTerm *
literal(RulesParse *parse, const MLC_RULES_LTYPE *at, MlcRuleExprKind kind, int64_t number)
{
    RuleTerm *t = term(parse, at, RULE_LITERAL, (MlcStr){0});
    t->literal = (uint8_t)kind;
    t->number = number;
    return t;
}

static RuleTerm *
real(RulesParse *parse, const MLC_RULES_LTYPE *at, double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return literal(parse, at, MLC_RULE_FLOAT, bits);
}

static void
settle(RulesParse *parse, const RuleTermVec *list, RuleTerm ***out, size_t *count)
{
    *out = MLC_NEW_ARRAY(parse->arena, RuleTerm *, list->size + 1);
    if (list->size)
        memcpy(*out, list->data, list->size * sizeof **out);
    *count = list->size;
}

static RuleTerm *
operation(RulesParse *parse, const MLC_RULES_LTYPE *at, MlcRuleExprKind kind, RuleTerm *a, RuleTerm *b)
{
    RuleTerm *t = term(parse, at, RULE_OPERATOR, (MlcStr){0});
    t->literal = (uint8_t)kind;
    t->args = MLC_NEW_ARRAY(parse->arena, RuleTerm *, 2);
    t->args[0] = a;
    t->args[1] = b;
    t->num_args = b ? 2 : 1;
    return t;
}

// `args` and `body` NULL: not written.
static RuleTerm *
region(RulesParse *parse, const MLC_RULES_LTYPE *at, MlcStr name, RuleTermVec *args, RuleTermVec *body)
{
    RuleTerm *t = term(parse, at, RULE_REGION, name);
    t->has_args = args != NULL;
    if (args)
        settle(parse, args, &t->args, &t->num_args);
    if (body)
        settle(parse, body, &t->body, &t->num_body);
    if (args)
        mlc_vec_release(args);
    if (body)
        mlc_vec_release(body);
    return t;
}
}
%union {
    MlcStr text;
    int64_t number;
    double real;
    struct RuleTerm *term;
    RuleTermVec *list;
}
%token EXPRESSION "expression"
%token DIALECT "dialect"
%token RULE "rule"
%token <text> LOWERING "lowering"
%token <text> TYPE "type"
%token <text> ILLEGAL "illegal"
%token BENEFIT "benefit"
%token IF "if"
%token BECOMES "=>"
%token <text> NAME "name"
%token <text> CONSTANT "$constant"
%token <text> ATTRIBUTE "#attribute"
%token <text> STRING "string"
%token <text> REGION "@region"
%token ELLIPSIS "..."
%token <number> INTEGER "integer"
%token <real> REAL "float"
%token EQUAL "=="
%token DIFFERENT "!="
%token AT_MOST "<="
%token AT_LEAST ">="
%token AND "&&"
%token OR "||"
%token UNKNOWN "unknown character"
%left OR
%left AND
%nonassoc EQUAL DIFFERENT '<' '>' AT_MOST AT_LEAST
%left '+' '-'
%left '*' '/' '%'
%precedence '!'
%type <term> term plain application type result guard attribute
%type <term> region own statement
%type <list> terms some attributes listed regions around arguments block statements types
%type <number> benefit
%type <text> new_name
%destructor {
    if ($$)
        mlc_vec_release($$);
} <list>
%%
text: file
    | EXPRESSION term           { parse->expression = $2; }
file: %empty | file item | file error
item: DIALECT NAME              { parse->dialect = $2; }
    | rule
    | LOWERING NAME '{'         { mlc_vec_push(&parse->sets, MLC_NEW(parse->arena, RuleSetText));
                                  parse->set = mlc_vec_last(&parse->sets);
                                  parse->set->name = $2;
                                  parse->set->line = (unsigned)@2.first_line;
                                  parse->set->column = (unsigned)@2.first_column; }
      members '}'               { parse->set = NULL; }
members: %empty | members member | members error
member: rule
      | TYPE type BECOMES type  { mlc_vec_push(&parse->types, ((RuleTypeText){parse->set, $2, $4}));
                                  parse->set->has_types = true; }
      | ILLEGAL NAME            { mlc_vec_push(&parse->illegal, ((RuleIllegalText){parse->set, $2, (unsigned)@2.first_line,
                                                                                   (unsigned)@2.first_column})); }
new_name: NAME | LOWERING | TYPE | ILLEGAL
rule: RULE new_name             { mlc_vec_push(&parse->rules, MLC_NEW(parse->arena, RuleText));
                                  RuleText *r = mlc_vec_last(&parse->rules);
                                  r->set = parse->set;
                                  r->name = $2; r->line = (unsigned)@2.first_line; r->column = (unsigned)@2.first_column; }
      benefit ':' term BECOMES result guard
                                { RuleText *r = mlc_vec_last(&parse->rules);
                                  r->benefit = $4; r->pattern = $6; r->result = $8; r->guard = $9; }
benefit: %empty                 { $$ = 1; }
       | BENEFIT INTEGER        { $$ = $2; }
result: term
      | '(' ')'                 { $$ = term(parse, &@1, RULE_TUPLE, (MlcStr){0}); }
      | '(' term ',' some ')'   { $$ = term(parse, &@1, RULE_TUPLE, (MlcStr){0});
                                  mlc_vec_push($4, NULL);
                                  memmove($4->data + 1, $4->data, ($4->size - 1) * sizeof *$4->data);
                                  $4->data[0] = $2;
                                  settle(parse, $4, &$$->args, &$$->num_args);
                                  mlc_vec_release($4); }
guard: %empty                   { $$ = NULL; }
     | IF term                  { $$ = $2; }
terms: %empty                   { $$ = MLC_NEW(parse->arena, RuleTermVec); }
     | some
some: term                      { $$ = MLC_NEW(parse->arena, RuleTermVec); mlc_vec_push($$, $1); }
    | some ',' term             { mlc_vec_push($1, $3); $$ = $1; }
attributes: %empty              { $$ = MLC_NEW(parse->arena, RuleTermVec); }
          | '{' listed '}'      { $$ = $2; }
listed: attribute               { $$ = MLC_NEW(parse->arena, RuleTermVec); mlc_vec_push($$, $1); }
      | listed ',' attribute    { mlc_vec_push($1, $3); $$ = $1; }
attribute: NAME '=' term        { $$ = $3; $$->label = $1; }
term: plain
    | plain ':' type            { $1->type = $3; $$ = $1; }
    | NAME '=' plain            { $3->label = $1; $$ = $3; }
    | NAME '=' plain ':' type   { $3->label = $1; $3->type = $5; $$ = $3; }
    | '(' term ')'              { $$ = $2; }
    | '!' term                  { $$ = operation(parse, &@1, MLC_RULE_NOT, $2, NULL); }
    | term AND term             { $$ = operation(parse, &@2, MLC_RULE_AND, $1, $3); }
    | term OR term              { $$ = operation(parse, &@2, MLC_RULE_OR, $1, $3); }
    | term EQUAL term           { $$ = operation(parse, &@2, MLC_RULE_EQUAL, $1, $3); }
    | term DIFFERENT term       { $$ = operation(parse, &@2, MLC_RULE_DIFFERENT, $1, $3); }
    | term '<' term             { $$ = operation(parse, &@2, MLC_RULE_LESS, $1, $3); }
    | term '>' term             { $$ = operation(parse, &@2, MLC_RULE_LESS, $3, $1); }
    | term AT_MOST term         { $$ = operation(parse, &@2, MLC_RULE_AT_MOST, $1, $3); }
    | term AT_LEAST term        { $$ = operation(parse, &@2, MLC_RULE_AT_MOST, $3, $1); }
    | term '+' term             { $$ = operation(parse, &@2, MLC_RULE_PLUS, $1, $3); }
    | term '-' term             { $$ = operation(parse, &@2, MLC_RULE_MINUS, $1, $3); }
    | term '*' term             { $$ = operation(parse, &@2, MLC_RULE_TIMES, $1, $3); }
    | term '/' term             { $$ = operation(parse, &@2, MLC_RULE_DIVIDE, $1, $3); }
    | term '%' term             { $$ = operation(parse, &@2, MLC_RULE_REMAINDER, $1, $3); }
plain: NAME                     { $$ = term(parse, &@1, RULE_NAME, $1); }
     | CONSTANT                 { $$ = term(parse, &@1, RULE_CONSTANT, $1); }
     | ATTRIBUTE                { $$ = term(parse, &@1, RULE_ATTR, $1); }
     | STRING                   { $$ = term(parse, &@1, RULE_TEXT, $1); }
     | INTEGER                  { $$ = literal(parse, &@1, MLC_RULE_INTEGER, $1); }
     | REAL                     { $$ = real(parse, &@1, $1); }
     | '-' INTEGER              { $$ = literal(parse, &@1, MLC_RULE_INTEGER, -$2); }
     | '-' REAL                 { $$ = real(parse, &@1, -$2); }
     | REGION                   { $$ = term(parse, &@1, RULE_REGION, $1); }
     | application
     | '[' terms ']'            { $$ = term(parse, &@1, RULE_GROUP, (MlcStr){0});
                                  settle(parse, $2, &$$->args, &$$->num_args);
                                  mlc_vec_release($2); }
     | NAME ELLIPSIS            { $$ = term(parse, &@1, RULE_LIST, $1); }
     | plain '.' NAME           { $1->result = $3; $$ = $1; }
application: NAME '('           { $<term>$ = term(parse, &@1, RULE_APPLY, $1); }
             terms ')' attributes regions
                                { $$ = $<term>3;
                                  settle(parse, $4, &$$->args, &$$->num_args);
                                  settle(parse, $6, &$$->attrs, &$$->num_attrs);
                                  settle(parse, $7, &$$->regions, &$$->num_regions);
                                  mlc_vec_release($4); mlc_vec_release($6); mlc_vec_release($7); }
regions: %empty                 { $$ = MLC_NEW(parse->arena, RuleTermVec); }
       | regions region         { mlc_vec_push($1, $2); $$ = $1; }
region: REGION                  { $$ = term(parse, &@1, RULE_REGION, $1); }
      | REGION '(' arguments ')'
                                { $$ = region(parse, &@1, $1, $3, NULL); }
      | REGION around block     { $$ = region(parse, &@1, $1, $2, $3); }
      | '@' around block        { $$ = region(parse, &@1, (MlcStr){0}, $2, $3); }
around: %empty                  { $$ = NULL; }
      | '(' ')'                 { $$ = MLC_NEW(parse->arena, RuleTermVec); }
      | '(' arguments ')'       { $$ = $2; }
arguments: own                  { $$ = MLC_NEW(parse->arena, RuleTermVec); mlc_vec_push($$, $1); }
         | arguments ',' own    { mlc_vec_push($1, $3); $$ = $1; }
own: ELLIPSIS                   { $$ = term(parse, &@1, RULE_LIST, (MlcStr){0}); }
   | NAME                       { $$ = term(parse, &@1, RULE_NAME, $1); }
   | NAME ':' type              { $$ = term(parse, &@1, RULE_NAME, $1); $$->type = $3; }
block: '{' statements '}'       { $$ = $2; }
statements: statement           { $$ = MLC_NEW(parse->arena, RuleTermVec); mlc_vec_push($$, $1); }
          | statements statement
                                { mlc_vec_push($1, $2); $$ = $1; }
statement: ELLIPSIS             { $$ = term(parse, &@1, RULE_LIST, (MlcStr){0}); }
         | application
         | application ':' type { $1->type = $3; $$ = $1; }
         | NAME '=' application { $3->label = $1; $$ = $3; }
         | NAME '=' application ':' type
                                { $3->label = $1; $3->type = $5; $$ = $3; }
type: NAME                      { $$ = term(parse, &@1, RULE_NAME, $1); }
    | STRING                    { $$ = term(parse, &@1, RULE_TEXT, $1); }
    | NAME '('                  { $<term>$ = term(parse, &@1, RULE_APPLY, $1); }
      terms ')'                 { $$ = $<term>3;
                                  settle(parse, $4, &$$->args, &$$->num_args);
                                  mlc_vec_release($4); }
    | '(' ')'                   { $$ = term(parse, &@1, RULE_TUPLE, (MlcStr){0}); }
    | '(' types ')'             { $$ = term(parse, &@1, RULE_TUPLE, (MlcStr){0});
                                  settle(parse, $2, &$$->args, &$$->num_args);
                                  mlc_vec_release($2); }
types: type                     { $$ = MLC_NEW(parse->arena, RuleTermVec); mlc_vec_push($$, $1); }
     | types ',' type           { mlc_vec_push($1, $3); $$ = $1; }
%%
