// interpret_operator.c -- parts of models that the interpreter runs: what they compute in the sizes
// of a call, and what is told of calls that they are not for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "mlc/parts.h"

static const char gather[] =
    "func.func @part(%x: tensor<?xf32, #graph.dims<[\"n\"]>>, %i: tensor<?xi64>) -> tensor<?xf32> {\n"
    "  %y = graph.gather %x, %i {axis = 0 : i64} : (tensor<?xf32, #graph.dims<[\"n\"]>>, "
    "tensor<?xi64>) -> tensor<?xf32>\n"
    "  return %y : tensor<?xf32>\n"
    "}\n";

// The last call's message.
static char message[256];

static int32_t
call(const char *module, MlcRtType type, int64_t num_indices, const int64_t *indices, float *y)
{
    float x[] = {10, 20, 30};
    const int64_t three = 3;
    MlcOperatorAttribute text = {.name = "module",
                                 .kind = MLC_OPERATOR_TEXT,
                                 .count = module ? strlen(module) : 0,
                                 .text = module};
    MlcRtTensor inputs[] = {{type, 1, &three, x},
                            {MLC_RT_I64, 1, &num_indices, (void *)(uintptr_t)indices}};
    MlcRtTensor output = {MLC_RT_F32, 1, &num_indices, y};
    MlcOperatorCall record = {.size = sizeof record,
                              .domain = "graph",
                              .name = "gather",
                              .inputs = inputs,
                              .num_inputs = 2,
                              .outputs = &output,
                              .num_outputs = 1,
                              .attributes = &text,
                              .num_attributes = module != NULL,
                              .message = message,
                              .message_size = sizeof message};
    message[0] = '\0';
    return mlc_interpret_operator(&record);
}

static void
computes_in_the_sizes_of_a_call(void **state)
{
    (void)state;
    const int64_t indices[] = {2, 0, -1, 1};
    float y[4] = {0};
    assert_int_equal(call(gather, MLC_RT_F32, 4, indices, y), 0);
    assert_true(y[0] == 30 && y[1] == 10 && y[2] == 30 && y[3] == 20);
    assert_int_equal(call(gather, MLC_RT_F32, 1, indices, y), 0);
    assert_int_equal(call(gather, MLC_RT_F32, 0, indices, y), 0);
}

static void
tells_why_not(void **state)
{
    (void)state;
    const int64_t indices[] = {7};
    float y[1];
    assert_int_equal(call(gather, MLC_RT_F32, 1, indices, y), 1);
    assert_non_null(strstr(message, "7"));
    assert_int_equal(call(gather, MLC_RT_F64, 1, indices, y), 1);
    assert_string_equal(message, "the part is of other types than the call");
    assert_int_equal(call("func.func @part() {\n  return\n}\n", MLC_RT_F32, 1, indices, y), 1);
    assert_string_equal(message, "the part takes or gives other tensors than the call");
    assert_int_equal(call("func.func @other() {\n", MLC_RT_F32, 1, indices, y), 1);
    assert_true(message[0] != '\0');
    assert_int_equal(call(NULL, MLC_RT_F32, 1, indices, y), 1);
    assert_string_equal(message, "the part has no 'module'");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(computes_in_the_sizes_of_a_call),
        cmocka_unit_test(tells_why_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
