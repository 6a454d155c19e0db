// promote_buffers_to_stack.c -- small buffers of the heap become buffers of the stack.
//
// A buffer that does not leave the region which frees the stack dies with it. Small is a static
// size up to a limit, or a shape whose sizes are ranks of others. A buffer that somebody frees
// stays where it is.
#include "buffer_flow.h"

#include "mlc/dialects/memref.h"
#include "mlc/ir/rewrite.h"
#include "mlc/pass.h"

typedef struct Limits {
    int64_t bytes, rank;
} Limits;

// -1: not known.
static int64_t
bits_of(MlcType type)
{
    if (mlc_type_is(type, MLC_TYPE_COMPLEX))
        return 2 * bits_of(mlc_type_element(type));
    if (mlc_type_is(type, MLC_TYPE_VECTOR) && !mlc_vector_type_has_scalable(type)) {
        int64_t n = mlc_type_num_elements(type), bits = bits_of(mlc_type_element(type)), all;
        return n < 0 || bits < 0 || __builtin_mul_overflow(n, bits, &all) ? -1 : all;
    }
    bool known = mlc_type_is_float(type) || mlc_type_is_int_or_index(type);
    return known ? (int64_t)mlc_type_bit_width(type) : -1;
}

static bool
is_small(MlcOp *alloc, const Limits *limits)
{
    MlcType type = mlc_op_result_type(alloc, 0);
    if (!mlc_type_has_static_shape(type)) {
        MLC_FOR_EACH_OPERAND (size, alloc)
            if (!mlc_value_def(size) || !mlc_memref_rank_isa(mlc_value_def(size)))
                return false;
        return (int64_t)mlc_type_rank(type) <= limits->rank;
    }
    int64_t bits = bits_of(mlc_type_element(type)), n = mlc_type_num_elements(type), total;
    return bits >= 0 && n >= 0 && !__builtin_mul_overflow(n, bits, &total) &&
           total / 8 + (total % 8 > 0) <= limits->bytes;
}

static bool
is_freed(const MlcValueVec *values)
{
    for (size_t i = 0; i < values->size; i++)
        MLC_FOR_EACH_USE (use, values->data[i]) {
            MlcEffectVec effects = {0};
            bool frees = false;
            mlc_op_effects(mlc_use_owner(use), &effects);
            for (size_t k = 0; k < effects.size; k++)
                frees = frees || effects.data[k].effect == MLC_EFFECT_FREE;
            mlc_vec_release(&effects);
            if (frees)
                return true;
        }
    return false;
}

// Is one of the values handed out of the region by what ends it, or kept in memory?
static bool
leaves(const MlcRegion *region, const MlcValueVec *values)
{
    for (size_t i = 0; i < values->size; i++)
        MLC_FOR_EACH_USE (use, values->data[i]) {
            MlcOp *op = mlc_use_owner(use);
            bool ends = mlc_op_region_of(op) == region &&
                        mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR) &&
                        mlc_op_num_successors(op) == 0;
            if (ends || (mlc_memref_store_isa(op) && mlc_use_index(use) == 0))
                return true;
        }
    return false;
}

// Is there a region around the allocation that frees the stack, and does the buffer stay within it?
static bool
has_scope(MlcOp *alloc, const MlcValueVec *values)
{
    for (MlcOp *inner = alloc, *outer; (outer = mlc_op_parent(inner)); inner = outer) {
        if (mlc_op_has_trait(outer, MLC_TRAIT_AUTOMATIC_ALLOCATION_SCOPE))
            return !leaves(mlc_op_region_of(inner), values);
        if (!buffer_knows_flow(outer))
            return false;
    }
    return false;
}

static void
promote(MlcOp *alloc)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(alloc));
    mlc_builder_before(&b, alloc);
    MlcValueVec sizes = {0}, symbols = {0};
    for (size_t i = 0; i < mlc_memref_alloc_num_dynamic_sizes(alloc); i++)
        mlc_vec_push(&sizes, mlc_memref_alloc_dynamic_sizes(alloc, i));
    for (size_t i = 0; i < mlc_memref_alloc_num_symbol_operands(alloc); i++)
        mlc_vec_push(&symbols, mlc_memref_alloc_symbol_operands(alloc, i));
    MlcValue *buffer = mlc_memref_alloca(&b, mlc_op_result_type(alloc, 0), sizes.data, sizes.size,
                                         symbols.data, symbols.size);
    MlcOp *made = mlc_value_def(buffer);
    mlc_memref_alloca_set_alignment(made, mlc_memref_alloc_alignment(alloc));
    mlc_op_set_discardable(made, mlc_op_discardable(alloc));
    mlc_vec_release(&sizes);
    mlc_vec_release(&symbols);
    mlc_op_replace(alloc, &buffer, 1);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Limits limits = {mlc_pass_option_int(pass, "max-alloc-size-in-bytes"),
                     mlc_pass_option_int(pass, "max-rank-of-allocated-memref")};
    MlcValueVec values = {0};
    MLC_FOR_EACH_OF_KIND (alloc, root, &mlc_memref_alloc_def) {
        if (!is_small(alloc, &limits))
            continue;
        values.size = 0;
        buffer_flow(mlc_op_result(alloc, 0), &values);
        if (!is_freed(&values) && has_scope(alloc, &values))
            promote(alloc);
    }
    mlc_vec_release(&values);
    return true;
}

static const MlcPassOption options[] = {
    {"max-alloc-size-in-bytes", MLC_OPTION_INT, "1024", "of buffers of static size"},
    {"max-rank-of-allocated-memref", MLC_OPTION_INT, "1",
     "of buffers whose sizes are ranks of others"},
};

MLC_PASS(promote_buffers_to_stack, .flag = "promote-buffers-to-stack",
         .summary = "Allocate small buffers on the stack", .anchor = "func.func",
         .options = options, .num_options = 2, .run = run)
