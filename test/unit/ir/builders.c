// builders.c -- what generated builders (mlc/dialects/<d>.h) take, and the types that follow.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mlc/dialects.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/graph.h"
#include "mlc/ir.h"
#include "mlc/ir/text.h"

typedef struct Fixture {
    MlcContext *ctx;
    MlcOp *module;
    MlcBuilder b;
} Fixture;

static int
set_up(void **state)
{
    static Fixture f;
    f.ctx = mlc_context_create();
    mlc_register_all_dialects(f.ctx);
    f.module = mlc_parse_module(f.ctx, mlc_str("module {}"), mlc_str("builders"));
    mlc_builder_init(&f.b, f.ctx);
    mlc_builder_at_end(&f.b, mlc_region_first(mlc_op_region(f.module, 0)));
    *state = &f;
    return 0;
}

static int
tear_down(void **state)
{
    Fixture *f = *state;
    assert_true(mlc_verify(f->module));
    mlc_op_destroy(f->module);
    mlc_context_destroy(f->ctx);
    return 0;
}

static MlcValue *
tensor(Fixture *f, const int64_t *shape, size_t rank)
{
    MlcType element = mlc_float_type_get(f->ctx, MLC_FLOAT_F32);
    MlcType type = mlc_tensor_type_get(element, shape, rank, NULL);
    return mlc_graph_constant(&f->b, mlc_dense_attr_splat(type, mlc_float_attr_get(element, 1.0)));
}

static void
has_type(MlcValue *value, const char *text)
{
    assert_string_equal(mlc_type_text(mlc_value_type(value)), text);
}

static void
types_follow_from_attributes_that_must_be_given(void **state)
{
    Fixture *f = *state;
    MlcType i8 = mlc_integer_type_get(f->ctx, 8, MLC_SIGNLESS);
    has_type(mlc_arith_constant(&f->b, mlc_integer_attr_get(i8, 3)), "i8");
    has_type(tensor(f, (int64_t[]){2, 3}, 2), "tensor<2x3xf32>");
}

static void
types_follow_from_attributes_that_may_be_left_out(void **state)
{
    Fixture *f = *state;
    int64_t shape[] = {2, 3, 5}, perm[] = {1, 2, 0}, wanted[] = {0, -1}, axes[] = {2}, from[] = {1},
            to[] = {5}, steps[] = {3};
    MlcValue *x = tensor(f, shape, 3), *reversed = mlc_graph_transpose(&f->b, x, NULL, 0);
    has_type(mlc_graph_transpose(&f->b, x, perm, 3), "tensor<3x5x2xf32>");
    has_type(reversed, "tensor<5x3x2xf32>");
    assert_null(mlc_graph_transpose_perm(mlc_value_def(reversed)));
    has_type(mlc_graph_reshape(&f->b, x, wanted, 2, false), "tensor<2x15xf32>");
    has_type(mlc_graph_slice(&f->b, x, from, 1, to, 1, axes, 1, NULL, 0), "tensor<2x3x4xf32>");
    has_type(mlc_graph_slice(&f->b, x, from, 1, to, 1, axes, 1, steps, 1), "tensor<2x3x2xf32>");
    has_type(mlc_graph_slice(&f->b, x, from, 1, to, 1, NULL, 0, NULL, 0), "tensor<1x3x5xf32>");
    has_type(mlc_graph_reduce_sum(&f->b, x, axes, 1, false), "tensor<2x3xf32>");
    has_type(mlc_graph_reduce_sum(&f->b, x, axes, 0, true), "tensor<2x3x5xf32>");
    has_type(mlc_graph_reduce_sum(&f->b, x, NULL, 0, true), "tensor<1x1x1xf32>");
    has_type(mlc_graph_flatten(&f->b, x, 2), "tensor<6x5xf32>");
}

static void
windows_have_their_strides_and_layout(void **state)
{
    Fixture *f = *state;
    int64_t image[] = {1, 9, 9, 4}, filter[] = {3, 3, 2, 8}, strides[] = {2, 2};
    MlcValue *conv =
        mlc_graph_conv(&f->b, tensor(f, image, 4), tensor(f, filter, 4), NULL, strides, 2, NULL, 0,
                       NULL, 0, mlc_str("same_upper"), 2, MLC_GRAPH_LAYOUT_NHWC);
    has_type(conv, "tensor<1x5x5x8xf32>");
    assert_int_equal(mlc_graph_conv_group(mlc_value_def(conv)), 2);
    MlcValue *none = mlc_graph_conv(&f->b, tensor(f, image, 4), tensor(f, filter, 4), NULL, strides,
                                    2, NULL, 0, NULL, 0, (MlcStr){0}, 2, MLC_GRAPH_LAYOUT_NHWC);
    has_type(none, "tensor<1x4x4x8xf32>");
    assert_null(mlc_graph_conv_auto_pad(mlc_value_def(none)));
}

// Its operand does not say what a cast is for.
static void
a_cast_takes_its_type(void **state)
{
    Fixture *f = *state;
    MlcValue *x = tensor(f, (int64_t[]){2}, 1);
    MlcType wide =
        mlc_type_with_element(mlc_value_type(x), mlc_float_type_get(f->ctx, MLC_FLOAT_F64));
    has_type(mlc_graph_cast(&f->b, wide, x), "tensor<2xf64>");
}

// An interface of a program's own, for ops that are built in.
static void
interfaces_of_others(void **state)
{
    Fixture *f = *state;
    static const int cost = 7;
    uint32_t id = mlc_interface_id("own.cost");
    assert_int_equal(mlc_interface_id("own.cost"), id);
    assert_int_not_equal(mlc_interface_id("own.price"), id);
    assert_null(mlc_op_interface(f->module, id));
    mlc_context_add_interface(f->ctx, mlc_op_def(f->module), id, &cost);
    assert_ptr_equal(mlc_op_interface(f->module, id), &cost);
    assert_null(mlc_op_interface(f->module, mlc_interface_id("own.price")));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(types_follow_from_attributes_that_must_be_given, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(types_follow_from_attributes_that_may_be_left_out, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(windows_have_their_strides_and_layout, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_cast_takes_its_type, set_up, tear_down),
        cmocka_unit_test_setup_teardown(interfaces_of_others, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
