/* text.y -- what is context-free in MLIR's text: types, attributes, affine maps and sets, locations.
 *
 * Entered by a start token per non-terminal (mlc_text_run). Lists are read onto the parser's scratch stacks; a value of
 * type <mark> is the height before the list. Dialects' types and attributes, and aliases, come as one token: the feeder
 * in parse_text.c reads them by their own format before bison sees anything behind them.
 */
%define api.pure full
%define api.prefix {mlc_text_y}
%define api.token.prefix {TOK_}
%define parse.error custom
%parse-param {MlcParser *p} {MlcRun *run}
%lex-param {MlcParser *p} {MlcRun *run}

%code requires {
#include "text/parse_impl.h"
#include <stdio.h>
}

%union {
    MlcStr str;
    MlcType type;
    MlcAttr attr;
    MlcAffineExpr expr;
    MlcAffineMap map;
    MlcIntegerSet set;
    MlcLoc loc;
    size_t mark;
    int64_t integer;
    bool flag;
    unsigned counts[2];
}

%code {
static int mlc_text_ylex(MLC_TEXT_YSTYPE *value, MlcParser *p, MlcRun *run);
static void mlc_text_yerror(MlcParser *p, MlcRun *run, const char *message);
static void accept(MlcParser *p, MlcRun *run, bool has_lookahead);
static bool count_term(MlcParser *p, MlcRun *run);
#define CHECK(condition) do { if (!(condition)) YYABORT; } while (0)
#define ACCEPT do { accept(p, run, yychar != TOK_MLC_TEXT_YEMPTY); YYACCEPT; } while (0)
}

%token START_TYPE START_ATTR START_ATTR_HINT START_LOC START_MAP START_SET START_MAP_OR_SET START_OPERAND_MAP
%token <str> BARE "identifier" INTTYPE "integer type" FLOATTYPE "float type" STRING "string" INT "integer" FLOAT "float"
%token <str> PERCENT "SSA identifier" CARET "block name" AT "symbol name" BANG HASH ELLIPSIS "'...'"
%token <type> TYPE_VALUE "type"
%token <attr> ATTR_VALUE "attribute"
%token BAD ARROW "'->'" COLONCOLON "'::'" DIMX "'x'" FILE_BEGIN "'{-#'" FILE_END "'#-}'"
%token <str> K_INDEX "index" K_NONE "none" K_COMPLEX "complex" K_TUPLE "tuple" K_TENSOR "tensor" K_VECTOR "vector"
%token <str> K_MEMREF "memref" K_AFFINE_MAP "affine_map" K_AFFINE_SET "affine_set" K_ARRAY "array" K_DENSE "dense"
%token <str> K_DENSE_RESOURCE "dense_resource" K_SPARSE "sparse" K_STRIDED "strided" K_OFFSET "offset"
%token <str> K_DISTINCT "distinct" K_LOC "loc" K_UNIT "unit" K_TRUE "true" K_FALSE "false" K_CALLSITE "callsite"
%token <str> K_FUSED "fused" K_UNKNOWN "unknown" K_AT "at" K_FLOORDIV "floordiv" K_CEILDIV "ceildiv" K_MOD "mod"
%token <str> K_SYMBOL "symbol"

%type <type> type non_function_type
%type <attr> attr plain_attr dict
%type <expr> expr
%type <map> map
%type <set> set
%type <loc> loc
%type <mark> type_list types attr_list attrs dims dim_list extras result_types symbol locs ints
%type <integer> int_or_dynamic
%type <str> name ident key
%type <counts> ids
%type <mark> dim_ids symbol_ids exprs expr_list constraints
%left '+' '-'
%left '*' K_FLOORDIV K_CEILDIV K_MOD
%precedence NEG

%%

start: START_TYPE type { run->type = $2; ACCEPT; }
    | START_ATTR attr { run->attr = $2; ACCEPT; }
    | START_ATTR_HINT hinted { ACCEPT; }
    | START_LOC loc { run->loc = $2; ACCEPT; }
    | START_MAP map { run->map = $2; ACCEPT; }
    | START_SET set { run->set = $2; ACCEPT; }
    | START_OPERAND_MAP exprs {
          run->map = mlc_affine_map_get(p->ctx, (unsigned)run->dims->size, run->symbols ? (unsigned)run->symbols->size : 0,
                                 p->exprs.data + $2, p->exprs.size - $2);
          p->exprs.size = $2; ACCEPT; }
    ;

/* Types. */

type: non_function_type
    | '(' type_list ')' ARROW result_types {
          $$ = mlc_function_type_get(p->ctx, p->types.data + $2, $5 - $2, p->types.data + $5, p->types.size - $5);
          p->types.size = $2; }
    ;

type_list: %empty { $$ = p->types.size; } | types;
types: type { $$ = p->types.size; mlc_vec_push(&p->types, $1); }
    | types ',' type { $$ = $1; mlc_vec_push(&p->types, $3); }
    ;
result_types: '(' type_list ')' { $$ = $2; }
    | non_function_type { $$ = p->types.size; mlc_vec_push(&p->types, $1); }
    ;

non_function_type: TYPE_VALUE
    | INTTYPE { CHECK($$ = mlc_text_int_type(p, $1)); }
    | FLOATTYPE { MlcFloatKind kind = MLC_FLOAT_F32; mlc_float_kind_from_name($1, &kind); $$ = mlc_float_type_get(p->ctx, kind); }
    | K_INDEX { $$ = mlc_index_type_get(p->ctx); }
    | K_NONE { $$ = mlc_none_type_get(p->ctx); }
    | K_COMPLEX '<' type '>' {
          if (!mlc_type_is_float($3) && !mlc_type_is(($3), MLC_TYPE_INTEGER)) {
              mlc_parser_fail_at(p, $1.data, "invalid element type for complex"); YYABORT; }
          $$ = mlc_complex_type_get($3); }
    | K_TUPLE '<' type_list '>' {
          $$ = mlc_tuple_type_get(p->ctx, p->types.data + $3, p->types.size - $3); p->types.size = $3; }
    | K_TENSOR '<' dims type extras '>' { CHECK($$ = mlc_text_shaped(p, MLC_TYPE_TENSOR, $3, $4, $5, $1.data)); }
    | K_TENSOR '<' '*' DIMX type '>' { CHECK($$ = mlc_text_shaped(p, MLC_TYPE_UNRANKED_TENSOR, 0, $5, p->attrs.size, $1.data)); }
    | K_VECTOR '<' dims type '>' { CHECK($$ = mlc_text_shaped(p, MLC_TYPE_VECTOR, $3, $4, p->attrs.size, $1.data)); }
    | K_MEMREF '<' dims type extras '>' { CHECK($$ = mlc_text_shaped(p, MLC_TYPE_MEMREF, $3, $4, $5, $1.data)); }
    | K_MEMREF '<' '*' DIMX type extras '>' {
          CHECK($$ = mlc_text_shaped(p, MLC_TYPE_UNRANKED_MEMREF, 0, $5, $6, $1.data)); }
    ;

dims: %empty { $$ = p->ints.size; } | dim_list;
dim_list: dim_x { $$ = p->ints.size - 1; } | dim_list dim_x { $$ = $1; };
dim_x: INT DIMX { CHECK(mlc_text_push_dim(p, $1, false)); }
    | '?' DIMX { mlc_vec_push(&p->ints, MLC_DYNAMIC); mlc_vec_push(&p->flags, 0); }
    | '[' INT ']' DIMX { CHECK(mlc_text_push_dim(p, $2, true)); }
    ;
extras: %empty { $$ = p->attrs.size; }
    | ',' attr { $$ = p->attrs.size; mlc_vec_push(&p->attrs, $2); }
    | ',' attr ',' attr { $$ = p->attrs.size; mlc_vec_push(&p->attrs, $2); mlc_vec_push(&p->attrs, $4); }
    ;

/* Attributes. */

attr: plain_attr
    | INT { CHECK($$ = mlc_text_number(p, TOK_INT, $1, $1.data, false, NULL)); }
    | INT ':' type { CHECK($$ = mlc_text_number(p, TOK_INT, $1, $1.data, false, $3)); }
    | '-' INT { CHECK($$ = mlc_text_number(p, TOK_INT, $2, $2.data, true, NULL)); }
    | '-' INT ':' type { CHECK($$ = mlc_text_number(p, TOK_INT, $2, $2.data, true, $4)); }
    | FLOAT { CHECK($$ = mlc_text_number(p, TOK_FLOAT, $1, $1.data, false, NULL)); }
    | FLOAT ':' type { CHECK($$ = mlc_text_number(p, TOK_FLOAT, $1, $1.data, false, $3)); }
    | '-' FLOAT { CHECK($$ = mlc_text_number(p, TOK_FLOAT, $2, $2.data, true, NULL)); }
    | '-' FLOAT ':' type { CHECK($$ = mlc_text_number(p, TOK_FLOAT, $2, $2.data, true, $4)); }
    | STRING { MlcStr s = mlc_text_unquote(p, $1); CHECK(s.data); $$ = mlc_string_attr_get(p->ctx, s); }
    | STRING ':' type { MlcStr s = mlc_text_unquote(p, $1); CHECK(s.data); $$ = mlc_string_attr_get_typed(s, $3); }
    | K_DENSE '<' literal_opt '>' ':' type { CHECK($$ = mlc_text_dense(p, &p->literal, $6, $1.data)); }
    | K_DENSE_RESOURCE '<' key '>' ':' type { CHECK($$ = mlc_text_resource(p, $3, $6, $1.data)); }
    | K_SPARSE '<' sparse '>' ':' type { CHECK($$ = mlc_text_sparse(p, &p->sparse_indices, &p->literal, $6, $1.data)); }
    ;

/* With a type that the context gives: no `: type` behind it. */
hinted: plain_attr { run->attr = $1; }
    | INT { CHECK(run->attr = mlc_text_number(p, TOK_INT, $1, $1.data, false, run->hint)); }
    | '-' INT { CHECK(run->attr = mlc_text_number(p, TOK_INT, $2, $2.data, true, run->hint)); }
    | FLOAT { CHECK(run->attr = mlc_text_number(p, TOK_FLOAT, $1, $1.data, false, run->hint)); }
    | '-' FLOAT { CHECK(run->attr = mlc_text_number(p, TOK_FLOAT, $2, $2.data, true, run->hint)); }
    | STRING { MlcStr s = mlc_text_unquote(p, $1); CHECK(s.data);
               run->attr = mlc_type_is(run->hint, MLC_TYPE_NONE) ? mlc_string_attr_get(p->ctx, s)
                                                                 : mlc_string_attr_get_typed(s, run->hint); }
    | K_DENSE '<' literal_opt '>' { CHECK(run->attr = mlc_text_dense(p, &p->literal, run->hint, $1.data)); }
    | K_DENSE_RESOURCE '<' key '>' { CHECK(run->attr = mlc_text_resource(p, $3, run->hint, $1.data)); }
    | K_SPARSE '<' sparse '>' { CHECK(run->attr = mlc_text_sparse(p, &p->sparse_indices, &p->literal, run->hint, $1.data)); }
    ;

plain_attr: ATTR_VALUE
    | type { $$ = mlc_type_attr_get($1); }
    | K_TRUE { CHECK($$ = mlc_text_bool(p, run, true)); }
    | K_FALSE { CHECK($$ = mlc_text_bool(p, run, false)); }
    | K_UNIT { $$ = mlc_unit_attr_get(p->ctx); }
    | '[' attr_list ']' {
          $$ = mlc_array_attr_get(p->ctx, p->attrs.data + $2, p->attrs.size - $2); p->attrs.size = $2; }
    | dict
    | symbol { CHECK($$ = mlc_text_symbol(p, $1)); }
    | K_AFFINE_MAP '<' affine set {
          mlc_parser_fail_at(p, strchr($1.data, '<') + 1, "expected AffineMap, but got IntegerSet"); YYABORT; }
    | K_AFFINE_SET '<' affine map {
          mlc_parser_fail_at(p, strchr($1.data, '<') + 1, "expected IntegerSet, but got AffineMap"); YYABORT; }
    | K_AFFINE_MAP '<' affine map '>' { run->affine--; $$ = mlc_affine_map_attr_get($4); }
    | K_AFFINE_SET '<' affine set '>' { run->affine--; $$ = mlc_integer_set_attr_get($4); }
    | K_ARRAY '<' type '>' { mlc_literal_list_init(&p->literal); CHECK($$ = mlc_text_dense_array(p, $3, $1.data)); }
    | K_ARRAY '<' type ':' array_begin array_elements '>' {
          CHECK($$ = mlc_text_dense_array(p, $3, $1.data)); }
    | K_STRIDED '<' '[' ints ']' '>' { CHECK($$ = mlc_text_strided(p, $4, 0)); }
    | K_STRIDED '<' '[' ints ']' ',' K_OFFSET ':' int_or_dynamic '>' { CHECK($$ = mlc_text_strided(p, $4, $9)); }
    | K_DISTINCT '[' INT ']' '<' '>' { CHECK($$ = mlc_text_distinct(p, $3, mlc_unit_attr_get(p->ctx))); }
    | K_DISTINCT '[' INT ']' '<' attr '>' { CHECK($$ = mlc_text_distinct(p, $3, $6)); }
    | K_LOC '(' loc ')' { $$ = mlc_loc_attr(p->ctx, $3); }
    ;

affine: %empty { run->affine++; run->affine_part = 0; };

attr_list: %empty { $$ = p->attrs.size; } | attrs;
attrs: attr { $$ = p->attrs.size; mlc_vec_push(&p->attrs, $1); }
    | attrs ',' attr { $$ = $1; mlc_vec_push(&p->attrs, $3); }
    ;

dict: '{' '}' { $$ = mlc_dict_attr_get(p->ctx, NULL, 0); }
    | '{' dict_begin entries '}' { CHECK($$ = mlc_text_dict(p, $<mark>2)); }
    ;
dict_begin: %empty { $<mark>$ = p->named.size; };
entries: entry | entries ',' entry;
entry: name { CHECK(mlc_text_push_entry(p, $1, mlc_unit_attr_get(p->ctx), false)); }
    | name '=' attr { CHECK(mlc_text_push_entry(p, $1, $3, false)); }
    | STRING { CHECK(mlc_text_push_entry(p, $1, mlc_unit_attr_get(p->ctx), true)); }
    | STRING '=' attr { CHECK(mlc_text_push_entry(p, $1, $3, true)); }
    ;
key: name | STRING { $$ = mlc_text_unquote(p, $1); CHECK($$.data); };
name: ident | INTTYPE;
ident: BARE | FLOATTYPE | K_INDEX | K_NONE | K_COMPLEX | K_TUPLE | K_TENSOR | K_VECTOR | K_MEMREF | K_AFFINE_MAP
    | K_AFFINE_SET | K_ARRAY | K_DENSE | K_DENSE_RESOURCE | K_SPARSE | K_STRIDED | K_OFFSET | K_DISTINCT | K_LOC
    | K_UNIT | K_TRUE | K_FALSE | K_CALLSITE | K_FUSED | K_UNKNOWN | K_AT | K_FLOORDIV | K_CEILDIV | K_MOD | K_SYMBOL
    ;

symbol: AT { $$ = p->names.size; mlc_vec_push(&p->names, $1); }
    | symbol COLONCOLON AT { $$ = $1; mlc_vec_push(&p->names, $3); }
    ;

ints: %empty { $$ = p->ints.size; }
    | int_or_dynamic { $$ = p->ints.size; mlc_vec_push(&p->ints, $1); }
    | ints ',' int_or_dynamic { $$ = $1; mlc_vec_push(&p->ints, $3); }
    ;
int_or_dynamic: INT { CHECK(mlc_text_small_int(p, $1, &$$)); }
    | '-' INT { CHECK(mlc_text_small_int(p, $2, &$$)); $$ = -$$; }
    | '?' { $$ = MLC_DYNAMIC; }
    ;

array_begin: %empty { mlc_literal_list_init(&p->literal); };
array_elements: leaf | array_elements ',' leaf;

/* Elements of dense<...>. */
literal_opt: literal_begin | literal_begin literal;
literal_begin: %empty { mlc_literal_list_init(&p->literal); };
sparse: literal_begin { mlc_literal_list_init(&p->sparse_indices); }
    | literal_begin literal { mlc_literal_list_swap(&p->sparse_indices, &p->literal); } ',' literal_begin literal
    ;
literal: leaf | literal_list;
literal_list: '[' ']' { mlc_literal_open(&p->literal); mlc_literal_close(&p->literal, 0); }
    | '[' literal_open literals ']' { mlc_literal_close(&p->literal, $<mark>3); }
    ;
literal_open: %empty { mlc_literal_open(&p->literal); };
literals: literal { $<mark>$ = 1; }
    | literals ',' literal { $<mark>$ = $<mark>1 + 1; }
    ;
leaf: scalar
    | '(' { mlc_literal_complex(&p->literal, true); } scalar ',' scalar ')' { mlc_literal_complex(&p->literal, false); }
    ;
scalar: INT { mlc_literal_leaf(&p->literal, TOK_INT, false, $1); }
    | '-' INT { mlc_literal_leaf(&p->literal, TOK_INT, true, $2); }
    | FLOAT { mlc_literal_leaf(&p->literal, TOK_FLOAT, false, $1); }
    | '-' FLOAT { mlc_literal_leaf(&p->literal, TOK_FLOAT, true, $2); }
    | K_TRUE { mlc_literal_leaf(&p->literal, TOK_K_TRUE, false, $1); }
    | K_FALSE { mlc_literal_leaf(&p->literal, TOK_K_FALSE, false, $1); }
    | STRING { mlc_literal_leaf(&p->literal, TOK_STRING, false, $1); }
    ;

/* Locations, without the `loc(` and `)` around them. */
loc: K_UNKNOWN { $$ = mlc_loc_unknown(p->ctx); }
    | STRING { MlcStr s = mlc_text_unquote(p, $1); CHECK(s.data); $$ = mlc_loc_name(p->ctx, s, NULL); }
    | STRING '(' loc ')' { MlcStr s = mlc_text_unquote(p, $1); CHECK(s.data); $$ = mlc_loc_name(p->ctx, s, $3); }
    | STRING ':' INT ':' INT { CHECK($$ = mlc_text_file_loc(p, $1, $3, $5)); }
    | K_CALLSITE '(' loc K_AT loc ')' { $$ = mlc_loc_callsite(p->ctx, $3, $5); }
    | K_FUSED '[' locs ']' {
          $$ = mlc_loc_fused(p->ctx, p->locs.data + $3, p->locs.size - $3, NULL); p->locs.size = $3; }
    | K_FUSED '<' attr '>' '[' locs ']' {
          $$ = mlc_loc_fused(p->ctx, p->locs.data + $6, p->locs.size - $6, $3); p->locs.size = $6; }
    | ATTR_VALUE {
          if (!mlc_attr_is($1, MLC_ATTR_LOC)) {
              mlc_parser_fail_at(p, run->virtual_at, "expected location, but found '%s'", mlc_attr_text($1)); YYABORT; }
          $$ = mlc_attr_as_loc($1); }
    ;
locs: %empty { $$ = p->locs.size; }
    | loc { $$ = p->locs.size; mlc_vec_push(&p->locs, $1); }
    | locs ',' loc { $$ = $1; mlc_vec_push(&p->locs, $3); }
    ;

/* Affine maps and sets. */
map: ids ARROW '(' exprs ')' {
          $$ = mlc_affine_map_get(p->ctx, $1[0], $1[1], p->exprs.data + $4, p->exprs.size - $4);
          p->exprs.size = $4; p->affine_ids.size = 0; }
    ;
set: ids ':' '(' constraints ')' {
          $$ = mlc_text_make_set(p, $1[0], $1[1], $4); p->exprs.size = $4; p->equalities.size = 0;
          p->affine_ids.size = 0; }
    ;
ids: '(' dim_ids ')' { $$[0] = (unsigned)p->affine_ids.size; $$[1] = 0; }
    | '(' dim_ids ')' '[' { $<mark>$ = p->affine_ids.size; } symbol_ids ']' {
          $$[0] = (unsigned)$<mark>5; $$[1] = (unsigned)(p->affine_ids.size - $<mark>5); }
    ;
dim_ids: %empty { $$ = p->affine_ids.size = 0; }
    | BARE { p->affine_ids.size = 0; $$ = 1; CHECK(mlc_text_affine_declare(p, $1, false, 0)); }
    | dim_ids ',' BARE { $$ = $1 + 1; CHECK(mlc_text_affine_declare(p, $3, false, (unsigned)$1)); }
    ;
symbol_ids: %empty { $$ = 0; }
    | BARE { $$ = 1; CHECK(mlc_text_affine_declare(p, $1, true, 0)); }
    | symbol_ids ',' BARE { $$ = $1 + 1; CHECK(mlc_text_affine_declare(p, $3, true, (unsigned)$1)); }
    ;
exprs: %empty { $$ = p->exprs.size; } | expr_list;
expr_list: expr { $$ = p->exprs.size; mlc_vec_push(&p->exprs, $1); }
    | expr_list ',' expr { $$ = $1; mlc_vec_push(&p->exprs, $3); }
    ;
constraints: %empty { $$ = p->exprs.size; p->equalities.size = 0; }
    | constraint_begin constraint_list { $$ = $<mark>1; }
    ;
constraint_begin: %empty { $<mark>$ = p->exprs.size; p->equalities.size = 0; };
constraint_list: constraint | constraint_list ',' constraint;
constraint: expr '>' '=' expr { mlc_vec_push(&p->exprs, mlc_affine_sub($1, $4)); mlc_vec_push(&p->equalities, 0); }
    | expr '<' '=' expr { mlc_vec_push(&p->exprs, mlc_affine_sub($4, $1)); mlc_vec_push(&p->equalities, 0); }
    | expr '=' '=' expr { mlc_vec_push(&p->exprs, mlc_affine_sub($1, $4)); mlc_vec_push(&p->equalities, 1); }
    ;
expr: expr '+' expr { CHECK(count_term(p, run)); $$ = mlc_affine_add($1, $3); }
    | expr '-' expr { CHECK(count_term(p, run)); $$ = mlc_affine_sub($1, $3); }
    | expr '*' expr { CHECK(count_term(p, run)); CHECK($$ = mlc_text_affine_binary(p, MLC_AFFINE_MUL, $1, $3, $<str>2.data)); }
    | expr K_FLOORDIV expr { CHECK(count_term(p, run)); CHECK($$ = mlc_text_affine_binary(p, MLC_AFFINE_FLOORDIV, $1, $3, $2.data)); }
    | expr K_CEILDIV expr { CHECK(count_term(p, run)); CHECK($$ = mlc_text_affine_binary(p, MLC_AFFINE_CEILDIV, $1, $3, $2.data)); }
    | expr K_MOD expr { CHECK(count_term(p, run)); CHECK($$ = mlc_text_affine_binary(p, MLC_AFFINE_MOD, $1, $3, $2.data)); }
    | '-' expr %prec NEG { $$ = mlc_affine_mul_const($2, -1); }
    | '(' expr ')' { $$ = $2; }
    | BARE { CHECK(mlc_text_affine_find(p, $1, &$$)); }
    | INT { int64_t v; CHECK(mlc_text_affine_constant(p, $1, &v)); $$ = mlc_affine_constant(p->ctx, v); }
    | K_SYMBOL '(' PERCENT ')' { CHECK($$ = mlc_text_affine_operand(p, run, $3, true)); }
    | PERCENT { CHECK($$ = mlc_text_affine_operand(p, run, $1, false)); }
    ;

%%
// The only tokens that mean different things by place are names: inside of affine maps they are identifiers.
static int
give(MlcParser *p, MlcRun *run, MLC_TEXT_YSTYPE *value)
{
    value->str = mlc_token_str(p->tok);
    if (p->tok.kind != TOK_BARE)
        return p->tok.kind;
    int keyword = mlc_text_keyword(value->str);
    if (run->affine && keyword != TOK_K_FLOORDIV && keyword != TOK_K_CEILDIV && keyword != TOK_K_MOD &&
        keyword != TOK_K_SYMBOL)
        return TOK_BARE;
    return keyword ? keyword : TOK_BARE;
}

// A dialect's type or attribute, or an alias, as one token.
static int
give_symbol(MlcParser *p, MlcRun *run, MLC_TEXT_YSTYPE *value)
{
    run->last = p->tok.kind;
    run->is_virtual = true;
    run->virtual_at = p->tok.at;
    run->pending = false;
    if (p->tok.kind == TOK_BANG)
        return mlc_parse_dialect_type(p, &value->type) ? TOK_TYPE_VALUE : TOK_MLC_TEXT_Yerror;
    if (run->start_was_loc && run->before != '<' && memchr(p->tok.at, '.', (size_t)(p->tok.end - p->tok.at)))
        return mlc_parser_fail_at(p, p->tok.at, "expected location, but found dialect attribute: '%.*s'",
                                  MLC_STR_FMT(mlc_token_str(p->tok))), TOK_MLC_TEXT_Yerror;
    bool is_outermost = run->start_was_attr && run->nesting == 0;
    return mlc_parse_dialect_attr(p, is_outermost ? run->hint : NULL, &value->attr) ? TOK_ATTR_VALUE
                                                                                   : TOK_MLC_TEXT_Yerror;
}

#define NEGATION (-1) // stands before a bracket: a minus with nothing on its left

static bool
is_negation(const MlcRun *run)
{
    return run->before == '-' && run->before_minus != TOK_BARE && run->before_minus != TOK_INT && run->before_minus != ')';
}

static int
mlc_text_ylex(MLC_TEXT_YSTYPE *value, MlcParser *p, MlcRun *run)
{
    if (run->start) {
        int start = run->start;
        run->start = 0;
        return start;
    }
    if (run->pending)
        mlc_parser_advance(p);
    run->pending = true;
    run->is_virtual = false;
    run->just_closed = 0;
    if (run->last == '-')
        run->before_minus = run->before;
    run->before = run->last;
    if (run->last == TOK_ARROW || run->last == ':') { // what follows in a map or set
        run->affine_part = run->last;
        run->affine_nesting = run->nesting;
    }
    switch (p->tok.kind) {
    case '(': case '[': case '{': case '<':
        if (++run->nesting + p->depth > p->nesting_limit) {
            mlc_parser_fail_at(p, p->tok.at, "nested deeper than the limit of %llu (--limit-nesting)",
                               (unsigned long long)p->nesting_limit);
            return TOK_MLC_TEXT_Yerror;
        }
        run->openers[run->nesting % (sizeof run->openers / sizeof *run->openers)] =
            run->affine && is_negation(run) ? NEGATION : run->last;
        run->last = p->tok.kind;
        return p->tok.kind;
    case ')': case ']': case '}': case '>':
        run->just_closed = run->nesting > 0;
        run->nesting -= run->just_closed;
        return run->last = p->tok.kind;
    case TOK_BANG:
    case TOK_HASH:
        return give_symbol(p, run, value);
    default:
        return run->last = give(p, run, value);
    }
}

// Gives a token that was only looked at back to the parser.
static void
accept(MlcParser *p, MlcRun *run, bool has_lookahead)
{
    if (has_lookahead && run->is_virtual)
        mlc_parser_reset(p, run->virtual_at, false);
    else if (!has_lookahead && run->pending)
        mlc_parser_advance(p);
    run->pending = false;
}

static void
mlc_text_yerror(MlcParser *p, MlcRun *run, const char *message)
{
    (void)run;
    (void)message; // there is one left: no room on the stack
    if (!p->failed)
        mlc_parser_fail_at(p, p->tok.at, "nested too deeply");
}

// Code that walks expressions recurses; a sum of many terms is a deep tree.
static bool
count_term(MlcParser *p, MlcRun *run)
{
    return ++run->num_terms <= 20000 || mlc_parser_fail_at(p, p->tok.at, "affine expressions of more than 20000 operations");
}

static int
opener(const MlcParser *p, const MlcRun *run)
{
    int looked_at = p->tok.kind;
    bool just_opened = looked_at == '(' || looked_at == '[' || looked_at == '{' || looked_at == '<';
    unsigned nesting = run->nesting + run->just_closed - (just_opened && run->nesting);
    return nesting ? run->openers[nesting % (sizeof run->openers / sizeof *run->openers)] : 0;
}

// What upstream adds to "expected X": by the construct it stands in, told by the last token (before an opening bracket is
// seen) or by what stood before the innermost open bracket.
static const struct {
    int construct; // a token
    const char *expected, *words;
    bool is_last;  // `construct` is the last token; else it is before the bracket
} contexts[] = {
    {TOK_K_TENSOR, "'x'", "'x' in dimension list", false},
    {TOK_K_VECTOR, "'x'", "'x' in dimension list", false},
    {TOK_K_MEMREF, "'x'", "'x' in dimension list", false},
    {TOK_K_TENSOR, "'<'", "'<' in tensor type", true},
    {TOK_K_VECTOR, "'<'", "'<' in vector type", true},
    {TOK_K_MEMREF, "'<'", "'<' in memref type", true},
    {TOK_K_COMPLEX, "'<'", "'<' in complex type", true},
    {TOK_K_TUPLE, "'<'", "'<' in tuple type", true},
    {TOK_K_ARRAY, "'<'", "'<' after 'array'", true},
    {TOK_K_DENSE, "'<'", "'<' after 'dense'", true},
    {TOK_K_DENSE_RESOURCE, "'<'", "'<' after 'dense_resource'", true},
    {TOK_K_SPARSE, "'<'", "'<' after 'sparse'", true},
    {TOK_K_STRIDED, "'<'", "'<' after 'strided'", true},
    {TOK_K_AFFINE_MAP, "'<'", "'<' in affine map", true},
    {TOK_K_AFFINE_SET, "'<'", "'<' in integer set", true},
    {TOK_K_DISTINCT, "'['", "'[' after 'distinct'", true},
    {TOK_K_CALLSITE, "'('", "'(' in callsite location", true},
    {TOK_K_FUSED, "'['", "'[' in fused location", true},
    {TOK_K_FUSED, "'<'", "'[' in fused location", true},
    {TOK_K_TENSOR, "'>'", "'>' in tensor type", false},
    {TOK_K_VECTOR, "'>'", "'>' in vector type", false},
    {TOK_K_MEMREF, "'>'", "',' or '>' in memref type", false},
    {TOK_K_COMPLEX, "'>'", "'>' in complex type", false},
    {TOK_K_TUPLE, "'>'", "'>' in tuple type", false},
    {TOK_K_ARRAY, "'>'", "'>' to close an array attribute", false},
    {TOK_K_ARRAY, "':'", "':' after dense array type", false},
    {TOK_K_DENSE, "'>'", "'>'", false},
    {TOK_K_DISTINCT, "integer", "distinct ID", false},
    {TOK_K_DISTINCT, "']'", "']' to close distinct ID", false},
    {']', "'<'", "'<' after distinct ID", true},
    {']', "'>'", "'>' to close distinct attribute", false},
    {'[', "','", "',' between complex elements", false},
    {'[', "')'", "')' after complex elements", false},
    {',', "','", "',' between complex elements", false},
    {',', "')'", "')' after complex elements", false},
    {'<', "','", "',' between complex elements", false},
    {'<', "')'", "')' after complex elements", false},
    {TOK_STRING, "')'", "')' after child location of NameLoc", false},
    {TOK_K_CALLSITE, "')'", "')' in callsite location", false},
    {TOK_K_CALLSITE, "at", "'at' in callsite location", false},
    {TOK_K_FUSED, "']'", "']' in fused location", false},
    {'>', "'['", "'[' in fused location", true},
    {TOK_K_FUSED, "'>'", "'>' after fused location metadata", false},
};

static const char *
in_context(const MlcParser *p, const MlcRun *run, const char *name)
{
    for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
        if (contexts[i].construct == (contexts[i].is_last ? run->before : opener(p, run)) &&
            strcmp(contexts[i].expected, name) == 0)
            return contexts[i].words;
    return name;
}

static bool
is_affine_operator(int token)
{
    return token == '+' || token == '*' || token == '-' || token == TOK_K_FLOORDIV || token == TOK_K_CEILDIV ||
           token == TOK_K_MOD;
}

// No expression where there should be one.
static void
report_no_expr(MlcParser *p, const MlcRun *run)
{
    const char *fault = "expected affine expression", *at = p->tok.at;
    int keyword = mlc_text_keyword(mlc_token_str(p->tok));
    int negates = is_negation(run);
    bool has_left = negates ? is_affine_operator(run->before_minus) : is_affine_operator(run->before);
    if (keyword && is_affine_operator(keyword))
        fault = "use of undeclared identifier", at = p->prev_end;
    else if (has_left)
        fault = "missing right operand of binary operator";
    else if (is_affine_operator(p->tok.kind))
        fault = "missing left operand of binary operator";
    else if (run->before == '(' && p->tok.kind == ')')
        fault = "no expression inside parentheses";
    mlc_parser_fail_at(p, at, "%s", fault);
    // Each negation around it has its own message for the same place, as upstream has it.
    unsigned depth = run->nesting + run->just_closed, num_openers = sizeof run->openers / sizeof *run->openers;
    for (unsigned i = depth; i > 0 && depth - i < num_openers; i--)
        negates += run->openers[i % num_openers] == NEGATION;
    for (; negates > 0; negates--) {
        p->failed = false;
        mlc_parser_fail_at(p, at, "missing operand of negation");
    }
}

static void
report_affine(MlcParser *p, const MlcRun *run, const yysymbol_kind_t *expected, int count)
{
    bool wants_expr = false, wants_name = false, wants_part = false, is_symbol_list = false;
    for (int i = 0; i < count; i++) {
        wants_expr |= expected[i] == YYSYMBOL_INT;
        wants_name |= expected[i] == YYSYMBOL_BARE;
        wants_part |= expected[i] == YYSYMBOL_ARROW || strcmp(yysymbol_name(expected[i]), "':'") == 0;
        is_symbol_list |= strcmp(yysymbol_name(expected[i]), "']'") == 0;
    }
    const char *name = count > 0 ? yysymbol_name(expected[count - 1]) : "";
    bool is_set = run->affine_part == ':', is_open = strcmp(name, "'('") == 0;
    bool is_relation = strcmp(name, "'='") == 0;
    bool is_inner = run->affine_part && run->nesting > run->affine_nesting + 1;
    bool is_first = run->before == '(' || run->before == '[' || run->before == ',';
    if (wants_expr || (run->affine_part && run->before == '('))
        report_no_expr(p, run);
    else if (wants_part)
        mlc_parser_fail_wrong(p, "expected '->' or ':'");
    else if (wants_name || (!run->affine_part && !run->dims && is_first))
        mlc_parser_fail_wrong(p, "expected bare identifier");
    else if (run->dims)
        mlc_parser_fail_wrong(p, "expected %s", is_open ? "'(' at start of SSA symbol"
                                                : expected[0] == YYSYMBOL_PERCENT ? "ssa identifier" : name);
    else if (!run->affine_part)
        mlc_parser_fail_wrong(p, "expected %s",
                              is_open          ? "'(' in dimensional identifier list"
                              : is_symbol_list ? "']' in symbol list"
                                               : "')' in dimensional identifier list");
    else if (is_set && !is_inner && !is_open && (is_relation || run->before != ')') && strcmp(name, "')'") != 0)
        mlc_parser_fail_at(p, p->tok.at, "expected '== affine-expr' or '>= affine-expr' at end of affine constraint");
    else
        mlc_parser_fail_wrong(p, "expected %s%s", is_open ? "'('" : name,
                              is_inner ? ""
                              : is_set ? " in integer set constraint list"
                                       : " in affine map range");
}

static bool
is_location(int construct)
{
    return construct == TOK_K_FUSED || construct == TOK_K_CALLSITE;
}

// Whether the innermost brackets, or some around them, belong to the construct.
static bool
is_inside(const MlcRun *run, int construct)
{
    unsigned num_openers = sizeof run->openers / sizeof *run->openers;
    unsigned depth = run->nesting + run->just_closed;
    for (unsigned i = depth; i > 0 && depth - i < num_openers; i--)
        if (run->openers[i % num_openers] == construct)
            return true;
    return false;
}

// Where only a ']' could stand.
static const char *
words_of_bracket(const MlcRun *run)
{
    if (is_inside(run, TOK_K_VECTOR))
        return "missing ']' closing scalable dimension";
    if (is_inside(run, TOK_K_DENSE) || is_inside(run, TOK_K_SPARSE))
        return "expected ']'";
    return run->before == '[' ? "expected attribute value" : "expected ',' or ']'";
}

// MLIR's words where one thing was expected, or one kind of thing.
static int
yyreport_syntax_error(const yypcontext_t *context, MlcParser *p, MlcRun *run)
{
    if (p->failed)
        return 0;
    yysymbol_kind_t expected[64];
    int count = yypcontext_expected_tokens(context, expected, 64);
    if (run->affine) {
        report_affine(p, run, expected, count);
        return 0;
    }
    bool wants_type = false, wants_attr = false, wants_name = false, wants_string = false, wants_int = false,
         wants_float = false;
    for (int i = 0; i < count; i++) {
        wants_type |= expected[i] == YYSYMBOL_TYPE_VALUE;
        wants_attr |= expected[i] == YYSYMBOL_ATTR_VALUE;
        wants_name |= expected[i] == YYSYMBOL_BARE;
        wants_string |= expected[i] == YYSYMBOL_STRING;
        wants_int |= expected[i] == YYSYMBOL_INT;
        wants_float |= expected[i] == YYSYMBOL_FLOAT;
    }
    const char *name = count > 0 ? yysymbol_name(expected[count - 1]) : "";
    int construct = opener(p, run);
    if (wants_attr && wants_type)
        mlc_parser_fail_wrong(p, "expected attribute value");
    else if (wants_type)
        mlc_parser_fail_wrong(p, "expected non-function type");
    else if (wants_attr)
        mlc_parser_fail_wrong(p, "expected location instance");
    else if (wants_int && wants_float && count == 2) // behind a minus
        mlc_parser_fail_wrong(p, "expected constant integer or floating point value");
    else if (wants_int && wants_string)
        mlc_parser_fail_at(p, p->tok.at, "expected element literal of primitive type");
    else if (wants_name)
        mlc_parser_fail_wrong(p, count > 20 ? "expected attribute name" : "expected bare identifier");
    else if (count > 1 && strcmp(name, "')'") == 0 && construct != TOK_K_DISTINCT && !is_location(construct))
        mlc_parser_fail_wrong(p, "expected ',' or %s", name);
    else if (strcmp(name, "']'") == 0 && construct != TOK_K_DISTINCT && !is_location(construct))
        mlc_parser_fail_wrong(p, "%s", words_of_bracket(run));
    else if (run->before == '(' && strcmp(name, "')'") == 0 && !is_location(construct))
        mlc_parser_fail_wrong(p, "expected non-function type");
    else if (strcmp(name, "'->'") == 0)
        mlc_parser_fail_wrong(p, "expected '->' in function type");
    else if (strcmp(name, "'}'") == 0)
        mlc_parser_fail_wrong(p, "expected '}' in attribute dictionary");
    else if (count > 0)
        mlc_parser_fail_wrong(p, "expected %s", in_context(p, run, name));
    else
        mlc_parser_fail_wrong(p, "unexpected token");
    return 0;
}

bool
mlc_text_run(MlcParser *p, MlcRun *run, int start)
{
    size_t types = p->types.size, attrs = p->attrs.size, named = p->named.size, ints = p->ints.size;
    size_t flags = p->flags.size, names = p->names.size, locs = p->locs.size, exprs = p->exprs.size;
    run->start = start;
    run->start_was_attr = start == TOK_START_ATTR_HINT;
    run->start_was_loc = start == TOK_START_LOC;
    if (mlc_text_yparse(p, run) == 0)
        return true;
    if (!p->failed)
        mlc_parser_fail_wrong(p, "unexpected token");
    p->types.size = types, p->attrs.size = attrs, p->named.size = named, p->ints.size = ints;
    p->flags.size = flags, p->names.size = names, p->locs.size = locs, p->exprs.size = exprs;
    p->affine_ids.size = 0;
    return false;
}
