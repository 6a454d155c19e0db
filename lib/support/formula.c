// formula.c -- a recursive descent that keeps nothing: parts are the maker's as soon as they end.
//
// Numbers are read by mlc_float_parse: strtod would want the decimal point of the program's locale.
#include "mlc/support/formula.h"

#include "mlc/support/softfloat.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool read_expression(MlcFormula *f, MlcFormulaTerm *out);

static bool
fail(MlcFormula *f, const char *message)
{
    f->maker->report(f, message);
    return false;
}

static bool
accept(MlcFormula *f, const char *text)
{
    size_t size = strlen(text);
    while (isspace((unsigned char)*f->at))
        f->at++;
    if (strncmp(f->at, text, size) != 0)
        return false;
    f->at += size;
    return true;
}

static MlcStr
read_name(MlcFormula *f)
{
    accept(f, ""); // spaces
    const char *start = f->at;
    if (isalpha((unsigned char)*f->at) || *f->at == '_')
        while (isalnum((unsigned char)*f->at) || *f->at == '_')
            f->at++;
    return mlc_str_n(start, (size_t)(f->at - start));
}

static void
skip_digits(MlcFormula *f)
{
    while (isdigit((unsigned char)*f->at))
        f->at++;
}

static bool
read_number(MlcFormula *f, MlcFormulaTerm *out)
{
    const char *start = f->at;
    MlcFloat number;
    skip_digits(f);
    if (*f->at == '.') {
        f->at++;
        skip_digits(f);
    }
    if (*f->at == 'e' || *f->at == 'E') {
        const char *end = f->at++;
        f->at += *f->at == '+' || *f->at == '-';
        if (isdigit((unsigned char)*f->at))
            skip_digits(f);
        else
            f->at = end;
    }
    if (!mlc_float_parse(MLC_FLOAT_F64, mlc_str_n(start, (size_t)(f->at - start)), &number))
        return fail(f, "expected a number");
    out->number = mlc_float_to_double(number);
    return !f->maker->number || f->maker->number(f, out->number, out);
}

static bool
read_quoting(MlcFormula *f, MlcFormulaTerm *out)
{
    MlcStr name = read_name(f);
    return accept(f, ")") ? f->maker->quote(f, name, out) : fail(f, "expected ')'");
}

static bool
read_call(MlcFormula *f, MlcStr name, MlcFormulaTerm *out)
{
    MlcFormulaTerm args[MLC_FORMULA_ARGUMENTS];
    size_t n = 0;
    if (f->maker->quoting && mlc_str_equal(name, mlc_str(f->maker->quoting)))
        return read_quoting(f, out);
    while (!accept(f, ")")) {
        if (n == MLC_FORMULA_ARGUMENTS || (n > 0 && !accept(f, ",")))
            return fail(f, "expected ')'");
        if (!read_expression(f, &args[n++]))
            return false;
    }
    return f->maker->call(f, name, args, n, out);
}

static bool
read_atom(MlcFormula *f, MlcFormulaTerm *out)
{
    *out = (MlcFormulaTerm){0};
    if (accept(f, "("))
        return read_expression(f, out) && (accept(f, ")") || fail(f, "expected ')'"));
    if (isdigit((unsigned char)*f->at))
        return read_number(f, out);
    MlcStr name = read_name(f);
    if (name.size == 0)
        return fail(f, "expected a number or a name");
    return accept(f, "(") ? read_call(f, name, out) : f->maker->name(f, name, out);
}

static bool
enter(MlcFormula *f)
{
    char message[48];
    if (++f->depth <= MLC_FORMULA_DEPTH)
        return true;
    snprintf(message, sizeof message, "nested deeper than %d", MLC_FORMULA_DEPTH);
    return fail(f, message);
}

static bool
read_unary(MlcFormula *f, MlcFormulaTerm *out)
{
    MlcFormulaTerm operand;
    if (!accept(f, "-"))
        return read_atom(f, out);
    *out = (MlcFormulaTerm){0};
    bool ok = enter(f) && read_unary(f, &operand) &&
              f->maker->apply(f, MLC_FORMULA_NEGATE, &operand, out);
    f->depth--;
    return ok;
}

typedef struct Operator {
    const char *text;
    MlcFormulaOp op;
} Operator;

static const Operator products[] = {{"*", MLC_FORMULA_MULTIPLY}, {"/", MLC_FORMULA_DIVIDE}},
                      sums[] = {{"+", MLC_FORMULA_ADD}, {"-", MLC_FORMULA_SUBTRACT}};

// Longer spellings first.
static const Operator comparisons[] = {{"<=", MLC_FORMULA_AT_MOST}, {">=", MLC_FORMULA_AT_LEAST},
                                       {"==", MLC_FORMULA_EQUAL},   {"!=", MLC_FORMULA_DIFFERENT},
                                       {"<", MLC_FORMULA_LESS},     {">", MLC_FORMULA_GREATER}};

static const Operator *
accept_operator(MlcFormula *f, const Operator *operators, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (accept(f, operators[i].text))
            return &operators[i];
    return NULL;
}

// `*left` and what `read` reads.
static bool
read_right(MlcFormula *f, const Operator *operator, bool (*read)(MlcFormula *, MlcFormulaTerm *),
           MlcFormulaTerm *left)
{
    MlcFormulaTerm operands[2] = {*left};
    *left = (MlcFormulaTerm){0};
    return read(f, &operands[1]) && f->maker->apply(f, operator->op, operands, left);
}

static bool
read_product(MlcFormula *f, MlcFormulaTerm *out)
{
    bool ok = read_unary(f, out);
    for (const Operator *found; ok && (found = accept_operator(f, products, 2));)
        ok = read_right(f, found, read_unary, out);
    return ok;
}

static bool
read_sum(MlcFormula *f, MlcFormulaTerm *out)
{
    bool ok = read_product(f, out);
    for (const Operator *found; ok && (found = accept_operator(f, sums, 2));)
        ok = read_right(f, found, read_product, out);
    return ok;
}

static bool
read_expression(MlcFormula *f, MlcFormulaTerm *out)
{
    bool ok = enter(f) && read_sum(f, out);
    const Operator *found =
        ok ? accept_operator(f, comparisons, sizeof comparisons / sizeof *comparisons) : NULL;
    ok = found ? read_right(f, found, read_sum, out) : ok;
    f->depth--;
    return ok;
}

// "name = " before an expression, but not "name == ".
static MlcStr
read_target(MlcFormula *f)
{
    const char *start = f->at;
    MlcStr name = read_name(f);
    if (name.size && accept(f, "=") && *f->at != '=')
        return name;
    f->at = start;
    return mlc_str("");
}

bool
mlc_formula_is_at_end(MlcFormula *f)
{
    accept(f, ""); // spaces
    return *f->at == '\0';
}

bool
mlc_formula_read(MlcFormula *f, MlcStr *name, MlcFormulaTerm *out)
{
    *name = read_target(f);
    if (!read_expression(f, out))
        return false;
    return accept(f, ";") || mlc_formula_is_at_end(f) || fail(f, "expected the end");
}

bool
mlc_formula_define(MlcFormula *f, MlcStr name, MlcFormulaTerm term)
{
    if (f->num_locals == MLC_FORMULA_LOCALS)
        return fail(f, "too many names");
    f->locals[f->num_locals].name = name;
    f->locals[f->num_locals++].term = term;
    return true;
}

bool
mlc_formula_find(const MlcFormula *f, MlcStr name, MlcFormulaTerm *out)
{
    for (size_t i = 0; i < f->num_locals; i++)
        if (mlc_str_equal(name, f->locals[i].name)) {
            *out = f->locals[i].term;
            return true;
        }
    return false;
}
