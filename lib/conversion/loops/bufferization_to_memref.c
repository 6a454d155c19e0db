// bufferization_to_memref.c -- bufferization.clone becomes an allocation and a copy.
//
// Illegal afterwards: bufferization.clone. What frees (bufferization.dealloc) is lowered by
// bufferization-lower-deallocations.
#include "mlc/pass.h"
#include "mlc/ir/rewrite.h"

#include "mlc/dialects/bufferization.h"
#include "mlc/dialects/memref.h"

static bool
lower_clone(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *source = operands[0];
    MlcType type = mlc_op_result_type(op, 0), from = mlc_value_type(source);
    if (!mlc_type_is(from, MLC_TYPE_MEMREF) || !mlc_type_is(type, MLC_TYPE_MEMREF))
        return mlc_conversion_no_match(c, op, "its rank is not known");
    MlcType plain =
        mlc_memref_type_get(mlc_type_element(from), mlc_type_shape(from), mlc_type_rank(from), NULL,
                            mlc_memref_type_memory_space(from));
    MlcValueVec sizes = {0};
    for (size_t i = 0; i < mlc_type_rank(from); i++)
        if (mlc_type_dim(from, i) == MLC_DYNAMIC)
            mlc_vec_push(&sizes, mlc_memref_dim(b, source, mlc_build_index(b, (int64_t)i)));
    MlcValue *made = mlc_memref_alloc(b, plain, sizes.data, sizes.size, NULL, 0);
    mlc_vec_release(&sizes);
    mlc_memref_copy(b, source, made);
    if (plain != type)
        made = mlc_memref_cast(b, type, made);
    mlc_conversion_replace(c, op, &made, 1);
    return true;
}

static const MlcConversionPattern patterns[] = {
    {.root = "bufferization.clone", .convert = lower_clone},
};

static bool
converts(const MlcOpDef *op)
{
    return mlc_conversion_has_pattern(patterns, 1, op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcConversionTarget *target = mlc_conversion_target_create(mlc_pass_context(pass));
    mlc_conversion_target_illegal_op(target, "bufferization.clone");
    mlc_conversion_target_legal_dialect(target, "arith");
    mlc_conversion_target_legal_dialect(target, "memref");
    bool ok = mlc_convert_partial(root, target, NULL, patterns, 1);
    mlc_conversion_target_destroy(target);
    return ok;
}

static const char *const dialects[] = {"arith", "memref", NULL};

MLC_PASS(bufferization_to_memref, .flag = "convert-bufferization-to-memref",
         .summary = "Turn bufferization.clone into an allocation and a copy",
         .dependent_dialects = dialects, .converts = converts, .run = run)
