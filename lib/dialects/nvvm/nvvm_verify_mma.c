// nvvm_verify_mma.c -- matrix products: which shapes and types there are, and the registers they
// take.
#include "mlc/dialects/llvm.h"
#include "mlc/dialects/nvvm.h"
#include "mlc/ir.h"
#include "nvvm_impl.h"

enum { F16, F32, TF32, U8, S8, S32, B1, U4, S4, BF16, F64 }; // mma_type
enum { MAX_CHOICES = 2 };

// `count` registers of a type.
typedef struct Registers {
    MlcType type;
    size_t count;
} Registers;

// What a product may take and give: some choices for each of A, B, C and the result.
typedef struct Variant {
    Registers choices[4][MAX_CHOICES];
    size_t num_choices[4];
    int64_t k[2]; // sizes there are
} Variant;

static void
allow(Variant *v, size_t group, MlcType type, size_t count)
{
    v->choices[group][v->num_choices[group]++] = (Registers){type, count};
}

typedef struct Types {
    MlcType f16x2, f32, f64, i32;
} Types;

static Types
types_of(MlcContext *ctx)
{
    int64_t two = 2;
    return (Types){mlc_vector_type_get(mlc_float_type_get(ctx, MLC_FLOAT_F16), &two, 1, NULL),
                   mlc_float_type_get(ctx, MLC_FLOAT_F32), mlc_float_type_get(ctx, MLC_FLOAT_F64),
                   mlc_integer_type_get(ctx, 32, MLC_SIGNLESS)};
}

static bool
is_integer_matrix(int64_t type)
{
    return type == U8 || type == S8 || type == B1 || type == U4 || type == S4;
}

// Elements of K in one register of a quad of threads; 0: there is no such product.
static int64_t
k_factor(int64_t type)
{
    static const int64_t factors[] = {[F16] = 8, [TF32] = 4, [U8] = 16,  [S8] = 16, [B1] = 128,
                                      [U4] = 32, [S4] = 32,  [BF16] = 8, [F64] = 0};
    return factors[type];
}

// M = 16: as many tiles of 8 x factor as fit.
static void
find_large(Variant *v, const Types *t, int64_t type, int64_t n, int64_t k)
{
    int64_t factor = k_factor(type);
    MlcType register_type = type == F16 ? t->f16x2 : t->i32;
    allow(v, 0, register_type, (size_t)(2 * (k / factor)));
    allow(v, 1, register_type, (size_t)(n / 8 * (k / factor)));
    if (is_integer_matrix(type)) {
        allow(v, 2, t->i32, 4);
        allow(v, 3, t->i32, 4);
    } else {
        allow(v, 2, t->f16x2, 2);
        allow(v, 2, t->f32, 4);
        if (type == F16)
            allow(v, 3, t->f16x2, 2);
        allow(v, 3, t->f32, 4);
    }
    v->k[0] = factor;
    v->k[1] = factor * 2;
}

// M = 8: one product for each type.
static void
find_small(Variant *v, const Types *t, int64_t type)
{
    if (type == F16) {
        allow(v, 0, t->f16x2, 2);
        allow(v, 1, t->f16x2, 2);
        allow(v, 2, t->f16x2, 4);
        allow(v, 2, t->f32, 8);
        allow(v, 3, t->f16x2, 4);
        allow(v, 3, t->f32, 8);
        v->k[0] = 4;
    } else if (type == F64 || is_integer_matrix(type)) {
        MlcType scalar = type == F64 ? t->f64 : t->i32;
        allow(v, 0, scalar, 1);
        allow(v, 1, scalar, 1);
        allow(v, 2, scalar, 2);
        allow(v, 3, scalar, 2);
        v->k[0] = type == F64 ? 4 : k_factor(type);
    }
}

static bool
group_matches(MlcOp *op, size_t group, Registers want)
{
    size_t first, count;
    mlc_op_operand_group(op, group, &first, &count);
    if (count != want.count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (mlc_value_type(mlc_op_operand(op, first + i)) != want.type)
            return false;
    return true;
}

static bool
verify_group(MlcOp *op, const Variant *v, size_t group)
{
    MlcBuf text = {0};
    size_t first, count;
    for (size_t i = 0; i < v->num_choices[group]; i++)
        if (group_matches(op, group, v->choices[group][i]))
            return true;
    for (size_t i = 0; i < v->num_choices[group]; i++)
        mlc_buf_printf(&text, "%zux%s ", v->choices[group][i].count,
                       mlc_type_text(v->choices[group][i].type));
    mlc_buf_append_c(&text, "but got ");
    mlc_op_operand_group(op, group, &first, &count);
    for (size_t i = 0; i < count; i++)
        mlc_buf_printf(&text, "%s%s", i ? ", " : "",
                       mlc_type_text(mlc_value_type(mlc_op_operand(op, first + i))));
    mlc_op_error(op, "Could not match types for the %c operands; expected one of %s", "ABC"[group],
                 mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return false;
}

static bool
verify_result(MlcOp *op, const Variant *v)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcBuf text = {0};
    for (size_t i = 0; i < v->num_choices[3]; i++) {
        MlcType want = mlc_nvvm_struct_of(v->choices[3][i].type, v->choices[3][i].count);
        if (want == type)
            return mlc_buf_release(&text), true;
        mlc_buf_printf(&text, "%s%s", i ? ", " : "", mlc_type_text(want));
    }
    mlc_op_error(op, "Could not match allowed types for the result; expected one of %s but got %s",
                 mlc_buf_c_str(&text), mlc_type_text(type));
    mlc_buf_release(&text);
    return false;
}

static int64_t
size_of(MlcAttr shape, size_t i)
{
    return mlc_attr_as_int(mlc_dialect_attr_param(shape, i));
}

bool
mlc_nvvm_mma_sync_verify(MlcOp *op)
{
    MlcAttr shape = mlc_nvvm_mma_sync_shape(op);
    MlcAttr type_attr = mlc_nvvm_mma_sync_multiplicand_aptx_type(op);
    int64_t m = size_of(shape, 0), n = size_of(shape, 1), k = size_of(shape, 2);
    int64_t type = type_attr ? mlc_enum_attr_value(type_attr) : F64;
    Types types = types_of(mlc_op_context(op));
    Variant v = {0};
    if (m == 16 && (type == F32 || type == S32 || type == F64))
        return ERROR_AT(op, "invalid shape or multiplicand type: %s",
                        type == F32   ? "f32"
                        : type == S32 ? "s32"
                                      : "f64");
    if (m == 16)
        find_large(&v, &types, type, n, k);
    else if (m == 8)
        find_small(&v, &types, type);
    if (v.num_choices[0] == 0 || n != 8 || (k != v.k[0] && k != v.k[1]))
        return mlc_op_error(op, "unimplemented variant for MMA shape <%lld, %lld, %lld>",
                            (long long)m, (long long)n, (long long)k);
    for (size_t i = 0; i < 3; i++)
        if (!verify_group(op, &v, i))
            return false;
    if (!verify_result(op, &v))
        return false;
    if (type == B1 && !mlc_nvvm_mma_sync_b1_op(op))
        return mlc_op_error(op, "op requires b1Op attribute");
    return type == B1 || !is_integer_matrix(type) || mlc_nvvm_mma_sync_int_overflow_behavior(op) ||
           mlc_op_error(op, "op requires intOverflowBehavior attribute");
}

// --- products of warp groups

enum { W_F16, W_TF32, W_U8, W_S8, W_B1, W_BF16, W_E4M3, W_E5M2, W_F32, W_S32 }; // wgmma_type

static bool
is_product(int64_t d, int64_t a, int64_t b)
{
    bool is_float = d == W_F32 || d == W_F16;
    switch (a) {
    case W_F16:
    case W_BF16:
        return is_float && a == b;
    case W_TF32:
        return d == W_F32 && b == W_TF32;
    case W_U8:
    case W_S8:
        return d == W_S32 && (b == W_U8 || b == W_S8);
    case W_B1:
        return d == W_S32 && b == W_B1;
    case W_E4M3:
    case W_E5M2:
        return is_float && (b == W_E4M3 || b == W_E5M2);
    default:
        return false;
    }
}

static bool
is_width(int64_t n, int64_t type)
{
    bool is_short = type == W_U8 || type == W_S8 || type == W_B1;
    return n >= 8 && n <= 256 && n % 8 == 0 && (!is_short || n <= 32 || n % 16 == 0);
}

static const char *
name_of(const MlcAttrDef *def, int64_t value)
{
    for (size_t i = 0; i < def->num_cases; i++)
        if (def->cases[i].value == value)
            return def->cases[i].name;
    return "";
}

static bool
verify_group_shape(MlcOp *op, int64_t a)
{
    static const int64_t depths[] = {16, 8, 32, 32, 256, 16, 32, 32, 0, 0};
    MlcAttr shape = mlc_nvvm_wgmma_mma_async_shape(op);
    const char *name = name_of(&mlc_nvvm_wgmma_type_attr_def, a);
    if (size_of(shape, 0) != 64)
        return mlc_op_error(op, "shape 'm' must be 64");
    if (size_of(shape, 2) != depths[a])
        return mlc_op_error(op, "shape 'k' must be %lld for input type %s", (long long)depths[a],
                            name);
    return is_width(size_of(shape, 1), a) ||
           mlc_op_error(op, "has input type %s n is set to %lld, it is not supported.", name,
                        (long long)size_of(shape, 1));
}

static bool
verify_group_types(MlcOp *op, int64_t d, int64_t a, int64_t b)
{
    const MlcAttrDef *def = &mlc_nvvm_wgmma_type_attr_def;
    if (d != W_F32 && d != W_F16 && d != W_S32)
        return mlc_op_error(op, "does not support the given output type %s", name_of(def, d));
    if (d == W_S32 &&
        (mlc_nvvm_wgmma_mma_async_scale_a(op) == -1 || mlc_nvvm_wgmma_mma_async_scale_b(op) == -1))
        return mlc_op_error(op, "has s32 output, scaleA and scaleB cannot be neg");
    return is_product(d, a, b) || mlc_op_error(op, "%s += %s * %s, it is not supported.",
                                               name_of(def, d), name_of(def, a), name_of(def, b));
}

static bool
verify_layouts(MlcOp *op, int64_t a, int64_t b)
{
    enum { ROW, COL };
    int64_t layout_a = mlc_nvvm_wgmma_mma_async_layout_a(op);
    int64_t layout_b = mlc_nvvm_wgmma_mma_async_layout_b(op);
    if (a == W_F16 || a == W_BF16 || (layout_a == ROW && layout_b == COL))
        return true;
    return mlc_op_error(op,
                        "given layouts layout_a = %s and layout_b = %s for input types %s and %s "
                        "requires transpose. However, this is only supported for: f16 and bf16",
                        name_of(&mlc_nvvm_mma_layout_attr_def, layout_a),
                        name_of(&mlc_nvvm_mma_layout_attr_def, layout_b),
                        name_of(&mlc_nvvm_wgmma_type_attr_def, a),
                        name_of(&mlc_nvvm_wgmma_type_attr_def, b));
}

bool
mlc_nvvm_wgmma_mma_async_verify(MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    int64_t d = mlc_nvvm_wgmma_mma_async_type_d(op);
    int64_t a = mlc_nvvm_wgmma_mma_async_type_a(op);
    int64_t b = mlc_nvvm_wgmma_mma_async_type_b(op);
    size_t size = mlc_nvvm_struct_size(type);
    if (mlc_value_type(mlc_op_operand(op, 0)) != type)
        return mlc_op_error(op, "failed to verify that input struct and result struct must be the "
                                "same type");
    for (size_t i = 1; i < size; i++)
        if (mlc_nvvm_struct_member(type, i) != mlc_nvvm_struct_member(type, 0))
            return mlc_op_error(op, "all elements in struct must be same type but there is '%s'",
                                mlc_type_text(mlc_nvvm_struct_member(type, i)));
    if (!verify_group_types(op, d, a, b) || !verify_group_shape(op, a) || !verify_layouts(op, a, b))
        return false;
    int64_t n = size_of(mlc_nvvm_wgmma_mma_async_shape(op), 1), want = d == W_F16 ? n / 4 : n / 2;
    if ((int64_t)size != want)
        return mlc_op_error(op, "results %lld, however output struct has %zu elements",
                            (long long)want, size);
    MlcAttr finite = mlc_nvvm_wgmma_mma_async_satfinite(op);
    return d == W_S32 || !finite || mlc_enum_attr_value(finite) == 0 ||
           mlc_op_error(op,
                        " `satfinite` can be only used with s32 accumulator, however the current "
                        "accumulator is %s",
                        name_of(&mlc_nvvm_wgmma_type_attr_def, d));
}
