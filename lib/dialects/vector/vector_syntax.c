// vector_syntax.c -- custom syntax of contractions, outer products and masked ops; result types
// that follow from attributes.
#include "mlc/dialects/vector.h"
#include "mlc/ir.h"
#include "mlc/ir/asm.h"

// vector.contract {indexing_maps = .., iterator_types = ["parallel"], kind = ..} %a, %b, %c {attrs}
// : t, u into v

// ["parallel", "reduction"] to attributes; NULL after an error.
static MlcAttr
iterators_from_text(MlcParser *p, MlcLoc loc, MlcAttr texts)
{
    MlcContext *ctx = mlc_parser_context(p);
    const MlcAttrDef *def = &mlc_vector_iterator_type_attr_def;
    MLC_VEC(MlcAttr) list = {0};
    MlcAttr unknown = NULL;
    bool ok = mlc_attr_is(texts, MLC_ATTR_ARRAY);
    for (size_t i = 0; ok && i < mlc_array_attr_size(texts); i++) {
        MlcAttr text = mlc_array_attr_element(texts, i);
        size_t c = 0;
        while (c < def->num_cases &&
               !(mlc_attr_is(text, MLC_ATTR_STRING) &&
                 mlc_str_equal(mlc_string_attr_value(text), mlc_str(def->cases[c].name))))
            c++;
        ok = c < def->num_cases;
        unknown = !ok && mlc_attr_is(text, MLC_ATTR_STRING) ? text : NULL;
        if (ok)
            mlc_vec_push(&list, mlc_enum_attr_get(ctx, def, def->cases[c].value));
    }
    MlcAttr array = ok ? mlc_array_attr_get(ctx, list.data, list.size) : NULL;
    mlc_vec_release(&list);
    if (!ok && unknown)
        mlc_parser_error_at(p, loc, "unexpected iterator_type (%.*s)",
                            MLC_STR_FMT(mlc_string_attr_value(unknown)));
    else if (!ok)
        mlc_parser_error_at(p, loc, "expected a list of iterator types");
    return array;
}

static bool
parse_contract_attrs(MlcParser *p, MlcOpBuild *op)
{
    MlcAttr dict;
    MlcLoc loc = mlc_parser_loc(p);
    if (!mlc_parse_attribute(p, NULL, &dict))
        return false;
    if (!mlc_attr_is(dict, MLC_ATTR_DICT))
        return mlc_parser_error_at(
            p, loc, "expected a dictionary of indexing_maps, iterator_types and kind");
    for (size_t i = 0; i < mlc_dict_attr_size(dict); i++) {
        MlcNamedAttr entry = mlc_dict_attr_entry(dict, i);
        MlcStr name = mlc_string_attr_value(entry.name);
        if (mlc_str_equal(name, mlc_str("iterator_types")) &&
            !(entry.value = iterators_from_text(p, loc, entry.value)))
            return false;
        mlc_op_build_attr(p, op, name.data, entry.value);
    }
    return true;
}

bool
mlc_vector_contract_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcOperandRef refs[3];
    MlcType lhs, rhs, result;
    bool ok =
        parse_contract_attrs(p, op) && mlc_parse_operand(p, &refs[0]) && mlc_parse_token(p, ",") &&
        mlc_parse_operand(p, &refs[1]) && mlc_parse_token(p, ",") &&
        mlc_parse_operand(p, &refs[2]) && mlc_parse_attr_dict(p, op) && mlc_parse_token(p, ":") &&
        mlc_parse_type_into(p, &lhs) && mlc_parse_token(p, ",") && mlc_parse_type_into(p, &rhs) &&
        mlc_parse_token(p, "into") && mlc_parse_type_into(p, &result);
    ok = ok && mlc_resolve_operand(p, &refs[0], lhs, op) &&
         mlc_resolve_operand(p, &refs[1], rhs, op) && mlc_resolve_operand(p, &refs[2], result, op);
    if (ok)
        mlc_vec_push(&op->result_types, result);
    return ok;
}

static void
print_iterators(MlcPrinter *p, MlcAttr list)
{
    mlc_print_str(p, "[");
    for (size_t i = 0; i < mlc_array_attr_size(list); i++) {
        bool is_parallel = mlc_enum_attr_value(mlc_array_attr_element(list, i)) ==
                           MLC_VECTOR_ITERATOR_TYPE_PARALLEL;
        mlc_print_str(p, i ? ", " : "");
        mlc_print_str(p, is_parallel ? "\"parallel\"" : "\"reduction\"");
    }
    mlc_print_str(p, "]");
}

void
mlc_vector_contract_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"indexing_maps", "iterator_types", "kind", NULL};
    mlc_print_str(p, " {indexing_maps = ");
    mlc_print_attribute(p, mlc_vector_contract_indexing_maps(op));
    mlc_print_str(p, ", iterator_types = ");
    print_iterators(p, mlc_vector_contract_iterator_types(op));
    mlc_print_str(p, ", kind = ");
    mlc_print_attribute(p, mlc_vector_contract_kind_attr(op));
    mlc_print_str(p, "} ");
    mlc_print_operands(p, op, 0, 3);
    mlc_print_attr_dict(p, op, elided);
    mlc_print_str(p, " : ");
    mlc_print_type(p, mlc_op_operand_type(op, 0));
    mlc_print_str(p, ", ");
    mlc_print_type(p, mlc_op_operand_type(op, 1));
    mlc_print_str(p, " into ");
    mlc_print_type(p, mlc_value_type(mlc_op_result(op, 0)));
}

// vector.outerproduct %a, %b (, %c {kind = ..})? : t, u

// The lanes of `lhs` times those of `rhs`; of a scalar `rhs` the type of `lhs`.
static MlcType
outer_type(MlcType lhs, MlcType rhs)
{
    if (!mlc_type_is(rhs, MLC_TYPE_VECTOR) || mlc_type_rank(rhs) == 0) {
        bool is_scalable = mlc_vector_type_is_scalable(lhs, 0);
        return mlc_vector_type_get(mlc_type_element(lhs), mlc_type_shape(lhs), 1, &is_scalable);
    }
    int64_t shape[2] = {mlc_type_dim(lhs, 0), mlc_type_dim(rhs, 0)};
    bool scalable[2] = {mlc_vector_type_is_scalable(lhs, 0), mlc_vector_type_is_scalable(rhs, 0)};
    return mlc_vector_type_get(mlc_type_element(lhs), shape, 2,
                               scalable[0] || scalable[1] ? scalable : NULL);
}

bool
mlc_vector_outerproduct_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcOperandRefVec refs = {0};
    MlcType lhs, rhs;
    bool ok = mlc_parse_operand_list(p, &refs) && mlc_parse_attr_dict(p, op) &&
              mlc_parse_token(p, ":") && mlc_parse_type_into(p, &lhs) && mlc_parse_token(p, ",") &&
              mlc_parse_type_into(p, &rhs);
    if (ok && (refs.size < 2 || refs.size > 3))
        ok = mlc_parser_error_at(p, op->loc, "expected at least 2 operands");
    if (ok && (!mlc_type_is(lhs, MLC_TYPE_VECTOR) || mlc_type_rank(lhs) == 0))
        ok = mlc_parser_error_at(p, op->loc, "expected vector type for operand #1");
    if (ok) {
        mlc_vec_push(&op->result_types, outer_type(lhs, rhs));
        ok = mlc_resolve_operand(p, &refs.data[0], lhs, op) &&
             mlc_resolve_operand(p, &refs.data[1], rhs, op) &&
             (refs.size < 3 || mlc_resolve_operand(p, &refs.data[2], op->result_types.data[0], op));
    }
    mlc_vec_release(&refs);
    return ok;
}

void
mlc_vector_outerproduct_print(MlcPrinter *p, MlcOp *op)
{
    mlc_print_str(p, " ");
    mlc_print_operands(p, op, 0, mlc_op_num_operands(op));
    if (mlc_op_num_operands(op) > 2)
        mlc_print_attr_dict(p, op, NULL);
    mlc_print_str(p, " : ");
    mlc_print_type(p, mlc_op_operand_type(op, 0));
    mlc_print_str(p, ", ");
    mlc_print_type(p, mlc_op_operand_type(op, 1));
}

// vector.mask %m (, %passthru)? { op } {attrs} : t -> u: one op, its results are yielded.

static void
yield_results(MlcContext *ctx, MlcRegion *region)
{
    MlcBlock *block = mlc_region_first(region);
    if (!block) {
        block = mlc_block_create(ctx);
        mlc_region_append(region, block);
    }
    MlcOp *inner = mlc_block_last(block);
    if (inner && mlc_vector_yield_isa(inner))
        return;
    MlcValueVec values = {0};
    for (size_t i = 0; inner && i < mlc_op_num_results(inner); i++)
        mlc_vec_push(&values, mlc_op_result(inner, i));
    MlcOpState state = {.loc = inner ? mlc_op_loc(inner) : mlc_loc_unknown(ctx),
                        .def = &mlc_vector_yield_def,
                        .operands = values.data,
                        .num_operands = values.size};
    mlc_block_append(block, mlc_op_create(ctx, &state));
    mlc_vec_release(&values);
}

bool
mlc_vector_mask_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcOperandRef mask, passthru;
    MlcType type;
    if (!mlc_parse_operand(p, &mask))
        return false;
    bool has_passthru = mlc_parse_optional_token(p, ",");
    if (has_passthru && !mlc_parse_operand(p, &passthru))
        return false;
    MlcRegion *region = mlc_op_build_region(p, op);
    MlcLoc loc = mlc_parser_loc(p);
    if (!mlc_parse_region(p, region, NULL) || !mlc_parse_attr_dict(p, op) ||
        !mlc_parse_token(p, ":") || !mlc_parse_type_into(p, &type) ||
        !mlc_parse_optional_arrow_types(p, &op->result_types) ||
        !mlc_resolve_operand(p, &mask, type, op))
        return false;
    yield_results(mlc_parser_context(p), region);
    if (has_passthru && op->result_types.size == 0)
        return mlc_parser_error_at(p, loc, "expects a result if passthru operand is provided");
    return !has_passthru || mlc_resolve_operand(p, &passthru, op->result_types.data[0], op);
}

void
mlc_vector_mask_print(MlcPrinter *p, MlcOp *op)
{
    MlcBlock *block = mlc_region_first(mlc_vector_mask_mask_region(op));
    mlc_print_str(p, " ");
    mlc_print_operands(p, op, 0, mlc_op_num_operands(op));
    mlc_print_str(p, " { ");
    if (block && !mlc_block_is_empty(block))
        mlc_print_inner_op(p, mlc_block_first(block));
    mlc_print_str(p, " }");
    mlc_print_attr_dict(p, op, NULL);
    mlc_print_str(p, " : ");
    mlc_print_type(p, mlc_op_operand_type(op, 0));
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        mlc_print_str(p, i ? ", " : " -> ");
        mlc_print_type(p, mlc_value_type(mlc_op_result(op, i)));
    }
}

// vector.shuffle: one lane, or slice, per entry of the mask.
static bool
infer_shuffle(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results)
{
    (void)ctx;
    MlcAttr mask = NULL;
    for (size_t i = 0; i < state->num_attrs; i++)
        if (mlc_str_equal(mlc_string_attr_value(state->attrs[i].name), mlc_str("mask")))
            mask = state->attrs[i].value;
    MlcType type = state->num_operands ? mlc_value_type(state->operands[0]) : NULL;
    if (!mask || !type || !mlc_type_is(type, MLC_TYPE_VECTOR) || mlc_type_rank(type) > 16)
        return false;
    int64_t shape[17] = {(int64_t)mlc_int_list_attr_size(mask)};
    size_t rank = mlc_type_rank(type) ? mlc_type_rank(type) : 1;
    for (size_t i = 1; i < rank; i++)
        shape[i] = mlc_type_dim(type, i);
    mlc_vec_push(results, mlc_vector_type_get(mlc_type_element(type), shape, rank, NULL));
    return true;
}

const MlcInferTypes mlc_vector_shuffle_infer_types = {.infer = infer_shuffle};
