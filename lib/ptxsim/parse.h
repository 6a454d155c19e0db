// parse.h -- what the grammar's actions call.
#ifndef MLC_LIB_PTXSIM_PARSE_H
#define MLC_LIB_PTXSIM_PARSE_H

#include "ast.h"

#define YYSTYPE MLC_PTX_TEXT_STYPE // flex wants the names without bison's prefix
#define YYLTYPE MLC_PTX_TEXT_LTYPE

PtxOperand *ptx_operand(PtxText *text, PtxAt at, PtxOperandKind kind);
// [base, rest]; `rest` may be NULL.
PtxOperand *ptx_address(PtxText *text, PtxAt at, PtxOperand *base, PtxOperand *rest);
// `list` (NULL: an empty one) with one more.
PtxOperands ptx_operands(const PtxOperands *list, PtxOperand *operand);
PtxOperands ptx_join_operands(PtxOperands a, PtxOperands b);

// Of text->shape; the name, then the dimensions from outside in, then the end.
void ptx_begin_variable(PtxText *text, PtxAt at, MlcStr name);
void ptx_add_dimension(PtxText *text, PtxAt at, uint64_t size);
PtxVariables ptx_end_variable(PtxText *text, PtxOperand *init);
PtxVariables ptx_join_variables(PtxVariables a, PtxVariables b);
void ptx_add_globals(PtxText *text, PtxVariables variables);

PtxStatements ptx_statement(PtxText *text, PtxAt at, PtxStatementKind kind, MlcStr name);
PtxStatements ptx_variable_statements(PtxText *text, PtxVariables variables);
PtxStatements ptx_join_statements(PtxStatements a, PtxStatements b);
PtxStatements ptx_scope(PtxText *text, PtxAt at, PtxStatements inside);

void ptx_begin_function(PtxText *text, PtxAt at, MlcStr name, bool is_entry);
void ptx_limit_threads(PtxText *text, PtxAt at, MlcStr directive, uint64_t x, uint64_t y,
                       uint64_t z);
void ptx_end_function(PtxText *text, PtxStatement *body, bool has_body);

#endif
