// irdl.c -- syntax and rules of definitions that no record can say.
#include "mlc/dialects/irdl_groups.h"

#include "mlc/ir.h"
#include "mlc/ir/asm.h"

// --- definitions: irdl.dialect @name { ... }

bool
mlc_irdl_definition_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcStr name;
    if (!mlc_parse_symbol_name(p, &name))
        return false;
    mlc_op_build_attr(p, op, "sym_name", mlc_string_attr_get(ctx, name));
    if (!mlc_parse_attr_dict_with_keyword(p, op))
        return false;
    MlcRegion *body = mlc_op_build_region(p, op);
    if (mlc_parse_optional_region(p, body, NULL) < 0)
        return false;
    if (mlc_region_is_empty(body))
        mlc_region_append(body, mlc_block_create(ctx));
    return true;
}

void
mlc_irdl_definition_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"sym_name", NULL};
    MlcRegion *body = mlc_op_region(op, 0);
    mlc_print_str(p, " ");
    mlc_print_symbol_name(p, mlc_symbol_name(op));
    mlc_print_attr_dict_with_keyword(p, op, elided);
    mlc_print_str(p, " ");
    if (!mlc_block_is_empty(mlc_region_first(body)))
        mlc_print_region(p, body, false, false, false);
}

// What says all of one kind is there once.
bool
mlc_irdl_definition_verify(MlcOp *op)
{
    const MlcOpDef *const once[] = {&mlc_irdl_parameters_def, &mlc_irdl_operands_def,
                                    &mlc_irdl_results_def, &mlc_irdl_attributes_def,
                                    &mlc_irdl_regions_def};
    for (size_t i = 0; i < sizeof once / sizeof *once; i++) {
        size_t n = 0;
        MLC_FOR_EACH_OP (child, mlc_region_first(mlc_op_region(op, 0)))
            n += mlc_op_isa(child, once[i]);
        if (n > 1)
            return mlc_op_error(op,
                                "failed to verify AtMostOneChildOf trait: the operation contains "
                                "at least two operations of type %s",
                                once[i]->name);
    }
    return true;
}

// --- groups: irdl.operands(%0, variadic %1)

size_t
mlc_irdl_num_groups(const MlcOp *values)
{
    MlcAttr groups = mlc_dialect_attr_param(mlc_op_attr(values, "variadicity"), 0);
    return groups ? mlc_array_attr_size(groups) : 0; // an empty list is left out
}

MlcIrdlVariadicity
mlc_irdl_variadicity_of(const MlcOp *values, size_t i)
{
    MlcAttr groups = mlc_dialect_attr_param(mlc_op_attr(values, "variadicity"), 0);
    return (MlcIrdlVariadicity)mlc_enum_attr_value(mlc_array_attr_element(groups, i));
}

bool
mlc_irdl_values_verify(MlcOp *op)
{
    size_t num_operands = mlc_op_num_operands(op), num_groups = mlc_irdl_num_groups(op);
    return num_operands == num_groups ||
           mlc_op_error(op,
                        "the number of operands and their variadicities must be the same, but got "
                        "%zu and %zu respectively",
                        num_operands, num_groups);
}

bool
mlc_irdl_values_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcContext *ctx = mlc_parser_context(p);
    const MlcAttrDef *of = &mlc_irdl_variadicity_attr_def;
    MlcType type = mlc_dialect_type_get(ctx, &mlc_irdl_attribute_type_def, NULL, 0);
    MLC_VEC(MlcAttr) groups = {0};
    bool ok = mlc_parse_token(p, "(");
    for (bool first = true; ok && !mlc_parse_optional_token(p, ")"); first = false) {
        MlcOperandRef ref;
        int64_t group = MLC_IRDL_VARIADICITY_SINGLE;
        if (!first && !(ok = mlc_parse_token(p, ",")))
            break;
        for (size_t i = 0; i < of->num_cases; i++)
            if (mlc_parse_optional_token(p, of->cases[i].name))
                group = of->cases[i].value;
        ok = mlc_parse_operand(p, &ref) && mlc_resolve_operand(p, &ref, type, op);
        mlc_vec_push(&groups, mlc_enum_attr_get(ctx, of, group));
    }
    MlcAttr list = groups.size ? mlc_array_attr_get(ctx, groups.data, groups.size) : NULL;
    mlc_op_build_attr(p, op, "variadicity",
                      mlc_dialect_attr_get(ctx, &mlc_irdl_variadicity_array_attr_def, &list, 1));
    mlc_vec_release(&groups);
    return ok && mlc_parse_attr_dict(p, op);
}

void
mlc_irdl_values_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"variadicity", NULL};
    mlc_print_str(p, "(");
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        MlcIrdlVariadicity group = mlc_irdl_variadicity_of(op, i);
        mlc_print_str(p, i ? ", " : "");
        if (group != MLC_IRDL_VARIADICITY_SINGLE)
            mlc_print_str(p, group == MLC_IRDL_VARIADICITY_OPTIONAL ? "optional " : "variadic ");
        mlc_print_operand(p, mlc_op_operand(op, i));
    }
    mlc_print_str(p, ")");
    mlc_print_attr_dict(p, op, elided);
}

// --- irdl.attributes {"name" = %0}

bool
mlc_irdl_attributes_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcType type = mlc_dialect_type_get(ctx, &mlc_irdl_attribute_type_def, NULL, 0);
    MLC_VEC(MlcAttr) names = {0};
    bool ok = true, is_open = mlc_parse_optional_token(p, "{");
    for (bool first = true; is_open && ok && !mlc_parse_optional_token(p, "}"); first = false) {
        MlcOperandRef ref;
        MlcStr name;
        ok = (first || mlc_parse_token(p, ",")) && mlc_parse_string(p, &name);
        if (ok)
            mlc_vec_push(&names, mlc_string_attr_get(ctx, name));
        ok = ok && mlc_parse_token(p, "=") && mlc_parse_operand(p, &ref) &&
             mlc_resolve_operand(p, &ref, type, op);
    }
    mlc_op_build_attr(p, op, "attributeValueNames",
                      mlc_array_attr_get(ctx, names.data, names.size));
    mlc_vec_release(&names);
    return ok && mlc_parse_attr_dict(p, op);
}

void
mlc_irdl_attributes_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"attributeValueNames", NULL};
    MlcAttr names = mlc_irdl_attributes_attribute_value_names(op);
    mlc_print_str(p, " {");
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
        mlc_print_str(p, i ? ", " : "");
        mlc_print_attribute(p, mlc_array_attr_element(names, i));
        mlc_print_str(p, " = ");
        mlc_print_operand(p, mlc_op_operand(op, i));
    }
    mlc_print_str(p, "}");
    mlc_print_attr_dict(p, op, elided);
}

// --- constraints

bool
mlc_irdl_base_verify(MlcOp *op)
{
    MlcAttr name = mlc_irdl_base_base_name(op);
    if (!name == !mlc_irdl_base_base_ref(op))
        return mlc_op_error(op, "the base type or attribute should be specified by either a name "
                                "or a reference");
    char first = name ? mlc_string_attr_value(name).data[0] : '!';
    return first == '!' || first == '#' ||
           mlc_op_error(op, "the base type or attribute name should start with '!' or '#'");
}

MlcOp *
mlc_irdl_definition(MlcOp *constraint, MlcAttr symbol)
{
    MlcOp *dialect = mlc_op_parent_of_kind(constraint, &mlc_irdl_dialect_def);
    MlcOp *outside = dialect ? mlc_op_parent(dialect) : NULL;
    return outside ? mlc_symbol_lookup_ref(outside, symbol) : NULL;
}

static bool
verify_definition(MlcOp *op, MlcAttr symbol)
{
    if (!symbol)
        return true;
    MlcOp *definition = mlc_irdl_definition(op, symbol);
    if (!definition)
        return mlc_op_error(op, "symbol '%s' not found", mlc_attr_text(symbol));
    return mlc_irdl_type_isa(definition) || mlc_irdl_attribute_isa(definition) ||
           mlc_op_error(op,
                        "symbol '%s' does not refer to a type or attribute definition (refers to "
                        "'%s')",
                        mlc_attr_text(symbol), mlc_op_name(definition).data);
}

static bool
verify_base(MlcOp *op)
{
    return verify_definition(op, mlc_irdl_base_base_ref(op));
}

static bool
verify_parametric(MlcOp *op)
{
    return verify_definition(op, mlc_irdl_parametric_base_type(op));
}

const MlcSymbolUser mlc_irdl_base_symbol_user = {.verify = verify_base};
const MlcSymbolUser mlc_irdl_parametric_symbol_user = {.verify = verify_parametric};
