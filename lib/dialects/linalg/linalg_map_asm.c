// linalg_map_asm.c -- the syntax of linalg.map and linalg.reduce: a body of one op is only named, {
// arith.addf }.
#include "mlc/dialects/linalg.h"
#include "mlc/ir.h"
#include "mlc/ir/asm.h"

typedef struct Parts {
    MlcStr payload; // "": the body is written
    MlcNamedAttrVec payload_attrs;
    MlcTypeVec ins, outs;
} Parts;

// { op.name {attrs} }
static bool
parse_payload(MlcParser *p, Parts *parts)
{
    MlcAttr dict = NULL;
    if (!mlc_parse_optional_token(p, "{"))
        return true;
    if (!mlc_parse_keyword_any(p, &parts->payload))
        return false;
    int found = mlc_parse_optional_attribute(p, NULL, &dict);
    if (found > 0 && !mlc_attr_is(dict, MLC_ATTR_DICT))
        return mlc_parser_error(p, "expected attribute dictionary");
    for (size_t i = 0; found > 0 && i < mlc_dict_attr_size(dict); i++)
        mlc_vec_push(&parts->payload_attrs, mlc_dict_attr_entry(dict, i));
    return found >= 0 && mlc_parse_token(p, "}");
}

// word(%a, %b : t, u)
static bool
parse_group(MlcParser *p, const char *word, MlcTypeVec *types, MlcOpBuild *op)
{
    MlcOperandRefVec refs = {0};
    MlcLoc loc = mlc_parser_loc(p);
    if (!mlc_parse_optional_token(p, word))
        return true;
    bool ok = mlc_parse_token(p, "(") && mlc_parse_operand_list(p, &refs) &&
              mlc_parse_token(p, ":") && mlc_parse_type_list(p, types) && mlc_parse_token(p, ")") &&
              mlc_resolve_operands(p, &refs, types, loc, op);
    mlc_vec_release(&refs);
    return ok;
}

static bool
parse_dimensions(MlcParser *p, MlcOpBuild *op)
{
    MLC_VEC(int64_t) list = {0};
    bool ok =
        mlc_parse_token(p, "dimensions") && mlc_parse_token(p, "=") && mlc_parse_token(p, "[");
    if (ok && !mlc_parse_optional_token(p, "]")) {
        do {
            int64_t value;
            ok = mlc_parse_integer(p, &value);
            mlc_vec_push(&list, value);
        } while (ok && mlc_parse_optional_token(p, ","));
        ok = ok && mlc_parse_token(p, "]");
    }
    if (ok)
        mlc_op_build_attr(p, op, "dimensions",
                          mlc_i64_array_attr_get(mlc_parser_context(p), list.data, list.size));
    mlc_vec_release(&list);
    return ok;
}

// (%x: f32, %y: f32) { ... }
static bool
parse_body(MlcParser *p, MlcRegion *region)
{
    MlcBlockArgRefVec args = {0};
    bool ok = mlc_parse_token(p, "(");
    if (ok && !mlc_parse_optional_token(p, ")")) {
        do {
            MlcBlockArgRef arg;
            ok = mlc_parse_block_arg(p, true, &arg);
            if (ok)
                mlc_vec_push(&args, arg);
        } while (ok && mlc_parse_optional_token(p, ","));
        ok = ok && mlc_parse_token(p, ")");
    }
    ok = ok && mlc_parse_region(p, region, &args);
    mlc_vec_release(&args);
    return ok;
}

// The body that a named op stands for: reductions give it the accumulator first.
static bool
build_body(MlcParser *p, MlcOpBuild *op, const Parts *parts, bool is_reduction, MlcRegion *region)
{
    MlcContext *ctx = mlc_parser_context(p);
    const MlcOpDef *def = mlc_context_op(ctx, parts->payload);
    MlcTypeVec types = {0};
    MlcValueVec values = {0};
    MlcBuilder b;
    if (!def)
        return mlc_parser_error_at(p, op->loc, "there is no operation '%.*s'",
                                   MLC_STR_FMT(parts->payload));
    for (size_t i = 0; i < parts->ins.size; i++)
        mlc_vec_push(&types, mlc_type_element(parts->ins.data[i]));
    for (size_t i = 0; is_reduction && i < parts->outs.size; i++)
        mlc_vec_push(&types, mlc_type_element(parts->outs.data[i]));
    mlc_builder_init(&b, ctx);
    b.loc = op->loc;
    MlcBlock *block = mlc_builder_create_block(&b, region, types.data, types.size);
    if (is_reduction && types.size)
        mlc_vec_push(&values, mlc_block_arg(block, types.size - 1));
    for (size_t i = 0; i + is_reduction < types.size; i++)
        mlc_vec_push(&values, mlc_block_arg(block, i));
    MlcType result = mlc_type_element(parts->outs.data[parts->outs.size - 1]);
    // Made as any op that is read: whether it takes so many operands is the verifier's business.
    MlcOpState state = {.loc = op->loc,
                        .def = def,
                        .operands = values.data,
                        .num_operands = values.size,
                        .result_types = &result,
                        .num_results = 1,
                        .attrs = parts->payload_attrs.data,
                        .num_attrs = parts->payload_attrs.size};
    MlcOp *payload = mlc_builder_insert(&b, mlc_op_create(ctx, &state));
    MlcValue *value = mlc_op_result(payload, 0);
    mlc_linalg_yield(&b, &value, 1);
    mlc_vec_release(&types);
    mlc_vec_release(&values);
    return true;
}

static bool
parse_parts(MlcParser *p, MlcOpBuild *op, Parts *parts, bool is_reduction)
{
    if (!parse_payload(p, parts) || !parse_group(p, "ins", &parts->ins, op) ||
        !parse_group(p, "outs", &parts->outs, op) || (is_reduction && !parse_dimensions(p, op)) ||
        !mlc_parse_attr_dict(p, op))
        return false;
    if (parts->outs.size == 0)
        return mlc_parser_error_at(p, op->loc, "expected 'outs'");
    for (size_t i = 0; i < parts->outs.size; i++)
        if (mlc_type_is(parts->outs.data[i], MLC_TYPE_TENSOR))
            mlc_vec_push(&op->result_types, parts->outs.data[i]);
    MlcRegion *region = mlc_op_build_region(p, op);
    return parts->payload.size ? build_body(p, op, parts, is_reduction, region)
                               : parse_body(p, region);
}

static bool
parse(MlcParser *p, MlcOpBuild *op, bool is_reduction)
{
    Parts parts = {0};
    bool ok = parse_parts(p, op, &parts, is_reduction);
    mlc_vec_release(&parts.payload_attrs);
    mlc_vec_release(&parts.ins);
    mlc_vec_release(&parts.outs);
    return ok;
}

// The one op of a body that can be named alone; NULL if the body must be written.
static MlcOp *
payload_of(MlcBlock *block, bool is_reduction)
{
    size_t n = mlc_block_num_args(block);
    MlcOp *op = mlc_block_first(block), *yield = op ? mlc_op_next(op) : NULL;
    if (!yield || mlc_op_next(yield) || mlc_op_num_results(op) != 1 || mlc_op_num_regions(op) ||
        mlc_op_num_operands(op) != n || n == 0 || mlc_op_num_operands(yield) != 1 ||
        mlc_op_operand(yield, 0) != mlc_op_result(op, 0))
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (mlc_op_operand(op, i) != mlc_block_arg(block, is_reduction ? (i + n - 1) % n : i))
            return NULL;
    return op;
}

static void
print_payload(MlcPrinter *p, MlcOp *payload)
{
    static const char *const flags[] = {"fastmath", NULL};
    MlcAttr fastmath = mlc_op_attr(payload, "fastmath");
    bool is_default =
        fastmath && mlc_attr_isa(fastmath, "arith.fastmath") && mlc_enum_attr_value(fastmath) == 0;
    mlc_print_str(p, " { ");
    mlc_print_str(p, mlc_op_name(payload).data);
    mlc_print_attr_dict(p, payload, is_default ? flags : NULL);
    mlc_print_str(p, " }");
}

static void
print_group(MlcPrinter *p, const char *word, MlcOp *op, size_t first, size_t count)
{
    if (count == 0)
        return;
    mlc_print_str(p, word);
    mlc_print_operands(p, op, first, count);
    mlc_print_str(p, " : ");
    for (size_t i = 0; i < count; i++) {
        mlc_print_str(p, i ? ", " : "");
        mlc_print_type(p, mlc_value_type(mlc_op_operand(op, first + i)));
    }
    mlc_print_str(p, ")");
}

static void
print_body(MlcPrinter *p, MlcRegion *region)
{
    MlcBlock *block = mlc_region_first(region);
    mlc_print_newline(p, 1);
    mlc_print_str(p, "(");
    for (size_t i = 0; i < mlc_block_num_args(block); i++) {
        mlc_print_str(p, i ? ", " : "");
        mlc_print_block_arg(p, mlc_block_arg(block, i), true);
        mlc_print_arg_loc(p, mlc_block_arg(block, i));
    }
    mlc_print_str(p, ") ");
    mlc_print_region(p, region, false, true, false);
    mlc_print_dedent(p);
}

static void
print(MlcPrinter *p, MlcOp *op, bool is_reduction, size_t num_ins)
{
    static const char *const elided[] = {"dimensions", NULL};
    MlcRegion *region = mlc_op_region(op, 0);
    MlcOp *payload = payload_of(mlc_region_first(region), is_reduction);
    if (payload)
        print_payload(p, payload);
    print_group(p, " ins(", op, 0, num_ins);
    print_group(p, " outs(", op, num_ins, mlc_op_num_operands(op) - num_ins);
    if (is_reduction) {
        MlcAttr list = mlc_linalg_reduce_dimensions(op);
        mlc_print_str(p, " dimensions = [");
        for (size_t i = 0; i < mlc_dense_array_attr_size(list); i++)
            mlc_buf_printf(mlc_printer_buf(p), "%s%lld", i ? ", " : "",
                           (long long)mlc_dense_array_attr_int(list, i));
        mlc_print_str(p, "] ");
    }
    mlc_print_attr_dict(p, op, is_reduction ? elided : NULL);
    if (!payload)
        print_body(p, region);
}

bool
mlc_linalg_map_parse(MlcParser *p, MlcOpBuild *op)
{
    return parse(p, op, false);
}

void
mlc_linalg_map_print(MlcPrinter *p, MlcOp *op)
{
    print(p, op, false, mlc_op_num_operands(op) - 1);
}

bool
mlc_linalg_reduce_parse(MlcParser *p, MlcOpBuild *op)
{
    return parse(p, op, true);
}

void
mlc_linalg_reduce_print(MlcPrinter *p, MlcOp *op)
{
    print(p, op, true, mlc_op_num_operands(op) / 2);
}
