// verify_traits.c -- what traits promise. The texts are MLIR's.
#include "mlc/ir/diag.h"
#include "mlc/ir/symbol.h"
#include "verify_impl.h"

// --- types

static MlcType
element_or_self(MlcType type)
{
    return mlc_type_is_shaped(type) ? mlc_type_element(type) : type;
}

// Both shaped or neither; ranks equal, and sizes too where both are known.
static bool
shapes_agree(MlcType a, MlcType b)
{
    if (mlc_type_is_shaped(a) != mlc_type_is_shaped(b))
        return false;
    if (!mlc_type_is_shaped(a) || !mlc_type_has_rank(a) || !mlc_type_has_rank(b))
        return true;
    if (mlc_type_rank(a) != mlc_type_rank(b))
        return false;
    for (size_t i = 0; i < mlc_type_rank(a); i++) {
        int64_t x = mlc_type_dim(a, i), y = mlc_type_dim(b, i);
        if (x != y && x != MLC_DYNAMIC && y != MLC_DYNAMIC)
            return false;
    }
    return true;
}

static bool
is_scalable(MlcType type)
{
    for (size_t i = 0; mlc_type_is(type, MLC_TYPE_VECTOR) && i < mlc_type_rank(type); i++)
        if (mlc_vector_type_is_scalable(type, i))
            return true;
    return false;
}

// The same, and both of a fixed number of lanes or neither.
static bool
lanes_agree(MlcType a, MlcType b)
{
    return shapes_agree(a, b) && is_scalable(a) == is_scalable(b);
}

static bool
elements_agree(MlcType a, MlcType b)
{
    return element_or_self(a) == element_or_self(b);
}

// As far as the trait goes: the container's kind is asked by other traits.
static bool
types_agree(MlcType a, MlcType b)
{
    return a == b || (elements_agree(a, b) && shapes_agree(a, b));
}

static bool
ranks_agree(MlcType a, MlcType b)
{
    return !mlc_type_is_shaped(a) || !mlc_type_is_shaped(b) || !mlc_type_has_rank(a) ||
           !mlc_type_has_rank(b) || mlc_type_rank(a) == mlc_type_rank(b);
}

static bool
are_equal(MlcType a, MlcType b)
{
    return a == b;
}

// All operands agree with the first, and (if asked) all results.
static bool
all_agree(MlcOp *op, bool (*agree)(MlcType, MlcType), bool results_too)
{
    MlcType first = op->num_operands                 ? mlc_value_type(op->operands[0].value)
                    : results_too && op->num_results ? mlc_value_type(mlc_op_result(op, 0))
                                                     : NULL;
    for (size_t i = 1; i < op->num_operands; i++)
        if (!agree(first, mlc_value_type(op->operands[i].value)))
            return false;
    for (size_t i = 0; i < op->num_results && results_too; i++)
        if (!agree(first, mlc_value_type(mlc_op_result(op, i))))
            return false;
    return true;
}

typedef struct TypeRule {
    MlcTrait trait;
    bool (*agree)(MlcType, MlcType);
    bool results_too;
    const char *message;
} TypeRule;

static const TypeRule type_rules[] = {
    {MLC_TRAIT_SAME_OPERANDS_TYPE, are_equal, false, "requires all operands to have the same type"},
    {MLC_TRAIT_SAME_OPERANDS_ELEMENT_TYPE, elements_agree, false,
     "requires the same element type for all operands"},
    {MLC_TRAIT_SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE, elements_agree, true,
     "requires the same element type for all operands and results"},
    {MLC_TRAIT_SAME_OPERANDS_SHAPE, lanes_agree, false, "requires the same shape for all operands"},
    {MLC_TRAIT_SAME_OPERANDS_AND_RESULT_SHAPE, lanes_agree, true,
     "requires the same shape for all operands and results"},
    {MLC_TRAIT_SAME_OPERANDS_AND_RESULT_RANK, ranks_agree, true,
     "operands don't have matching ranks"},
};

static bool
verify_bool_like(MlcOp *op)
{
    for (size_t i = 0; i < op->num_results; i++)
        if (!mlc_type_is_integer(element_or_self(mlc_value_type(mlc_op_result(op, i))), 1))
            return mlc_op_error(op, "requires a bool result type");
    return true;
}

static bool
is_mappable(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_VECTOR) || mlc_type_is(type, MLC_TYPE_TENSOR) ||
           mlc_type_is(type, MLC_TYPE_UNRANKED_TENSOR);
}

static bool
verify_elementwise(MlcOp *op)
{
    MlcType first = NULL;
    bool any_operand = false, any_result = false, agree = true;
    size_t num_shaped_results = 0;
    for (size_t i = 0; i < op->num_operands + op->num_results; i++) {
        bool is_operand = i < op->num_operands;
        MlcType type = mlc_value_type(is_operand ? op->operands[i].value
                                                 : mlc_op_result(op, i - op->num_operands));
        if (!is_mappable(type))
            continue;
        *(is_operand ? &any_operand : &any_result) = true;
        num_shaped_results += !is_operand;
        agree &=
            !first || (mlc_type_kind(first) == mlc_type_kind(type) && lanes_agree(first, type));
        first = first ? first : type;
    }
    if (any_operand && !any_result)
        return mlc_op_error(
            op, "if an operand is non-scalar, then there must be at least one non-scalar result");
    if (any_result && !any_operand)
        return mlc_op_error(
            op, "if a result is non-scalar, then at least one operand must be non-scalar");
    if (any_result && num_shaped_results != op->num_results)
        return mlc_op_error(op, "if an operand is non-scalar, then all results must be non-scalar");
    if (!agree)
        return mlc_op_error(
            op, "all non-scalar operands/results must have the same shape and base type");
    return true;
}

// The group of operands that are destinations, by its name in the record; num_operands if no group
// has such a name.
static size_t
destination_group(const MlcOpDef *def)
{
    static const char *const names[] = {"outs", "outputs", "output", "inits", "init", "dest"};
    for (size_t group = 0; group < def->num_operands; group++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strcmp(def->operands[group].name, names[i]) == 0)
                return group;
    return def->num_operands;
}

bool
mlc_op_destinations(const MlcOp *op, size_t *first, size_t *count)
{
    size_t group = mlc_op_has_trait(op, MLC_TRAIT_DESTINATION_STYLE) ? destination_group(op->def)
                                                                     : op->def->num_operands;
    if (group == op->def->num_operands)
        return false;
    mlc_op_operand_group(op, group, first, count);
    return true;
}

// Destinations that are tensors come back as results, in order.
static bool
verify_destination_style(MlcOp *op)
{
    size_t first, size, num_tensors = 0;
    if (!mlc_op_destinations(op, &first, &size))
        return true;
    for (size_t i = first; i < first + size; i++) {
        MlcType type = mlc_value_type(op->operands[i].value);
        if (!mlc_type_is(type, MLC_TYPE_TENSOR) && !mlc_type_is(type, MLC_TYPE_UNRANKED_TENSOR))
            continue;
        MlcType result =
            num_tensors < op->num_results ? mlc_value_type(mlc_op_result(op, num_tensors)) : type;
        if (result != type)
            return mlc_op_error(
                op,
                "expected type of operand #%zu ('%s') to match type of corresponding result ('%s')",
                i, mlc_type_text(type), mlc_type_text(result));
        num_tensors++;
    }
    if (num_tensors != op->num_results)
        return mlc_op_error(op,
                            "expected the number of tensor results (%u) to be equal to the number "
                            "of output tensors (%zu)",
                            op->num_results, num_tensors);
    return true;
}

// --- structure

static bool
verify_parent(MlcOp *op)
{
    MlcOp *parent = mlc_op_parent(op);
    if (!parent)
        return true;
    size_t n = 0;
    for (; op->def->parents[n]; n++)
        if (strcmp(parent->def->name, op->def->parents[n]) == 0)
            return true;
    MlcBuf names = {0};
    for (size_t i = 0; i < n; i++)
        mlc_buf_printf(&names, "%s%s", i ? ", " : "", op->def->parents[i]);
    mlc_op_error(op, "expects parent op %s'%s'", n == 1 ? "" : "to be one of ",
                 mlc_buf_c_str(&names));
    mlc_buf_release(&names);
    return false;
}

static bool
verify_symbol(MlcOp *op)
{
    if (!mlc_attr_is(mlc_op_attr(op, "sym_name"), MLC_ATTR_STRING)) {
        int slot = mlc_op_def_attr_slot(op->def, mlc_str("sym_name"));
        bool is_optional =
            slot >= 0 && op->def->attrs[slot].optional; // builtin.module may go without
        return (is_optional && !mlc_op_attr(op, "sym_name")) ||
               mlc_op_error(op, "requires string attribute 'sym_name'");
    }
    MlcAttr visibility = mlc_op_attr(op, "sym_visibility");
    if (visibility && !mlc_attr_is(visibility, MLC_ATTR_STRING))
        return mlc_op_error(
            op,
            "requires visibility attribute 'sym_visibility' to be a string attribute, but got %s",
            mlc_attr_text(visibility));
    if (visibility) {
        MlcStr v = mlc_string_attr_value(visibility);
        if (!mlc_str_equal(v, mlc_str("public")) && !mlc_str_equal(v, mlc_str("private")) &&
            !mlc_str_equal(v, mlc_str("nested")))
            return mlc_op_error(op,
                                "visibility expected to be one of [\"public\", \"private\", "
                                "\"nested\"], but got %s",
                                mlc_attr_text(visibility));
    }
    MlcOp *parent = mlc_op_parent(op);
    if (parent && mlc_op_is_registered(parent) && !mlc_op_has_trait(parent, MLC_TRAIT_SYMBOL_TABLE))
        return mlc_op_error(op, "symbol's parent must have the SymbolTable trait");
    return true;
}

static MlcAttr
encoding_of(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_TENSOR) ? mlc_tensor_type_encoding(type) : NULL;
}

// Against the first result, the other results first.
static bool
verify_same_type(MlcOp *op)
{
    MlcType first = op->num_results ? mlc_value_type(mlc_op_result(op, 0)) : NULL;
    for (size_t i = 1; first && i < op->num_results + op->num_operands; i++) {
        MlcType type = mlc_value_type(
            i < op->num_results ? mlc_op_result(op, i) : op->operands[i - op->num_results].value);
        if (!types_agree(first, type))
            return mlc_op_error(op, "requires the same type for all operands and results");
        if (encoding_of(first) && encoding_of(first) != encoding_of(type))
            return mlc_op_error(op, "requires the same encoding for all operands and results");
    }
    return true;
}

// What agrees may still not be the same: the results have the type of the first operand.
static bool
verify_inferred_type(MlcOp *op)
{
    MlcType first = op->num_operands ? mlc_value_type(op->operands[0].value) : NULL;
    bool ok = true;
    for (size_t i = 0; i < op->num_results; i++)
        ok &= !first || mlc_value_type(mlc_op_result(op, i)) == first;
    if (ok)
        return true;
    MlcBuf inferred = {0}, actual = {0};
    for (size_t i = 0; i < op->num_results; i++) {
        mlc_buf_printf(&inferred, "%s'%s'", i ? ", " : "", mlc_type_text(first));
        mlc_buf_printf(&actual, "%s'%s'", i ? ", " : "",
                       mlc_type_text(mlc_value_type(mlc_op_result(op, i))));
    }
    mlc_op_error(op, "inferred type(s) %s are incompatible with return type(s) of operation %s",
                 mlc_buf_c_str(&inferred), mlc_buf_c_str(&actual));
    mlc_op_error(op, "failed to infer returned types");
    mlc_buf_release(&inferred);
    mlc_buf_release(&actual);
    return false;
}

bool
mlc_verify_traits(MlcOp *op)
{
    bool same_type = mlc_op_has_trait(op, MLC_TRAIT_SAME_OPERANDS_AND_RESULT_TYPE);
    if (same_type && !verify_same_type(op))
        return false;
    for (size_t i = 0; i < sizeof type_rules / sizeof *type_rules; i++)
        if (mlc_op_has_trait(op, type_rules[i].trait) &&
            !all_agree(op, type_rules[i].agree, type_rules[i].results_too))
            return mlc_op_error(op, "%s", type_rules[i].message);
    if (mlc_op_has_trait(op, MLC_TRAIT_RESULTS_ARE_BOOL_LIKE) && !verify_bool_like(op))
        return false;
    // Shapes that broadcast are for the op's own hook to check.
    if (mlc_op_has_trait(op, MLC_TRAIT_ELEMENTWISE) && !mlc_op_has_trait(op, MLC_TRAIT_BROADCAST) &&
        !verify_elementwise(op))
        return false;
    if (same_type && !verify_inferred_type(op))
        return false;
    return mlc_verify_position(op);
}

bool
mlc_verify_position(MlcOp *op)
{
    if (mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR) && (!op->block || op->block->last != op))
        return mlc_op_error(op, "must be the last operation in the parent block");
    return !mlc_op_has_trait(op, MLC_TRAIT_SYMBOL) || verify_symbol(op);
}

// --- regions

static bool
verify_single_block(MlcOp *op)
{
    for (size_t i = 0; i < op->num_regions; i++) {
        const MlcRegion *region = mlc_op_region(op, i);
        if (!region->first)
            continue;
        if (region->first != region->last)
            return mlc_op_error(op, "expects region #%zu to have 0 or 1 blocks", i);
        if (!mlc_op_has_trait(op, MLC_TRAIT_NO_TERMINATOR) && !region->first->first)
            return mlc_op_error(op, "expects a non-empty block");
    }
    return true;
}

static bool
verify_no_region_arguments(MlcOp *op)
{
    for (size_t i = 0; i < op->num_regions; i++) {
        const MlcRegion *region = mlc_op_region(op, i);
        if (!region->first || region->first->num_args == 0)
            continue;
        return op->num_regions > 1 ? mlc_op_error(op, "region #%zu should have no arguments", i)
                                   : mlc_op_error(op, "region should have no arguments");
    }
    return true;
}

bool
mlc_verify_structure(MlcOp *op)
{
    if (mlc_op_has_trait(op, MLC_TRAIT_NO_REGION_ARGUMENTS) && !verify_no_region_arguments(op))
        return false;
    if (mlc_op_has_trait(op, MLC_TRAIT_SINGLE_BLOCK) && !verify_single_block(op))
        return false;
    return !op->def->parents || verify_parent(op);
}

static bool
verify_implicit_terminator(MlcOp *op)
{
    const char *expected = op->def->implicit_terminator;
    for (size_t i = 0; i < op->num_regions && expected; i++) {
        const MlcBlock *block = mlc_op_region(op, i)->last;
        if (!block || !block->last || strcmp(block->last->def->name, expected) == 0)
            continue;
        mlc_op_error(op, "expects regions to end with '%s', found '%s'", expected,
                     block->last->def->name);
        mlc_op_note(op, "in custom textual format, the absence of terminator implies '%s'",
                    expected);
        return false;
    }
    return true;
}

static bool
verify_symbol_table(MlcOp *op)
{
    if (op->num_regions != 1)
        return mlc_op_error(op, "Operations with a 'SymbolTable' must have exactly one region");
    const MlcRegion *region = mlc_op_region(op, 0);
    if (!region->first || region->first != region->last)
        return mlc_op_error(op, "Operations with a 'SymbolTable' must have exactly one block");
    MlcMap names = {0};
    bool ok = true;
    for (MlcOp *symbol = region->first->first; symbol; symbol = symbol->next) {
        MlcAttr name = mlc_op_attr(symbol, "sym_name");
        if (!mlc_attr_is(name, MLC_ATTR_STRING))
            continue;
        MlcOp *other = mlc_map_get(&names, name);
        if (other) {
            ok = mlc_error(op->ctx, symbol->loc, "redefinition of symbol named '%s'",
                           mlc_string_attr_value(name).data);
            mlc_note(op->ctx, other->loc, "see existing symbol definition here");
        }
        mlc_map_set(&names, name, symbol);
    }
    mlc_map_release(&names);
    return ok;
}

bool
mlc_verify_region_traits(MlcOp *op)
{
    if (!verify_implicit_terminator(op))
        return false;
    if (mlc_op_has_trait(op, MLC_TRAIT_DESTINATION_STYLE) && !verify_destination_style(op))
        return false;
    // Where outputs are destinations, operands are shaped as the loops walk over them.
    if (mlc_op_has_trait(op, MLC_TRAIT_STRUCTURED) &&
        mlc_op_has_trait(op, MLC_TRAIT_DESTINATION_STYLE) && !mlc_verify_structured(op))
        return false;
    return !mlc_op_has_trait(op, MLC_TRAIT_SYMBOL_TABLE) || verify_symbol_table(op);
}
