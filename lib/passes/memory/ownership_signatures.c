// ownership_signatures.c -- an i1 beside each buffer that control flow hands on: whether who gets
// the buffer has to free it.
//
// Done for all ops of a function before anything is known of ownership, so that liveness and the
// insertion of deallocations work on ops that stay. What an op of any dialect hands on is asked of
// its interfaces.
#include "ownership.h"

#include "mlc/analysis.h"
#include "mlc/ir/symbol.h"

bool
ownership_is_buffer(const MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    return mlc_type_is(type, MLC_TYPE_MEMREF) || mlc_type_is(type, MLC_TYPE_UNRANKED_MEMREF);
}

static MlcType
i1_of(const MlcOp *op)
{
    return mlc_integer_type_get(mlc_op_context(op), 1, MLC_SIGNLESS);
}

static size_t
count_buffers(const MlcOp *op, size_t first, size_t count)
{
    size_t n = 0;
    for (size_t i = first; i < first + count; i++)
        n += ownership_is_buffer(mlc_op_operand(op, i));
    return n;
}

// Arguments [first, first + count) get indicators behind them.
static void
extend_block(OwnershipSignatures *s, MlcBlock *block, size_t first, size_t count)
{
    for (size_t i = first, at = first + count; i < first + count; i++) {
        MlcValue *arg = mlc_block_arg(block, i);
        if (ownership_is_buffer(arg))
            mlc_map_set(&s->indicators, arg,
                        mlc_block_insert_arg(block, at++, i1_of(mlc_block_parent(block)),
                                             mlc_block_arg_loc(block, i)));
    }
}

static void
extend_end(OwnershipSignatures *s, MlcOp *end, size_t first, size_t count)
{
    HandedOn handed = {first, count, count_buffers(end, first, count)};
    MlcValueVec buffers = {0};
    for (size_t i = first; i < first + count; i++)
        if (ownership_is_buffer(mlc_op_operand(end, i)))
            mlc_vec_push(&buffers, mlc_op_operand(end, i));
    mlc_op_insert_operands(end, first + count, buffers.data, buffers.size);
    mlc_vec_release(&buffers);
    mlc_vec_push(&s->handed_on, handed);
    mlc_map_set_u64(&s->ends, (uint64_t)(uintptr_t)end, s->handed_on.size);
}

// A copy of `op` with results for the indicators of its results; `op` goes.
static MlcOp *
extend_results(OwnershipSignatures *s, MlcOp *op)
{
    MlcTypeVec types = {0};
    MlcValueVec operands = {0};
    MLC_VEC(MlcNamedAttr) attrs = {0};
    size_t n = mlc_op_num_results(op), num_buffers = 0;
    for (size_t i = 0; i < n; i++) {
        mlc_vec_push(&types, mlc_op_result_type(op, i));
        num_buffers += ownership_is_buffer(mlc_op_result(op, i));
    }
    for (size_t i = 0; i < num_buffers; i++)
        mlc_vec_push(&types, i1_of(op));
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_vec_push(&operands, value);
    MlcAttr all = mlc_op_all_attrs(op);
    for (size_t i = 0; i < mlc_dict_attr_size(all); i++)
        mlc_vec_push(&attrs, mlc_dict_attr_entry(all, i));
    MlcOpState state = {.loc = mlc_op_loc(op),
                        .def = mlc_op_def(op),
                        .operands = operands.data,
                        .num_operands = operands.size,
                        .result_types = types.data,
                        .num_results = types.size,
                        .attrs = attrs.data,
                        .num_attrs = attrs.size,
                        .num_regions = mlc_op_num_regions(op)};
    MlcOp *made = mlc_op_create(mlc_op_context(op), &state);
    mlc_op_insert_before(made, op);
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        mlc_region_take_body(mlc_op_region(made, i), mlc_op_region(op, i));
    for (size_t i = 0, next = n; i < n; i++) {
        MlcValue *result = mlc_op_result(made, i);
        mlc_value_replace_uses(mlc_op_result(op, i), result);
        if (ownership_is_buffer(result))
            mlc_map_set(&s->indicators, result, mlc_op_result(made, next++));
    }
    mlc_op_erase(op);
    mlc_vec_release(&types);
    mlc_vec_release(&operands);
    mlc_vec_release(&attrs);
    return made;
}

static bool
has_buffer_results(const MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (ownership_is_buffer(mlc_op_result(op, i)))
            return true;
    return false;
}

// The operands that the op hands to its regions get `false` behind them.
static void
extend_entry(MlcOp *op)
{
    const MlcRegionBranch *branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
    size_t first = 0, count = 0, begin = 0, size = 0, group = 0;
    for (size_t r = 0; r < mlc_op_num_regions(op) && count == 0; r++)
        branch->entry_operands(op, (int)r, &first, &count);
    size_t n = count_buffers(op, first, count);
    if (n == 0)
        return;
    for (; group < mlc_op_def(op)->num_operands; group++) {
        mlc_op_operand_group(op, group, &begin, &size);
        if (size > 0 && begin + size == first + count)
            break;
    }
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    MlcValue *no = mlc_build_constant(&b, mlc_bool_attr_get(b.ctx, false));
    MlcValueVec values = {0};
    for (size_t i = begin; i < begin + size; i++)
        mlc_vec_push(&values, mlc_op_operand(op, i));
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&values, no);
    mlc_op_set_operand_group(op, group, values.data, values.size);
    mlc_vec_release(&values);
}

// The operands that a terminator hands on, wherever it leads to.
static void
operands_handed_on(MlcOp *end, size_t *first, size_t *count)
{
    MlcOp *op = mlc_op_parent(end);
    const MlcRegionBranch *branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
    const MlcRegionTerminator *methods = mlc_op_interface(end, MLC_INTERFACE_REGION_TERMINATOR);
    int from = (int)mlc_region_index(mlc_op_region_of(end));
    int *points = mlc_malloc((mlc_op_num_regions(op) + 2) * sizeof *points);
    size_t num_points = branch->successors(op, from, points);
    *first = *count = 0;
    for (size_t i = 0; i < num_points && *count == 0; i++)
        methods->operands(end, points[i], first, count);
    mlc_free(points);
}

static void
extend_region_op(OwnershipSignatures *s, MlcOp *op)
{
    const MlcRegionBranch *branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
    size_t first, count;
    for (size_t r = 0; r < mlc_op_num_regions(op); r++) {
        MlcRegion *region = mlc_op_region(op, r);
        if (mlc_region_is_empty(region))
            continue;
        branch->inputs(op, (int)r, &first, &count);
        extend_block(s, mlc_region_first(region), first, count);
    }
    MLC_FOR_EACH_BLOCK_IN_OP (block, op) {
        MlcOp *end = mlc_block_terminator(block);
        if (!end || !mlc_op_interface(end, MLC_INTERFACE_REGION_TERMINATOR) ||
            mlc_op_num_successors(end) > 0)
            continue;
        operands_handed_on(end, &first, &count);
        extend_end(s, end, first, count);
    }
    extend_entry(op);
    if (has_buffer_results(op))
        extend_results(s, op);
}

// --- functions

// What is named by anything but calls keeps its type.
static void
note_other_use(MlcOp *user, MlcAttr ref, void *data)
{
    const MlcCall *call = mlc_op_interface(user, MLC_INTERFACE_CALL);
    MlcOp *symbol = mlc_symbol_lookup_ref(user, ref);
    if (symbol && !(call && call->callee(user) == ref))
        mlc_map_erase(data, symbol);
}

static void
find_dynamic(OwnershipSignatures *s, MlcOp *root)
{
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_op_interface(op, MLC_INTERFACE_FUNCTION) && op != root && mlc_op_is_symbol(op) &&
            mlc_symbol_is_private(op) && !mlc_region_is_empty(mlc_op_region(op, 0)))
            mlc_map_add(&s->dynamic, op);
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_op_has_trait(op, MLC_TRAIT_SYMBOL_TABLE) &&
            !mlc_symbol_visit_uses(op, false, note_other_use, &s->dynamic))
            mlc_map_clear(&s->dynamic);
    MLC_FOR_EACH_PREORDER (op, root) {
        MlcOp *callee = mlc_op_interface(op, MLC_INTERFACE_CALL) ? mlc_call_callee(op) : NULL;
        if (callee && mlc_map_has(&s->dynamic, callee))
            mlc_map_add(&s->dynamic, op);
    }
}

static void
extend_function(OwnershipSignatures *s, MlcOp *function)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcType type = methods->type(function);
    MlcContext *ctx = mlc_op_context(function);
    MlcTypeVec results = {0};
    MLC_VEC(MlcAttr) attrs = {0};
    MlcAttr old = mlc_op_slot(function, methods->res_attrs_slot);
    size_t n = mlc_function_type_num_results(type);
    for (size_t i = 0; i < n; i++) {
        mlc_vec_push(&results, mlc_function_type_results(type)[i]);
        mlc_vec_push(&attrs, old ? mlc_array_attr_element(old, i) : NULL);
    }
    for (size_t i = 0; i < n; i++)
        if (mlc_type_is(results.data[i], MLC_TYPE_MEMREF) ||
            mlc_type_is(results.data[i], MLC_TYPE_UNRANKED_MEMREF)) {
            mlc_vec_push(&results, i1_of(function));
            mlc_vec_push(&attrs, mlc_dict_attr_get(ctx, NULL, 0));
        }
    type = mlc_function_type_get(ctx, mlc_function_type_inputs(type),
                                 mlc_function_type_num_inputs(type), results.data, results.size);
    mlc_op_set_slot(function, methods->type_slot, mlc_type_attr_get(type));
    if (old)
        mlc_op_set_slot(function, methods->res_attrs_slot,
                        mlc_array_attr_get(ctx, attrs.data, attrs.size));
    mlc_vec_release(&results);
    mlc_vec_release(&attrs);
    MLC_FOR_EACH_BLOCK (block, mlc_op_region(function, 0)) {
        MlcOp *end = mlc_block_terminator(block);
        if (end && mlc_op_num_successors(end) == 0 && mlc_op_has_trait(end, MLC_TRAIT_RETURN_LIKE))
            extend_end(s, end, 0, mlc_op_num_operands(end));
    }
}

// --- all

static void
extend_op(OwnershipSignatures *s, MlcOp *op)
{
    MLC_FOR_EACH_BLOCK_IN_OP (block, op)
        if (mlc_block_prev(block))
            extend_block(s, block, 0, mlc_block_num_args(block));
    if (mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH)) {
        extend_region_op(s, op);
    } else if (mlc_map_has(&s->dynamic, op)) {
        if (mlc_op_interface(op, MLC_INTERFACE_FUNCTION))
            extend_function(s, op);
        else if (has_buffer_results(op))
            extend_results(s, op);
    }
}

void
ownership_find_dynamic(OwnershipSignatures *s, MlcOp *root)
{
    mlc_symbol_cache_begin();
    find_dynamic(s, root);
    mlc_symbol_cache_end();
}

void
ownership_extend_signatures(OwnershipSignatures *s, MlcOp *function)
{
    MLC_FOR_EACH_POSTORDER (op, function)
        extend_op(s, op);
}

void
ownership_release(OwnershipSignatures *s)
{
    mlc_map_release(&s->indicators);
    mlc_map_release(&s->ends);
    mlc_map_release(&s->dynamic);
    mlc_vec_release(&s->handed_on);
}
