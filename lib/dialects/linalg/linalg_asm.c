// linalg_asm.c -- the syntax of the structured ops that show their maps or their bodies.
#include "mlc/ir/asm.h"
#include "mlc/dialects/linalg.h"

#include "mlc/ir.h"

// ins(%a, %b : types) and outs(%c : types).

static bool
parse_operands(MlcParser *p, const char *word, MlcOpBuild *op, int32_t *count,
               MlcTypeVec *types_out)
{
    *count = 0;
    if (!mlc_parse_optional_token(p, word))
        return true;
    MlcOperandRefVec refs = {0};
    MlcTypeVec types = {0};
    MlcLoc loc = mlc_parser_loc(p);
    bool ok = mlc_parse_token(p, "(") && mlc_parse_operand_list(p, &refs);
    if (ok && mlc_parse_optional_token(p, ":"))
        ok = mlc_parse_type_list(p, &types);
    ok = ok && mlc_parse_token(p, ")") && mlc_resolve_operands(p, &refs, &types, loc, op);
    *count = (int32_t)refs.size;
    for (size_t i = 0; ok && types_out && i < types.size; i++)
        mlc_vec_push(types_out, types.data[i]);
    mlc_vec_release(&refs);
    mlc_vec_release(&types);
    return ok;
}

static void
print_operands(MlcPrinter *p, const char *word, MlcOp *op, size_t first, size_t count)
{
    if (count == 0)
        return;
    mlc_print_str(p, word);
    mlc_print_operands(p, op, first, count);
    mlc_print_str(p, " : ");
    for (size_t i = 0; i < count; i++) {
        mlc_print_str(p, i > 0 ? ", " : "");
        mlc_print_type(p, mlc_value_type(mlc_op_operand(op, first + i)));
    }
    mlc_print_str(p, ")");
}

// linalg.generic {indexing_maps = [...], iterator_types = ["parallel"]} ins(...) outs(...) attrs =
// {...} { body } -> types

// iterator_types = ["parallel"] as text; #linalg.iterator_type<parallel> inside.
static bool
convert_iterators(MlcParser *p, MlcLoc loc, MlcNamedAttr *entry)
{
    MlcContext *ctx = mlc_parser_context(p);
    const MlcAttrDef *def = mlc_context_attr(ctx, mlc_str("linalg.iterator_type"));
    MLC_VEC(MlcAttr) list = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < mlc_array_attr_size(entry->value); i++) {
        MlcAttr element = mlc_array_attr_element(entry->value, i);
        if (!mlc_attr_is(element, MLC_ATTR_STRING)) {
            mlc_vec_push(&list, element);
            continue;
        }
        size_t c = 0;
        while (c < def->num_cases &&
               !mlc_str_equal(mlc_string_attr_value(element), mlc_str(def->cases[c].name)))
            c++;
        if (c == def->num_cases)
            ok = mlc_parser_error_at(p, loc, "unexpected iterator_type (%.*s)",
                                     MLC_STR_FMT(mlc_string_attr_value(element)));
        else
            mlc_vec_push(&list, mlc_enum_attr_get(ctx, def, def->cases[c].value));
    }
    if (ok)
        entry->value = mlc_array_attr_get(ctx, list.data, list.size);
    mlc_vec_release(&list);
    return ok;
}

// What is given for a slot of the op satisfies its constraint; said where the list ended, as MLIR
// has it.
static bool
verify_slot(MlcParser *p, MlcLoc loc, const MlcOpBuild *op, MlcNamedAttr entry)
{
    MlcStr name = mlc_string_attr_value(entry.name);
    int slot = mlc_op_def_attr_slot(op->def, name);
    if (slot < 0 || mlc_constraint_check_attr(op->def->attrs[slot].constraint, entry.value))
        return true;
    return mlc_parser_error_at(p, loc, "'%s' op attribute '%.*s' failed to satisfy constraint: %s",
                               op->def->name, MLC_STR_FMT(name),
                               op->def->attrs[slot].constraint->summary);
}

static bool
parse_generic_attrs(MlcParser *p, MlcOpBuild *op)
{
    MlcAttr dict;
    MlcLoc loc = mlc_parser_loc(p);
    if (!mlc_parse_attribute(p, NULL, &dict))
        return false;
    MlcLoc end = mlc_parser_loc(p);
    if (!mlc_attr_is(dict, MLC_ATTR_DICT))
        return mlc_parser_error_at(p, loc,
                                   "expected a dictionary of indexing_maps and iterator_types");
    if (!mlc_attr_is(mlc_dict_attr_find(dict, mlc_str("iterator_types")), MLC_ATTR_ARRAY))
        return mlc_parser_error_at(p, loc, "expected \"iterator_types\" array attribute");
    for (size_t i = 0; i < mlc_dict_attr_size(dict); i++) {
        MlcNamedAttr entry = mlc_dict_attr_entry(dict, i);
        if (mlc_str_equal(mlc_string_attr_value(entry.name), mlc_str("iterator_types")) &&
            !convert_iterators(p, end, &entry))
            return false;
        if (!verify_slot(p, end, op, entry))
            return false;
        mlc_vec_push(&op->attrs, entry);
    }
    return true;
}

bool
mlc_linalg_generic_parse(MlcParser *p, MlcOpBuild *op)
{
    int32_t segments[2];
    if (!parse_generic_attrs(p, op) || !parse_operands(p, "ins", op, &segments[0], NULL) ||
        !parse_operands(p, "outs", op, &segments[1], NULL))
        return false;
    if (mlc_parse_optional_token(p, "attrs") &&
        (!mlc_parse_token(p, "=") || !mlc_parse_attr_dict(p, op)))
        return false;
    mlc_op_build_attr(p, op, "operandSegmentSizes",
                      mlc_i32_array_attr_get(mlc_parser_context(p), segments, 2));
    if (mlc_parse_optional_region(p, mlc_op_build_region(p, op), NULL) < 0)
        return false;
    if (!mlc_parse_optional_token(p, "->"))
        return true;
    if (mlc_parse_optional_token(p, "("))
        return mlc_parse_type_list(p, &op->result_types) && mlc_parse_token(p, ")");
    MlcType type;
    if (!mlc_parse_type_into(p, &type))
        return false;
    mlc_vec_push(&op->result_types, type);
    return true;
}

static void
print_iterators(MlcPrinter *p, MlcAttr iterators)
{
    mlc_print_str(p, "[");
    for (size_t i = 0; i < mlc_array_attr_size(iterators); i++) {
        int64_t kind = mlc_enum_attr_value(mlc_array_attr_element(iterators, i));
        mlc_print_str(p, i > 0 ? ", " : "");
        mlc_print_str(p, kind == MLC_ITERATOR_PARALLEL    ? "\"parallel\""
                         : kind == MLC_ITERATOR_REDUCTION ? "\"reduction\""
                                                          : "\"window\"");
    }
    mlc_print_str(p, "]");
}

void
mlc_linalg_generic_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {
        "operandSegmentSizes", "doc", "indexing_maps", "library_call", "iterator_types", NULL};
    size_t first, count;
    const char *separator = " {";
    static const char *const shown[] = {"doc", "indexing_maps", "iterator_types", "library_call"};
    for (size_t i = 0; i < 4; i++) { // in the order of their names, as in a dictionary
        MlcAttr attr = mlc_op_attr(op, shown[i]);
        if (!attr)
            continue;
        mlc_buf_printf(mlc_printer_buf(p), "%s%s = ", separator, shown[i]);
        separator = ", ";
        if (i == 2)
            print_iterators(p, attr);
        else
            mlc_print_attribute(p, attr);
    }
    mlc_print_str(p, "}");
    mlc_op_operand_group(op, 0, &first, &count);
    print_operands(p, " ins(", op, first, count);
    mlc_op_operand_group(op, 1, &first, &count);
    print_operands(p, " outs(", op, first, count);
    if (mlc_op_discardable(op)) {
        mlc_print_str(p, " attrs = ");
        mlc_print_attr_dict(p, op, elided);
    }
    if (!mlc_region_is_empty(mlc_op_region(op, 0))) {
        mlc_print_str(p, " ");
        mlc_print_region(p, mlc_op_region(op, 0), true, true, false);
    }
    mlc_print_arrow_types(p, op);
}

// linalg.transpose ins(%a : t) outs(%b : t) permutation = [1, 0], linalg.broadcast ... dimensions =
// [0]: the body is implied.

static bool
parse_int_list(MlcParser *p, const char *name, MlcOpBuild *op)
{
    MLC_VEC(int64_t) list = {0};
    bool ok = mlc_parse_token(p, name) && mlc_parse_token(p, "=") && mlc_parse_token(p, "[");
    if (ok && !mlc_parse_optional_token(p, "]")) {
        do {
            int64_t value = 0;
            ok = mlc_parse_integer(p, &value);
            mlc_vec_push(&list, value);
        } while (ok && mlc_parse_optional_token(p, ","));
        ok = ok && mlc_parse_token(p, "]");
    }
    if (ok)
        mlc_op_build_attr(p, op, name,
                          mlc_i64_array_attr_get(mlc_parser_context(p), list.data, list.size));
    mlc_vec_release(&list);
    return ok;
}

static bool
parse_implied(MlcParser *p, MlcOpBuild *op, const char *list_name)
{
    int32_t num_ins, num_outs;
    MlcTypeVec types = {0};
    bool ok = parse_operands(p, "ins", op, &num_ins, &types) &&
              parse_operands(p, "outs", op, &num_outs, &types) &&
              parse_int_list(p, list_name, op) && mlc_parse_attr_dict(p, op);
    if (ok && types.size != 2)
        ok = mlc_parser_error_at(p, op->loc, "expected one input and one output");
    if (!ok) {
        mlc_vec_release(&types);
        return false;
    }
    if (mlc_type_is(types.data[1], MLC_TYPE_TENSOR))
        mlc_vec_push(&op->result_types, types.data[1]);
    MlcRegion *region = mlc_op_build_region(p, op);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_parser_context(p));
    b.loc = op->loc;
    MlcType elements[2] = {mlc_type_element(types.data[0]), mlc_type_element(types.data[1])};
    mlc_vec_release(&types);
    MlcValue *in = mlc_block_arg(mlc_builder_create_block(&b, region, elements, 2), 0);
    mlc_linalg_yield(&b, &in, 1);
    return true;
}

static void
print_implied(MlcPrinter *p, MlcOp *op, const char *list_name)
{
    const char *const elided[] = {list_name, NULL};
    MlcAttr list = mlc_op_attr(op, list_name);
    print_operands(p, " ins(", op, 0, 1);
    print_operands(p, " outs(", op, 1, 1);
    mlc_buf_printf(mlc_printer_buf(p), " %s = [", list_name);
    for (size_t i = 0; i < mlc_dense_array_attr_size(list); i++)
        mlc_buf_printf(mlc_printer_buf(p), "%s%lld", i > 0 ? ", " : "",
                       (long long)mlc_dense_array_attr_int(list, i));
    mlc_print_str(p, "] ");
    mlc_print_attr_dict(p, op, elided);
}

bool
mlc_linalg_transpose_parse(MlcParser *p, MlcOpBuild *op)
{
    return parse_implied(p, op, "permutation");
}

void
mlc_linalg_transpose_print(MlcPrinter *p, MlcOp *op)
{
    print_implied(p, op, "permutation");
}

bool
mlc_linalg_broadcast_parse(MlcParser *p, MlcOpBuild *op)
{
    return parse_implied(p, op, "dimensions");
}

void
mlc_linalg_broadcast_print(MlcPrinter *p, MlcOp *op)
{
    print_implied(p, op, "dimensions");
}
