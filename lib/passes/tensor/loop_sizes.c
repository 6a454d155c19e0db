// loop_sizes.c -- see loop_sizes.h.
//
// A tensor is followed to what gave it its shape: a structured op to its output, a loop's variable
// to its initial value. What is a slice, or made by tensor.empty, names its sizes; the arguments of
// a function do not, so that the size of a loop is asked of the operand that leads to a name.
#include "loop_sizes.h"

#include "mlc/analysis/structured.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/tensor.h"

// The tensor that `value` has its shape from, one step back; NULL: it is the first.
static MlcValue *
shape_source(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    if (!def) {
        MlcOp *loop = mlc_block_parent(mlc_value_block(value));
        bool is_carried = mlc_scf_for_isa(loop) && mlc_value_index(value) > 0;
        return is_carried ? mlc_op_operand(loop, 2 + mlc_value_index(value)) : NULL;
    }
    if (mlc_scf_for_isa(def))
        return mlc_op_operand(def, 3 + mlc_value_index(value));
    if (mlc_structured(def) || mlc_tiling(def))
        return mlc_op_num_results(def) == 1 ? mlc_op_operand(def, mlc_structured_num_inputs(def))
                                            : NULL;
    return mlc_tensor_insert_slice_isa(def) ? mlc_op_operand(def, 1) : NULL;
}

// Element `dim` of a list of sizes, whose dynamic ones are operands from `first` on.
static MlcValue *
listed_size(MlcBuilder *b, MlcOp *op, const char *list, size_t dim, size_t first)
{
    MlcAttr sizes = mlc_op_attr(op, list);
    int64_t size = 0;
    for (size_t i = 0; i <= dim; i++) {
        if (!mlc_int_list_attr_get(sizes, i, &size))
            return NULL;
        first += i < dim && size == MLC_DYNAMIC;
    }
    return size == MLC_DYNAMIC ? mlc_op_operand(op, first) : mlc_build_index(b, size);
}

static size_t
num_dynamic(MlcOp *op, const char *list)
{
    MlcAttr values = mlc_op_attr(op, list);
    size_t n = 0;
    int64_t value;
    for (size_t i = 0; i < mlc_int_list_attr_size(values); i++)
        n += mlc_int_list_attr_get(values, i, &value) && value == MLC_DYNAMIC;
    return n;
}

static MlcValue *find_size(MlcBuilder *b, MlcValue *tensor, size_t dim);

// The product of the sizes that a collapse joins.
static MlcValue *
collapsed_size(MlcBuilder *b, MlcOp *collapse, size_t dim)
{
    MlcValue *source = mlc_op_operand(collapse, 0), *product = NULL;
    MlcGroups groups;
    if (!mlc_groups_read(mlc_op_attr(collapse, "reassociation"), &groups))
        return NULL;
    for (size_t i = mlc_groups_first(&groups, dim); i < mlc_groups_first(&groups, dim + 1); i++) {
        MlcValue *size = find_size(b, source, i);
        if (!size)
            return NULL;
        product = product ? mlc_arith_muli(b, product, size) : size;
    }
    return product;
}

// The size that something names; NULL: that of an argument, or of an op that does not say.
static MlcValue *
find_size(MlcBuilder *b, MlcValue *tensor, size_t dim)
{
    MlcType type = mlc_value_type(tensor);
    if (mlc_type_dim(type, dim) != MLC_DYNAMIC)
        return mlc_build_index(b, mlc_type_dim(type, dim));
    for (MlcValue *source; (source = shape_source(tensor));)
        tensor = source;
    MlcOp *def = mlc_value_def(tensor);
    size_t before = 0;
    if (mlc_tensor_empty_isa(def)) {
        for (size_t i = 0; i < dim; i++)
            before += mlc_type_dim(mlc_value_type(tensor), i) == MLC_DYNAMIC;
        return mlc_op_operand(def, before);
    }
    if (mlc_tensor_extract_slice_isa(def) &&
        mlc_type_rank(mlc_value_type(mlc_op_operand(def, 0))) == mlc_type_rank(type))
        return listed_size(b, def, "static_sizes", dim, 1 + num_dynamic(def, "static_offsets"));
    if (mlc_tensor_expand_shape_isa(def))
        return listed_size(b, def, "static_output_shape", dim, 1);
    return mlc_tensor_collapse_shape_isa(def) ? collapsed_size(b, def, dim) : NULL;
}

// The dimension of operand `i` that is the loop; SIZE_MAX: none.
static size_t
dim_of_loop(MlcOp *op, size_t i, size_t loop)
{
    if (!mlc_type_is_shaped(mlc_value_type(mlc_op_operand(op, i))))
        return SIZE_MAX;
    MlcAffineMap map = mlc_structured_map(op, i);
    for (size_t r = 0; r < mlc_affine_map_num_results(map); r++)
        if (mlc_map_result_dim(map, r) == (int)loop)
            return r;
    return SIZE_MAX;
}

// The size of a loop that an operand other than `but` names; NULL: none does.
static MlcValue *
named_loop_size(MlcBuilder *b, MlcOp *op, size_t loop, MlcValue *but)
{
    for (size_t i = mlc_op_num_operands(op); i-- > 0;) {
        MlcValue *operand = mlc_op_operand(op, i);
        size_t dim = operand != but ? dim_of_loop(op, i, loop) : SIZE_MAX;
        MlcValue *size = dim != SIZE_MAX ? find_size(b, operand, dim) : NULL;
        if (size)
            return size;
    }
    return NULL;
}

// A size that is there where the builder is: an argument, or made before it in its block.
static bool
is_there(MlcBuilder *b, MlcValue *size)
{
    MlcOp *def = mlc_value_def(size);
    if (!def)
        return true;
    for (MlcOp *op = b->before ? mlc_op_prev(b->before) : mlc_block_last(b->block); op;
         op = mlc_op_prev(op))
        if (op == def)
            return true;
    return false;
}

// What an op that reads `tensor` beside others says of them.
static MlcValue *
size_by_users(MlcBuilder *b, MlcValue *tensor, size_t dim)
{
    MLC_FOR_EACH_USE (use, tensor) {
        MlcOp *user = mlc_use_owner(use);
        if (!mlc_structured(user) || mlc_op_block(user) != b->block)
            continue;
        MlcAffineMap map = mlc_structured_map(user, mlc_use_index(use));
        int loop = mlc_map_result_dim(map, dim);
        MlcValue *size = loop < 0 ? NULL : named_loop_size(b, user, (size_t)loop, tensor);
        if (size && is_there(b, size))
            return size;
    }
    return NULL;
}

MlcValue *
mlc_size_value(MlcBuilder *b, MlcValue *tensor, size_t dim)
{
    MlcValue *size = find_size(b, tensor, dim);
    if (size)
        return size;
    for (MlcValue *source; (source = shape_source(tensor));)
        tensor = source;
    size = size_by_users(b, tensor, dim);
    return size ? size : mlc_build_dim(b, tensor, dim);
}

MlcValue *
mlc_build_empty_like(MlcBuilder *b, MlcValue *tensor)
{
    MlcType type = mlc_value_type(tensor);
    MlcValue *sizes[MLC_RANK_LIMIT];
    size_t n = 0;
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == MLC_DYNAMIC)
            sizes[n++] = mlc_size_value(b, tensor, i);
    return mlc_tensor_empty(b, type, sizes, n);
}

MlcValue *
mlc_loop_size_value(MlcBuilder *b, MlcOp *op, size_t loop)
{
    MlcValue *size = named_loop_size(b, op, loop, NULL);
    for (size_t i = 0; !size && i < mlc_op_num_operands(op); i++) {
        size_t dim = dim_of_loop(op, i, loop);
        if (dim != SIZE_MAX)
            size = mlc_size_value(b, mlc_op_operand(op, i), dim);
    }
    if (size)
        return size;
    mlc_bug("no operand of a verified op goes along loop %zu", loop);
}

int64_t
mlc_size_bound(MlcValue *size)
{
    int64_t bound = MLC_DYNAMIC, constant;
    if (mlc_value_constant_int(size, &constant))
        return constant;
    MlcOp *def = mlc_value_def(size);
    if (!mlc_affine_min_isa(def))
        return MLC_DYNAMIC;
    MlcAffineMap map = mlc_affine_map_attr_value(mlc_op_attr(def, "map"));
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++)
        if (mlc_affine_is_constant(mlc_affine_map_result(map, i), &constant) &&
            (bound == MLC_DYNAMIC || constant < bound))
            bound = constant;
    return bound;
}
