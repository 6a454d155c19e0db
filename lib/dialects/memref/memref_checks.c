// memref_checks.c -- what holds of buffers only if the program is right: indices within bounds,
// casts to what is there, views inside of what they are cut from. The checks are those of MLIR 19.
#include "mlc/dialects/affine_compose.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"
#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"
#include "mlc/support/alloc.h"

static MlcValue *
is_equal_to(MlcBuilder *b, MlcValue *value, int64_t constant)
{
    return mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_EQ, value, mlc_build_index(b, constant));
}

static MlcValue *
compare_folded(MlcBuilder *b, int64_t predicate, MlcValue *lhs, MlcValue *rhs)
{
    return mlc_build_or_fold(b, mlc_value_def(mlc_build_compare(b, predicate, lhs, rhs)));
}

// Folded too; where y is true it is x.
static MlcValue *
both(MlcBuilder *b, MlcValue *x, MlcValue *y)
{
    int64_t is_true = 0;
    mlc_value_constant_int(y, &is_true);
    return is_true ? x : mlc_build_or_fold(b, mlc_value_def(mlc_arith_andi(b, x, y)));
}

static MlcValue *
build_dim(MlcBuilder *b, MlcValue *memref, size_t dim)
{
    return mlc_memref_dim(b, memref, mlc_build_index(b, (int64_t)dim));
}

// --- accesses

static void
check_access(MlcOp *op, MlcBuilder *b)
{
    MlcValue *buffer = mlc_op_access_memref(op), *all = NULL;
    size_t first, rank;
    mlc_op_access_indices(op, &first, &rank);
    if (rank == 0)
        return;
    MlcValue *zero = mlc_build_index(b, 0);
    for (size_t i = 0; i < rank; i++) {
        MlcValue *size = mlc_build_or_fold(b, mlc_value_def(build_dim(b, buffer, i)));
        MlcValue *index = mlc_op_operand(op, first + i);
        MlcValue *low = compare_folded(b, MLC_ARITH_CMPI_PREDICATE_SGE, index, zero);
        MlcValue *high = compare_folded(b, MLC_ARITH_CMPI_PREDICATE_SLT, index, size);
        MlcValue *inside = both(b, low, high);
        all = all ? both(b, all, inside) : inside;
    }
    mlc_build_runtime_check(b, op, all, "out-of-bounds access");
}

// Derived for any op with `access`, also of dialects loaded at run time.
const MlcRuntimeCheck mlc_memref_access_runtime_check = {.generate = check_access};

// --- cast

static void
check_sizes(MlcOp *op, MlcBuilder *b, MlcValue *source, MlcType to)
{
    MlcType from = mlc_value_type(source);
    bool has_rank = mlc_type_has_rank(from);
    for (size_t i = 0; i < mlc_type_rank(to); i++) {
        if (mlc_type_dim(to, i) == MLC_DYNAMIC ||
            (has_rank && mlc_type_dim(from, i) != MLC_DYNAMIC))
            continue;
        MlcValue *size = build_dim(b, source, i);
        mlc_build_runtime_check(b, op, is_equal_to(b, size, mlc_type_dim(to, i)),
                                "size mismatch of dim %zu", i);
    }
}

static MlcOp *
build_metadata(MlcBuilder *b, MlcValue *memref)
{
    MlcType type = mlc_value_type(memref), index = mlc_index_type_get(b->ctx);
    size_t rank = mlc_type_rank(type);
    MlcType *indices = mlc_malloc((rank + 1) * sizeof *indices);
    MlcType base = mlc_memref_type_get(mlc_type_element(type), NULL, 0, NULL,
                                       mlc_memref_type_memory_space(type));
    for (size_t i = 0; i < rank; i++)
        indices[i] = index;
    MlcOp *metadata =
        mlc_memref_extract_strided_metadata(b, base, index, indices, rank, indices, rank, memref);
    mlc_free(indices);
    return metadata;
}

// Of a memref with or without rank, through a cast to a type of which nothing is known.
static MlcOp *
metadata_of_source(MlcBuilder *b, MlcValue *source, MlcType to)
{
    size_t rank = mlc_type_rank(to);
    int64_t *unknown = mlc_malloc((rank + 1) * sizeof *unknown);
    for (size_t i = 0; i < rank; i++)
        unknown[i] = MLC_DYNAMIC;
    MlcAttr layout = mlc_strided_layout_attr_get(b->ctx, MLC_DYNAMIC, unknown, rank);
    MlcType type = mlc_memref_type_get(mlc_type_element(to), unknown, rank, layout,
                                       mlc_memref_type_memory_space(to));
    mlc_free(unknown);
    return build_metadata(b, mlc_memref_cast(b, type, source));
}

static void
check_cast(MlcOp *op, MlcBuilder *b)
{
    MlcValue *source = mlc_op_operand(op, 0);
    MlcType to = mlc_value_type(mlc_op_result(op, 0));
    if (!mlc_type_has_rank(to))
        return;
    size_t rank = mlc_type_rank(to);
    if (!mlc_type_has_rank(mlc_value_type(source))) {
        MlcValue *actual = mlc_memref_rank(b, source);
        mlc_build_runtime_check(b, op, is_equal_to(b, actual, (int64_t)rank), "rank mismatch");
    }
    MlcOp *metadata = metadata_of_source(b, source, to);
    check_sizes(op, b, source, to);
    int64_t offset, *strides = mlc_malloc((rank + 1) * sizeof *strides);
    if (mlc_memref_type_strides(to, &offset, strides)) {
        if (offset != MLC_DYNAMIC)
            mlc_build_runtime_check(b, op, is_equal_to(b, mlc_op_result(metadata, 1), offset),
                                    "offset mismatch");
        for (size_t i = 0; i < rank; i++)
            if (strides[i] != MLC_DYNAMIC)
                mlc_build_runtime_check(
                    b, op, is_equal_to(b, mlc_op_result(metadata, 2 + rank + i), strides[i]),
                    "stride mismatch of dim %zu", i);
    }
    mlc_free(strides);
}
const MlcRuntimeCheck mlc_memref_cast_runtime_check = {.generate = check_cast};

// --- views

// Offset + sizes * strides as symbols, those that the type knows as constants.
typedef struct Span {
    MlcValue *first, *end; // elements
} Span;

static MlcAffineExpr
symbol_or_constant(MlcValueMap *vm, MlcValue *value, int64_t constant)
{
    MlcContext *ctx = mlc_type_context(mlc_value_type(value));
    if (constant != MLC_DYNAMIC)
        return mlc_affine_constant(ctx, constant);
    mlc_vec_push(&vm->operands, value);
    return mlc_affine_symbol(ctx, (unsigned)vm->operands.size - 1);
}

static Span
span_of(MlcBuilder *b, MlcValue *memref)
{
    MlcType type = mlc_value_type(memref);
    size_t rank = mlc_type_rank(type);
    MlcOp *metadata = build_metadata(b, memref);
    int64_t offset = MLC_DYNAMIC, *strides = mlc_malloc((rank + 1) * sizeof *strides);
    for (size_t i = 0; i < rank; i++)
        strides[i] = MLC_DYNAMIC;
    mlc_memref_type_strides(type, &offset, strides);
    MlcValueMap vm = {0};
    MlcAffineExpr end = symbol_or_constant(&vm, mlc_op_result(metadata, 1), offset);
    for (size_t i = 0; i < rank; i++) {
        MlcAffineExpr size =
            symbol_or_constant(&vm, mlc_op_result(metadata, 2 + i), mlc_type_dim(type, i));
        MlcAffineExpr stride =
            symbol_or_constant(&vm, mlc_op_result(metadata, 2 + rank + i), strides[i]);
        end = mlc_affine_add(end, mlc_affine_mul(size, stride));
    }
    mlc_free(strides);
    vm.map = mlc_affine_map_get(b->ctx, 0, (unsigned)vm.operands.size, &end, 1);
    MlcValue *first =
        offset == MLC_DYNAMIC ? mlc_op_result(metadata, 1) : mlc_build_index(b, offset);
    return (Span){first, mlc_value_map_build(b, &vm)};
}

static void
check_view(MlcOp *op, MlcBuilder *b)
{
    if (!mlc_type_has_rank(mlc_value_type(mlc_op_operand(op, 0))))
        return;
    b->before = mlc_op_next(op);
    Span base = span_of(b, mlc_op_operand(op, 0));
    Span view = span_of(b, mlc_op_result(op, 0));
    MlcValue *low = compare_folded(b, MLC_ARITH_CMPI_PREDICATE_SGE, view.first, base.first);
    MlcValue *high = compare_folded(b, MLC_ARITH_CMPI_PREDICATE_SLE, view.end, base.end);
    MlcValue *inside = both(b, low, high);
    mlc_build_runtime_check(b, op, inside, "%s is out-of-bounds of the base memref",
                            mlc_op_isa(op, &mlc_memref_subview_def) ? "subview"
                                                                    : "result of reinterpret_cast");
}
const MlcRuntimeCheck mlc_memref_view_runtime_check = {.generate = check_view};

// --- expand_shape: sizes that are known divide what they are made of

static void
check_expand(MlcOp *op, MlcBuilder *b)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcAttr groups = mlc_op_attr(op, "reassociation");
    for (size_t i = 0; i < mlc_array_attr_size(groups); i++) {
        MlcAttr group = mlc_array_attr_element(groups, i);
        int64_t known = 1;
        for (size_t k = 0; k < mlc_array_attr_size(group); k++) {
            size_t dim = (size_t)mlc_attr_as_int(mlc_array_attr_element(group, k));
            if (mlc_type_dim(type, dim) != MLC_DYNAMIC)
                known = (int64_t)((uint64_t)known * (uint64_t)mlc_type_dim(type, dim));
        }
        MlcValue *size = build_dim(b, mlc_op_operand(op, 0), i);
        MlcValue *rest = mlc_arith_remsi(b, size, mlc_build_index(b, known));
        mlc_build_runtime_check(b, op, is_equal_to(b, rest, 0),
                                "static result dims in reassoc group do not divide src dim evenly");
    }
}
const MlcRuntimeCheck mlc_memref_expand_shape_runtime_check = {.generate = check_expand};
