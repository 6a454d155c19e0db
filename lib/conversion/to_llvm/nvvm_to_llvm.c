// nvvm_to_llvm.c -- nvvm ops that LLVM has no intrinsic for, as PTX in inline assembly.
//
// Texts are those of lib/dialects/nvvm/instructions.yaml, with results and then operands as $0, $1
// in their order; a predicate, where there is one, is the last operand and goes in front. What is
// an intrinsic stays as it is: the back end knows it.
#include "mlc/dialects/llvm.h"
#include "mlc/dialects/nvvm.h"
#include "mlc/dialects/nvvm_instructions.h"
#include "mlc/ir.h"
#include "mlc/pass.h"
#include "to_llvm.h"

#include <stdio.h>

// The letter of the register that holds a value of a type.
static const char *
register_class(MlcType type)
{
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
    size_t num_outputs; // what $0 and on are
    MlcValueVec operands;
} Ptx;

static void
add_constraint(Ptx *p, const char *prefix, const char *letter)
{
    mlc_buf_printf(&p->constraints, "%s%s%s", p->constraints.size ? "," : "", prefix, letter);
}

static void
add_output(Ptx *p, MlcType type)
{
    add_constraint(p, "=", register_class(type));
    p->num_outputs++;
}

static void
add_operand(Ptx *p, MlcValue *value, const char *letter)
{
    add_constraint(p, "", letter);
    mlc_vec_push(&p->operands, value);
}

static MlcValue *
constant(MlcBuilder *b, int64_t value)
{
    return llvm_constant(b, mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS), value);
}

// Operands from `first` on; those after the `count`th are the predicate.
static void
add_operands(Ptx *p, MlcOp *op, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        add_operand(p, mlc_op_operand(op, i),
                    register_class(mlc_value_type(mlc_op_operand(op, i))));
    if (mlc_op_num_operands(op) <= first + count)
        return;
    MlcBuf text = {0};
    mlc_buf_printf(&text, "@$%zu %s", p->num_outputs + p->operands.size, mlc_buf_c_str(&p->text));
    mlc_buf_release(&p->text);
    p->text = text;
    add_operand(p, mlc_op_operand(op, first + count), "b");
}

// wgmma's waits take a number that must be a constant.
static void
make_wgmma_wait(Ptx *p, MlcBuilder *b, MlcOp *op)
{
    mlc_buf_append_c(&p->text, "wgmma.wait_group.sync.aligned $0;");
    add_operand(p, constant(b, mlc_nvvm_wgmma_wait_group_sync_aligned_group(op)), "n");
}

// With a size of its own: without, the copy is an intrinsic.
static void
make_cp_async(Ptx *p, MlcBuilder *b, MlcOp *op)
{
    if (mlc_op_num_operands(op) != 3)
        return;
    bool is_cg = mlc_nvvm_cp_async_shared_global_modifier(op) == MLC_NVVM_LOAD_CACHE_MODIFIER_CG;
    mlc_buf_printf(&p->text, "cp.async.%s.shared.global [$0], [$1], $2, $3;\n",
                   is_cg ? "cg" : "ca");
    add_operand(p, mlc_op_operand(op, 0), "r");
    add_operand(p, mlc_op_operand(op, 1), "l");
    add_operand(p, constant(b, mlc_nvvm_cp_async_shared_global_size(op)), "n");
    add_operand(p, mlc_op_operand(op, 2), register_class(mlc_value_type(mlc_op_operand(op, 2))));
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
static void
make_tile(Ptx *p, MlcBuilder *b, MlcOp *op)
{
    (void)b;
    size_t first, rank, num_offsets;
    if (mlc_nvvm_cp_async_bulk_tensor_global_shared_cta_isa(op)) {
        rank = group_size(op, 2, &first);
        mlc_buf_printf(&p->text, "cp.async.bulk.tensor.%zud.global.shared::cta.bulk_group [$0, ",
                       rank);
        append_list(&p->text, 2, rank, ", ");
        mlc_buf_append_c(&p->text, " ], [$1];");
        add_operands(p, op, 0, 2 + rank);
        return;
    }
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
}

// What follows the descriptors of a product by a warpgroup: whether the accumulators count, signs
// of the operands, and whether they are transposed. Returns how many of them there are.
static size_t
wgmma_flags(MlcBuilder *b, MlcOp *op, MlcValue **flags)
{
    int64_t a = mlc_nvvm_wgmma_mma_async_type_a(op);
    bool can_transpose = a == MLC_NVVM_WGMMA_TYPE_F16 || a == MLC_NVVM_WGMMA_TYPE_BF16;
    bool is_integer = mlc_nvvm_wgmma_mma_async_type_d(op) == MLC_NVVM_WGMMA_TYPE_S32;
    const int64_t values[] = {mlc_nvvm_wgmma_mma_async_scale_d(op),
                              mlc_nvvm_wgmma_mma_async_scale_a(op),
                              mlc_nvvm_wgmma_mma_async_scale_b(op),
                              mlc_nvvm_wgmma_mma_async_layout_a(op) == MLC_NVVM_MMA_LAYOUT_COL,
                              mlc_nvvm_wgmma_mma_async_layout_b(op) == MLC_NVVM_MMA_LAYOUT_ROW};
    size_t count = is_integer ? 1 : can_transpose ? 5 : 3;
    for (size_t i = 0; i < count; i++)
        flags[i] = constant(b, values[i]);
    return count;
}

// Accumulators are results and, tied to them, operands.
static void
make_wgmma(Ptx *p, MlcBuilder *b, MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_op_operand(op, 0));
    size_t n = llvm_struct_size(type);
    MlcAttr shape = mlc_nvvm_wgmma_mma_async_shape(op);
    MlcValue *flags[5];
    size_t num_flags = wgmma_flags(b, op, flags);
    mlc_buf_printf(&p->text, "{\n.reg .pred p;\nsetp.ne.b32 p, $%zu, 0;\n", 2 * n + 2);
    mlc_buf_append_c(&p->text, "wgmma.mma_async.sync.aligned.");
    for (size_t i = 0; i < 3; i++)
        mlc_buf_printf(&p->text, "%c%lld", "mnk"[i],
                       (long long)mlc_attr_as_int(mlc_dialect_attr_param(shape, i)));
    mlc_nvvm_expand(&p->text, op, ".<typeD>.<typeA>.<typeB><satfinite=satfinite?.satfinite> ");
    append_list(&p->text, 0, n, ", ");
    mlc_buf_printf(&p->text, ", $%zu, $%zu, p", 2 * n, 2 * n + 1);
    for (size_t i = 1; i < num_flags; i++)
        mlc_buf_printf(&p->text, i % 2 ? ", $%zu" : ",  $%zu", 2 * n + 2 + i);
    mlc_buf_append_c(&p->text, ";\n}\n");
    for (size_t i = 0; i < n; i++)
        add_output(p, llvm_struct_member(type, i));
    for (size_t i = 0; i < n; i++) {
        char tied[24];
        int64_t position = (int64_t)i;
        snprintf(tied, sizeof tied, "%zu", i);
        add_operand(p, llvm_extract(b, mlc_op_operand(op, 0), &position, 1), tied);
    }
    add_operand(p, mlc_op_operand(op, 1), "l");
    add_operand(p, mlc_op_operand(op, 2), "l");
    for (size_t i = 0; i < num_flags; i++)
        add_operand(p, flags[i], "n");
}

static const struct {
    const char *code;
    void (*make)(Ptx *p, MlcBuilder *b, MlcOp *op); // makes no text: the op is an intrinsic
} makers[] = {
    {"cp_async", make_cp_async},
    {"tile", make_tile},
    {"wgmma", make_wgmma},
    {"wgmma_wait", make_wgmma_wait},
};

// Leaves the text empty where `op` is no assembly.
static void
make(Ptx *p, MlcBuilder *b, MlcOp *op, const MlcNvvmInstruction *row, bool keeps_intrinsics)
{
    bool is_kept = keeps_intrinsics && mlc_nvvm_cp_async_shared_global_isa(op);
    for (size_t i = 0; row->code && !is_kept && i < sizeof makers / sizeof *makers; i++)
        if (strcmp(row->code, makers[i].code) == 0)
            makers[i].make(p, b, op);
    if (!mlc_nvvm_is_assembly(row, op))
        return;
    mlc_nvvm_expand(&p->text, op, row->assembly);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        add_output(p, mlc_value_type(mlc_op_result(op, i)));
    add_operands(p, op, 0,
                 row->num_operands >= 0 ? (size_t)row->num_operands : mlc_op_num_operands(op));
}

static void
replace(MlcBuilder *b, MlcOp *op, Ptx *p)
{
    MlcContext *ctx = b->ctx;
    bool has_result = mlc_op_num_results(op) == 1;
    MlcOp *made = mlc_llvm_inline_asm(b, has_result ? mlc_value_type(mlc_op_result(op, 0)) : NULL,
                                      p->operands.data, p->operands.size, mlc_buf_str(&p->text),
                                      mlc_buf_str(&p->constraints));
    mlc_llvm_inline_asm_set_has_side_effects(made, mlc_unit_attr_get(ctx));
    mlc_llvm_inline_asm_set_asm_dialect(made, mlc_i64_attr_get(ctx, MLC_LLVM_ASM_DIALECT_ATT));
    if (has_result)
        mlc_value_replace_uses(mlc_op_result(op, 0), mlc_op_result(made, 0));
    mlc_op_erase(op);
}

static bool
converts(const MlcOpDef *op)
{
    const MlcNvvmInstruction *row = mlc_nvvm_instruction(mlc_str(op->name));
    for (size_t i = 0; row && row->code && i < sizeof makers / sizeof *makers; i++)
        if (strcmp(row->code, makers[i].code) == 0)
            return true;
    return row && row->assembly;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcBuilder b = {.ctx = mlc_pass_context(pass)};
    MLC_FOR_EACH_POSTORDER (op, root) {
        const MlcNvvmInstruction *row = mlc_nvvm_instruction(mlc_op_name(op));
        if (!row)
            continue;
        Ptx p = {0};
        mlc_builder_before(&b, op);
        b.loc = mlc_op_loc(op);
        make(&p, &b, op, row, mlc_pass_option_bool(pass, "keep-intrinsics"));
        if (p.text.size)
            replace(&b, op, &p);
        mlc_buf_release(&p.text);
        mlc_buf_release(&p.constraints);
        mlc_vec_release(&p.operands);
    }
    return true;
}

static const MlcPassOption options[] = {
    {"keep-intrinsics", MLC_OPTION_BOOL, NULL,
     "what LLVM has an intrinsic for stays, where MLIR writes PTX all the same"},
};

MLC_PASS(nvvm_to_llvm, .flag = "convert-nvvm-to-llvm",
         .summary = "Write nvvm ops without intrinsic as PTX in inline assembly",
         .options = options, .num_options = 1, .converts = converts, .run = run)
