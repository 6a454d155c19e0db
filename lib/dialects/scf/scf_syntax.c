// scf_syntax.c -- custom syntax of loops and conditions: induction variables and loop-carried
// values are region arguments that stand in the op's own line, which no format can say.
#include "mlc/dialects/scf.h"
#include "mlc/ir.h"
#include "mlc/ir/asm.h"

// `(%a = %x, %b = %y)`: arguments without types, and their initial operands.
static bool
parse_assignments(MlcParser *p, bool optional, MlcBlockArgRefVec *args, MlcOperandRefVec *inits)
{
    if (!mlc_parse_optional_token(p, "("))
        return optional || mlc_parse_token(p, "(");
    if (mlc_parse_optional_token(p, ")"))
        return true;
    do {
        MlcBlockArgRef arg;
        MlcOperandRef init;
        if (!mlc_parse_block_arg(p, false, &arg) || !mlc_parse_token(p, "=") ||
            !mlc_parse_operand(p, &init))
            return false;
        mlc_vec_push(args, arg);
        mlc_vec_push(inits, init);
    } while (mlc_parse_optional_token(p, ","));
    return mlc_parse_token(p, ")");
}

static bool
resolve_all(MlcParser *p, const MlcOperandRefVec *refs, const MlcTypeVec *types, MlcLoc loc,
            MlcOpBuild *op)
{
    return mlc_resolve_operands(p, refs, types, loc, op);
}

static bool
resolve_as(MlcParser *p, const MlcOperandRefVec *refs, MlcType type, MlcOpBuild *op)
{
    for (size_t i = 0; i < refs->size; i++)
        if (!mlc_resolve_operand(p, &refs->data[i], type, op))
            return false;
    return true;
}

static void
print_assignments(MlcPrinter *p, const char *prefix, MlcBlock *block, size_t first_arg, MlcOp *op,
                  size_t first, size_t count)
{
    if (count == 0)
        return;
    mlc_print_str(p, prefix);
    mlc_print_str(p, "(");
    for (size_t i = 0; i < count; i++) {
        if (i)
            mlc_print_str(p, ", ");
        mlc_print_operand(p, mlc_block_arg(block, first_arg + i));
        mlc_print_str(p, " = ");
        mlc_print_operand(p, mlc_op_operand(op, first + i));
    }
    mlc_print_str(p, ")");
}

static void
print_result_types(MlcPrinter *p, const char *before, const MlcOp *op, const char *after)
{
    mlc_print_str(p, before);
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        if (i)
            mlc_print_str(p, ", ");
        mlc_print_type(p, mlc_value_type(mlc_op_result(op, i)));
    }
    mlc_print_str(p, after);
}

static void
print_args(MlcPrinter *p, MlcBlock *block, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            mlc_print_str(p, ", ");
        mlc_print_operand(p, mlc_block_arg(block, i));
    }
}

// scf.for %i = %lb to %ub step %s iter_args(%a = %x) -> (t) : i32 { ... } {attrs}

typedef struct ForParts {
    MlcBlockArgRefVec args; // the induction variable first
    MlcOperandRefVec bounds, inits;
} ForParts;

static bool
parse_for_head(MlcParser *p, ForParts *parts, MlcOpBuild *op)
{
    MlcBlockArgRef iv;
    static const char *const words[] = {"=", "to", "step"};
    if (!mlc_parse_block_arg(p, false, &iv))
        return false;
    mlc_vec_push(&parts->args, iv);
    for (size_t i = 0; i < 3; i++) {
        MlcOperandRef ref;
        if (!mlc_parse_token(p, words[i]) || !mlc_parse_operand(p, &ref))
            return false;
        mlc_vec_push(&parts->bounds, ref);
    }
    if (mlc_parse_optional_token(p, "iter_args") &&
        (!parse_assignments(p, false, &parts->args, &parts->inits) ||
         !mlc_parse_arrow_types(p, &op->result_types)))
        return false;
    MlcType type = mlc_index_type_get(mlc_parser_context(p));
    if (mlc_parse_optional_token(p, ":") && !mlc_parse_type_into(p, &type))
        return false;
    parts->args.data[0].type = type;
    return true;
}

static bool
set_iter_types(MlcParser *p, ForParts *parts, MlcLoc loc, const MlcOpBuild *op)
{
    if (parts->args.size - 1 != op->result_types.size)
        return mlc_parser_error_at(p, loc,
                                   "mismatch in number of loop-carried values and defined values");
    for (size_t i = 0; i < op->result_types.size; i++)
        parts->args.data[1 + i].type = op->result_types.data[i];
    return true;
}

bool
mlc_scf_for_parse(MlcParser *p, MlcOpBuild *op)
{
    ForParts parts = {0};
    MlcLoc loc = mlc_parser_loc(p);
    bool ok = parse_for_head(p, &parts, op) && set_iter_types(p, &parts, loc, op) &&
              resolve_as(p, &parts.bounds, parts.args.data[0].type, op) &&
              resolve_all(p, &parts.inits, &op->result_types, loc, op) &&
              mlc_parse_region(p, mlc_op_build_region(p, op), &parts.args) &&
              mlc_parse_attr_dict(p, op);
    mlc_vec_release(&parts.args);
    mlc_vec_release(&parts.bounds);
    mlc_vec_release(&parts.inits);
    return ok;
}

void
mlc_scf_for_print(MlcPrinter *p, MlcOp *op)
{
    MlcRegion *body = mlc_scf_for_region(op);
    MlcBlock *block = mlc_region_first(body);
    MlcValue *iv = mlc_block_arg(block, 0);
    size_t num_inits = mlc_op_num_operands(op) - 3;
    mlc_print_str(p, " ");
    mlc_print_operand(p, iv);
    mlc_print_str(p, " = ");
    mlc_print_operands(p, op, 0, 1);
    mlc_print_str(p, " to ");
    mlc_print_operands(p, op, 1, 1);
    mlc_print_str(p, " step ");
    mlc_print_operands(p, op, 2, 1);
    print_assignments(p, " iter_args", block, 1, op, 3, num_inits);
    if (num_inits)
        print_result_types(p, " -> (", op, ")");
    mlc_print_str(p, " ");
    if (!mlc_type_is(mlc_value_type(iv), MLC_TYPE_INDEX)) {
        mlc_print_str(p, " : ");
        mlc_print_type(p, mlc_value_type(iv));
        mlc_print_str(p, " ");
    }
    mlc_print_region(p, body, false, num_inits > 0, false);
    mlc_print_attr_dict(p, op, NULL);
}

// scf.if %c -> (t) { ... } else { ... } {attrs}

bool
mlc_scf_if_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcOperandRef condition;
    if (!mlc_parse_operand(p, &condition) ||
        !mlc_resolve_operand(p, &condition,
                             mlc_integer_type_get(mlc_parser_context(p), 1, MLC_SIGNLESS), op))
        return false;
    if (!mlc_parse_optional_arrow_types(p, &op->result_types))
        return false;
    MlcRegion *then_region = mlc_op_build_region(p, op);
    MlcRegion *else_region = mlc_op_build_region(p, op);
    if (!mlc_parse_region(p, then_region, NULL))
        return false;
    if (mlc_parse_optional_token(p, "else") && !mlc_parse_region(p, else_region, NULL))
        return false;
    return mlc_parse_attr_dict(p, op);
}

void
mlc_scf_if_print(MlcPrinter *p, MlcOp *op)
{
    bool has_results = mlc_op_num_results(op) > 0;
    mlc_print_str(p, " ");
    mlc_print_operands(p, op, 0, 1);
    if (has_results)
        print_result_types(p, " -> (", op, ")");
    mlc_print_str(p, " ");
    mlc_print_region(p, mlc_scf_if_then_region(op), false, has_results, false);
    if (!mlc_region_is_empty(mlc_scf_if_else_region(op))) {
        mlc_print_str(p, " else ");
        mlc_print_region(p, mlc_scf_if_else_region(op), false, has_results, false);
    }
    mlc_print_attr_dict(p, op, NULL);
}

// scf.while (%a = %x) : (t) -> u { ... } do { ... } attributes {...}

static bool
parse_while_head(MlcParser *p, MlcBlockArgRefVec *args, MlcOpBuild *op)
{
    MlcOperandRefVec inits = {0};
    MlcTypeVec types = {0};
    MlcType type = NULL;
    MlcLoc loc = mlc_parser_loc(p);
    bool ok = parse_assignments(p, true, args, &inits) && mlc_parse_token(p, ":") &&
              mlc_parse_function_type(p, &type);
    for (size_t i = 0; ok && i < mlc_function_type_num_inputs(type); i++)
        mlc_vec_push(&types, mlc_function_type_inputs(type)[i]);
    for (size_t i = 0; ok && i < mlc_function_type_num_results(type); i++)
        mlc_vec_push(&op->result_types, mlc_function_type_results(type)[i]);
    if (ok && types.size != inits.size)
        ok = mlc_parser_error_at(p, loc,
                                 "expected as many input types as operands (expected %zu got %zu)",
                                 inits.size, types.size);
    for (size_t i = 0; ok && i < args->size; i++)
        args->data[i].type = types.data[i];
    ok = ok && resolve_all(p, &inits, &types, loc, op);
    mlc_vec_release(&inits);
    mlc_vec_release(&types);
    return ok;
}

bool
mlc_scf_while_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcBlockArgRefVec args = {0};
    bool ok = parse_while_head(p, &args, op) &&
              mlc_parse_region(p, mlc_op_build_region(p, op), &args) && mlc_parse_token(p, "do") &&
              mlc_parse_region(p, mlc_op_build_region(p, op), NULL) &&
              mlc_parse_attr_dict_with_keyword(p, op);
    mlc_vec_release(&args);
    return ok;
}

void
mlc_scf_while_print(MlcPrinter *p, MlcOp *op)
{
    MlcTypeVec ins = {0}, outs = {0};
    MlcBlock *before = mlc_region_first(mlc_scf_while_before(op));
    size_t n = mlc_op_num_operands(op);
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&ins, mlc_value_type(mlc_op_operand(op, i)));
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&outs, mlc_value_type(mlc_op_result(op, i)));
    print_assignments(p, " ", before, 0, op, 0, n);
    mlc_print_str(p, " : ");
    mlc_print_function_type(p, ins.data, ins.size, outs.data, outs.size);
    mlc_print_str(p, " ");
    mlc_print_region(p, mlc_scf_while_before(op), false, true, false);
    mlc_print_str(p, " do ");
    mlc_print_region(p, mlc_scf_while_after(op), true, true, false);
    mlc_print_attr_dict_with_keyword(p, op, NULL);
    mlc_vec_release(&ins);
    mlc_vec_release(&outs);
}

// scf.parallel (%i, %j) = (%a, %b) to (%c, %d) step (%e, %f) init (%x) -> t { ... }

static bool
parse_ivs(MlcParser *p, MlcBlockArgRefVec *args)
{
    MlcType index = mlc_index_type_get(mlc_parser_context(p));
    if (!mlc_parse_token(p, "("))
        return false;
    if (mlc_parse_optional_token(p, ")"))
        return true;
    do {
        MlcBlockArgRef arg;
        if (!mlc_parse_block_arg(p, false, &arg))
            return false;
        arg.type = index;
        mlc_vec_push(args, arg);
    } while (mlc_parse_optional_token(p, ","));
    return mlc_parse_token(p, ")");
}

static bool
parse_operands_in_parens(MlcParser *p, const char *word, MlcOperandRefVec *refs)
{
    return mlc_parse_token(p, word) && mlc_parse_operands_within(p, "(", ")", refs);
}

static bool
parse_parallel(MlcParser *p, MlcBlockArgRefVec *args, MlcOperandRefVec *refs, MlcOpBuild *op)
{
    static const char *const words[] = {"=", "to", "step"};
    MlcContext *ctx = mlc_parser_context(p);
    MlcLoc loc = mlc_parser_loc(p);
    int32_t sizes[4] = {0};
    if (!parse_ivs(p, args))
        return false;
    for (size_t i = 0; i < 3; i++) {
        refs->size = 0;
        if (!parse_operands_in_parens(p, words[i], refs))
            return false;
        if (refs->size != args->size)
            return mlc_parser_error_at(p, loc, "expected %zu operands", args->size);
        sizes[i] = (int32_t)refs->size;
        if (!resolve_as(p, refs, mlc_index_type_get(ctx), op))
            return false;
    }
    refs->size = 0;
    if (mlc_parse_optional_token(p, "init") && !mlc_parse_operands_within(p, "(", ")", refs))
        return false;
    sizes[3] = (int32_t)refs->size;
    if (!mlc_parse_optional_arrow_types(p, &op->result_types))
        return false;
    mlc_op_build_attr(p, op, "operandSegmentSizes", mlc_i32_array_attr_get(ctx, sizes, 4));
    return resolve_all(p, refs, &op->result_types, loc, op) &&
           mlc_parse_region(p, mlc_op_build_region(p, op), args) && mlc_parse_attr_dict(p, op);
}

bool
mlc_scf_parallel_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcBlockArgRefVec args = {0};
    MlcOperandRefVec refs = {0};
    bool ok = parse_parallel(p, &args, &refs, op);
    mlc_vec_release(&args);
    mlc_vec_release(&refs);
    return ok;
}

void
mlc_scf_parallel_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"operandSegmentSizes", NULL};
    static const char *const words[] = {") = (", ") to (", ") step ("};
    MlcBlock *block = mlc_region_first(mlc_scf_parallel_region(op));
    size_t n = mlc_block_num_args(block), first, size;
    mlc_print_str(p, " (");
    print_args(p, block, n);
    for (size_t i = 0; i < 3; i++) {
        mlc_print_str(p, words[i]);
        mlc_print_operands(p, op, i * n, n);
    }
    mlc_print_str(p, ")");
    mlc_op_operand_group(op, 3, &first, &size);
    if (size) {
        mlc_print_str(p, " init (");
        mlc_print_operands(p, op, first, size);
        mlc_print_str(p, ")");
    }
    mlc_print_arrow_types(p, op);
    mlc_print_str(p, " ");
    mlc_print_region(p, mlc_scf_parallel_region(op), false, true, false);
    mlc_print_attr_dict(p, op, elided);
}

// scf.forall (%i) in (%n) shared_outs(%o = %t) -> (t) { ... }, or (%i) = (0) to (%n) step (2)

typedef struct ForallParts {
    MlcBlockArgRefVec args;
    MlcOperandRefVec bounds[3], outs;
    MlcAttr statics[3];
} ForallParts;

static MlcAttr
repeated(MlcContext *ctx, int64_t value, size_t n)
{
    MLC_VEC(int64_t) values = {0};
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&values, value);
    MlcAttr attr = mlc_i64_array_attr_get(ctx, values.data, n);
    mlc_vec_release(&values);
    return attr;
}

static bool
parse_forall_bounds(MlcParser *p, ForallParts *parts)
{
    static const char *const words[] = {"=", "to", "step"};
    MlcContext *ctx = mlc_parser_context(p);
    if (mlc_parse_optional_token(p, "in")) {
        parts->statics[0] = repeated(ctx, 0, parts->args.size);
        parts->statics[2] = repeated(ctx, 1, parts->args.size);
        return mlc_parse_dynamic_index_list(p, "(", ")", &parts->bounds[1], &parts->statics[1]);
    }
    for (size_t i = 0; i < 3; i++)
        if (!mlc_parse_token(p, words[i]) ||
            !mlc_parse_dynamic_index_list(p, "(", ")", &parts->bounds[i], &parts->statics[i]))
            return false;
    return true;
}

static bool
parse_forall(MlcParser *p, ForallParts *parts, MlcOpBuild *op)
{
    static const char *const names[] = {"staticLowerBound", "staticUpperBound", "staticStep"};
    MlcContext *ctx = mlc_parser_context(p);
    MlcLoc loc = mlc_parser_loc(p);
    int32_t sizes[4];
    if (!parse_ivs(p, &parts->args) || !parse_forall_bounds(p, parts))
        return false;
    size_t num_ivs = parts->args.size;
    if (mlc_parse_optional_token(p, "shared_outs") &&
        (!parse_assignments(p, false, &parts->args, &parts->outs) ||
         !mlc_parse_arrow_types(p, &op->result_types)))
        return false;
    if (parts->outs.size != op->result_types.size)
        return mlc_parser_error_at(p, loc, "%zu operands present, but expected %zu",
                                   parts->outs.size, op->result_types.size);
    for (size_t i = 0; i < op->result_types.size; i++)
        parts->args.data[num_ivs + i].type = op->result_types.data[i];
    for (size_t i = 0; i < 3; i++) {
        sizes[i] = (int32_t)parts->bounds[i].size;
        mlc_op_build_attr(p, op, names[i], parts->statics[i]);
        if (!resolve_as(p, &parts->bounds[i], mlc_index_type_get(ctx), op))
            return false;
    }
    sizes[3] = (int32_t)parts->outs.size;
    mlc_op_build_attr(p, op, "operandSegmentSizes", mlc_i32_array_attr_get(ctx, sizes, 4));
    return resolve_all(p, &parts->outs, &op->result_types, loc, op) &&
           mlc_parse_region(p, mlc_op_build_region(p, op), &parts->args) &&
           mlc_parse_attr_dict(p, op);
}

bool
mlc_scf_forall_parse(MlcParser *p, MlcOpBuild *op)
{
    ForallParts parts = {0};
    bool ok = parse_forall(p, &parts, op);
    for (size_t i = 0; i < 3; i++)
        mlc_vec_release(&parts.bounds[i]);
    mlc_vec_release(&parts.args);
    mlc_vec_release(&parts.outs);
    return ok;
}

static bool
is_all(MlcAttr attr, int64_t value)
{
    for (size_t i = 0; i < mlc_dense_array_attr_size(attr); i++)
        if (mlc_dense_array_attr_int(attr, i) != value)
            return false;
    return true;
}

static void
print_bounds(MlcPrinter *p, MlcOp *op, size_t group, MlcAttr statics)
{
    size_t first, size;
    MlcValueVec values = {0};
    mlc_op_operand_group(op, group, &first, &size);
    for (size_t i = 0; i < size; i++)
        mlc_vec_push(&values, mlc_op_operand(op, first + i));
    mlc_print_dynamic_index_list(p, "(", ")", values.data, statics);
    mlc_vec_release(&values);
}

void
mlc_scf_forall_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"operandSegmentSizes", "staticLowerBound",
                                         "staticUpperBound", "staticStep", NULL};
    MlcBlock *block = mlc_region_first(mlc_scf_forall_region(op));
    MlcAttr lower = mlc_scf_forall_static_lower_bound(op), step = mlc_scf_forall_static_step(op);
    size_t first, size, num_ivs = mlc_dense_array_attr_size(mlc_scf_forall_static_upper_bound(op));
    mlc_print_str(p, " (");
    print_args(p, block, num_ivs);
    if (is_all(lower, 0) && is_all(step, 1)) {
        mlc_print_str(p, ") in ");
        print_bounds(p, op, 1, mlc_scf_forall_static_upper_bound(op));
    } else {
        mlc_print_str(p, ") = ");
        print_bounds(p, op, 0, lower);
        mlc_print_str(p, " to ");
        print_bounds(p, op, 1, mlc_scf_forall_static_upper_bound(op));
        mlc_print_str(p, " step ");
        print_bounds(p, op, 2, step);
    }
    mlc_op_operand_group(op, 3, &first, &size);
    print_assignments(p, " shared_outs", block, num_ivs, op, first, size);
    mlc_print_str(p, " ");
    if (size)
        print_result_types(p, "-> (", op, ") ");
    mlc_print_region(p, mlc_scf_forall_region(op), false, mlc_op_num_results(op) > 0, false);
    mlc_print_attr_dict(p, op, elided);
}

// scf.execute_region -> t { ... }

bool
mlc_scf_execute_region_parse(MlcParser *p, MlcOpBuild *op)
{
    if (!mlc_parse_optional_arrow_types(p, &op->result_types))
        return false;
    return mlc_parse_region(p, mlc_op_build_region(p, op), NULL) && mlc_parse_attr_dict(p, op);
}

void
mlc_scf_execute_region_print(MlcPrinter *p, MlcOp *op)
{
    mlc_print_arrow_types(p, op);
    mlc_print_str(p, " ");
    mlc_print_region(p, mlc_scf_execute_region_region(op), false, true, false);
    mlc_print_attr_dict(p, op, NULL);
}
