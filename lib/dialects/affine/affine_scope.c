// affine_scope.c -- which values may be dimensions and symbols of affine maps, and stay so when a
// function's body is put into a loop.
#include "mlc/dialects/affine_compose.h"
#include "mlc/dialects/affine.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/tensor.h"

#include "mlc/ir/inline.h"

MlcRegion *
mlc_affine_scope(const MlcOp *op)
{
    for (MlcRegion *region = mlc_op_region_of(op); region;) {
        MlcOp *parent = mlc_region_parent(region);
        if (parent && mlc_op_has_trait(parent, MLC_TRAIT_AFFINE_SCOPE))
            return region;
        region = parent ? mlc_op_region_of(parent) : NULL;
    }
    return NULL;
}

static MlcRegion *
region_of(const MlcValue *value)
{
    MlcBlock *block = mlc_value_parent_block(value);
    return block ? mlc_block_region(block) : NULL;
}

bool
mlc_affine_is_top_level(const MlcValue *value)
{
    MlcRegion *region = region_of(value);
    MlcOp *parent = region ? mlc_region_parent(region) : NULL;
    return parent && mlc_op_has_trait(parent, MLC_TRAIT_AFFINE_SCOPE);
}

static MlcOp *
affine_loop_around(const MlcValue *value)
{
    MlcBlock *block = mlc_value_block(value);
    MlcOp *parent = block ? mlc_block_parent(block) : NULL;
    return parent && (mlc_affine_for_isa(parent) || mlc_affine_parallel_isa(parent)) ? parent
                                                                                     : NULL;
}

MlcOp *
mlc_affine_loop_of(const MlcValue *value)
{
    MlcOp *loop = affine_loop_around(value);
    return loop && mlc_affine_for_isa(loop) && mlc_value_index(value) == 0 ? loop : NULL;
}

static bool
all_operands(MlcOp *op, MlcRegion *scope, bool (*is_valid)(MlcValue *, MlcRegion *))
{
    MLC_FOR_EACH_OPERAND (operand, op)
        if (!is_valid(operand, scope))
            return false;
    return true;
}

// memref.dim and tensor.dim.
static bool
is_dim_op(const MlcOp *op)
{
    return mlc_memref_dim_isa(op) || mlc_tensor_dim_isa(op);
}

// Size `index` of the memref that `op` makes: static, or a symbol among its operands.
static bool
is_symbolic_size(MlcOp *op, size_t index, MlcRegion *scope)
{
    bool is_alloc = mlc_memref_alloc_isa(op);
    if (!is_alloc && !mlc_memref_view_isa(op) && !mlc_memref_subview_isa(op))
        return false;
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (index >= mlc_type_rank(type))
        return false;
    const int64_t *shape = mlc_type_shape(type);
    if (shape[index] != MLC_DYNAMIC)
        return true;
    size_t first = 0, count = 0, position = 0;
    for (size_t i = 0; i < index; i++)
        position += shape[i] == MLC_DYNAMIC;
    mlc_op_operand_group(op, is_alloc ? 0 : 2, &first, &count);
    return position < count && mlc_affine_is_symbol_in(mlc_op_operand(op, first + position), scope);
}

static bool
is_symbolic_dim(MlcOp *op, MlcRegion *scope)
{
    MlcValue *shaped = mlc_op_operand(op, 0);
    int64_t index;
    if (mlc_affine_is_top_level(shaped))
        return true;
    if (!mlc_value_constant_int(mlc_op_operand(op, 1), &index) || index < 0)
        return false;
    MlcOp *def = mlc_value_def(shaped);
    while (mlc_memref_cast_isa(def)) {
        MlcValue *source = mlc_op_operand(def, 0);
        def = mlc_type_has_rank(mlc_value_type(source)) ? mlc_value_def(source) : NULL;
    }
    return def && is_symbolic_size(def, (size_t)index, scope);
}

bool
mlc_affine_is_symbol_in(MlcValue *value, MlcRegion *scope)
{
    if (!mlc_type_is(mlc_value_type(value), MLC_TYPE_INDEX))
        return false;
    for (;;) {
        if (scope && region_of(value) == scope)
            return true;
        MlcOp *def = mlc_value_def(value);
        if (def && mlc_op_constant(def))
            return true;
        if (def && mlc_affine_apply_isa(def))
            return all_operands(def, scope, mlc_affine_is_symbol_in);
        if (def && is_dim_op(def))
            return is_symbolic_dim(def, scope);
        // From above the scope: a symbol of the region around it.
        MlcOp *parent = scope ? mlc_region_parent(scope) : NULL;
        if (!parent || mlc_op_has_trait(parent, MLC_TRAIT_ISOLATED) || !mlc_op_region_of(parent))
            return false;
        scope = mlc_op_region_of(parent);
    }
}

bool
mlc_affine_is_symbol(MlcValue *value)
{
    if (!mlc_type_is(mlc_value_type(value), MLC_TYPE_INDEX))
        return false;
    if (mlc_affine_is_top_level(value))
        return true;
    MlcOp *def = mlc_value_def(value);
    return def && mlc_affine_is_symbol_in(value, mlc_affine_scope(def));
}

bool
mlc_affine_is_dim_in(MlcValue *value, MlcRegion *scope)
{
    if (!mlc_type_is(mlc_value_type(value), MLC_TYPE_INDEX))
        return false;
    if (mlc_affine_is_symbol_in(value, scope))
        return true;
    MlcOp *def = mlc_value_def(value);
    if (!def)
        return affine_loop_around(value) != NULL;
    if (mlc_affine_apply_isa(def))
        return all_operands(def, scope, mlc_affine_is_dim_in);
    return is_dim_op(def) && mlc_affine_is_top_level(mlc_op_operand(def, 0));
}

bool
mlc_affine_is_dim(MlcValue *value)
{
    if (!mlc_type_is(mlc_value_type(value), MLC_TYPE_INDEX))
        return false;
    MlcOp *def = mlc_value_def(value);
    if (def)
        return mlc_affine_is_dim_in(value, mlc_affine_scope(def));
    return mlc_affine_is_top_level(value) || affine_loop_around(value);
}

// --- inlining

static bool
is_affine_structure(const MlcOp *op)
{
    return mlc_affine_for_isa(op) || mlc_affine_parallel_isa(op) || mlc_affine_if_isa(op);
}

static bool
may_inline_op(const MlcInlining *in, MlcOp *op)
{
    (void)op;
    MlcOp *parent = mlc_region_parent(in->into);
    return mlc_op_has_trait(parent, MLC_TRAIT_AFFINE_SCOPE) || is_affine_structure(parent);
}

typedef bool (*IsValid)(MlcValue *value, MlcRegion *scope);

// In a loop, a value of the body's top level is no longer one: an argument must be what the map
// wants where the call stands; a constant or a size is that anywhere.
static bool
stays_valid(const MlcInlining *in, MlcValue *value, IsValid is_valid)
{
    if (region_of(value) != in->body)
        return true;
    MlcValue *passed = mlc_inlining_argument(in, value);
    if (passed)
        return is_valid(passed, in->into);
    MlcOp *def = mlc_value_def(value);
    return def && (mlc_op_constant(def) || is_dim_op(def));
}

static bool
access_stays_valid(const MlcInlining *in, MlcOp *op)
{
    size_t first, count, num_dims = mlc_affine_map_num_dims(mlc_op_access_map(op));
    mlc_op_access_indices(op, &first, &count);
    for (size_t i = 0; i < count; i++)
        if (!stays_valid(in, mlc_op_operand(op, first + i),
                         i < num_dims ? mlc_affine_is_dim_in : mlc_affine_is_symbol_in))
            return false;
    return true;
}

// Into loops and conditions go only ops of which it is known that they stay valid there.
static bool
may_inline_region(const MlcInlining *in)
{
    if (!is_affine_structure(mlc_region_parent(in->into)) || !mlc_region_has_one_block(in->body))
        return false;
    MLC_FOR_EACH_OP (op, mlc_region_first(in->body)) {
        bool stays = mlc_op_affine_access(op)
                         ? access_stays_valid(in, op)
                         : mlc_op_num_regions(op) == 0 && mlc_op_is_memory_effect_free(op);
        if (!stays)
            return false;
    }
    return true;
}

const MlcInliner mlc_affine_inliner = {.may_region = may_inline_region, .may_op = may_inline_op};
