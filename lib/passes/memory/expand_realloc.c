// expand_realloc.c -- memref.realloc as what it does: if the new size is larger, a new buffer, a
// copy of the old contents and (unless somebody else frees it) the end of the old buffer; else the
// old buffer.
#include "mlc/pass.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"
#include "mlc/ir/mixed.h"

static MlcValue *
build_alloc(MlcBuilder *b, MlcOp *realloc)
{
    MlcType type = mlc_value_type(mlc_op_result(realloc, 0));
    MlcValue *size = mlc_op_num_operands(realloc) > 1 ? mlc_op_operand(realloc, 1) : NULL;
    MlcValue *buffer = mlc_memref_alloc(b, type, &size, size != NULL, NULL, 0);
    MlcAttr alignment = mlc_memref_realloc_alignment(realloc);
    if (alignment)
        mlc_memref_alloc_set_alignment(mlc_value_def(buffer), alignment);
    return buffer;
}

// The first elements of the new buffer, as many as the old one has.
static MlcValue *
build_window(MlcBuilder *b, MlcValue *buffer, MlcMixed size)
{
    MlcSlice slice = {
        .offsets = {1, {mlc_mixed(0)}}, .sizes = {1, {size}}, .strides = {1, {mlc_mixed(1)}}};
    int64_t offset = 0, length = mlc_mixed_static(size), stride = 1;
    MlcType type = mlc_memref_type_slice(mlc_value_type(buffer), &offset, &length, &stride, NULL);
    return mlc_op_result(mlc_build_slice(b, &mlc_memref_subview_def, type, &buffer, 1, &slice), 0);
}

static void
expand(MlcOp *op, bool frees)
{
    MlcValue *source = mlc_op_operand(op, 0);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    MlcMixed old_size = mlc_mixed_dim(&b, source, 0);
    MlcValue *old_value = mlc_mixed_value(&b, old_size);
    MlcMixed new_size = mlc_op_num_operands(op) > 1 ? (MlcMixed){mlc_op_operand(op, 1), 0}
                                                    : mlc_mixed(mlc_type_dim(type, 0));
    MlcValue *grows = mlc_build_compare(&b, MLC_ARITH_CMPI_PREDICATE_ULT, old_value,
                                        mlc_mixed_value(&b, new_size));
    MlcOp *branch = mlc_scf_if(&b, &type, 1, grows);
    MlcBuilder in = b;
    mlc_builder_create_block(&in, mlc_op_region(branch, 0), NULL, 0);
    MlcValue *fresh = build_alloc(&in, op);
    mlc_memref_copy(&in, source, build_window(&in, fresh, old_size));
    if (frees)
        mlc_memref_dealloc(&in, source);
    mlc_scf_yield(&in, &fresh, 1);
    mlc_builder_create_block(&in, mlc_op_region(branch, 1), NULL, 0);
    MlcSlice whole = {
        .offsets = {1, {mlc_mixed(0)}}, .sizes = {1, {new_size}}, .strides = {1, {mlc_mixed(1)}}};
    MlcValue *same = mlc_op_result(
        mlc_build_slice(&in, &mlc_memref_reinterpret_cast_def, type, &source, 1, &whole), 0);
    mlc_scf_yield(&in, &same, 1);
    mlc_op_replace(op, (MlcValue *[]){mlc_op_result(branch, 0)}, 1);
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_memref_realloc_def;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    bool frees = mlc_pass_option_bool(pass, "emit-deallocs");
    MLC_FOR_EACH_POSTORDER (op, root)
        if (mlc_memref_realloc_isa(op))
            expand(op, frees);
    return true;
}

static const MlcPassOption options[] = {
    {"emit-deallocs", MLC_OPTION_BOOL, "true", "free the old buffer where there is a new one"},
};
static const char *const dialects[] = {"arith", "memref", "scf", NULL};

MLC_PASS(expand_realloc, .flag = "expand-realloc",
         .summary = "Expand memref.realloc into its parts", .options = options, .num_options = 1,
         .dependent_dialects = dialects, .converts = converts, .run = run)
