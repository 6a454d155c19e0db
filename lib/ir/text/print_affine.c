// print_affine.c -- affine expressions, maps and sets as MLIR spells them: few parentheses,
// differences for sums with negative terms.
#include "print_impl.h"

typedef struct Writer {
    MlcBuf *buf;
    MlcAffineNameFn name;
    void *user;
} Writer;

static void write_expr(Writer *w, MlcAffineExpr e, bool tight);

static void
write_name(Writer *w, MlcAffineExpr e)
{
    bool is_symbol = mlc_affine_kind(e) == MLC_AFFINE_SYMBOL;
    unsigned position = mlc_affine_position(e);
    if (w->name) {
        w->name(w->user, position, is_symbol);
        return;
    }
    mlc_buf_append_char(w->buf, is_symbol ? 's' : 'd');
    mlc_buf_append_uint(w->buf, position);
}

static bool
is_constant(MlcAffineExpr e)
{
    return mlc_affine_kind(e) == MLC_AFFINE_CONSTANT;
}

// a + b * -1 -> a - b, a + b * -c -> a - b * c, a + -c -> a - c
static void
write_sum(Writer *w, MlcAffineExpr a, MlcAffineExpr b)
{
    MlcAffineExpr factor = mlc_affine_kind(b) == MLC_AFFINE_MUL && is_constant(mlc_affine_rhs(b))
                               ? mlc_affine_rhs(b)
                               : NULL;
    int64_t value = factor ? mlc_affine_value(factor) : is_constant(b) ? mlc_affine_value(b) : 0;
    write_expr(w, a, false);
    if (factor && value == -1) {
        mlc_buf_append_c(w->buf, " - ");
        write_expr(w, mlc_affine_lhs(b), mlc_affine_kind(mlc_affine_lhs(b)) == MLC_AFFINE_ADD);
    } else if (factor && value < -1) {
        mlc_buf_append_c(w->buf, " - ");
        write_expr(w, mlc_affine_lhs(b), true);
        mlc_buf_append_c(w->buf, " * ");
        mlc_buf_append_uint(w->buf, -(uint64_t)value);
    } else if (is_constant(b) && value < 0) {
        mlc_buf_append_c(w->buf, " - ");
        mlc_buf_append_uint(w->buf, -(uint64_t)value);
    } else {
        mlc_buf_append_c(w->buf, " + ");
        write_expr(w, b, false);
    }
}

static void
write_expr(Writer *w, MlcAffineExpr e, bool tight)
{
    static const char *const spelling[] = {" + ", " * ", " mod ", " floordiv ", " ceildiv "};
    MlcAffineKind kind = mlc_affine_kind(e);
    if (kind == MLC_AFFINE_DIM || kind == MLC_AFFINE_SYMBOL) {
        write_name(w, e);
        return;
    }
    if (kind == MLC_AFFINE_CONSTANT) {
        mlc_buf_append_int(w->buf, mlc_affine_value(e));
        return;
    }
    MlcAffineExpr a = mlc_affine_lhs(e), b = mlc_affine_rhs(e);
    if (tight)
        mlc_buf_append_char(w->buf, '(');
    if (kind == MLC_AFFINE_ADD) {
        write_sum(w, a, b);
    } else if (kind == MLC_AFFINE_MUL && is_constant(b) && mlc_affine_value(b) == -1) {
        mlc_buf_append_char(w->buf, '-');
        write_expr(w, a, true);
    } else {
        write_expr(w, a, true);
        mlc_buf_append_c(w->buf, spelling[kind]);
        write_expr(w, b, true);
    }
    if (tight)
        mlc_buf_append_char(w->buf, ')');
}

void
mlc_print_affine_expr(MlcBuf *buf, MlcAffineExpr expr, MlcAffineNameFn name, void *user)
{
    Writer w = {buf, name, user};
    write_expr(&w, expr, false);
}

void
mlc_affine_expr_print(MlcAffineExpr expr, MlcBuf *out)
{
    mlc_print_affine_expr(out, expr, NULL, NULL);
}

static void
write_inputs(MlcBuf *out, unsigned num_dims, unsigned num_symbols)
{
    mlc_buf_append_char(out, '(');
    for (unsigned i = 0; i < num_dims; i++)
        mlc_buf_printf(out, "%sd%u", i ? ", " : "", i);
    mlc_buf_append_char(out, ')');
    for (unsigned i = 0; i < num_symbols; i++)
        mlc_buf_printf(out, "%ss%u", i ? ", " : "[", i);
    if (num_symbols)
        mlc_buf_append_char(out, ']');
}

void
mlc_affine_map_print(MlcAffineMap map, MlcBuf *out)
{
    write_inputs(out, mlc_affine_map_num_dims(map), mlc_affine_map_num_symbols(map));
    mlc_buf_append_c(out, " -> (");
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
        mlc_buf_append_c(out, i ? ", " : "");
        mlc_affine_expr_print(mlc_affine_map_result(map, i), out);
    }
    mlc_buf_append_char(out, ')');
}

void
mlc_integer_set_print(MlcIntegerSet set, MlcBuf *out)
{
    write_inputs(out, mlc_integer_set_num_dims(set), mlc_integer_set_num_symbols(set));
    mlc_buf_append_c(out, " : (");
    for (size_t i = 0; i < mlc_integer_set_num_constraints(set); i++) {
        mlc_buf_append_c(out, i ? ", " : "");
        mlc_affine_expr_print(mlc_integer_set_constraint(set, i), out);
        mlc_buf_append_c(out, mlc_integer_set_is_equality(set, i) ? " == 0" : " >= 0");
    }
    mlc_buf_append_char(out, ')');
}
