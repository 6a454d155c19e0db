// verify_record.c -- an op against its definition: counts, attributes, types, regions, successors.
// The texts are MLIR's.
#include "mlc/ir/diag.h"
#include "record/relation.h"
#include "verify_impl.h"

// How many things the groups ask for: exactly `fixed`, or (if any group is variable) at least that
// many.
typedef struct Count {
    size_t fixed;
    size_t num_variable;
    size_t actual;
} Count;

static bool
is_satisfied(Count count)
{
    return count.num_variable ? count.actual >= count.fixed : count.actual == count.fixed;
}

// --- counts

static Count
count_values(const MlcValueDef *defs, size_t num_defs, size_t actual)
{
    Count count = {.actual = actual};
    for (size_t i = 0; i < num_defs; i++)
        if (defs[i].arity == MLC_ONE)
            count.fixed++;
        else
            count.num_variable++;
    return count;
}

static bool
verify_operand_count(MlcOp *op)
{
    Count count = count_values(op->def->operands, op->def->num_operands, op->num_operands);
    if (is_satisfied(count))
        return true;
    if (count.num_variable)
        return mlc_op_error(op, "expected %zu or more operands, but found %zu", count.fixed,
                            count.actual);
    if (count.fixed == 0)
        return mlc_op_error(op, "requires zero operands");
    if (count.fixed == 1)
        return mlc_op_error(op, "requires a single operand");
    return mlc_op_error(op, "expected %zu operands, but found %zu", count.fixed, count.actual);
}

static bool
wrong_count(MlcOp *op, Count count, const char *what)
{
    if (count.num_variable)
        return mlc_op_error(op, "expected %zu or more %ss", count.fixed, what);
    if (count.fixed == 0)
        return mlc_op_error(op, "requires zero %ss", what);
    if (count.fixed == 1)
        return mlc_op_error(op, "requires one %s", what);
    return mlc_op_error(op, "expected %zu %ss", count.fixed, what);
}

static bool
verify_result_count(MlcOp *op)
{
    Count count = count_values(op->def->results, op->def->num_results, op->num_results);
    return is_satisfied(count) || wrong_count(op, count, "result");
}

static bool
verify_region_count(MlcOp *op)
{
    Count count = {.actual = op->num_regions};
    for (size_t i = 0; i < op->def->num_regions; i++)
        if (op->def->regions[i].arity == MLC_ONE)
            count.fixed++;
        else
            count.num_variable++;
    return is_satisfied(count) || wrong_count(op, count, "region");
}

static bool
verify_successor_count(MlcOp *op)
{
    Count count = {.actual = op->num_successors};
    for (size_t i = 0; i < op->def->num_successors; i++)
        if (op->def->successors[i].arity == MLC_ONE)
            count.fixed++;
        else
            count.num_variable++;
    if (is_satisfied(count))
        return true;
    if (count.num_variable)
        return mlc_op_error(op, "requires at least %zu successors but found %zu", count.fixed,
                            count.actual);
    return mlc_op_error(op, "requires %zu successor%s but found %zu", count.fixed,
                        count.fixed == 1 ? "" : "s", count.actual);
}

// operandSegmentSizes and resultSegmentSizes: one size per group (0: as many as there are), which
// add up.
static bool
verify_segments(MlcOp *op, const char *name, const char *what, size_t num_groups, size_t num_values)
{
    MlcAttr sizes = mlc_op_attr(op, name);
    if (!mlc_attr_is(sizes, MLC_ATTR_DENSE_ARRAY) ||
        !mlc_type_is_integer(mlc_dense_array_attr_element_type(sizes), 32))
        return mlc_op_error(op, "requires dense i32 array attribute '%s'", name);
    int64_t total = 0;
    for (size_t i = 0; i < mlc_dense_array_attr_size(sizes); i++) {
        int64_t size = mlc_dense_array_attr_int(sizes, i);
        if (size < 0)
            return mlc_op_error(op, "'%s' attribute cannot have negative elements", name);
        total += size;
    }
    if (total != (int64_t)num_values)
        return mlc_op_error(
            op,
            "%s count (%zu) does not match with the total size (%lld) specified in attribute '%s'",
            what, num_values, (long long)total, name);
    if (num_groups && mlc_dense_array_attr_size(sizes) != num_groups)
        return mlc_op_error(
            op, "'%s' attribute for specifying %s segments must have %zu elements, but got %zu",
            name, what, num_groups, mlc_dense_array_attr_size(sizes));
    return true;
}

static bool
verify_counts(MlcOp *op)
{
    const MlcOpDef *def = op->def;
    if (!verify_region_count(op) || !verify_result_count(op) || !verify_successor_count(op) ||
        !verify_operand_count(op))
        return false;
    if (mlc_op_def_has_trait(def, MLC_TRAIT_ATTR_SIZED_OPERANDS) &&
        !verify_segments(op, "operandSegmentSizes", "operand", def->num_operands, op->num_operands))
        return false;
    return !mlc_op_def_has_trait(def, MLC_TRAIT_ATTR_SIZED_RESULTS) ||
           verify_segments(op, "resultSegmentSizes", "result", def->num_results, op->num_results);
}

// --- constraints

static bool
verify_attrs(MlcOp *op)
{
    for (size_t i = 0; i < op->def->num_attrs; i++) {
        const MlcAttrSlot *slot = &op->def->attrs[i];
        MlcAttr value = mlc_op_slots_(op)[i];
        if (!value && !slot->optional && !slot->default_text)
            return mlc_op_error(op, "requires attribute '%s'", slot->name);
        if (value && !mlc_constraint_check_attr(slot->constraint, value))
            return mlc_op_error(op, "attribute '%s' failed to satisfy constraint: %s", slot->name,
                                slot->constraint->summary);
    }
    return true;
}

// Of groups in a group: what its sizes attribute says.
static bool
verify_nested_segments(MlcOp *op)
{
    size_t first, size;
    for (size_t g = 0; g < op->def->num_operands; g++) {
        const MlcValueDef *def = &op->def->operands[g];
        if (def->arity != MLC_VARIADIC_OF_VARIADIC || !def->segments)
            continue;
        mlc_op_operand_group(op, g, &first, &size);
        if (!verify_segments(op, def->segments, def->name, 0, size))
            return false;
    }
    return true;
}

static bool
verify_group(MlcOp *op, const char *what, const MlcValueDef *def, size_t first, size_t size,
             MlcValue *(*get)(const MlcOp *op, size_t i))
{
    if (def->arity == MLC_OPTIONAL && size > 1)
        return mlc_op_error(op, "%s group starting at #%zu requires 0 or 1 element, but found %zu",
                            what, first, size);
    for (size_t i = first; i < first + size; i++) {
        MlcType type = mlc_value_type(get(op, i));
        if (!mlc_constraint_check_type(def->type, type))
            return mlc_op_error(op, "%s #%zu must be %s%s, but got '%s'", what, i,
                                def->arity >= MLC_VARIADIC ? "variadic of " : "",
                                def->type->summary, mlc_type_text(type));
    }
    return true;
}

static bool
verify_values(MlcOp *op)
{
    size_t first, size;
    for (size_t g = 0; g < op->def->num_operands; g++) {
        mlc_op_operand_group(op, g, &first, &size);
        if (!verify_group(op, "operand", &op->def->operands[g], first, size, mlc_op_operand))
            return false;
    }
    for (size_t g = 0; g < op->def->num_results; g++) {
        mlc_op_result_group(op, g, &first, &size);
        if (!verify_group(op, "result", &op->def->results[g], first, size, mlc_op_result))
            return false;
    }
    return true;
}

static bool
has_shape(const MlcRegion *region, MlcRegionShape shape)
{
    bool is_empty = !region->first, is_one = !is_empty && region->first == region->last;
    switch (shape) {
    case MLC_REGION_SIZED_1:
        return is_one;
    case MLC_REGION_MIN_1:
        return !is_empty;
    case MLC_REGION_MAX_1:
        return is_empty || is_one;
    default:
        return true;
    }
}

bool
mlc_verify_region_shapes(MlcOp *op)
{
    static const char *const shapes[] = {"any region", "region with 1 blocks",
                                         "region with at least 1 blocks",
                                         "region with at most 1 blocks"};
    size_t num_defs = op->def->num_regions;
    for (size_t i = 0; i < op->num_regions && num_defs; i++) {
        // Only the last group may be variadic.
        const MlcRegionDef *def = &op->def->regions[i < num_defs ? i : num_defs - 1];
        if (!has_shape(mlc_op_region(op, i), (MlcRegionShape)def->shape))
            return mlc_op_error(op, "region #%zu%s%s%s failed to verify constraint: %s", i,
                                def->name ? " ('" : "", def->name ? def->name : "",
                                def->name ? "')" : "", shapes[def->shape]);
    }
    return true;
}

bool
mlc_verify_record(MlcOp *op)
{
    if (!verify_counts(op) || !mlc_verify_structure(op) || !verify_attrs(op) ||
        !verify_nested_segments(op) || !verify_values(op))
        return false;
    for (size_t i = 0; i < op->def->num_relations; i++)
        if (!mlc_relation_verify(op, &op->def->relations[i]))
            return false;
    return mlc_verify_region_shapes(op);
}
