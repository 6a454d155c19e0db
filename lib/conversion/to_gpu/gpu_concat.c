// gpu_concat.c -- joins copies into one op.
//
// The copies stand in a row, go to windows of one buffer that lie side by side along one dimension,
// and fill it. What they copy is in other buffers.
#include "gpu_concat.h"

#include "gpu_point.h"

#include "mlc/analysis/alias.h"
#include "mlc/analysis/structured.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"
#include "mlc/support/vec.h"

typedef struct Part {
    MlcOp *copy;
    int64_t first, size; // along the dimension
} Part;

typedef struct Concat {
    MlcValue *buffer;
    size_t dim;
    int64_t end; // of the parts so far
    MLC_VEC(Part) parts;
} Concat;

// The buffer of which the copy fills a window; NULL: it does something else.
static MlcValue *
buffer_of(MlcOp *copy)
{
    if (!mlc_memref_copy_isa(copy))
        return NULL;
    MlcOp *view = mlc_value_def(mlc_op_operand(copy, 1));
    if (!view || !mlc_memref_subview_isa(view) || mlc_op_num_operands(view) != 1)
        return NULL;
    MlcValue *buffer = mlc_op_operand(view, 0), *from = mlc_op_operand(copy, 0);
    MlcType type = mlc_value_type(buffer), part = mlc_value_type(from);
    size_t rank = mlc_type_rank(type);
    bool fits = rank > 0 && rank <= MLC_SMALL_RANK && mlc_type_rank(part) == rank &&
                mlc_type_rank(mlc_value_type(mlc_op_operand(copy, 1))) == rank &&
                !mlc_memref_type_layout(type) && mlc_type_has_static_shape(type) &&
                mlc_type_has_static_shape(part) &&
                mlc_viewed_buffer(from) != mlc_viewed_buffer(buffer);
    return fits ? buffer : NULL;
}

// Whether the copy's window is the next one along the dimension, and all of the others.
static bool
take(Concat *c, MlcOp *copy)
{
    MlcOp *view = mlc_value_def(mlc_op_operand(copy, 1));
    MlcType type = mlc_value_type(c->buffer), part = mlc_value_type(mlc_op_operand(copy, 0));
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        int64_t offset, stride;
        if (!mlc_int_list_attr_get(mlc_op_attr(view, "static_offsets"), i, &offset) ||
            !mlc_int_list_attr_get(mlc_op_attr(view, "static_strides"), i, &stride) ||
            stride != 1 || offset != (i == c->dim ? c->end : 0) ||
            (i != c->dim && mlc_type_dim(part, i) != mlc_type_dim(type, i)))
            return false;
    }
    mlc_vec_push(&c->parts, (Part){copy, c->end, mlc_type_dim(part, c->dim)});
    c->end += mlc_type_dim(part, c->dim);
    return true;
}

// The dimension along which the first window is not all of the buffer; the rank: there is none.
static size_t
cut_dim(MlcType type, MlcType part)
{
    size_t i = 0;
    while (i < mlc_type_rank(type) && mlc_type_dim(type, i) == mlc_type_dim(part, i))
        i++;
    return i;
}

// The copies from `first` on that fill one buffer.
static bool
read_concat(Concat *c, MlcOp *first)
{
    *c = (Concat){.buffer = buffer_of(first)};
    if (!c->buffer)
        return false;
    MlcType type = mlc_value_type(c->buffer);
    c->dim = cut_dim(type, mlc_value_type(mlc_op_operand(first, 0)));
    if (c->dim == mlc_type_rank(type))
        return false;
    for (MlcOp *op = first; op && c->end < mlc_type_dim(type, c->dim); op = mlc_op_next(op)) {
        if (mlc_op_is_memory_effect_free(op) || mlc_memref_alloc_isa(op))
            continue;
        if (buffer_of(op) != c->buffer || !take(c, op))
            return false;
    }
    return c->end == mlc_type_dim(type, c->dim) && c->parts.size > 1;
}

// The element at `indices` of part `i` and those behind it.
static MlcValue *
build_element(MlcBuilder *b, const Concat *c, size_t i, MlcValue *const *indices)
{
    const Part *part = &c->parts.data[i];
    MlcValue *from = mlc_op_operand(part->copy, 0), *at[MLC_SMALL_RANK];
    MlcType element = mlc_type_element(mlc_value_type(c->buffer));
    size_t rank = mlc_type_rank(mlc_value_type(c->buffer));
    MlcBuilder inner = *b;
    MlcOp *choice = NULL;
    if (i + 1 < c->parts.size) {
        MlcValue *end = mlc_build_index(b, part->first + part->size);
        choice = mlc_scf_if(b, &element, 1,
                            mlc_arith_cmpi(b, indices[c->dim], end, MLC_ARITH_CMPI_PREDICATE_ULT));
        inner = *b;
        mlc_builder_create_block(&inner, mlc_op_region(choice, 0), NULL, 0);
    }
    for (size_t d = 0; d < rank; d++)
        at[d] = d == c->dim && part->first
                    ? mlc_arith_subi(&inner, indices[d], mlc_build_index(&inner, part->first))
                    : indices[d];
    MlcValue *value = mlc_memref_load(&inner, from, at, rank);
    if (!choice)
        return value;
    mlc_scf_yield(&inner, &value, 1);
    mlc_builder_create_block(&inner, mlc_op_region(choice, 1), NULL, 0);
    value = build_element(&inner, c, i + 1, indices);
    mlc_scf_yield(&inner, &value, 1);
    return mlc_op_result(choice, 0);
}

// An op of `rank` parallel loops on buffers of that shape, and numbers, with an empty body.
static MlcOp *
build_walk(MlcBuilder *b, MlcValue *const *operands, size_t num_inputs, size_t rank)
{
    MlcIterator iterators[MLC_SMALL_RANK];
    MLC_VEC(MlcAffineMap) maps = {0};
    for (size_t i = 0; i < rank; i++)
        iterators[i] = MLC_ITERATOR_PARALLEL;
    for (size_t i = 0; i <= num_inputs; i++)
        mlc_vec_push(&maps, gpu_is_buffer(operands[i])
                                ? mlc_affine_map_identity(b->ctx, (unsigned)rank)
                                : mlc_affine_map_get(b->ctx, (unsigned)rank, 0, NULL, 0));
    MlcOp *made = mlc_build_bare_generic(b, operands, num_inputs, 1, maps.data, iterators, rank);
    mlc_vec_release(&maps);
    return made;
}

// What `value` is a flat view of; NULL: it is none.
static MlcValue *
flattened(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    if (!def || !mlc_memref_collapse_shape_isa(def) || mlc_type_rank(mlc_value_type(value)) != 1)
        return NULL;
    MlcType type = mlc_value_type(mlc_op_operand(def, 0));
    return mlc_memref_type_layout(type) || !mlc_type_has_static_shape(type)
               ? NULL
               : mlc_op_operand(def, 0);
}

// Makes an op whose loop walks flat views of buffers of the shape of `like` walk these.
static void
walk_shape(MlcOp *op, MlcType like)
{
    size_t n = mlc_structured(op) ? mlc_structured_num_inputs(op) : 0, rank = mlc_type_rank(like);
    MlcValue *operands[MLC_SMALL_RANK + 1];
    if (!mlc_linalg_generic_isa(op) || mlc_structured_num_loops(op) != 1 || n > MLC_SMALL_RANK ||
        mlc_structured_num_outputs(op) != 1 || mlc_structured_uses_index(op) ||
        !mlc_structured_is_parallel(op))
        return;
    for (size_t i = 0; i <= n; i++) {
        MlcValue *operand = operands[i] = mlc_op_operand(op, i);
        if (!gpu_is_buffer(operand))
            continue;
        operands[i] = flattened(operand);
        if (!operands[i] || mlc_map_result_dim(mlc_structured_map(op, i), 0) != 0 ||
            mlc_type_rank(mlc_value_type(operands[i])) != rank)
            return;
        for (size_t d = 0; d < rank; d++)
            if (mlc_type_dim(mlc_value_type(operands[i]), d) != mlc_type_dim(like, d))
                return;
    }
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    b.loc = mlc_op_loc(op);
    MlcOp *made = build_walk(&b, operands, n, rank);
    MlcBlock *from = mlc_structured_body(op), *body = mlc_build_generic_body(&b, made);
    MlcCloneMap *map = mlc_clone_map_create();
    for (size_t i = 0; i < mlc_block_num_args(from); i++)
        mlc_clone_map_set(map, mlc_block_arg(from, i), mlc_block_arg(body, i));
    mlc_builder_at_end(&b, body);
    MLC_FOR_EACH_OP (inner, from)
        mlc_builder_insert(&b, mlc_op_clone(inner, map));
    mlc_clone_map_destroy(map);
    mlc_op_erase(op);
}

static void
join(const Concat *c)
{
    MlcOp *last = c->parts.data[c->parts.size - 1].copy;
    MlcType type = mlc_value_type(c->buffer);
    size_t rank = mlc_type_rank(type);
    MlcValue *indices[MLC_SMALL_RANK];
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(last));
    mlc_builder_before(&b, last);
    b.loc = mlc_op_loc(last);
    MlcOp *made = build_walk(&b, &c->buffer, 0, rank);
    mlc_builder_at_end(&b, mlc_build_generic_body(&b, made));
    for (size_t i = 0; i < rank; i++)
        indices[i] = mlc_linalg_index(&b, (int64_t)i);
    MlcValue *element = build_element(&b, c, 0, indices);
    mlc_linalg_yield(&b, &element, 1);
    for (size_t i = 0; i < c->parts.size; i++) {
        MlcOp *view = mlc_value_def(mlc_op_operand(c->parts.data[i].copy, 1));
        mlc_op_erase(c->parts.data[i].copy);
        if (!mlc_value_has_uses(mlc_op_result(view, 0)))
            mlc_op_erase(view);
    }
    MlcOpVec readers = {0};
    MLC_FOR_EACH_USE (use, c->buffer)
        if (mlc_op_num_results(mlc_use_owner(use)) == 1 &&
            flattened(mlc_op_result(mlc_use_owner(use), 0)))
            MLC_FOR_EACH_USE (of_view, mlc_op_result(mlc_use_owner(use), 0))
                if (mlc_structured(mlc_use_owner(of_view)))
                    mlc_vec_push(&readers, mlc_use_owner(of_view));
    for (size_t i = 0; i < readers.size; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again |= readers.data[k] == readers.data[i];
        if (!again)
            walk_shape(readers.data[i], type);
    }
    mlc_vec_release(&readers);
}

void
gpu_concat_join(MlcBlock *block)
{
    MlcOpVec copies = {0};
    MLC_FOR_EACH_OP (op, block)
        if (buffer_of(op))
            mlc_vec_push(&copies, op);
    for (size_t i = 0; i < copies.size; i++) {
        Concat concat;
        size_t taken = 0;
        if (read_concat(&concat, copies.data[i])) {
            taken = concat.parts.size - 1; // they are the next ones
            join(&concat);
        }
        mlc_vec_release(&concat.parts);
        i += taken;
    }
    mlc_vec_release(&copies);
}
