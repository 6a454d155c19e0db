// nvvm_to_llvm.c -- nvvm ops that LLVM has no intrinsic for, as PTX in inline assembly.
//
// A row is the instruction, with operands as $0, $1 in their order; a predicate, where there is
// one, is the last operand and goes in front. What is not here stays as it is: the back end knows
// it, or nobody does.
#include "mlc/dialects/llvm.h"
#include "mlc/dialects/nvvm.h"
#include "mlc/ir.h"
#include "mlc/pass.h"

#define WAIT(space)                                                                                \
    "{\n\t.reg .pred       P1; \n\tLAB_WAIT: \n\tmbarrier.try_wait.parity" space                   \
    ".b64 P1, [$0], $1, $2; \n\t@P1 bra.uni DONE; \n\tbra.uni     LAB_WAIT; \n\tDONE: \n\t}"

static const struct {
    const MlcOpDef *op;
    size_t num_operands; // without the predicate
    const char *ptx;     // NULL: by attributes and operands, see below
} rows[] = {
    {&mlc_nvvm_mbarrier_arrive_expect_tx_def, 2, "mbarrier.arrive.expect_tx.b64 _, [$0], $1;"},
    {&mlc_nvvm_mbarrier_arrive_expect_tx_shared_def, 2,
     "mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;"},
    {&mlc_nvvm_mbarrier_try_wait_parity_def, 3, WAIT("")},
    {&mlc_nvvm_mbarrier_try_wait_parity_shared_def, 3, WAIT(".shared")},
    {&mlc_nvvm_fence_mbarrier_init_def, 0, "fence.mbarrier_init.release.cluster;"},
    {&mlc_nvvm_wgmma_fence_aligned_def, 0, "wgmma.fence.sync.aligned;"},
    {&mlc_nvvm_wgmma_commit_group_sync_aligned_def, 0, "wgmma.commit_group.sync.aligned;"},
    {&mlc_nvvm_prefetch_tensormap_def, 1, "prefetch.tensormap [$0];"},
    {&mlc_nvvm_wgmma_wait_group_sync_aligned_def, 0, NULL},
    {&mlc_nvvm_fence_proxy_def, 0, NULL},
    {&mlc_nvvm_cp_async_shared_global_def, 0, NULL},
    {&mlc_nvvm_cp_async_bulk_tensor_global_shared_cta_def, 0, NULL},
    {&mlc_nvvm_cp_async_bulk_tensor_shared_cluster_global_def, 0, NULL},
};

// The letter of the register that holds a value.
static const char *
register_class(MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    if (mlc_type_isa(type, "llvm.ptr")) {
        MlcAttr space = mlc_dialect_type_param(type, 0);
        return space && mlc_attr_as_int(space) == 3 ? "r" : "l";
    }
    if (mlc_type_is(type, MLC_TYPE_FLOAT))
        return mlc_type_bit_width(type) == 64 ? "d" : mlc_type_bit_width(type) == 32 ? "f" : "h";
    switch (mlc_type_is(type, MLC_TYPE_INTEGER) ? mlc_integer_type_width(type) : 64) {
    case 1:
        return "b";
    case 16:
        return "h";
    case 32:
        return "r";
    default:
        return "l";
    }
}

// An instruction being put together.
typedef struct Ptx {
    MlcBuf text, constraints;
    MlcValueVec operands;
} Ptx;

static void
add_operand(Ptx *p, MlcValue *value, const char *letter)
{
    mlc_buf_printf(&p->constraints, "%s%s", p->operands.size ? "," : "", letter);
    mlc_vec_push(&p->operands, value);
}

static void
add_constant(Ptx *p, MlcBuilder *b, int64_t value)
{
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    add_operand(p, mlc_llvm_mlir_constant(b, i32, mlc_integer_attr_get(i32, value)), "n");
}

// Operands from `first` on; those after the `count`th are the predicate.
static void
add_operands(Ptx *p, MlcOp *op, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        add_operand(p, mlc_op_operand(op, i), register_class(mlc_op_operand(op, i)));
    if (mlc_op_num_operands(op) <= first + count)
        return;
    MlcBuf text = {0};
    mlc_buf_printf(&text, "@$%zu %s", p->operands.size, mlc_buf_c_str(&p->text));
    mlc_buf_release(&p->text);
    p->text = text;
    add_operand(p, mlc_op_operand(op, first + count), "b");
}

static bool
instruction_by_row(Ptx *p, MlcOp *op)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].ptx || !mlc_op_isa(op, rows[i].op))
            continue;
        mlc_buf_append_c(&p->text, rows[i].ptx);
        add_operands(p, op, 0, rows[i].num_operands);
        return true;
    }
    return false;
}

// Those whose text or operands depend on attributes.
static bool
instruction_by_attributes(Ptx *p, MlcBuilder *b, MlcOp *op)
{
    static const char *const proxies[] = {
        [MLC_NVVM_PROXY_KIND_ALIAS] = "alias",
        [MLC_NVVM_PROXY_KIND_ASYNC] = "async",
        [MLC_NVVM_PROXY_KIND_ASYNC_GLOBAL] = "async.global",
        [MLC_NVVM_PROXY_KIND_ASYNC_SHARED] = "async.shared",
    };
    if (mlc_nvvm_wgmma_wait_group_sync_aligned_isa(op)) {
        mlc_buf_append_c(&p->text, "wgmma.wait_group.sync.aligned $0;");
        add_constant(p, b, mlc_nvvm_wgmma_wait_group_sync_aligned_group(op));
        return true;
    }
    if (mlc_nvvm_fence_proxy_isa(op)) {
        MlcAttr space = mlc_nvvm_fence_proxy_space(op);
        mlc_buf_printf(&p->text, "fence.proxy.%s%s;", proxies[mlc_nvvm_fence_proxy_kind(op)],
                       !space                                                        ? ""
                       : mlc_enum_attr_value(space) == MLC_NVVM_SHARED_SPACE_CLUSTER ? "::cluster"
                                                                                     : "::cta");
        return true;
    }
    // Without a size of its own the copy is an intrinsic.
    if (mlc_nvvm_cp_async_shared_global_isa(op) && mlc_op_num_operands(op) == 3) {
        bool is_cg =
            mlc_nvvm_cp_async_shared_global_modifier(op) == MLC_NVVM_LOAD_CACHE_MODIFIER_CG;
        mlc_buf_printf(&p->text, "cp.async.%s.shared.global [$0], [$1], $2, $3;\n",
                       is_cg ? "cg" : "ca");
        add_operand(p, mlc_op_operand(op, 0), "r");
        add_operand(p, mlc_op_operand(op, 1), "l");
        add_constant(p, b, mlc_nvvm_cp_async_shared_global_size(op));
        add_operand(p, mlc_op_operand(op, 2), register_class(mlc_op_operand(op, 2)));
        return true;
    }
    return false;
}

static size_t
group_size(MlcOp *op, size_t group, size_t *first)
{
    size_t count;
    mlc_op_operand_group(op, group, first, &count);
    return count;
}

// {$2,$3}
static void
append_list(MlcBuf *text, size_t first, size_t count, const char *separator)
{
    mlc_buf_append_c(text, "{");
    for (size_t i = 0; i < count; i++)
        mlc_buf_printf(text, "%s$%zu", i ? separator : "", first + i);
    mlc_buf_append_c(text, "}");
}

// Copies of a tile of a tensor: operands stand in the op's order.
static bool
instruction_of_tile(Ptx *p, MlcOp *op)
{
    size_t first, rank, num_offsets;
    if (mlc_nvvm_cp_async_bulk_tensor_global_shared_cta_isa(op)) {
        rank = group_size(op, 2, &first);
        mlc_buf_printf(&p->text, "cp.async.bulk.tensor.%zud.global.shared::cta.bulk_group [$0, ",
                       rank);
        append_list(&p->text, 2, rank, ", ");
        mlc_buf_append_c(&p->text, " ], [$1];");
        add_operands(p, op, 0, 2 + rank);
        return true;
    }
    if (!mlc_nvvm_cp_async_bulk_tensor_shared_cluster_global_isa(op))
        return false;
    rank = group_size(op, 2, &first);
    num_offsets = group_size(op, 4, &first);
    bool is_multicast = group_size(op, 5, &first), has_hint = group_size(op, 6, &first);
    size_t next = 3 + rank;
    mlc_buf_printf(&p->text,
                   "cp.async.bulk.tensor.%zud.shared::cluster.global.mbarrier::complete_tx::bytes"
                   "%s%s%s [$0], [$1, ",
                   rank, num_offsets ? ".im2col" : "", is_multicast ? ".multicast::cluster" : "",
                   has_hint ? ".L2::cache_hint" : "");
    append_list(&p->text, 2, rank, ",");
    mlc_buf_printf(&p->text, " ], [$%zu]", 2 + rank);
    if (num_offsets) {
        mlc_buf_append_c(&p->text, ",");
        append_list(&p->text, next, num_offsets, ",");
    }
    next += num_offsets;
    if (is_multicast)
        mlc_buf_printf(&p->text, ", $%zu", next++);
    if (has_hint)
        mlc_buf_printf(&p->text, ", $%zu", next++);
    mlc_buf_append_c(&p->text, ";");
    add_operands(p, op, 0, next);
    return true;
}

static void
replace(MlcBuilder *b, MlcOp *op, Ptx *p)
{
    MlcContext *ctx = b->ctx;
    MlcOp *made = mlc_llvm_inline_asm(b, NULL, p->operands.data, p->operands.size,
                                      mlc_buf_str(&p->text), mlc_buf_str(&p->constraints));
    mlc_llvm_inline_asm_set_has_side_effects(made, mlc_unit_attr_get(ctx));
    mlc_llvm_inline_asm_set_asm_dialect(made, mlc_i64_attr_get(ctx, MLC_LLVM_ASM_DIALECT_ATT));
    mlc_op_erase(op);
}

static bool
converts(const MlcOpDef *op)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == op)
            return true;
    return false;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcBuilder b = {.ctx = mlc_pass_context(pass)};
    MLC_FOR_EACH_POSTORDER (op, root) {
        Ptx p = {0};
        mlc_builder_before(&b, op);
        b.loc = mlc_op_loc(op);
        if (instruction_by_row(&p, op) || instruction_by_attributes(&p, &b, op) ||
            instruction_of_tile(&p, op))
            replace(&b, op, &p);
        mlc_buf_release(&p.text);
        mlc_buf_release(&p.constraints);
        mlc_vec_release(&p.operands);
    }
    return true;
}

MLC_PASS(nvvm_to_llvm, .flag = "convert-nvvm-to-llvm",
         .summary = "Write nvvm ops without intrinsic as PTX in inline assembly",
         .converts = converts, .run = run)
