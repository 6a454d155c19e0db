// affine_verify.c -- what the records cannot say: operands that are dimensions and symbols, maps
// that fit what they index, loops whose values agree.
#include "mlc/dialects/affine_compose.h"
#include "mlc/dialects/affine.h"
#include "mlc/ir.h"

// Operands from `first` on are dimensions, then symbols.
static bool
verify_inputs(MlcOp *op, size_t first, size_t count, size_t num_dims)
{
    MlcRegion *scope = mlc_affine_scope(op);
    for (size_t i = 0; i < count; i++) {
        MlcValue *operand = mlc_op_operand(op, first + i);
        if (i < num_dims && !mlc_affine_is_dim_in(operand, scope))
            return mlc_op_error(op, "operand cannot be used as a dimension id");
        if (i >= num_dims && !mlc_affine_is_symbol_in(operand, scope))
            return mlc_op_error(op, "operand cannot be used as a symbol");
    }
    return true;
}

bool
mlc_affine_verify_operand_count(MlcOp *op)
{
    if (mlc_op_num_operands(op) != mlc_affine_map_num_inputs(mlc_op_affine_map(op, "map")))
        return mlc_op_error(op,
                            "operand count and affine map dimension and symbol count must match");
    return true;
}

bool
mlc_affine_apply_verify(MlcOp *op)
{
    if (!mlc_affine_verify_operand_count(op))
        return false;
    if (mlc_affine_map_num_results(mlc_op_affine_map(op, "map")) != 1)
        return mlc_op_error(op, "mapping must produce one value");
    return true;
}

// --- accesses

// Operands from `first` on may be subscripts; `what` names them.
static bool
verify_subscripts(MlcOp *op, size_t first, size_t count, const char *what)
{
    MlcRegion *scope = mlc_affine_scope(op);
    for (size_t i = first; i < first + count; i++) {
        MlcValue *index = mlc_op_operand(op, i);
        if (!mlc_affine_is_dim_in(index, scope) && !mlc_affine_is_symbol_in(index, scope))
            return mlc_op_error(op, "%sindex must be a valid dimension or symbol identifier", what);
    }
    return true;
}

static bool
verify_access(MlcOp *op, size_t memref)
{
    MlcAffineMap map = mlc_op_affine_map(op, "map");
    MlcType type = mlc_value_type(mlc_op_operand(op, memref));
    size_t count = mlc_op_num_operands(op) - memref - 1;
    if (mlc_affine_map_num_results(map) != mlc_type_rank(type))
        return mlc_op_error(op, "affine map num results must equal memref rank");
    if (mlc_affine_map_num_inputs(map) != count)
        return mlc_op_error(op, "expects as many subscripts as affine map inputs");
    return verify_subscripts(op, memref + 1, count, "");
}

static MlcType
element_of(const MlcOp *op, size_t operand)
{
    return mlc_type_element(mlc_value_type(mlc_op_operand(op, operand)));
}

bool
mlc_affine_load_verify(MlcOp *op)
{
    if (mlc_value_type(mlc_op_result(op, 0)) != element_of(op, 0))
        return mlc_op_error(op, "result type must match element type of memref");
    return verify_access(op, 0);
}

bool
mlc_affine_store_verify(MlcOp *op)
{
    if (mlc_value_type(mlc_op_operand(op, 0)) != element_of(op, 1))
        return mlc_op_error(op, "value to store must have the same type as memref element type");
    return verify_access(op, 1);
}

static bool
verify_vector(MlcOp *op, MlcType vector, size_t memref)
{
    if (!verify_access(op, memref))
        return false;
    if (mlc_type_element(vector) != element_of(op, memref))
        return mlc_op_error(op, "requires memref and vector types of the same elemental type");
    return true;
}

bool
mlc_affine_vector_load_verify(MlcOp *op)
{
    return verify_vector(op, mlc_value_type(mlc_op_result(op, 0)), 0);
}

bool
mlc_affine_vector_store_verify(MlcOp *op)
{
    return verify_vector(op, mlc_value_type(mlc_op_operand(op, 0)), 1);
}

bool
mlc_affine_prefetch_verify(MlcOp *op)
{
    MlcAffineMap map = mlc_op_affine_map(op, "map");
    size_t count = mlc_op_num_operands(op) - 1;
    if (mlc_affine_map_num_results(map) != mlc_type_rank(mlc_value_type(mlc_op_operand(op, 0))))
        return mlc_op_error(op, "affine.prefetch affine map num results must equal memref rank");
    if (mlc_affine_map_num_inputs(map) != count)
        return mlc_op_error(op, "too few operands");
    return verify_subscripts(op, 1, count, "");
}

// --- transfers: the memref and subscripts of source, destination and tag, then sizes

// The memref at operand *at and its subscripts; *at moves behind them.
static bool
verify_side(MlcOp *op, size_t *at, const char *map_name, const char *noun, const char *what)
{
    MlcAttr attr = mlc_op_attr(op, map_name);
    if (!attr || !mlc_attr_is(attr, MLC_ATTR_AFFINE_MAP))
        return mlc_op_error(op, "requires an affine map attribute named '%s'", map_name);
    size_t count = mlc_affine_map_num_inputs(mlc_affine_map_attr_value(attr));
    if (mlc_op_num_operands(op) < *at + count + 2)
        return mlc_op_error(op, "incorrect number of operands");
    if (!mlc_type_is(mlc_value_type(mlc_op_operand(op, *at)), MLC_TYPE_MEMREF))
        return mlc_op_error(op, "expected DMA %s to be of memref type", noun);
    *at += count + 1;
    return verify_subscripts(op, *at - count, count, what);
}

bool
mlc_affine_dma_start_verify(MlcOp *op)
{
    size_t at = 0;
    if (!verify_side(op, &at, "src_map", "source", "src ") ||
        !verify_side(op, &at, "dst_map", "destination", "dst ") ||
        !verify_side(op, &at, "tag_map", "tag", "tag "))
        return false;
    size_t sizes = mlc_op_num_operands(op) - at;
    if (sizes != 1 && sizes != 3)
        return mlc_op_error(op, "incorrect number of operands");
    return true;
}

bool
mlc_affine_dma_wait_verify(MlcOp *op)
{
    size_t at = 0;
    if (!verify_side(op, &at, "tag_map", "tag", ""))
        return false;
    if (mlc_op_num_operands(op) != at + 1)
        return mlc_op_error(op, "incorrect number of operands");
    return true;
}

// --- control flow

static bool
have_different_types(const MlcValue *a, const MlcValue *b)
{
    return mlc_value_type(a) != mlc_value_type(b);
}

static bool
verify_bound(MlcOp *op, size_t group, const char *map_name, const char *which)
{
    MlcAffineMap map = mlc_op_affine_map(op, map_name);
    size_t first, count;
    mlc_op_operand_group(op, group, &first, &count);
    if (count != mlc_affine_map_num_inputs(map))
        return mlc_op_error(op,
                            "operand count and affine map dimension and symbol count must match");
    if (!verify_inputs(op, first, count, mlc_affine_map_num_dims(map)))
        return false;
    if (mlc_affine_map_num_results(map) < 1)
        return mlc_op_error(op, "expected %s bound map to have at least one result", which);
    return true;
}

bool
mlc_affine_for_verify_regions(MlcOp *op)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(op, 0));
    if (mlc_block_num_args(body) == 0 ||
        !mlc_type_is(mlc_value_type(mlc_block_arg(body, 0)), MLC_TYPE_INDEX))
        return mlc_op_error(
            op, "expected body to have a single index argument for the induction variable");
    return verify_bound(op, 0, "lowerBoundMap", "lower") &&
           verify_bound(op, 1, "upperBoundMap", "upper");
}

bool
mlc_affine_if_verify(MlcOp *op)
{
    MlcAttr condition = mlc_op_attr(op, "condition");
    if (!condition || !mlc_attr_is(condition, MLC_ATTR_INTEGER_SET))
        return mlc_op_error(op, "requires an integer set attribute named 'condition'");
    MlcIntegerSet set = mlc_integer_set_attr_value(condition);
    size_t num_dims = mlc_integer_set_num_dims(set), count = mlc_op_num_operands(op);
    if (count != num_dims + mlc_integer_set_num_symbols(set))
        return mlc_op_error(op, "operand count and condition integer set dimension and symbol "
                                "count must match");
    if (!verify_inputs(op, 0, count, num_dims))
        return false;
    if (mlc_op_num_results(op) && mlc_region_is_empty(mlc_op_region(op, 1)))
        return mlc_op_error(op,
                            " region control flow edge from parent operands to parent results: "
                            "source has 0 operands, but target successor needs %zu",
                            mlc_op_num_results(op));
    return true;
}

// Whether a value of the type can be combined so; by the order of arith's kinds.
static bool
fits_reduction(MlcType type, int64_t kind)
{
    enum { F, I, ANY, SIGNED, UNSIGNED };
    static const unsigned char wants[] = {F,        I, ANY, F, SIGNED, UNSIGNED, F, SIGNED,
                                          UNSIGNED, F, I,   I, I,      F,        F};
    bool is_int = mlc_type_is(type, MLC_TYPE_INTEGER);
    switch (wants[kind]) {
    case F:
        return mlc_type_is_float(type);
    case I:
        return is_int;
    case SIGNED:
        return is_int && mlc_integer_type_signedness(type) == MLC_SIGNED;
    case UNSIGNED:
        return is_int && mlc_integer_type_signedness(type) == MLC_UNSIGNED;
    default:
        return true;
    }
}

static bool
verify_group(MlcOp *op, const char *groups_name, const char *map_name, const char *which)
{
    MlcAttr groups = mlc_op_attr(op, groups_name);
    int64_t sum = 0, size = 0;
    for (size_t i = 0; i < mlc_int_list_attr_size(groups); i++) {
        if (!mlc_int_list_attr_get(groups, i, &size) || size < 1)
            return mlc_op_error(op, "expected each %s bound to be one result of its map at least",
                                which);
        sum += size;
    }
    if ((size_t)sum != mlc_affine_map_num_results(mlc_op_affine_map(op, map_name)))
        return mlc_op_error(op, "expected %s bounds map to have %lld results", which,
                            (long long)sum);
    return true;
}

static bool
verify_reductions(MlcOp *op)
{
    MlcAttr reductions = mlc_op_attr(op, "reductions");
    if (mlc_array_attr_size(reductions) != mlc_op_num_results(op))
        return mlc_op_error(op, "a reduction must be specified for each output");
    for (size_t i = 0; i < mlc_array_attr_size(reductions); i++) {
        int64_t kind;
        if (!mlc_attr_try_as_int(mlc_array_attr_element(reductions, i), &kind) || kind < 0 ||
            kind > 14)
            return mlc_op_error(op, "invalid reduction attribute");
        if (!fits_reduction(mlc_value_type(mlc_op_result(op, i)), kind))
            return mlc_op_error(op, "result type cannot match reduction attribute");
    }
    return true;
}

bool
mlc_affine_parallel_verify(MlcOp *op)
{
    size_t num_args = mlc_block_num_args(mlc_region_first(mlc_op_region(op, 0)));
    size_t num_steps = mlc_int_list_attr_size(mlc_op_attr(op, "steps"));
    size_t num_lower = mlc_int_list_attr_size(mlc_op_attr(op, "lowerBoundsGroups"));
    size_t num_upper = mlc_int_list_attr_size(mlc_op_attr(op, "upperBoundsGroups"));
    if (num_args != num_steps || num_args != num_lower || num_args != num_upper)
        return mlc_op_error(op,
                            "the number of region arguments (%zu) and the number of map groups "
                            "for lower (%zu) and upper bound (%zu), and the number of steps (%zu) "
                            "must all match",
                            num_args, num_lower, num_upper, num_steps);
    MlcAffineMap lower = mlc_op_affine_map(op, "lowerBoundsMap"),
                 upper = mlc_op_affine_map(op, "upperBoundsMap");
    size_t lower_inputs = mlc_affine_map_num_inputs(lower),
           upper_inputs = mlc_affine_map_num_inputs(upper);
    if (!verify_group(op, "lowerBoundsGroups", "lowerBoundsMap", "lower") ||
        !verify_group(op, "upperBoundsGroups", "upperBoundsMap", "upper") || !verify_reductions(op))
        return false;
    if (mlc_op_num_operands(op) != lower_inputs + upper_inputs)
        return mlc_op_error(op,
                            "operand count and affine map dimension and symbol count must match");
    return verify_inputs(op, 0, lower_inputs, mlc_affine_map_num_dims(lower)) &&
           verify_inputs(op, lower_inputs, upper_inputs, mlc_affine_map_num_dims(upper));
}

bool
mlc_affine_yield_verify(MlcOp *op)
{
    MlcOp *parent = mlc_op_parent(op);
    if (!parent || (!mlc_affine_parallel_isa(parent) && !mlc_affine_if_isa(parent) &&
                    !mlc_affine_for_isa(parent)))
        return mlc_op_error(op, "only terminates affine.if/for/parallel regions");
    if (mlc_op_num_results(parent) != mlc_op_num_operands(op))
        return mlc_op_error(op, "parent of yield must have same number of results as the yield "
                                "operands");
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        if (have_different_types(mlc_op_operand(op, i), mlc_op_result(parent, i)))
            return mlc_op_error(op, "types mismatch between yield op and its parent");
    return true;
}

bool
mlc_affine_delinearize_index_verify(MlcOp *op)
{
    if (mlc_op_num_operands(op) == 1)
        return mlc_op_error(op, "basis should not be empty");
    if (mlc_op_num_results(op) != mlc_op_num_operands(op) - 1)
        return mlc_op_error(op, "should return an index for each basis element");
    return true;
}
