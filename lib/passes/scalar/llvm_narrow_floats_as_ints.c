// llvm_narrow_floats_as_ints.c -- f16 and bf16 that are only moved, as the integers that their bits
// are.
//
// LLVM takes a type that the machine cannot compute on through f32 even where it is only moved (a
// vector built of elements, a masked load), with calls of a library on each side. After
// expand-narrow-floats nothing computes on them, so every such value can be of i16: memory holds
// the same bytes, and casts between the two go. A function where something else is left stays as it
// is.
#include "mlc/pass.h"

#include "mlc/ir.h"
#include "mlc/machine.h"

#include "mlc/dialects/llvm.h"

typedef struct Retyper {
    MlcContext *ctx;
    bool has_f16;
} Retyper;

static MlcType
retyped(const Retyper *r, MlcType type)
{
    bool is_vector = mlc_type_is(type, MLC_TYPE_VECTOR);
    MlcType element = is_vector ? mlc_type_element(type) : type;
    if (!mlc_type_is(element, MLC_TYPE_FLOAT))
        return type;
    MlcFloatKind kind = mlc_float_type_kind(element);
    if (kind != MLC_FLOAT_BF16 && (kind != MLC_FLOAT_F16 || r->has_f16))
        return type;
    MlcType i16 = mlc_integer_type_get(r->ctx, 16, MLC_SIGNLESS);
    return is_vector ? mlc_type_with_element(type, i16) : i16;
}

static bool
has_narrow(const Retyper *r, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcType type = mlc_value_type(mlc_op_result(op, i));
        if (retyped(r, type) != type)
            return true;
    }
    MLC_FOR_EACH_OPERAND (value, op)
        if (retyped(r, mlc_value_type(value)) != mlc_value_type(value))
            return true;
    return false;
}

static bool
only_moves(MlcOp *op)
{
    static const MlcOpDef *const ops[] = {&mlc_llvm_bitcast_def,
                                          &mlc_llvm_br_def,
                                          &mlc_llvm_cond_br_def,
                                          &mlc_llvm_extractelement_def,
                                          &mlc_llvm_freeze_def,
                                          &mlc_llvm_insertelement_def,
                                          &mlc_llvm_intr_masked_gather_def,
                                          &mlc_llvm_intr_masked_load_def,
                                          &mlc_llvm_intr_masked_scatter_def,
                                          &mlc_llvm_intr_masked_store_def,
                                          &mlc_llvm_load_def,
                                          &mlc_llvm_mlir_constant_def,
                                          &mlc_llvm_mlir_poison_def,
                                          &mlc_llvm_mlir_undef_def,
                                          &mlc_llvm_mlir_zero_def,
                                          &mlc_llvm_select_def,
                                          &mlc_llvm_shufflevector_def,
                                          &mlc_llvm_store_def};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (mlc_op_isa(op, ops[i]))
            return true;
    return false;
}

static bool
can_retype(const Retyper *r, MlcOp *func)
{
    MLC_FOR_EACH_PREORDER (op, func)
        if (has_narrow(r, op) && !only_moves(op)) {
            mlc_op_remark(op, "its f16 or bf16 stays what it is: '%s' computes on it",
                          mlc_op_def(op)->name);
            return false;
        }
    MLC_FOR_EACH_BLOCK (block, mlc_op_region(func, 0))
        if (block == mlc_region_first(mlc_op_region(func, 0)))
            for (size_t i = 0; i < mlc_block_num_args(block); i++) {
                MlcType type = mlc_value_type(mlc_block_arg(block, i));
                if (retyped(r, type) != type)
                    return false;
            }
    return true;
}

// The same bits under the type of integers.
static MlcAttr
retyped_constant(const Retyper *r, MlcAttr value)
{
    MlcType type = retyped(r, mlc_attr_type(value));
    if (mlc_attr_is(value, MLC_ATTR_FLOAT)) {
        uint64_t low, high;
        mlc_float_attr_bits(value, &low, &high);
        return mlc_integer_attr_get(type, (int64_t)(int16_t)low);
    }
    size_t size;
    const void *data = mlc_elements_attr_data(value, &size);
    return data ? mlc_dense_attr_get(type, data, size, mlc_elements_attr_is_splat(value)) : value;
}

static void
retype(const Retyper *r, MlcValue *value)
{
    MlcType type = retyped(r, mlc_value_type(value));
    if (type != mlc_value_type(value))
        mlc_value_set_type(value, type);
}

static void
retype_op(const Retyper *r, MlcOp *op)
{
    MlcAttr value = mlc_llvm_mlir_constant_isa(op) ? mlc_op_attr(op, "value") : NULL;
    if (value && retyped(r, mlc_attr_type(value)) != mlc_attr_type(value))
        mlc_op_set_attr(op, "value", retyped_constant(r, value));
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        retype(r, mlc_op_result(op, i));
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, i))
            for (size_t k = 0; k < mlc_block_num_args(block); k++)
                retype(r, mlc_block_arg(block, k));
}

static void
drop_bitcasts(MlcOp *func)
{
    MLC_FOR_EACH_POSTORDER (op, func) {
        if (!mlc_llvm_bitcast_isa(op))
            continue;
        MlcValue *operand = mlc_op_operand(op, 0);
        if (mlc_value_type(operand) == mlc_value_type(mlc_op_result(op, 0)))
            mlc_op_replace(op, &operand, 1);
    }
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    const Retyper r = {mlc_pass_context(pass), mlc_pass_target(pass)->has_f16_conversions};
    if (mlc_op_num_regions(root) == 0 || !mlc_region_first(mlc_op_region(root, 0)) ||
        !can_retype(&r, root))
        return true;
    MLC_FOR_EACH_PREORDER (op, root)
        retype_op(&r, op);
    drop_bitcasts(root);
    return true;
}

static const char *const dialects[] = {"llvm", NULL};

MLC_PASS(llvm_narrow_floats_as_ints, .flag = "llvm-narrow-floats-as-ints",
         .summary = "Move f16 and bf16 as integers, where the machine has no conversions",
         .anchor = "llvm.func", .dependent_dialects = dialects, .run = run)
