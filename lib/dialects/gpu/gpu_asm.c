// gpu_asm.c -- custom syntax of gpu.func and gpu.launch: block arguments that stand in the op's own
// line, in an order of their own.
#include "mlc/dialects/gpu.h"
#include "mlc/ir.h"
#include "mlc/ir/asm.h"

#define WORKGROUP_COUNT "workgroup_attributions"

// workgroup(%a : memref<..., 3>): arguments of the body after all others.
static bool
parse_attributions(MlcParser *p, const char *word, MlcBlockArgRefVec *args, size_t *count)
{
    *count = 0;
    if (!mlc_parse_optional_token(p, word))
        return true;
    if (!mlc_parse_token(p, "("))
        return false;
    if (mlc_parse_optional_token(p, ")"))
        return true;
    do {
        MlcBlockArgRef arg;
        if (!mlc_parse_block_arg(p, true, &arg))
            return false;
        mlc_vec_push(args, arg);
        ++*count;
    } while (mlc_parse_optional_token(p, ","));
    return mlc_parse_token(p, ")");
}

static bool
parse_all_attributions(MlcParser *p, MlcBlockArgRefVec *args, MlcOpBuild *op)
{
    size_t num_workgroup, num_private;
    if (!parse_attributions(p, "workgroup", args, &num_workgroup) ||
        !parse_attributions(p, "private", args, &num_private))
        return false;
    mlc_op_build_attr(p, op, WORKGROUP_COUNT,
                      mlc_i64_attr_get(mlc_parser_context(p), (int64_t)num_workgroup));
    return true;
}

static void
print_attributions(MlcPrinter *p, const char *word, MlcBlock *block, size_t first, size_t count)
{
    if (count == 0)
        return;
    mlc_print_str(p, " ");
    mlc_print_str(p, word);
    mlc_print_str(p, "(");
    for (size_t i = 0; i < count; i++) {
        MlcValue *arg = mlc_block_arg(block, first + i);
        mlc_print_str(p, i ? ", " : "");
        mlc_print_operand(p, arg);
        mlc_print_str(p, " : ");
        mlc_print_type(p, mlc_value_type(arg));
    }
    mlc_print_str(p, ")");
}

static void
print_all_attributions(MlcPrinter *p, MlcOp *op, MlcBlock *block, size_t first)
{
    int64_t num_workgroup = 0;
    MlcAttr count = mlc_op_attr(op, WORKGROUP_COUNT);
    size_t num = mlc_block_num_args(block) - first;
    if (!count || !mlc_attr_try_as_int(count, &num_workgroup) || num_workgroup < 0 ||
        (size_t)num_workgroup > num)
        num_workgroup = 0;
    print_attributions(p, "workgroup", block, first, (size_t)num_workgroup);
    print_attributions(p, "private", block, first + (size_t)num_workgroup,
                       num - (size_t)num_workgroup);
}

// gpu.func @name(%a: f32) workgroup(...) private(...) kernel attributes {...} { ... }

bool
mlc_gpu_func_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcStr name;
    MlcSignature s = {0};
    if (!mlc_parse_symbol_name(p, &name))
        return false;
    mlc_op_build_attr(p, op, "sym_name", mlc_string_attr_get(ctx, name));
    bool ok = mlc_parse_signature(p, false, &s);
    if (ok) {
        mlc_signature_set_type(p, &s, op);
        mlc_signature_set_attrs(p, &s, op);
        ok = parse_all_attributions(p, &s.args, op);
    }
    if (ok && mlc_parse_optional_token(p, "kernel"))
        mlc_op_build_attr(p, op, "gpu.kernel", mlc_unit_attr_get(ctx));
    ok = ok && mlc_parse_attr_dict_with_keyword(p, op) &&
         mlc_parse_region(p, mlc_op_build_region(p, op), &s.args);
    mlc_signature_release(&s);
    return ok;
}

void
mlc_gpu_func_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {
        "sym_name",   "function_type",          "arg_attrs",
        "res_attrs",  "workgroup_attrib_attrs", "private_attrib_attrs",
        "gpu.kernel", WORKGROUP_COUNT,          NULL};
    MlcType type = mlc_gpu_func_function_type(op);
    MlcRegion *body = mlc_gpu_func_body(op);
    size_t num_args = mlc_function_type_num_inputs(type);
    mlc_print_str(p, " ");
    mlc_print_symbol_name(p, mlc_symbol_name(op));
    mlc_print_signature(p, op, mlc_function_type_inputs(type), num_args,
                        mlc_function_type_results(type), mlc_function_type_num_results(type), false,
                        body);
    if (!mlc_region_is_empty(body))
        print_all_attributions(p, op, mlc_region_first(body), num_args);
    if (mlc_op_attr(op, "gpu.kernel"))
        mlc_print_str(p, " kernel");
    mlc_print_attr_dict_with_keyword(p, op, elided);
    mlc_print_str(p, " ");
    mlc_print_region(p, body, false, true, false);
}

// gpu.launch async [%t] clusters(..) in (..) blocks(%i, %j, %k) in (%x = %a, %y = %b, %z = %c)
// threads(..) in (..)
//     dynamic_shared_memory_size %n workgroup(..) private(..) { ... } {attrs}
// Arguments of the body: block ids, thread ids, grid sizes, block sizes, then cluster ids and
// sizes.

typedef struct Launch {
    MlcBlockArgRef ids[3][3], sizes[3][3]; // of blocks, threads, clusters
    MlcOperandRef values[3][3];
    bool has_clusters;
} Launch;

// (%i, %j, %k) in (%x = %a, %y = %b, %z = %c)
static bool
parse_sizes(MlcParser *p, Launch *launch, size_t level)
{
    MlcType index = mlc_index_type_get(mlc_parser_context(p));
    if (!mlc_parse_token(p, "("))
        return false;
    for (size_t i = 0; i < 3; i++) {
        if ((i && !mlc_parse_token(p, ",")) ||
            !mlc_parse_block_arg(p, false, &launch->ids[level][i]))
            return false;
        launch->ids[level][i].type = index;
    }
    if (!mlc_parse_token(p, ")") || !mlc_parse_token(p, "in") || !mlc_parse_token(p, "("))
        return false;
    for (size_t i = 0; i < 3; i++) {
        if ((i && !mlc_parse_token(p, ",")) ||
            !mlc_parse_block_arg(p, false, &launch->sizes[level][i]) || !mlc_parse_token(p, "=") ||
            !mlc_parse_operand(p, &launch->values[level][i]))
            return false;
        launch->sizes[level][i].type = index;
    }
    return mlc_parse_token(p, ")");
}

static bool
parse_dependencies(MlcParser *p, int32_t *count, MlcOpBuild *op)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcType token = mlc_dialect_type_get(ctx, &mlc_gpu_async_token_type_def, NULL, 0);
    MlcOperandRefVec refs = {0};
    bool ok = true;
    MlcLoc loc = mlc_parser_loc(p);
    if (mlc_parse_optional_token(p, "async")) {
        if (op->num_results == 0)
            return mlc_parser_error_at(p, loc, "needs to be named when marked 'async'");
        mlc_vec_push(&op->result_types, token);
    }
    if (mlc_parse_optional_token(p, "["))
        ok = mlc_parse_operand_list(p, &refs) && mlc_parse_token(p, "]");
    for (size_t i = 0; ok && i < refs.size; i++)
        ok = mlc_resolve_operand(p, &refs.data[i], token, op);
    *count = (int32_t)refs.size;
    mlc_vec_release(&refs);
    return ok;
}

static bool
parse_levels(MlcParser *p, Launch *launch)
{
    launch->has_clusters = mlc_parse_optional_token(p, "clusters");
    return (!launch->has_clusters || parse_sizes(p, launch, 2)) && mlc_parse_token(p, "blocks") &&
           parse_sizes(p, launch, 0) && mlc_parse_token(p, "threads") && parse_sizes(p, launch, 1);
}

static bool
resolve_levels(MlcParser *p, const Launch *launch, MlcOpBuild *op)
{
    MlcType index = mlc_index_type_get(mlc_parser_context(p));
    for (size_t level = 0; level < (launch->has_clusters ? 3 : 2); level++)
        for (size_t i = 0; i < 3; i++)
            if (!mlc_resolve_operand(p, &launch->values[level][i], index, op))
                return false;
    return true;
}

static void
push_args(MlcBlockArgRefVec *args, const MlcBlockArgRef three[3])
{
    for (size_t i = 0; i < 3; i++)
        mlc_vec_push(args, three[i]);
}

static void
push_body_args(const Launch *launch, MlcBlockArgRefVec *args)
{
    push_args(args, launch->ids[0]);
    push_args(args, launch->ids[1]);
    push_args(args, launch->sizes[0]);
    push_args(args, launch->sizes[1]);
    if (launch->has_clusters) {
        push_args(args, launch->ids[2]);
        push_args(args, launch->sizes[2]);
    }
}

bool
mlc_gpu_launch_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcContext *ctx = mlc_parser_context(p);
    Launch launch = {0};
    MlcBlockArgRefVec args = {0};
    MlcOperandRef shared;
    int32_t sizes[11] = {0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0};
    if (!parse_dependencies(p, &sizes[0], op) || !parse_levels(p, &launch) ||
        !resolve_levels(p, &launch, op))
        return false;
    sizes[7] = sizes[8] = sizes[9] = launch.has_clusters;
    if (mlc_parse_optional_token(p, "dynamic_shared_memory_size")) {
        sizes[10] = 1;
        if (!mlc_parse_operand(p, &shared) ||
            !mlc_resolve_operand(p, &shared, mlc_integer_type_get(ctx, 32, MLC_SIGNLESS), op))
            return false;
    }
    mlc_op_build_attr(p, op, "operandSegmentSizes", mlc_i32_array_attr_get(ctx, sizes, 11));
    push_body_args(&launch, &args);
    bool ok = parse_all_attributions(p, &args, op) &&
              mlc_parse_region(p, mlc_op_build_region(p, op), &args) && mlc_parse_attr_dict(p, op);
    mlc_vec_release(&args);
    return ok;
}

static void
print_sizes(MlcPrinter *p, const char *word, MlcOp *op, MlcBlock *block, size_t first_id,
            size_t first_size, size_t first_operand)
{
    mlc_print_str(p, word);
    mlc_print_str(p, "(");
    for (size_t i = 0; i < 3; i++) {
        mlc_print_str(p, i ? ", " : "");
        mlc_print_operand(p, mlc_block_arg(block, first_id + i));
    }
    mlc_print_str(p, ") in (");
    for (size_t i = 0; i < 3; i++) {
        mlc_print_str(p, i ? ", " : "");
        mlc_print_operand(p, mlc_block_arg(block, first_size + i));
        mlc_print_str(p, " = ");
        mlc_print_operands(p, op, first_operand + i, 1);
    }
    mlc_print_str(p, ")");
}

void
mlc_gpu_launch_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"operandSegmentSizes", WORKGROUP_COUNT, NULL};
    MlcBlock *block = mlc_region_first(mlc_gpu_launch_body(op));
    size_t num_dependencies = mlc_gpu_launch_num_async_dependencies(op);
    bool has_clusters = mlc_gpu_launch_cluster_size_x(op) != NULL;
    if (mlc_op_num_results(op))
        mlc_print_str(p, " async");
    if (num_dependencies) {
        mlc_print_str(p, " [");
        mlc_print_operands(p, op, 0, num_dependencies);
        mlc_print_str(p, "]");
    }
    if (has_clusters)
        print_sizes(p, " clusters", op, block, 12, 15, num_dependencies + 6);
    print_sizes(p, " blocks", op, block, 0, 6, num_dependencies);
    print_sizes(p, " threads", op, block, 3, 9, num_dependencies + 3);
    MlcValue *shared = mlc_gpu_launch_dynamic_shared_memory_size(op);
    if (shared) {
        mlc_print_str(p, " dynamic_shared_memory_size ");
        mlc_print_operand(p, shared);
    }
    print_all_attributions(p, op, block, has_clusters ? 18 : 12);
    mlc_print_str(p, " ");
    mlc_print_region(p, mlc_gpu_launch_body(op), false, true, false);
    mlc_print_attr_dict(p, op, elided);
}
