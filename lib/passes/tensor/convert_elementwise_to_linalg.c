// convert_elementwise_to_linalg.c -- ops that work element by element, on tensors, as
// linalg.generic with the same op on scalars in the body.
//
// An operand of a result's type lends its shape as the output, since it is not read there; else an
// empty tensor is made.
#include "mlc/ir.h"
#include "mlc/pass.h"

#include "mlc/dialects/linalg.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/tensor.h"

static bool
converts(const MlcOpDef *op)
{
    static const MlcTrait traits[] = {MLC_TRAIT_ELEMENTWISE, MLC_TRAIT_SCALARIZABLE,
                                      MLC_TRAIT_VECTORIZABLE, MLC_TRAIT_TENSORIZABLE};
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++)
        if (!mlc_op_def_has_trait(op, traits[i]))
            return false;
    return op->num_operands > 0;
}

static bool
is_elementwise_on_tensors(const MlcOp *op)
{
    if (!converts(mlc_op_def(op)))
        return false;
    MLC_FOR_EACH_OPERAND (value, op)
        if (!mlc_type_is(mlc_value_type(value), MLC_TYPE_TENSOR))
            return false;
    return mlc_op_num_operands(op) > 0;
}

static MlcValue *
output_for(MlcBuilder *b, MlcOp *op, MlcType type)
{
    MLC_FOR_EACH_OPERAND (value, op)
        if (mlc_value_type(value) == type)
            return value;
    MlcValueVec sizes = {0};
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (mlc_type_dim(type, i) == MLC_DYNAMIC)
            mlc_vec_push(&sizes,
                         mlc_tensor_dim(b, mlc_op_operand(op, 0), mlc_build_index(b, (int64_t)i)));
    MlcValue *empty = mlc_tensor_empty(b, type, sizes.data, sizes.size);
    mlc_vec_release(&sizes);
    return empty;
}

static void
build_scalar_body(MlcBuilder *b, MlcOp *op, MlcOp *generic)
{
    MlcBlock *body = mlc_build_generic_body(b, generic);
    MlcBuilder inside = *b;
    mlc_builder_at_end(&inside, body);
    inside.loc = mlc_op_loc(op);
    MlcValueVec values = {0};
    MlcTypeVec types = {0};
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(&values, mlc_block_arg(body, i));
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&types, mlc_type_element(mlc_value_type(mlc_op_result(op, i))));
    MlcAttr attrs = mlc_op_all_attrs(op);
    MLC_VEC(MlcNamedAttr) named = {0};
    for (size_t i = 0; i < mlc_dict_attr_size(attrs); i++)
        mlc_vec_push(&named, mlc_dict_attr_entry(attrs, i));
    MlcOp *scalar = mlc_builder_create(&inside, &(MlcOpState){.def = mlc_op_def(op),
                                                              .operands = values.data,
                                                              .num_operands = values.size,
                                                              .result_types = types.data,
                                                              .num_results = types.size,
                                                              .attrs = named.data,
                                                              .num_attrs = named.size});
    mlc_vec_clear(&values);
    for (size_t i = 0; i < mlc_op_num_results(scalar); i++)
        mlc_vec_push(&values, mlc_op_result(scalar, i));
    mlc_linalg_yield(&inside, values.data, values.size);
    mlc_vec_release(&values);
    mlc_vec_release(&types);
    mlc_vec_release(&named);
}

static void
convert(MlcOp *op)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    size_t num_inputs = mlc_op_num_operands(op), num_outputs = mlc_op_num_results(op);
    size_t rank = mlc_type_rank(mlc_value_type(mlc_op_operand(op, 0)));
    MlcValueVec operands = {0};
    MLC_VEC(MlcAffineMap) maps = {0};
    MLC_VEC(MlcIterator) iterators = {0};
    for (size_t i = 0; i < num_inputs; i++)
        mlc_vec_push(&operands, mlc_op_operand(op, i));
    for (size_t i = 0; i < num_outputs; i++)
        mlc_vec_push(&operands, output_for(&b, op, mlc_value_type(mlc_op_result(op, i))));
    for (size_t i = 0; i < operands.size; i++)
        mlc_vec_push(&maps, mlc_affine_map_identity(b.ctx, (unsigned)rank));
    for (size_t i = 0; i < rank; i++)
        mlc_vec_push(&iterators, MLC_ITERATOR_PARALLEL);
    MlcOp *generic = mlc_build_bare_generic(&b, operands.data, num_inputs, num_outputs, maps.data,
                                            iterators.data, rank);
    build_scalar_body(&b, op, generic);
    mlc_vec_clear(&operands);
    for (size_t i = 0; i < num_outputs; i++)
        mlc_vec_push(&operands, mlc_op_result(generic, i));
    mlc_op_replace(op, operands.data, num_outputs);
    mlc_vec_release(&operands);
    mlc_vec_release(&maps);
    mlc_vec_release(&iterators);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MLC_FOR_EACH_POSTORDER (op, root)
        if (is_elementwise_on_tensors(op))
            convert(op);
    return true;
}

static const char *const dialects[] = {"arith", "linalg", "tensor", NULL};

MLC_PASS(convert_elementwise_to_linalg, .flag = "convert-elementwise-to-linalg",
         .summary = "Turn elementwise ops on tensors into linalg.generic",
         .dependent_dialects = dialects, .converts = converts, .run = run)
