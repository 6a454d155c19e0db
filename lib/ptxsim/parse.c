// parse.c -- PTX text to lists of functions, statements and operands.
//
// The grammar knows the shape of PTX and no instruction: an opcode is one token with its dots, and
// what its modifiers and operands mean is the decoder's business. After an error reading goes on
// behind the next semicolon.
#include "parse.h"

#include <stdarg.h>

#include "mlc/support/alloc.h"
#include "mlc/support/buf.h"

#include "ptx.tab.h"

#include "ptx_lex.h"

bool
ptx_error(PtxReporter *reporter, PtxAt at, const char *format, ...)
{
    if (reporter->num_faults++ >= PTX_MAX_FAULTS)
        return false;
    MlcBuf text = {0};
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(&text, format, args);
    va_end(args);
    reporter->handler(reporter->user, reporter->file, at, false, mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return false;
}

PtxOperand *
ptx_operand(PtxText *text, PtxAt at, PtxOperandKind kind)
{
    PtxOperand *operand = MLC_NEW(text->arena, PtxOperand);
    operand->kind = kind;
    operand->at = at;
    return operand;
}

PtxOperand *
ptx_address(PtxText *text, PtxAt at, PtxOperand *base, PtxOperand *rest)
{
    PtxOperand *address = ptx_operand(text, at, PTX_ADDRESS);
    address->first = base;
    base->next = rest;
    if (base->kind == PTX_NAME) {
        address->bits = base->bits;
        base->bits = 0;
    }
    return address;
}

PtxOperands
ptx_operands(const PtxOperands *list, PtxOperand *operand)
{
    PtxOperands one = {operand, operand};
    return list ? ptx_join_operands(*list, one) : one;
}

PtxOperands
ptx_join_operands(PtxOperands a, PtxOperands b)
{
    if (!a.first)
        return b;
    if (!b.first)
        return a;
    a.last->next = b.first;
    a.last = b.last;
    return a;
}

void
ptx_begin_variable(PtxText *text, PtxAt at, MlcStr name)
{
    text->shape.at = at;
    text->shape.name = name;
    text->shape.count = 1;
    text->shape.is_array = false;
}

void
ptx_add_dimension(PtxText *text, PtxAt at, uint64_t size)
{
    text->shape.is_array = true;
    size_t count;
    if (!mlc_mul_size(text->shape.count, size, &count) || count > UINT64_C(1) << 40) {
        ptx_error(text->reporter, at, "'%s' has more than 2^40 elements", text->shape.name.data);
        count = 0;
    }
    text->shape.count = count;
}

PtxVariables
ptx_end_variable(PtxText *text, PtxOperand *init)
{
    PtxVariable *variable = MLC_NEW(text->arena, PtxVariable);
    *variable = text->shape;
    variable->init = init;
    variable->next = NULL;
    return (PtxVariables){variable, variable};
}

PtxVariables
ptx_join_variables(PtxVariables a, PtxVariables b)
{
    if (!a.first)
        return b;
    if (b.first) {
        a.last->next = b.first;
        a.last = b.last;
    }
    return a;
}

void
ptx_add_globals(PtxText *text, PtxVariables variables)
{
    text->variables = ptx_join_variables(text->variables, variables);
}

PtxStatements
ptx_statement(PtxText *text, PtxAt at, PtxStatementKind kind, MlcStr name)
{
    PtxStatement *statement = MLC_NEW(text->arena, PtxStatement);
    statement->kind = kind;
    statement->at = at;
    statement->name = name;
    return (PtxStatements){statement, statement};
}

PtxStatements
ptx_variable_statements(PtxText *text, PtxVariables variables)
{
    PtxStatements all = {0};
    for (PtxVariable *v = variables.first, *next; v; v = next) {
        next = v->next;
        v->next = NULL;
        PtxStatements one = ptx_statement(text, v->at, PTX_VARIABLE, v->name);
        one.first->variable = v;
        all = ptx_join_statements(all, one);
    }
    return all;
}

PtxStatements
ptx_join_statements(PtxStatements a, PtxStatements b)
{
    if (!a.first)
        return b;
    if (b.first) {
        a.last->next = b.first;
        a.last = b.last;
    }
    return a;
}

PtxStatements
ptx_scope(PtxText *text, PtxAt at, PtxStatements inside)
{
    PtxStatements all = ptx_statement(text, at, PTX_OPEN, (MlcStr){0});
    all = ptx_join_statements(all, inside);
    return ptx_join_statements(all, ptx_statement(text, at, PTX_CLOSE, (MlcStr){0}));
}

void
ptx_begin_function(PtxText *text, PtxAt at, MlcStr name, bool is_entry)
{
    PtxFunction *function = MLC_NEW(text->arena, PtxFunction);
    function->at = at;
    function->name = name;
    function->is_entry = is_entry;
    text->function = function;
}

void
ptx_limit_threads(PtxText *text, PtxAt at, MlcStr directive, uint64_t x, uint64_t y, uint64_t z)
{
    if (x == 0 || y == 0 || z == 0 || x > 1024 || y > 1024 || z > 1024 || x * y * z > 1024) {
        ptx_error(text->reporter, at, "'.%s' must say 1 to 1024 threads", directive.data);
        return;
    }
    text->function->max_threads[0] = (uint32_t)x;
    text->function->max_threads[1] = (uint32_t)y;
    text->function->max_threads[2] = (uint32_t)z;
    text->function->is_required |= directive.data[0] == 'r';
}

void
ptx_end_function(PtxText *text, PtxStatement *body, bool has_body)
{
    PtxFunction *function = text->function;
    function->body = body;
    function->has_body = has_body;
    if (text->last_function)
        text->last_function->next = function;
    else
        text->functions = function;
    text->last_function = function;
}

bool
ptx_parse(PtxText *text, MlcStr source)
{
    yyscan_t scanner;
    text->at = (PtxAt){1, 1};
    if (source.size > 1 << 26)
        return ptx_error(text->reporter, text->at, "a text of more than 2^26 bytes");
    if (mlc_ptx_text_lex_init_extra(text, &scanner) != 0)
        mlc_out_of_memory(0);
    mlc_ptx_text__scan_bytes(source.data, (int)source.size, scanner);
    bool ok = mlc_ptx_text_parse(text, scanner) == 0 && text->reporter->num_faults == 0;
    mlc_ptx_text_lex_destroy(scanner);
    return ok;
}
