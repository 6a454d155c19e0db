// gpu_padding.c -- finds the fill and the copy, and that nothing else writes.
#include "gpu_padding.h"

#include "gpu_point.h"

#include "mlc/analysis/alias.h"
#include "mlc/analysis/structured.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"
#include "mlc/support/vec.h"

// Who uses a buffer or a view of it, and as what.
typedef struct Access {
    MlcOp *op;
    MlcValue *value;
} Access;
typedef MLC_VEC(Access) AccessVec;

static bool
is_view(const MlcOp *op)
{
    return mlc_memref_expand_shape_isa(op) || mlc_memref_collapse_shape_isa(op) ||
           mlc_memref_subview_isa(op);
}

static void
find_accesses(MlcValue *buffer, AccessVec *found)
{
    MLC_FOR_EACH_USE (use, buffer) {
        MlcOp *user = mlc_use_owner(use);
        if (is_view(user))
            find_accesses(mlc_op_result(user, 0), found);
        else
            mlc_vec_push(found, (Access){user, buffer});
    }
}

static bool
may_write(const Access *access)
{
    MlcEffectVec effects = {0};
    bool writes = !mlc_op_effects(access->op, &effects);
    for (size_t i = 0; i < effects.size; i++)
        writes |= effects.data[i].effect != MLC_EFFECT_READ &&
                  (!effects.data[i].value || effects.data[i].value == access->value);
    mlc_vec_release(&effects);
    return writes;
}

// The number that an op without inputs writes everywhere; NULL: it does something else.
static MlcAttr
filled_with(MlcOp *op)
{
    if (!mlc_structured(op) || !mlc_structured_is_parallel(op) ||
        mlc_structured_num_outputs(op) != 1)
        return NULL;
    MlcBlock *body = mlc_structured_body(op);
    MlcValue *value = mlc_op_operand(mlc_block_terminator(body), 0);
    size_t n = mlc_structured_num_inputs(op);
    for (size_t i = 0; i < n; i++)
        if (value == mlc_block_arg(body, i))
            value = mlc_op_operand(op, i);
    MlcAffineMap out = mlc_structured_map(op, n);
    return mlc_affine_map_is_permutation(out) ? mlc_value_constant(value) : NULL;
}

// The buffer that an op copies as it is; NULL: it does something else.
static MlcValue *
copied(MlcOp *op)
{
    if (mlc_memref_copy_isa(op))
        return mlc_op_operand(op, 0);
    if (!mlc_structured(op) || !mlc_structured_is_parallel(op) ||
        mlc_structured_num_inputs(op) != 1 || mlc_structured_num_outputs(op) != 1 ||
        mlc_structured_map(op, 0) != mlc_structured_map(op, 1) ||
        !mlc_affine_map_is_permutation(mlc_structured_map(op, 0)))
        return NULL;
    MlcBlock *body = mlc_structured_body(op);
    return mlc_op_operand(mlc_block_terminator(body), 0) == mlc_block_arg(body, 0)
               ? mlc_op_operand(op, 0)
               : NULL;
}

// Where a window of neighbours begins in what it is a view of.
static bool
read_window(MlcOp *op, int64_t *offsets)
{
    if (!mlc_memref_subview_isa(op) || mlc_op_num_operands(op) != 1)
        return false;
    size_t rank = mlc_type_rank(mlc_value_type(mlc_op_operand(op, 0)));
    if (rank > MLC_SMALL_RANK || mlc_type_rank(mlc_value_type(mlc_op_result(op, 0))) != rank)
        return false;
    for (size_t i = 0; i < rank; i++) {
        int64_t stride;
        if (!mlc_int_list_attr_get(mlc_op_attr(op, "static_offsets"), i, &offsets[i]) ||
            !mlc_int_list_attr_get(mlc_op_attr(op, "static_strides"), i, &stride) || stride != 1)
            return false;
    }
    return true;
}

// The buffer of the padded one's own shape, which is all of its memory: the window that begins at
// its first element is left out.
static MlcValue *
whole_of(MlcValue *buffer)
{
    int64_t offsets[MLC_SMALL_RANK];
    MlcOp *def = mlc_value_def(buffer);
    if (!def || !read_window(def, offsets))
        return buffer;
    for (size_t i = 0; i < mlc_type_rank(mlc_value_type(buffer)); i++)
        if (offsets[i] != 0)
            return buffer;
    return mlc_op_operand(def, 0);
}

PaddingOps
gpu_padding_ops(MlcValue *buffer)
{
    PaddingOps ops = {NULL, NULL};
    AccessVec accesses = {0};
    MlcValue *memory = mlc_viewed_buffer(buffer);
    bool ok = mlc_memref_alloc_isa(mlc_value_def(memory)) &&
              mlc_op_num_operands(mlc_value_def(memory)) == 0;
    if (ok)
        find_accesses(memory, &accesses);
    for (size_t i = 0; i < accesses.size; i++) {
        const Access *access = &accesses.data[i];
        if (!may_write(access))
            continue;
        MlcOp **place = filled_with(access->op) ? &ops.fill : copied(access->op) ? &ops.copy : NULL;
        ok &= place && !*place;
        if (place)
            *place = access->op;
    }
    mlc_vec_release(&accesses);
    ok = ok && ops.fill && ops.copy && mlc_op_block(ops.fill) == mlc_op_block(ops.copy) &&
         mlc_op_is_before(ops.fill, ops.copy);
    return ok ? ops : (PaddingOps){NULL, NULL};
}

static bool
is_plain_buffer(MlcValue *value, size_t rank)
{
    MlcType type = mlc_value_type(value);
    return mlc_type_is(type, MLC_TYPE_MEMREF) && !mlc_memref_type_layout(type) &&
           mlc_type_has_static_shape(type) && mlc_type_rank(type) == rank;
}

// Whether nobody writes `source` behind `copy`.
static bool
stays(MlcValue *source, MlcOp *copy)
{
    AccessVec accesses = {0};
    bool unwritten = true;
    find_accesses(mlc_viewed_buffer(source), &accesses);
    for (size_t i = 0; i < accesses.size; i++) {
        MlcOp *op = mlc_block_find_ancestor(mlc_op_block(copy), accesses.data[i].op);
        unwritten &= !may_write(&accesses.data[i]) || (op && mlc_op_is_before(op, copy));
    }
    mlc_vec_release(&accesses);
    return unwritten;
}

bool
gpu_padding_read(Padding *padding, MlcValue *buffer, MlcOp *reader)
{
    PaddingOps ops = gpu_padding_ops(buffer);
    *padding = (Padding){0};
    if (!ops.copy || mlc_op_block(reader) != mlc_op_block(ops.copy) ||
        !mlc_op_is_before(ops.copy, reader))
        return false;
    MlcValue *target = mlc_op_operand(ops.copy, 1), *whole = whole_of(buffer);
    MlcType type = mlc_value_type(buffer);
    size_t rank = mlc_type_rank(type);
    padding->source = copied(ops.copy);
    padding->around = filled_with(ops.fill);
    if (rank > MLC_SMALL_RANK || !is_plain_buffer(padding->source, rank) ||
        !is_plain_buffer(whole, rank) || !mlc_value_def(target) ||
        !read_window(mlc_value_def(target), padding->low) ||
        mlc_op_operand(mlc_value_def(target), 0) != whole)
        return false;
    // All of the memory is filled, and is the padded buffer.
    int64_t count = mlc_type_num_elements(mlc_value_type(mlc_viewed_buffer(buffer)));
    if (mlc_type_num_elements(mlc_value_type(gpu_output_of(ops.fill))) != count ||
        mlc_type_num_elements(mlc_value_type(whole)) != count)
        return false;
    for (size_t i = 0; i < rank; i++) {
        int64_t inside = mlc_type_dim(mlc_value_type(padding->source), i);
        padding->is_padded[i] = padding->low[i] != 0 || inside < mlc_type_dim(type, i);
    }
    return stays(padding->source, ops.copy);
}

static void
erase_views(MlcValue *buffer)
{
    MLC_FOR_EACH_USE_SAFE (use, buffer) {
        MlcOp *view = mlc_use_owner(use);
        erase_views(mlc_op_result(view, 0));
        mlc_op_erase(view);
    }
}

void
gpu_padding_erase(MlcValue *buffer)
{
    PaddingOps ops = gpu_padding_ops(buffer);
    MlcValue *memory = mlc_viewed_buffer(buffer);
    AccessVec accesses = {0};
    find_accesses(memory, &accesses);
    bool is_read = !ops.fill || accesses.size != 2;
    mlc_vec_release(&accesses);
    if (is_read)
        return;
    mlc_op_erase(ops.fill);
    mlc_op_erase(ops.copy);
    erase_views(memory);
    mlc_op_erase(mlc_value_def(memory));
}

MlcValue *
gpu_padding_load(const Padding *padding, MlcBuilder *b, MlcValue *const *indices)
{
    MlcType type = mlc_value_type(padding->source), element = mlc_type_element(type);
    MlcValue *inside = NULL, *at[MLC_SMALL_RANK];
    size_t rank = mlc_type_rank(type);
    for (size_t i = 0; i < rank; i++) {
        at[i] = indices[i];
        if (!padding->is_padded[i])
            continue;
        if (padding->low[i] != 0)
            at[i] = mlc_arith_subi(b, at[i], mlc_build_index(b, padding->low[i]));
        MlcValue *here = mlc_arith_cmpi(b, at[i], mlc_build_index(b, mlc_type_dim(type, i)),
                                        MLC_ARITH_CMPI_PREDICATE_ULT);
        inside = inside ? mlc_arith_andi(b, inside, here) : here;
    }
    if (!inside)
        return mlc_memref_load(b, padding->source, at, rank);
    MlcOp *guard = mlc_scf_if(b, &element, 1, inside);
    MlcBuilder inner = *b;
    mlc_builder_create_block(&inner, mlc_op_region(guard, 0), NULL, 0);
    MlcValue *value = mlc_memref_load(&inner, padding->source, at, rank);
    mlc_scf_yield(&inner, &value, 1);
    mlc_builder_create_block(&inner, mlc_op_region(guard, 1), NULL, 0);
    value = mlc_build_constant(&inner, padding->around);
    mlc_scf_yield(&inner, &value, 1);
    return mlc_op_result(guard, 0);
}
