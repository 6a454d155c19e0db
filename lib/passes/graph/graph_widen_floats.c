// graph_widen_floats.c -- what is computed on f16 and bf16 is computed on f32.
//
// Every op that computes has its operands widened and gives f32; a result is rounded where it
// leaves that: when it is returned, where the model casts it to a narrow type, and where its value
// decides something (a comparison, a cast to an integer). Between ops nothing is rounded, so an
// error does not grow with the number of ops, sums are sums of f32, and kernels, schedules and
// their cost are those of an f32 model. Ops that only move elements stay narrow where all they move
// is in memory (an embedding table, a cache of keys), and are wide between ops that compute.
// Constants become f32 when their bytes are asked for (constant_remade.h); numbers too large for
// f16 have become infinite when the model was made.
//
// With narrow-products the factors of products and convolutions stay narrow, for machines that
// multiply them as they are and add up in f32: what was computed is rounded before it is
// multiplied, as the model says, and weights stay as small as they are.
#include "kernel/constant_remade.h"
#include "graph_constants.h"

#include "mlc/pass.h"
#include "mlc/support/map.h"

#include "mlc/dialects/graph.h"

typedef struct Widener {
    MlcPass *pass;
    MlcContext *ctx;
    MlcType f32;
    MlcMap *computed; // values that are f32 now -> the type that they had (a pointer); also outside
    bool narrow_products;
    MlcMap wide;   // values that stay narrow -> the same in f32
    MlcMap narrow; // values that are f32 now -> the same, rounded
} Widener;

static bool
is_narrow(MlcType type)
{
    if (!mlc_type_is(type, MLC_TYPE_TENSOR) && !mlc_type_is(type, MLC_TYPE_UNRANKED_TENSOR))
        return false;
    MlcType element = mlc_type_element(type);
    return mlc_type_is_float(element) && (mlc_float_type_kind(element) == MLC_FLOAT_F16 ||
                                          mlc_float_type_kind(element) == MLC_FLOAT_BF16);
}

// ---- which ops

static bool
is_tensor_op(MlcOp *op)
{
    return mlc_op_num_results(op) == 1 && mlc_op_num_regions(op) == 0 && mlc_op_is_pure(op) &&
           !mlc_op_has_trait(op, MLC_TRAIT_CONSTANT_LIKE) &&
           !mlc_op_has_trait(op, MLC_TRAIT_STRUCTURED) &&
           (mlc_op_has_trait(op, MLC_TRAIT_ELEMENTWISE) ||
            mlc_op_interface(op, MLC_INTERFACE_INFER_SHAPES));
}

// A move is wide if nothing that it moves has to be read from memory in narrow form: all of it was
// computed or is constant, and it is not moved by indices out of a constant.
static bool
moves_wide(Widener *w, MlcOp *op)
{
    bool is_computed = false, is_constant = true;
    MLC_FOR_EACH_OPERAND (value, op) {
        bool constant = mlc_value_constant(value) != NULL;
        is_computed |= mlc_map_has(w->computed, value);
        is_constant &= constant || mlc_map_has(w->computed, value);
        if (is_narrow(mlc_value_type(value)) && !constant)
            return false;
    }
    return is_computed || is_constant;
}

static bool
becomes_wide(Widener *w, MlcOp *op)
{
    if (!is_tensor_op(op) || !is_narrow(mlc_value_type(mlc_op_result(op, 0))) ||
        mlc_graph_cast_isa(op))
        return false;
    return !mlc_op_has_trait(op, MLC_TRAIT_MOVES_ELEMENTS) || moves_wide(w, op);
}

// ---- one form and the other

static void
widen_f16(void *to, const void *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t half;
        memcpy(&half, (const char *)from + 2 * i, 2);
        uint32_t magnitude = half & 0x7fffu, bits = magnitude << 13;
        float small = (float)magnitude * 0x1p-24f; // where the exponent is 0
        if (magnitude >= 0x7c00)
            bits += UINT32_C(224) << 23;
        else if (magnitude >= 0x0400)
            bits += UINT32_C(112) << 23;
        else
            memcpy(&bits, &small, 4);
        bits |= (uint32_t)(half & 0x8000u) << 16;
        memcpy((char *)to + 4 * i, &bits, 4);
    }
}

static void
widen_bf16(void *to, const void *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t upper;
        memcpy(&upper, (const char *)from + 2 * i, 2);
        uint32_t bits = (uint32_t)upper << 16;
        memcpy((char *)to + 4 * i, &bits, 4);
    }
}

typedef struct Widening {
    size_t count;
    MlcFloatKind kind;
} Widening;

static void
widen_elements(void *to, const void *from, bool is_splat, const void *recipe)
{
    const Widening *widening = recipe;
    void (*widen)(void *, const void *, size_t) =
        widening->kind == MLC_FLOAT_F16 ? widen_f16 : widen_bf16;
    for (size_t i = 0; is_splat && i < widening->count; i++)
        widen((char *)to + 4 * i, from, 1);
    if (!is_splat)
        widen(to, from, widening->count);
}

static MlcAttr
widen_constant(Widener *w, MlcAttr old)
{
    MlcType type = mlc_attr_type(old), element = mlc_type_element(type);
    MlcType wide = mlc_type_with_element(type, w->f32);
    if (!mlc_elements_attr_has_data(old))
        return NULL;
    if (mlc_attr_is(old, MLC_ATTR_DENSE) && mlc_elements_attr_is_splat(old)) {
        double number = mlc_float_attr_as_double(mlc_elements_attr_element(old, 0));
        return mlc_dense_attr_splat(wide, mlc_float_attr_get(w->f32, number));
    }
    Widening recipe = {(size_t)mlc_type_num_elements(type), mlc_float_type_kind(element)};
    return mlc_constant_remade(old, wide, mlc_constant_key(old), widen_elements, &recipe,
                               sizeof recipe);
}

static MlcValue *
build_cast(MlcOp *before, MlcValue *value, MlcType type)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(before));
    mlc_builder_before(&b, before);
    return mlc_graph_cast(&b, type, value);
}

// A cast from f32 that need not have been made.
static bool
is_unrounded(Widener *w, MlcOp *op)
{
    return mlc_graph_cast_isa(op) && !mlc_attr_as_bool(mlc_op_attr(op, "rounds")) &&
           mlc_type_element(mlc_value_type(mlc_op_operand(op, 0))) == w->f32;
}

// `value` in f32, for `user`.
static MlcValue *
wide_form(Widener *w, MlcValue *value, MlcOp *user)
{
    if (mlc_map_has(w->computed, value))
        return value;
    MlcValue *known = mlc_map_get(&w->wide, value);
    if (known)
        return known;
    if (is_unrounded(w, mlc_value_def(value)))
        return mlc_op_operand(mlc_value_def(value), 0);
    MlcAttr constant = mlc_value_constant(value);
    MlcAttr widened = constant ? widen_constant(w, constant) : NULL;
    MlcType type = mlc_type_with_element(mlc_value_type(value), w->f32);
    known = widened ? mlc_constant_build(user, widened) : build_cast(user, value, type);
    mlc_map_set(&w->wide, value, known);
    return known;
}

// `value`, of f32 now, in the type that it had, for `user`.
static MlcValue *
narrow_form(Widener *w, MlcValue *value, MlcOp *user)
{
    MlcType element = mlc_map_get(w->computed, value);
    MlcValue *known = mlc_map_get(&w->narrow, value);
    if (known)
        return known;
    known = build_cast(user, value, mlc_type_with_element(mlc_value_type(value), element));
    mlc_map_set(&w->narrow, value, known);
    return known;
}

// ---- the walk, in program order

static bool
is_to_wider_float(MlcOp *op)
{
    if (!mlc_graph_cast_isa(op))
        return false;
    MlcType element = mlc_type_element(mlc_value_type(mlc_op_result(op, 0)));
    return mlc_type_is_float(element) && mlc_type_bit_width(element) >= 32;
}

static bool
has_narrow_factors(const Widener *w, MlcOp *op)
{
    return w->narrow_products &&
           (mlc_graph_matmul_isa(op) || mlc_graph_gemm_isa(op) || mlc_graph_conv_isa(op));
}

static void
widen(Widener *w, MlcOp *op)
{
    size_t num_factors = has_narrow_factors(w, op) ? 2 : 0;
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcValue *value = mlc_op_operand(op, i);
        if (i < num_factors && mlc_map_has(w->computed, value))
            mlc_op_set_operand(op, i, narrow_form(w, value, op));
        else if (i >= num_factors && is_narrow(mlc_value_type(value)))
            mlc_op_set_operand(op, i, wide_form(w, value, op));
    }
    MlcValue *result = mlc_op_result(op, 0);
    MlcType type = mlc_value_type(result);
    mlc_map_set(w->computed, result, mlc_type_element(type));
    mlc_value_set_type(result, mlc_type_with_element(type, w->f32));
    mlc_pass_count(w->pass, "widened", 1);
}

static void
visit(Widener *w, MlcOp *op)
{
    if (becomes_wide(w, op)) {
        widen(w, op);
        return;
    }
    if (is_to_wider_float(op) && mlc_map_has(w->computed, mlc_op_operand(op, 0)))
        return; // nothing is lost by not rounding first
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        if (mlc_map_has(w->computed, mlc_op_operand(op, i)))
            mlc_op_set_operand(op, i, narrow_form(w, mlc_op_operand(op, i), op));
}

// Bodies of control flow by themselves: what goes in and out keeps its type. What they read from
// outside may have been computed wide.
static void
visit_inside(MlcPass *pass, MlcOp *op, MlcMap *computed)
{
    MlcContext *ctx = mlc_pass_context(pass);
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, i)) {
            Widener w = {.pass = pass,
                         .ctx = ctx,
                         .f32 = mlc_float_type_get(ctx, MLC_FLOAT_F32),
                         .computed = computed,
                         .narrow_products = mlc_pass_option_bool(pass, "narrow-products")};
            MLC_FOR_EACH_OP_SAFE (inner, block)
                visit(&w, inner);
            mlc_map_release(&w.wide);
            mlc_map_release(&w.narrow);
            MLC_FOR_EACH_OP (inner, block)
                visit_inside(pass, inner, computed);
        }
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcMap computed;
    mlc_map_init(&computed);
    visit_inside(pass, root, &computed);
    mlc_map_release(&computed);
    return true;
}

static const MlcPassOption options[] = {
    {"narrow-products", MLC_OPTION_BOOL, "false",
     "factors of products and convolutions stay f16 or bf16; what they add up to is f32"},
};

static const char *const dialects[] = {"graph", NULL};

MLC_PASS(graph_widen_floats, .flag = "graph-widen-floats",
         .summary = "Compute on f32 what is on f16 or bf16, and round results once",
         .anchor = "func.func", .options = options, .num_options = 1,
         .dependent_dialects = dialects, .run = run)
