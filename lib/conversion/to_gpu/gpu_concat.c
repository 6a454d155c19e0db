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
#include "mlc/ir/mixed.h"
#include "mlc/support/vec.h"

enum { MAX_PARTS = 128 }; // of an op: each is an argument of a kernel, of which it has 4 KiB

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

// The element at `indices`, behind `first` of the buffer, of part `i`.
static MlcValue *
load_element(MlcBuilder *b, const Concat *c, size_t i, int64_t first, MlcValue *const *indices)
{
    const Part *part = &c->parts.data[i];
    MlcValue *at[MLC_SMALL_RANK];
    size_t rank = mlc_type_rank(mlc_value_type(c->buffer));
    for (size_t d = 0; d < rank; d++)
        at[d] = d == c->dim && part->first > first
                    ? mlc_arith_subi(b, indices[d], mlc_build_index(b, part->first - first))
                    : indices[d];
    return mlc_memref_load(b, mlc_op_operand(part->copy, 0), at, rank);
}

// Of one of the parts from `begin` to `end`: in which half of them it is, and so on.
static MlcValue *
build_element(MlcBuilder *b, const Concat *c, size_t begin, size_t end, int64_t first,
              MlcValue *const *indices)
{
    if (end - begin == 1)
        return load_element(b, c, begin, first, indices);
    size_t middle = begin + (end - begin) / 2;
    MlcType element = mlc_type_element(mlc_value_type(c->buffer));
    MlcValue *cut = mlc_build_index(b, c->parts.data[middle].first - first);
    MlcOp *choice = mlc_scf_if(
        b, &element, 1, mlc_arith_cmpi(b, indices[c->dim], cut, MLC_ARITH_CMPI_PREDICATE_ULT));
    MlcBuilder inner = *b;
    for (size_t i = 0; i < 2; i++) {
        mlc_builder_create_block(&inner, mlc_op_region(choice, i), NULL, 0);
        MlcValue *value =
            build_element(&inner, c, i ? middle : begin, i ? end : middle, first, indices);
        mlc_scf_yield(&inner, &value, 1);
    }
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

// Whether value `i` is among those before it.
static bool
is_again(const MlcValueVec *values, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (values->data[k] == values->data[i])
            return true;
    return false;
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
    MlcValueVec views = {0};
    for (size_t i = 0; i <= n; i++)
        if (gpu_is_buffer(mlc_op_operand(op, i)))
            mlc_vec_push(&views, mlc_op_operand(op, i));
    mlc_op_erase(op);
    for (size_t i = 0; i < views.size; i++) // else their buffers seem to be read
        if (!mlc_value_has_uses(views.data[i]) && !is_again(&views, i))
            mlc_op_erase(mlc_value_def(views.data[i]));
    mlc_vec_release(&views);
}

// What parts from `begin` to `end` fill of the buffer.
static MlcValue *
window_of(MlcBuilder *b, const Concat *c, size_t begin, size_t end)
{
    const Part *last = &c->parts.data[end - 1];
    if (begin == 0 && end == c->parts.size)
        return c->buffer;
    MlcType type = mlc_value_type(c->buffer);
    int64_t offsets[MLC_SMALL_RANK] = {0}, sizes[MLC_SMALL_RANK], strides[MLC_SMALL_RANK];
    MlcSlice slice;
    slice.offsets.size = slice.sizes.size = slice.strides.size = mlc_type_rank(type);
    offsets[c->dim] = c->parts.data[begin].first;
    for (size_t d = 0; d < mlc_type_rank(type); d++) {
        sizes[d] = d == c->dim ? last->first + last->size - offsets[d] : mlc_type_dim(type, d);
        strides[d] = 1;
        slice.offsets.items[d] = mlc_mixed(offsets[d]);
        slice.sizes.items[d] = mlc_mixed(sizes[d]);
        slice.strides.items[d] = mlc_mixed(1);
    }
    MlcType window = mlc_memref_type_subview(type, offsets, sizes, strides, NULL);
    return mlc_op_result(mlc_build_slice(b, &mlc_memref_subview_def, window, &c->buffer, 1, &slice),
                         0);
}

static void
join_parts(const Concat *c, size_t begin, size_t end)
{
    MlcOp *last = c->parts.data[c->parts.size - 1].copy;
    size_t rank = mlc_type_rank(mlc_value_type(c->buffer));
    MlcValue *indices[MLC_SMALL_RANK];
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(last));
    mlc_builder_before(&b, last);
    b.loc = mlc_op_loc(last);
    MlcValue *window = window_of(&b, c, begin, end);
    MlcOp *made = build_walk(&b, &window, 0, rank);
    mlc_builder_at_end(&b, mlc_build_generic_body(&b, made));
    for (size_t i = 0; i < rank; i++)
        indices[i] = mlc_linalg_index(&b, (int64_t)i);
    MlcValue *element = build_element(&b, c, begin, end, c->parts.data[begin].first, indices);
    mlc_linalg_yield(&b, &element, 1);
}

static void
join(const Concat *c)
{
    MlcType type = mlc_value_type(c->buffer);
    for (size_t i = 0; i < c->parts.size; i += MAX_PARTS)
        join_parts(c, i, i + MAX_PARTS < c->parts.size ? i + MAX_PARTS : c->parts.size);
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
