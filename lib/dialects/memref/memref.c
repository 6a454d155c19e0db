// memref.c -- verification of memref ops: counts that follow from types, layouts of views.
#include "mlc/dialects/memref.h"

#include "mlc/dialects/arith.h"
#include "mlc/ir.h"
#include "mlc/support/powers.h"

#include "memref_impl.h"

// As mlc_op_error, without the "'name' op" in front.
#define ERROR_AT(op, ...) mlc_error(mlc_op_context(op), mlc_op_loc(op), __VA_ARGS__)

static MlcAttr
space_of(MlcType type)
{
    return mlc_memref_type_memory_space(type);
}

static bool
is_identity(MlcType type)
{
    return mlc_memref_type_layout(type) == NULL;
}

static bool
verify_same_space(MlcOp *op, const char *what, MlcType from, const char *into, MlcType to)
{
    if (space_of(from) == space_of(to))
        return true;
    return ERROR_AT(op, "different memory spaces specified for %s '%s' and %s '%s'", what,
                    mlc_type_text(from), into, mlc_type_text(to));
}

static bool
verify_same_element(MlcOp *op, const char *what, MlcType from, MlcType to)
{
    if (mlc_type_element(from) == mlc_type_element(to))
        return true;
    return ERROR_AT(op, "different element types specified for %s '%s' and result memref type '%s'",
                    what, mlc_type_text(from), mlc_type_text(to));
}

// --- allocation

static bool
verify_alloc(MlcOp *op, size_t num_sizes, size_t num_symbols)
{
    MlcType type = mlc_op_result_type(op, 0);
    size_t want = mlc_memref_type_num_symbols(type);
    if (num_sizes != mlc_type_num_dynamic_dims(type))
        return mlc_op_error(
            op, "dimension operand count does not equal memref dynamic dimension count");
    if (num_symbols != want)
        return mlc_op_error(op,
                            "symbol operand count does not equal memref symbol count: expected "
                            "%zu, got %zu",
                            want, num_symbols);
    return true;
}

bool
mlc_memref_alloc_verify(MlcOp *op)
{
    return verify_alloc(op, mlc_memref_alloc_num_dynamic_sizes(op),
                        mlc_memref_alloc_num_symbol_operands(op));
}

bool
mlc_memref_alloca_verify(MlcOp *op)
{
    MlcOp *scope = mlc_op_parent(op);
    while (scope && !mlc_op_has_trait(scope, MLC_TRAIT_AUTOMATIC_ALLOCATION_SCOPE))
        scope = mlc_op_parent(scope);
    if (!scope)
        return mlc_op_error(op, "requires an ancestor op with AutomaticAllocationScope trait");
    return verify_alloc(op, mlc_memref_alloca_num_dynamic_sizes(op),
                        mlc_memref_alloca_num_symbol_operands(op));
}

bool
mlc_memref_realloc_verify(MlcOp *op)
{
    MlcType from = mlc_op_operand_type(op, 0), to = mlc_op_result_type(op, 0);
    bool has_size = mlc_op_num_operands(op) == 2, wants_size = !mlc_type_has_static_shape(to);
    if (!is_identity(from))
        return ERROR_AT(op, "unsupported layout for source memref type '%s'", mlc_type_text(from));
    if (!is_identity(to))
        return ERROR_AT(op, "unsupported layout for result memref type '%s'", mlc_type_text(to));
    if (!verify_same_space(op, "source memref type", from, "result memref type", to) ||
        !verify_same_element(op, "source memref type", from, to))
        return false;
    if (has_size == wants_size)
        return true;
    return ERROR_AT(op, "%s dimension operand for result type '%s'",
                    wants_size ? "missing" : "unnecessary", mlc_type_text(to));
}

bool
mlc_memref_assume_alignment_verify(MlcOp *op)
{
    return mlc_is_power_of_two(mlc_memref_assume_alignment_alignment(op)) ||
           mlc_op_error(op, "alignment must be power of 2");
}

// --- casts

static bool
fits(int64_t a, int64_t b)
{
    return a == b || a == MLC_DYNAMIC || b == MLC_DYNAMIC;
}

// Offset and strides may be forgotten or promised, but not changed. Layouts that are no strides
// stay as they are.
static bool
layouts_fit(MlcType a, MlcType b)
{
    int64_t offsets[2], strides[2][MLC_RANK_LIMIT];
    if (mlc_memref_type_layout(a) == mlc_memref_type_layout(b))
        return true;
    if (mlc_type_rank(a) > MLC_RANK_LIMIT || !mlc_memref_type_strides(a, &offsets[0], strides[0]) ||
        !mlc_memref_type_strides(b, &offsets[1], strides[1]) || !fits(offsets[0], offsets[1]))
        return false;
    for (size_t i = 0; i < mlc_type_rank(a); i++)
        if (!fits(strides[0][i], strides[1][i]))
            return false;
    return true;
}

bool
mlc_memref_types_cast(MlcType from, MlcType to)
{
    bool ranked = mlc_type_has_rank(from), both = ranked && mlc_type_has_rank(to);
    if (mlc_type_element(from) != mlc_type_element(to) || space_of(from) != space_of(to))
        return false;
    if (!both)
        return ranked || mlc_type_has_rank(to);
    if (mlc_type_rank(from) != mlc_type_rank(to) || !layouts_fit(from, to))
        return false;
    for (size_t i = 0; i < mlc_type_rank(from); i++)
        if (!fits(mlc_type_dim(from, i), mlc_type_dim(to, i)))
            return false;
    return true;
}

static bool
forgets(int64_t from, int64_t to)
{
    return from == to || from != MLC_DYNAMIC;
}

MlcOp *
mlc_memref_foldable_cast(MlcValue *value)
{
    MlcOp *cast = mlc_value_def(value);
    int64_t offsets[2], strides[2][MLC_RANK_LIMIT];
    if (!mlc_memref_cast_isa(cast))
        return NULL;
    MlcType from = mlc_op_operand_type(cast, 0), to = mlc_op_result_type(cast, 0);
    if (!mlc_type_has_rank(from) || !mlc_type_has_rank(to) || mlc_type_rank(to) > MLC_RANK_LIMIT ||
        !mlc_memref_type_strides(from, &offsets[0], strides[0]) ||
        !mlc_memref_type_strides(to, &offsets[1], strides[1]) || !forgets(offsets[0], offsets[1]))
        return NULL;
    for (size_t i = 0; i < mlc_type_rank(to); i++)
        if (!forgets(mlc_type_dim(from, i), mlc_type_dim(to, i)) ||
            !forgets(strides[0][i], strides[1][i]))
            return NULL;
    return cast;
}

bool
mlc_memref_cast_verify(MlcOp *op)
{
    return mlc_memref_types_cast(mlc_op_operand_type(op, 0), mlc_op_result_type(op, 0)) ||
           mlc_op_cast_error(op);
}

bool
mlc_memref_memory_space_cast_verify(MlcOp *op)
{
    MlcType from = mlc_op_operand_type(op, 0), to = mlc_op_result_type(op, 0);
    bool ranked = mlc_type_has_rank(from);
    bool fit = mlc_type_element(from) == mlc_type_element(to) && ranked == mlc_type_has_rank(to);
    if (fit && ranked)
        fit = mlc_type_rank(from) == mlc_type_rank(to) &&
              mlc_memref_type_layout(from) == mlc_memref_type_layout(to) &&
              memcmp(mlc_type_shape(from), mlc_type_shape(to),
                     mlc_type_rank(from) * sizeof(int64_t)) == 0;
    return fit || mlc_op_cast_error(op);
}

// --- accesses

bool
mlc_memref_load_verify(MlcOp *op)
{
    size_t rank = mlc_type_rank(mlc_op_operand_type(op, 0)), n = mlc_op_num_operands(op) - 1;
    if (n != rank)
        return mlc_op_error(op, "incorrect number of indices for load, expected %zu but got %zu",
                            rank, n);
    return true;
}

bool
mlc_memref_store_verify(MlcOp *op)
{
    if (mlc_op_num_operands(op) != 2 + mlc_type_rank(mlc_op_operand_type(op, 1)))
        return mlc_op_error(op, "store index operand count not equal to memref rank");
    return true;
}

bool
mlc_memref_atomic_rmw_verify(MlcOp *op)
{
    static const uint32_t floats =
        1u << MLC_ARITH_ATOMIC_RMW_KIND_ADDF | 1u << MLC_ARITH_ATOMIC_RMW_KIND_MAXIMUMF |
        1u << MLC_ARITH_ATOMIC_RMW_KIND_MINIMUMF | 1u << MLC_ARITH_ATOMIC_RMW_KIND_MULF;
    static const uint32_t any = 1u << MLC_ARITH_ATOMIC_RMW_KIND_ASSIGN |
                                1u << MLC_ARITH_ATOMIC_RMW_KIND_MAXNUMF |
                                1u << MLC_ARITH_ATOMIC_RMW_KIND_MINNUMF;
    if (mlc_type_rank(mlc_op_operand_type(op, 1)) != mlc_op_num_operands(op) - 2)
        return mlc_op_error(op, "expects the number of subscripts to be equal to memref rank");
    int64_t kind = mlc_enum_attr_value(mlc_memref_atomic_rmw_kind(op));
    bool wants_float = floats >> kind & 1;
    if (any >> kind & 1 || wants_float == mlc_type_is_float(mlc_op_operand_type(op, 0)))
        return true;
    return mlc_op_error(op, "with kind '%s' expects %s type",
                        mlc_arith_atomic_rmw_kind_attr_def.cases[kind].name,
                        wants_float ? "a floating-point" : "an integer");
}

bool
mlc_memref_generic_atomic_rmw_verify_regions(MlcOp *op)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
    bool ok = true;
    if (!body || mlc_block_num_args(body) != 1)
        return mlc_op_error(op, "expected single number of entry block arguments");
    if (mlc_value_type(mlc_block_arg(body, 0)) != mlc_op_result_type(op, 0))
        return mlc_op_error(op, "expected block argument of the same type result type");
    MLC_FOR_EACH_BLOCK_IN_OP (block, op)
        MLC_FOR_EACH_OP (inner, block)
            if (!mlc_op_is_memory_effect_free(inner))
                ok = ERROR_AT(inner, "body of 'memref.generic_atomic_rmw' should contain only "
                                     "operations with no side effects");
    return ok;
}

bool
mlc_memref_atomic_yield_verify(MlcOp *op)
{
    MlcType parent = mlc_op_result_type(mlc_op_parent(op), 0), type = mlc_op_operand_type(op, 0);
    return type == parent ||
           mlc_op_error(op, "types mismatch between yield op: '%s' and its parent: '%s'",
                        mlc_type_text(type), mlc_type_text(parent));
}

// --- DMA: lists of operands without segments, which the ranks of the memrefs tell apart

static bool
is_index(const MlcOp *op, size_t i)
{
    return mlc_type_is(mlc_op_operand_type(op, i), MLC_TYPE_INDEX);
}

// A memref at `*at`, then its indices, and `rest` operands at least. Moves past the indices.
static bool
verify_dma_memref(MlcOp *op, const char *what, size_t *at, size_t rest)
{
    MlcType type = mlc_op_operand_type(op, *at);
    if (!mlc_type_is(type, MLC_TYPE_MEMREF))
        return mlc_op_error(op, "expected %s to be of memref type", what);
    size_t end = *at + 1 + mlc_type_rank(type);
    if (mlc_op_num_operands(op) < end + rest)
        return mlc_op_error(op, "expected at least %zu operands", end + rest);
    for (size_t i = *at + 1; i < end; i++)
        if (!is_index(op, i))
            return mlc_op_error(op, "expected %s indices to be of index type", what);
    *at = end;
    return true;
}

bool
mlc_memref_dma_start_verify(MlcOp *op)
{
    size_t at = 0, n = mlc_op_num_operands(op);
    if (n < 4)
        return mlc_op_error(op, "expected at least 4 operands");
    if (!verify_dma_memref(op, "source", &at, 3) || !verify_dma_memref(op, "destination", &at, 2))
        return false;
    if (!is_index(op, at++))
        return mlc_op_error(op, "expected num elements to be of index type");
    if (!verify_dma_memref(op, "tag", &at, 0))
        return false;
    if (n != at && n != at + 2)
        return mlc_op_error(op, "incorrect number of operands");
    if (n != at && (!is_index(op, at) || !is_index(op, at + 1)))
        return mlc_op_error(op, "expected stride and num elements per stride to be of type index");
    return true;
}

// --- globals

static bool
verify_alignment(MlcOp *op)
{
    int64_t alignment = 1;
    MlcAttr attr = mlc_memref_global_alignment(op);
    if (!attr || (mlc_attr_try_as_int(attr, &alignment) && mlc_is_power_of_two(alignment)))
        return true;
    return ERROR_AT(op, "alignment attribute value %llu is not a power of 2",
                    (unsigned long long)alignment);
}

bool
mlc_memref_global_verify(MlcOp *op)
{
    MlcType type = mlc_type_attr_value(mlc_memref_global_type(op));
    MlcAttr value = mlc_memref_global_initial_value(op);
    if (!mlc_type_is(type, MLC_TYPE_MEMREF) || !mlc_type_has_static_shape(type))
        return mlc_op_error(op, "type should be static shaped memref, but got '%s'",
                            mlc_type_text(type));
    if (!value || mlc_attr_is(value, MLC_ATTR_UNIT))
        return verify_alignment(op);
    bool is_elements =
        mlc_attr_is(value, MLC_ATTR_DENSE) || mlc_attr_is(value, MLC_ATTR_DENSE_RESOURCE) ||
        mlc_attr_is(value, MLC_ATTR_SPARSE) || mlc_attr_is(value, MLC_ATTR_DENSE_STRING);
    if (!is_elements)
        return mlc_op_error(op, "initial value should be a unit or elements attribute, but got %s",
                            mlc_attr_text(value));
    MlcType want = mlc_tensor_type_get(mlc_type_element(type), mlc_type_shape(type),
                                       mlc_type_rank(type), NULL);
    if (mlc_attr_type(value) != want)
        return mlc_op_error(op, "initial value expected to be of type '%s', but was of type '%s'",
                            mlc_type_text(want), mlc_type_text(mlc_attr_type(value)));
    return verify_alignment(op);
}

static bool
verify_get_global(MlcOp *op)
{
    MlcAttr name = mlc_memref_get_global_name_attr(op);
    MlcOp *global = mlc_symbol_lookup_ref(op, name);
    if (!global || !mlc_memref_global_isa(global))
        return mlc_op_error(op, "'%s' does not reference a valid global memref",
                            mlc_symbol_ref_attr_name(name, 0).data);
    MlcType type = mlc_type_attr_value(mlc_memref_global_type(global));
    return type == mlc_op_result_type(op, 0) ||
           mlc_op_error(op, "result type '%s' does not match type '%s' of the global memref @%s",
                        mlc_type_text(mlc_op_result_type(op, 0)), mlc_type_text(type),
                        mlc_symbol_ref_attr_name(name, 0).data);
}

const MlcSymbolUser mlc_memref_get_global_symbol_user = {.verify = verify_get_global};
