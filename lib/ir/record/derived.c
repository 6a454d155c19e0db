// derived.c -- interfaces that follow from the record alone: what `interface: derived` in YAML
// stands for.
//
// A structured op whose record has maps reads them here: symbols of a map are bound to elements of
// attributes
// (`strides[0]`), so what callers get has dims only. A record without maps is elementwise over the
// rank of its last operand: identity maps, and an empty map for scalars.
#include "context/context_impl.h"
#include <stdlib.h>

#include "mlc/ir/affine.h"
#include "mlc/ir/context.h"
#include "mlc/ir/interfaces.h"
#include "mlc/ir/text.h"

// A loaded dialect finds these by name, as it does hooks.
// Markers: an interface without methods is still a question ("has it?").
struct MlcFastmath {
    char is_there;
};
const struct MlcFastmath mlc_derived_fastmath = {1};

static size_t
first_operand(const MlcOp *op)
{
    (void)op;
    return 0;
}

const MlcViewLike mlc_derived_view_like = {.source = first_operand};

// The last operand groups of a branch belong to its successors, in order.
static void
successor_operands(const MlcOp *op, size_t i, size_t *first, size_t *count)
{
    const MlcOpDef *def = mlc_op_def(op);
    mlc_op_operand_group(op, (size_t)def->num_operands - def->num_successors + i, first, count);
}

const MlcBranch mlc_derived_branch = {.successor_operands = successor_operands};

// The first region, unless it is empty.
static MlcRegion *
callable_body(MlcOp *op)
{
    MlcRegion *body = mlc_op_region(op, 0);
    return mlc_region_is_empty(body) ? NULL : body;
}

const MlcCallable mlc_derived_callable = {.body = callable_body};

static void
all_operands(MlcOp *terminator, int to, size_t *first, size_t *count)
{
    (void)to;
    *first = 0;
    *count = mlc_op_num_operands(terminator);
}

const MlcRegionTerminator mlc_derived_region_terminator = {.operands = all_operands};

// Control enters one of the regions, without values, and leaves it with the results; instead of an
// empty one it goes past.
static size_t
enter_or_leave(MlcOp *op, int from, int *successors)
{
    size_t n = from < 0 ? mlc_op_num_regions(op) : 1;
    for (size_t i = 0; i < n; i++)
        successors[i] = from < 0 && !mlc_region_is_empty(mlc_op_region(op, i)) ? (int)i : -1;
    return n;
}

static void
no_entry_operands(MlcOp *op, int to, size_t *first, size_t *count)
{
    (void)op, (void)to;
    *first = *count = 0;
}

static void
results_only(MlcOp *op, int to, size_t *first, size_t *count)
{
    *first = 0;
    *count = to < 0 ? mlc_op_num_results(op) : 0;
}

const MlcRegionBranch mlc_derived_region_branch = {
    .successors = enter_or_leave, .entry_operands = no_entry_operands, .inputs = results_only};

// The hint of the record for the only result; several groups are named as they are in the record.
static void
name_results(MlcOp *op, void (*set)(void *user, MlcValue *value, MlcStr name), void *user)
{
    const MlcOpDef *def = mlc_op_def(op);
    if (def->result_name && mlc_op_num_results(op))
        set(user, mlc_op_result(op, 0), mlc_str(def->result_name));
    for (size_t i = 0; !def->result_name && i < def->num_results; i++) {
        size_t first, size;
        mlc_op_result_group(op, i, &first, &size);
        if (size)
            set(user, mlc_op_result(op, first), mlc_str(def->results[i].name));
    }
}

const MlcAsmNames mlc_derived_asm_names = {.results = name_results};

static bool
has_maps(const MlcStructuredDef *def)
{
    return def->num_loops > 0;
}

static size_t
rank_of(const MlcOp *op, size_t operand)
{
    MlcType type = mlc_value_type(mlc_op_operand(op, operand));
    return mlc_type_has_rank(type) ? mlc_type_rank(type) : 0;
}

static size_t
num_loops(MlcOp *op)
{
    const MlcStructuredDef *def = mlc_op_def(op)->structured;
    return has_maps(def) ? def->num_loops : rank_of(op, mlc_op_num_operands(op) - 1);
}

static MlcIterator
iterator(MlcOp *op, size_t loop)
{
    const MlcStructuredDef *def = mlc_op_def(op)->structured;
    switch (has_maps(def) ? def->iterators[loop] : 'p') {
    case 'r':
        return MLC_ITERATOR_REDUCTION;
    case 'w':
        return MLC_ITERATOR_WINDOW;
    default:
        return MLC_ITERATOR_PARALLEL;
    }
}

// The value of "strides[1]": an element of an attribute, or of its default.
static int64_t
symbol_value(MlcOp *op, const char *text)
{
    const char *bracket = strchr(text, '[');
    size_t length = bracket ? (size_t)(bracket - text) : strlen(text);
    int slot = mlc_op_def_attr_slot(mlc_op_def(op), mlc_str_n(text, length));
    MlcAttr attr = slot < 0 ? NULL : mlc_op_slot(op, (size_t)slot);
    if (!attr && slot >= 0)
        attr = mlc_context_default_attr(mlc_op_context(op), &mlc_op_def(op)->attrs[slot]);
    int64_t value = 1;
    if (bracket && attr)
        mlc_int_list_attr_get(attr, (size_t)strtoul(bracket + 1, NULL, 10), &value);
    else if (attr)
        mlc_attr_try_as_int(attr, &value);
    return value;
}

static MlcAffineMap
declared_map(MlcOp *op, const char *text)
{
    const MlcStructuredDef *def = mlc_op_def(op)->structured;
    MlcContext *ctx = mlc_op_context(op);
    MlcAffineMap map = ctx->text->parse_affine_map(ctx, mlc_str(text));
    unsigned num_symbols = map ? mlc_affine_map_num_symbols(map) : 0;
    if (!num_symbols || num_symbols > def->num_symbols)
        return map;
    MlcAffineExpr *symbols = mlc_malloc(num_symbols * sizeof *symbols);
    for (unsigned i = 0; i < num_symbols; i++)
        symbols[i] = mlc_affine_constant(ctx, symbol_value(op, def->symbols[i]));
    size_t n = mlc_affine_map_num_results(map);
    MlcAffineExpr *results = mlc_malloc((n + 1) * sizeof *results);
    for (size_t i = 0; i < n; i++)
        results[i] =
            mlc_affine_replace(mlc_affine_map_result(map, i), NULL, 0, symbols, num_symbols);
    map = mlc_affine_map_get(ctx, mlc_affine_map_num_dims(map), 0, results, n);
    mlc_free(results);
    mlc_free(symbols);
    return map;
}

static MlcAffineMap
map_of(MlcOp *op, size_t operand)
{
    const MlcStructuredDef *def = mlc_op_def(op)->structured;
    if (has_maps(def))
        return declared_map(op, def->maps[operand]);
    unsigned loops = (unsigned)num_loops(op);
    if (rank_of(op, operand) > 0 || loops == 0)
        return mlc_affine_map_identity(mlc_op_context(op), loops);
    return mlc_affine_map_get(mlc_op_context(op), loops, 0, NULL, 0);
}

// Without operands of its own in the record an op has as many inputs and outputs as its groups
// hold.
static size_t
group_size(MlcOp *op, size_t group, size_t otherwise)
{
    if (!mlc_op_has_trait(op, MLC_TRAIT_ATTR_SIZED_OPERANDS))
        return otherwise;
    size_t first, size;
    mlc_op_operand_group(op, group, &first, &size);
    return size;
}

static size_t
num_inputs(MlcOp *op)
{
    return group_size(op, 0, mlc_op_def(op)->structured->num_ins);
}

static size_t
num_outputs(MlcOp *op)
{
    return group_size(op, 1, mlc_op_def(op)->structured->num_outs);
}

static MlcBlock *
body(MlcOp *op)
{
    return mlc_op_num_regions(op) ? mlc_region_first(mlc_op_region(op, 0)) : NULL;
}

static bool
build_body(MlcOp *op)
{
    const MlcStructuredDef *def = mlc_op_def(op)->structured;
    bool has_all = !def->names || mlc_op_num_operands(op) == (size_t)def->num_ins + def->num_outs;
    return !def->build_body || (has_all && def->build_body(op));
}

const MlcStructured mlc_derived_structured = {
    .num_loops = num_loops,
    .iterator = iterator,
    .map = map_of,
    .num_inputs = num_inputs,
    .num_outputs = num_outputs,
    .body = body,
    .build_body = build_body,
};
