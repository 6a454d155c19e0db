// tensor_pack.c -- verification and canonicalisation of tensor.pack and tensor.unpack, which undo
// each other.
//
// Both ops are seen as one: a plain tensor and its packed form, with tiles of some of its
// dimensions, and an order of the outer dimensions.
#include "tensor_impl.h"

#include "mlc/ir/rewrite.h"

// As mlc_op_error, without the "'name' op" in front.
#define ERROR_AT(op, ...) mlc_error(mlc_op_context(op), mlc_op_loc(op), __VA_ARGS__)

typedef struct Packing {
    bool is_pack;
    MlcType plain, packed;
    MlcMixedList tiles;
    size_t num_outer; // 0: in their order
    int64_t inner[MLC_RANK_LIMIT], outer[MLC_RANK_LIMIT];
} Packing;

static size_t
read_ints(MlcAttr list, int64_t *values)
{
    size_t n = list ? mlc_dense_array_attr_size(list) : 0;
    for (size_t i = 0; i < n && i < MLC_RANK_LIMIT; i++)
        values[i] = mlc_dense_array_attr_int(list, i);
    return n;
}

static bool
read_packing(const MlcOp *op, Packing *p)
{
    MlcType source = mlc_op_operand_type(op, 0), dest = mlc_op_operand_type(op, 1);
    p->is_pack = mlc_tensor_pack_isa(op);
    p->plain = p->is_pack ? source : dest;
    p->packed = p->is_pack ? dest : source;
    p->num_outer = read_ints(mlc_op_attr(op, "outer_dims_perm"), p->outer);
    return read_ints(mlc_op_attr(op, "inner_dims_pos"), p->inner) <= MLC_RANK_LIMIT &&
           p->num_outer <= MLC_RANK_LIMIT && mlc_mixed_list_read(op, "inner_tiles", &p->tiles);
}

static bool
is_tiled(const Packing *p, size_t dim)
{
    for (size_t i = 0; i < p->tiles.size; i++)
        if (p->inner[i] == (int64_t)dim)
            return true;
    return false;
}

// Where dimension `dim` of the plain tensor is among the outer ones of the packed.
static size_t
outer_position(const Packing *p, size_t dim)
{
    for (size_t i = 0; i < p->num_outer; i++)
        if (p->outer[i] == (int64_t)dim)
            return i;
    return dim;
}

// --- verification

static bool
is_invalid_positions(const int64_t *positions, size_t n, size_t rank)
{
    for (size_t i = 0; i < n; i++) {
        if (positions[i] < 0 || positions[i] >= (int64_t)rank)
            return true;
        for (size_t k = 0; k < i; k++)
            if (positions[k] == positions[i])
                return true;
    }
    return false;
}

// The plain tensor's type in packed form.
static MlcType
packed_type(const Packing *p)
{
    size_t rank = mlc_type_rank(p->plain);
    int64_t shape[2 * MLC_RANK_LIMIT], outer[MLC_RANK_LIMIT];
    for (size_t i = 0; i < rank; i++)
        outer[i] = mlc_type_dim(p->plain, i);
    for (size_t i = 0; i < p->tiles.size; i++) {
        int64_t *size = &outer[p->inner[i]], tile;
        if (*size == MLC_DYNAMIC || !mlc_mixed_constant(p->tiles.items[i], &tile))
            *size = MLC_DYNAMIC;
        else
            *size = (*size + tile - 1) / tile;
        shape[rank + i] = mlc_mixed_static(p->tiles.items[i]);
    }
    for (size_t i = 0; i < rank; i++)
        shape[outer_position(p, i)] = outer[i];
    return mlc_tensor_shaped_like(p->plain, shape, rank + p->tiles.size);
}

static bool
is_large_enough(MlcType expected, MlcType type)
{
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (mlc_type_dim(expected, i) > mlc_type_dim(type, i) &&
            mlc_type_dim(type, i) != MLC_DYNAMIC)
            return false;
    return true;
}

// Not a whole number of tiles, as far as it is known.
static bool
is_partial(const Packing *p)
{
    for (size_t i = 0; i < p->tiles.size; i++) {
        int64_t size = mlc_type_dim(p->plain, (size_t)p->inner[i]), tile;
        int64_t outer = mlc_type_dim(p->packed, outer_position(p, (size_t)p->inner[i]));
        if (size == MLC_DYNAMIC)
            continue;
        if (mlc_mixed_constant(p->tiles.items[i], &tile) ? size % tile != 0
                                                         : outer > 0 && size % outer != 0)
            return true;
    }
    return false;
}

static bool
verify_tiles(MlcOp *op, const Packing *p, size_t num_inner)
{
    size_t rank = mlc_type_rank(p->plain);
    int64_t tile;
    for (size_t i = 0; i < p->tiles.size; i++)
        if (mlc_mixed_constant(p->tiles.items[i], &tile) && tile == 0)
            return ERROR_AT(op, "invalid zero tile factor");
    if (p->tiles.size > rank)
        return ERROR_AT(op, "tiling factors must be less than or equal to the input rank for "
                            "pack or output rank for unpack");
    if (p->tiles.size != num_inner)
        return ERROR_AT(op, "tiling factors must equal the number of dimensions to tile");
    return true;
}

static bool
verify_inner_dims(MlcOp *op, const Packing *p)
{
    size_t outer = mlc_type_rank(p->packed) - p->tiles.size;
    for (size_t i = 0; i < p->tiles.size; i++) {
        int64_t dim = mlc_type_dim(p->packed, outer + i), tile;
        bool is_constant = mlc_mixed_constant(p->tiles.items[i], &tile);
        if (is_constant ? dim != tile : dim != MLC_DYNAMIC && !p->tiles.items[i].value)
            return ERROR_AT(
                op, "mismatch in inner tile sizes specified and shaped of tiled dimension in the "
                    "packed type");
    }
    return true;
}

bool
mlc_tensor_verify_packing(MlcOp *op)
{
    Packing p;
    if (!read_packing(op, &p))
        return ERROR_AT(op, "tiling factors must equal the number of dimensions to tile");
    size_t rank = mlc_type_rank(p.plain),
           num_inner = mlc_dense_array_attr_size(mlc_op_attr(op, "inner_dims_pos"));
    if (!verify_tiles(op, &p, num_inner))
        return false;
    if (is_invalid_positions(p.inner, num_inner, rank))
        return ERROR_AT(op, "invalid inner_dims_pos vector");
    if (is_invalid_positions(p.outer, p.num_outer, rank))
        return ERROR_AT(op, "invalid outer_dims_perm vector");
    if (p.num_outer && p.num_outer != rank)
        return ERROR_AT(op, "outer_dims_perm must be a permutation or empty");
    if (rank + p.tiles.size != mlc_type_rank(p.packed))
        return ERROR_AT(op, "packed rank must equal unpacked rank + tiling factors");
    MlcType expected = packed_type(&p);
    if (!is_large_enough(expected, p.packed))
        return ERROR_AT(op,
                        "the shape of output is not large enough to hold the packed data. "
                        "Expected at least '%s', got '%s'",
                        mlc_type_text(expected), mlc_type_text(p.packed));
    return verify_inner_dims(op, &p);
}

bool
mlc_tensor_pack_verify(MlcOp *op)
{
    MlcValue *padding = mlc_tensor_pack_padding_value(op);
    MlcType element = mlc_type_element(mlc_op_operand_type(op, 0));
    Packing p;
    if (!mlc_tensor_verify_packing(op))
        return false;
    if (padding && mlc_value_type(padding) != element)
        return mlc_op_error(op, "expected padding_value has '%s' but got: '%s'",
                            mlc_type_text(element), mlc_type_text(mlc_value_type(padding)));
    if (!padding && read_packing(op, &p) && is_partial(&p))
        return mlc_op_error(op, "invalid tile factor or output size provided. Only full tiles are "
                                "supported when padding_value is not set");
    return true;
}

// --- folds: splats

bool
mlc_tensor_pack_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    MlcValue *padding = mlc_tensor_pack_padding_value(op);
    if (!mlc_attr_is(constants[0], MLC_ATTR_DENSE) || !mlc_elements_attr_is_splat(constants[0]))
        return false;
    if (padding && constants[2] != mlc_elements_attr_element(constants[0], 0))
        return false;
    return (results->attr = mlc_tensor_splat_in(constants[0], mlc_op_result_type(op, 0))) != NULL;
}

bool
mlc_tensor_unpack_fold(MlcOp *op, const MlcAttr *constants, MlcFold *results)
{
    return (results->attr = mlc_tensor_splat_in(constants[0], mlc_op_result_type(op, 0))) != NULL;
}

// --- patterns

static bool
same_outer(const Packing *a, const Packing *b)
{
    size_t n = a->num_outer > b->num_outer ? a->num_outer : b->num_outer;
    for (size_t i = 0; i < n; i++)
        if ((a->num_outer ? a->outer[i] : (int64_t)i) != (b->num_outer ? b->outer[i] : (int64_t)i))
            return false;
    return true;
}

static bool
same_packing(const Packing *a, const Packing *b)
{
    return mlc_mixed_list_equal(&a->tiles, &b->tiles) && same_outer(a, b) &&
           memcmp(a->inner, b->inner, a->tiles.size * sizeof *a->inner) == 0;
}

// pack(unpack(x)) -> x and unpack(pack(x)) -> x
static bool
undo(MlcRewriter *rw, MlcOp *op, const Packing *p)
{
    MlcOp *inner = mlc_value_def(mlc_op_operand(op, 0)), *pack = p->is_pack ? op : inner;
    Packing q;
    if (mlc_op_operand_type(inner, 0) != mlc_op_result_type(op, 0) ||
        mlc_tensor_pack_padding_value(pack) || !read_packing(inner, &q) || !same_packing(p, &q))
        return false;
    MlcValue *value = mlc_op_operand(inner, 0);
    mlc_rewriter_replace(rw, op, &value, 1);
    return true;
}

// What the plain and the packed type know of dimensions that are not tiled, both know; true if that
// is new to one of them.
static bool
infer_shapes(const Packing *p, MlcType *plain, MlcType *packed)
{
    int64_t shapes[2][2 * MLC_RANK_LIMIT];
    size_t ranks[] = {mlc_type_rank(p->plain), mlc_type_rank(p->packed)};
    bool changed = false;
    memcpy(shapes[0], mlc_type_shape(p->plain), ranks[0] * sizeof(int64_t));
    memcpy(shapes[1], mlc_type_shape(p->packed), ranks[1] * sizeof(int64_t));
    for (size_t i = 0; i < ranks[0]; i++) {
        int64_t *a = &shapes[0][i], *b = &shapes[1][outer_position(p, i)];
        if (is_tiled(p, i) || (*a == MLC_DYNAMIC) == (*b == MLC_DYNAMIC))
            continue;
        *(*a == MLC_DYNAMIC ? a : b) = *a == MLC_DYNAMIC ? *b : *a;
        changed = true;
    }
    *plain = mlc_type_with_shape(p->plain, shapes[0], ranks[0], mlc_type_element(p->plain));
    *packed = mlc_type_with_shape(p->packed, shapes[1], ranks[1], mlc_type_element(p->packed));
    return changed;
}

static bool
insert_casts(MlcRewriter *rw, MlcOp *op, const Packing *p)
{
    MlcBuilder *b = mlc_rewriter_builder(rw);
    MlcType plain, packed;
    if (!infer_shapes(p, &plain, &packed))
        return false;
    MlcType source = p->is_pack ? plain : packed, dest = p->is_pack ? packed : plain;
    MlcValue *operands[] = {mlc_tensor_cast_to(b, source, mlc_op_operand(op, 0)),
                            mlc_tensor_cast_to(b, dest, mlc_op_operand(op, 1))};
    MlcOp *made = mlc_builder_insert(b, mlc_op_clone(op, NULL));
    mlc_op_set_operand(made, 0, operands[0]);
    mlc_op_set_operand(made, 1, operands[1]);
    mlc_value_set_type(mlc_op_result(made, 0), dest);
    return mlc_tensor_replace_cast(rw, op, mlc_op_result(made, 0));
}

static bool
padding_is_not_needed(const Packing *p)
{
    for (size_t i = 0; i < p->tiles.size; i++)
        if (p->tiles.items[i].value || mlc_type_dim(p->plain, (size_t)p->inner[i]) == MLC_DYNAMIC)
            return false;
    return !is_partial(p);
}

bool
mlc_tensor_canonicalize_pack(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    Packing p;
    if (!read_packing(op, &p))
        return false;
    if (mlc_tensor_unpack_isa(mlc_value_def(mlc_op_operand(op, 0))))
        return undo(rw, op, &p);
    if (mlc_tensor_pack_padding_value(op) && padding_is_not_needed(&p)) {
        mlc_op_set_operand_group(op, 2, NULL, 0);
        mlc_rewriter_changed(rw, op);
        return true;
    }
    return insert_casts(rw, op, &p);
}

bool
mlc_tensor_canonicalize_unpack(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    MlcValue *dest = mlc_op_operand(op, 1);
    MlcOp *writer = mlc_value_def(dest);
    size_t first, count;
    Packing p;
    if (!read_packing(op, &p))
        return false;
    if (mlc_tensor_pack_isa(mlc_value_def(mlc_op_operand(op, 0))))
        return undo(rw, op, &p);
    // all of the destination is overwritten, whoever wrote it before
    if (writer && mlc_op_destinations(writer, &first, &count) && mlc_value_index(dest) < count) {
        mlc_op_set_operand(op, 1, mlc_op_operand(writer, first + mlc_value_index(dest)));
        mlc_rewriter_changed(rw, op);
        return true;
    }
    return insert_casts(rw, op, &p);
}
