// parse_affine.c -- what the grammar's actions make of affine expressions.
#include "parse_impl.h"
#include "text.tab.h"

static const char *
operator_name(MlcAffineKind kind)
{
    return kind == MLC_AFFINE_FLOORDIV  ? "floordiv"
           : kind == MLC_AFFINE_CEILDIV ? "ceildiv"
                                        : "mod";
}

// Symbols and constants only.
static bool
is_symbolic(MlcAffineExpr e)
{
    switch (mlc_affine_kind(e)) {
    case MLC_AFFINE_CONSTANT:
    case MLC_AFFINE_SYMBOL:
        return true;
    case MLC_AFFINE_DIM:
        return false;
    default:
        return is_symbolic(mlc_affine_lhs(e)) && is_symbolic(mlc_affine_rhs(e));
    }
}

MlcAffineExpr
mlc_text_affine_binary(MlcParser *p, MlcAffineKind kind, MlcAffineExpr a, MlcAffineExpr b,
                       const char *at)
{
    if (kind == MLC_AFFINE_MUL) {
        if (!is_symbolic(a) && !is_symbolic(b))
            return mlc_parser_fail_at(p, at,
                                      "non-affine expression: at least one of the multiply "
                                      "operands has to be either a constant or symbolic"),
                   NULL;
        return mlc_affine_mul(a, b);
    }
    if (!is_symbolic(b))
        return mlc_parser_fail_at(p, at,
                                  "non-affine expression: right operand of %s has to be either a "
                                  "constant or symbolic",
                                  operator_name(kind)),
               NULL;
    return mlc_affine_binary(kind, a, b);
}

bool
mlc_text_affine_constant(MlcParser *p, MlcStr text, int64_t *value)
{
    bool is_hex = text.size > 2 && text.data[1] == 'x', fits = true;
    uint64_t v = 0;
    for (size_t i = is_hex ? 2 : 0; i < text.size; i++) {
        char c = text.data[i];
        unsigned digit = (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        fits &= !__builtin_mul_overflow(v, is_hex ? 16 : 10, &v) &&
                !__builtin_add_overflow(v, digit, &v) && v <= INT64_MAX;
    }
    *value = (int64_t)v;
    return fits || mlc_parser_fail_at(p, text.data, "constant too large for index");
}

// Upstream reports a missing declaration behind the token before.
static const char *
end_of_token_before(const MlcParser *p, const char *at)
{
    while (at > p->text.data && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\n'))
        at--;
    return at;
}

bool
mlc_text_affine_find(MlcParser *p, MlcStr name, MlcAffineExpr *expr)
{
    for (size_t i = 0; i < p->affine_ids.size; i++)
        if (mlc_str_equal(p->affine_ids.data[i].name, name))
            return *expr = p->affine_ids.data[i].expr, true;
    return mlc_parser_fail_at(p, end_of_token_before(p, name.data), "use of undeclared identifier");
}

bool
mlc_text_affine_declare(MlcParser *p, MlcStr name, bool is_symbol, unsigned position)
{
    for (size_t i = 0; i < p->affine_ids.size; i++)
        if (mlc_str_equal(p->affine_ids.data[i].name, name))
            return mlc_parser_fail_at(p, name.data, "redefinition of identifier '%.*s'",
                                      MLC_STR_FMT(name));
    if (p->affine_ids.size > 1024)
        return mlc_parser_fail_at(p, name.data, "more than 1024 dimensions and symbols");
    MlcAffineExpr expr =
        is_symbol ? mlc_affine_symbol(p->ctx, position) : mlc_affine_dim(p->ctx, position);
    mlc_vec_push(&p->affine_ids, (__typeof__(*p->affine_ids.data)){name, expr});
    return true;
}

// %x, %x#1: its name without and with the number.
MlcAffineExpr
mlc_text_affine_operand(MlcParser *p, MlcRun *run, MlcStr name, bool is_symbol)
{
    MlcOperandRefVec *refs = is_symbol ? run->symbols : run->dims;
    if (!refs)
        return mlc_parser_fail_at(p, name.data,
                                  is_symbol ? "unexpected symbolic identifier"
                                            : "unexpected ssa identifier"),
               NULL;
    size_t i = 0;
    while (i < refs->size && !mlc_str_equal(refs->data[i].name, name))
        i++;
    if (i >= 1024)
        return mlc_parser_fail_at(p, name.data, "more than 1024 operands of an affine map"), NULL;
    if (i == refs->size)
        mlc_vec_push(refs, (MlcOperandRef){.name = name, .at = name.data});
    return is_symbol ? mlc_affine_symbol(p->ctx, (unsigned)i) : mlc_affine_dim(p->ctx, (unsigned)i);
}

MlcIntegerSet
mlc_text_make_set(MlcParser *p, unsigned dims, unsigned symbols, size_t mark)
{
    size_t count = p->exprs.size - mark;
    if (count == 0) { // no constraint: 0 == 0
        mlc_vec_push(&p->exprs, mlc_affine_constant(p->ctx, 0));
        p->equalities.size = 0;
        mlc_vec_push(&p->equalities, 1);
        count = 1;
    }
    bool *is_equality = mlc_arena_alloc(&p->arena, count, 1);
    for (size_t i = 0; i < count; i++)
        is_equality[i] = p->equalities.data[i] != 0;
    return mlc_integer_set_get(p->ctx, dims, symbols, p->exprs.data + mark, is_equality, count);
}
