/* ptx.y -- .visible .entry f(.param .u64 p) { .reg .b32 %r<2>; ld.param.u64 %rd1, [p]; ret; } */
%define api.pure full
%define api.prefix {mlc_ptx_text_}
%define parse.error verbose
%locations
%lex-param {void *scanner}
%parse-param {struct PtxText *text}
%parse-param {void *scanner}
%code requires {
#include "ast.h"
}
%code {
#include "parse.h"
#include "ptx_lex.h"
static void
mlc_ptx_text_error(MLC_PTX_TEXT_LTYPE *at, struct PtxText *text, void *scanner, const char *message)
{
    (void)scanner;
    ptx_error(text->reporter, (PtxAt){(unsigned)at->first_line, (unsigned)at->first_column}, "%s", message);
}
#define AT(l) ((PtxAt){(unsigned)(l).first_line, (unsigned)(l).first_column})
}
%union {
    uint64_t number;
    MlcStr text;
    PtxOperand *operand;
    PtxOperands operands;
    PtxVariables variables;
    PtxStatement *statement;
    PtxStatements statements;
}
%token VERSION TARGET ADDRESS_SIZE ENTRY FUNC LINKAGE EXTERN REG ALIGN PTR PRAGMA LIMIT MARK UNKNOWN
%token <text> SPACE THREADS TYPE NAME STRING
%token <number> VECTOR SINGLE DOUBLE INTEGER
%type <number> align extern_or_not
%type <operand> operand scalar guard initial register
%type <operands> operand_list operands scalars initials init registers
%type <variables> params param_list param declarations declaration
%type <statements> statements statement body
%%
file: %empty | file item ;
item: VERSION DOUBLE | VERSION INTEGER
    | TARGET target_names
    | ADDRESS_SIZE INTEGER
    | PRAGMA STRING ';'
    | linkage function
    | linkage variable ';'
    | error ';'
    ;
target_names: NAME { text->target = $1; } | target_names ',' NAME ;
linkage: extern_or_not { text->shape = (PtxVariable){.is_extern = $1 != 0}; } ;
extern_or_not: %empty { $$ = 0; } | extern_or_not LINKAGE { $$ = $1; } | extern_or_not EXTERN { $$ = 1; } ;

variable: space_and_type declarations { ptx_add_globals(text, $2); } ;
space_and_type: SPACE align { text->shape.space = $1; text->shape.align = $2; text->shape.vector = 1; } type ;
type: VECTOR TYPE { text->shape.vector = (unsigned)$1; text->shape.type = $2; }
    | TYPE { text->shape.type = $1; } ;
align: %empty { $$ = 0; } | ALIGN INTEGER { $$ = $2; } ;
declarations: declaration | declarations ',' declaration { $$ = ptx_join_variables($1, $3); } ;
declaration: NAME { ptx_begin_variable(text, AT(@1), $1); } dimensions init { $$ = ptx_end_variable(text, $4.first); } ;
dimensions: %empty
    | dimensions '[' ']' { ptx_add_dimension(text, AT(@2), 0); }
    | dimensions '[' INTEGER ']' { ptx_add_dimension(text, AT(@2), $3); } ;
init: %empty { $$ = (PtxOperands){0}; } | '=' initials { $$ = $2; } ;
initials: initial { $$ = ptx_operands(NULL, $1); }
    | '{' '}' { $$ = (PtxOperands){0}; }
    | '{' initial_list '}' { $$ = $<operands>2; } ;
initial_list: initials { $<operands>$ = $1; }
    | initial_list ',' initials { $<operands>$ = ptx_join_operands($<operands>1, $3); } ;
initial: scalar | NAME '(' NAME ')' { $$ = ptx_operand(text, AT(@1), PTX_NAME); $$->name = $3; } ;

function: ENTRY NAME { ptx_begin_function(text, AT(@2), $2, true); } parameters limits end
    | FUNC result NAME { ptx_begin_function(text, AT(@3), $3, false); } parameters limits end ;
result: %empty | '(' params ')' ;
parameters: %empty | '(' params ')' { text->function->params = $2.first; } ;
params: %empty { $$ = (PtxVariables){0}; } | param_list ;
param_list: param | param_list ',' param { $$ = ptx_join_variables($1, $3); } ;
param: param_space align { text->shape.align = $2; } type pointer declaration { $$ = $6; } ;
param_space: SPACE { text->shape = (PtxVariable){.space = $1, .vector = 1}; }
    | REG { text->shape = (PtxVariable){.space = mlc_str("reg"), .vector = 1}; } ;
pointer: %empty | PTR | PTR SPACE align | PTR ALIGN INTEGER ;
limits: %empty | limits limit ;
limit: THREADS INTEGER { ptx_limit_threads(text, AT(@1), $1, $2, 1, 1); }
    | THREADS INTEGER ',' INTEGER { ptx_limit_threads(text, AT(@1), $1, $2, $4, 1); }
    | THREADS INTEGER ',' INTEGER ',' INTEGER { ptx_limit_threads(text, AT(@1), $1, $2, $4, $6); }
    | LIMIT integers | MARK | PRAGMA STRING ';' ;
integers: INTEGER | integers ',' INTEGER ;
end: ';' { ptx_end_function(text, NULL, false); }
    | body { ptx_end_function(text, $1.first, true); } ;

body: '{' statements '}' { $$ = $2; } ;
statements: %empty { $$ = (PtxStatements){0}; }
    | statements statement { $$ = ptx_join_statements($1, $2); } ;
statement: NAME ':' { $$ = ptx_statement(text, AT(@1), PTX_LABEL, $1); }
    | guard NAME operands ';' {
        $$ = ptx_statement(text, AT(@2), PTX_INSTRUCTION, $2);
        $$.first->guard = $1;
        $$.first->operands = $3.first;
      }
    | NAME operands ';' {
        $$ = ptx_statement(text, AT(@1), PTX_INSTRUCTION, $1);
        $$.first->operands = $2.first;
      }
    | REG TYPE registers ';' { $$ = ptx_statement(text, AT(@1), PTX_REGISTERS, $2); $$.first->operands = $3.first; }
    | linkage space_and_type declarations ';' { $$ = ptx_variable_statements(text, $3); }
    | body { $$ = ptx_scope(text, AT(@1), $1); }
    | PRAGMA STRING ';' { $$ = (PtxStatements){0}; }
    | ';' { $$ = (PtxStatements){0}; }
    | error ';' { $$ = (PtxStatements){0}; }
    ;
registers: register { $$ = ptx_operands(NULL, $1); } | registers ',' register { $$ = ptx_operands(&$1, $3); } ;
register: NAME { $$ = ptx_operand(text, AT(@1), PTX_NAME); $$->name = $1; }
    | NAME '<' INTEGER '>' { $$ = ptx_operand(text, AT(@1), PTX_NAME); $$->name = $1; $$->bits = $3; $$->is_not = true; } ;
guard: '@' NAME { $$ = ptx_operand(text, AT(@2), PTX_NAME); $$->name = $2; }
    | '@' '!' NAME { $$ = ptx_operand(text, AT(@3), PTX_NAME); $$->name = $3; $$->is_not = true; } ;
operands: %empty { $$ = (PtxOperands){0}; } | operand_list ;
operand_list: operand { $$ = ptx_operands(NULL, $1); } | operand_list ',' operand { $$ = ptx_operands(&$1, $3); } ;
operand: scalar
    | '!' NAME { $$ = ptx_operand(text, AT(@2), PTX_NAME); $$->name = $2; $$->is_not = true; }
    | scalar '|' scalar { $$ = ptx_operand(text, AT(@1), PTX_PAIR); $$->first = $1; $1->next = $3; }
    | '{' scalars '}' { $$ = ptx_operand(text, AT(@1), PTX_LIST); $$->first = $2.first; }
    | '(' operands ')' { $$ = ptx_operand(text, AT(@1), PTX_ARGS); $$->first = $2.first; }
    | '[' scalar ']' { $$ = ptx_address(text, AT(@1), $2, NULL); }
    | '[' scalar ',' operand ']' { $$ = ptx_address(text, AT(@1), $2, $4); } ;
scalars: scalar { $$ = ptx_operands(NULL, $1); } | scalars ',' scalar { $$ = ptx_operands(&$1, $3); } ;
scalar: NAME { $$ = ptx_operand(text, AT(@1), PTX_NAME); $$->name = $1; }
    | NAME '+' INTEGER { $$ = ptx_operand(text, AT(@1), PTX_NAME); $$->name = $1; $$->bits = $3; }
    | NAME '+' '-' INTEGER { $$ = ptx_operand(text, AT(@1), PTX_NAME); $$->name = $1; $$->bits = -$4; }
    | NAME '-' INTEGER { $$ = ptx_operand(text, AT(@1), PTX_NAME); $$->name = $1; $$->bits = -$3; }
    | INTEGER { $$ = ptx_operand(text, AT(@1), PTX_INT); $$->bits = $1; }
    | '-' INTEGER { $$ = ptx_operand(text, AT(@1), PTX_INT); $$->bits = -$2; }
    | SINGLE { $$ = ptx_operand(text, AT(@1), PTX_F32); $$->bits = $1; }
    | DOUBLE { $$ = ptx_operand(text, AT(@1), PTX_F64); $$->bits = $1; }
    | '-' DOUBLE { $$ = ptx_operand(text, AT(@1), PTX_F64); $$->bits = $2 ^ UINT64_C(1) << 63; } ;
%%
