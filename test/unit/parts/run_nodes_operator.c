// run_nodes_operator.c -- nodes that are run one by one: what they give, its sizes before, and what
// is told of parts that are none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "mlc/parts.h"

// A model of opset 17: `y` by the operator "NonZero" or by what stands behind it of `x`.
#define MODEL_OF(graph_size, graph) "\x08\x08\x42\x04\x0a\x00\x10\x11\x3a" graph_size graph
#define VALUE_X "\x5a\x09\x0a\x01\x78\x12\x04\x0a\x02\x08\x01"
#define VALUE_Y "\x62\x09\x0a\x01\x79\x12\x04\x0a\x02\x08\x07"
static const char places[] = MODEL_OF("\x2a", "\x0a\x0f\x0a\x01\x78\x12\x01\x79\x22\x07NonZero"
                                              "\x12\x01g" VALUE_X VALUE_Y);
// The node is gone, so that nothing defines `y`.
static const char no_node[] = MODEL_OF("\x19", "\x12\x01g" VALUE_X VALUE_Y);

static char message[256];

static int32_t
call(int32_t (*function)(const MlcOperatorCall *), const char *model, size_t size,
     const int64_t *shapes, const MlcRtTensor *output)
{
    float x[] = {0, 20, 30};
    const int64_t three = 3;
    MlcOperatorAttribute attributes[] = {
        {.name = "model", .kind = MLC_OPERATOR_TEXT, .count = size, .text = model},
        {.name = "shapes", .kind = MLC_OPERATOR_INTS, .count = 3, .ints = shapes}};
    MlcRtTensor input = {MLC_RT_F32, 1, &three, x};
    MlcOperatorCall record = {.size = sizeof record,
                              .domain = "ai.onnx",
                              .name = "NonZero",
                              .inputs = &input,
                              .num_inputs = 1,
                              .outputs = output,
                              .num_outputs = 1,
                              .attributes = attributes + (model == NULL),
                              .num_attributes = 1 + (model != NULL),
                              .message = message,
                              .message_size = sizeof message};
    message[0] = '\0';
    return function(&record);
}

static void
tells_sizes_then_elements(void **state)
{
    (void)state;
    const int64_t shapes[] = {2, 1, -1}, one = 1;
    int64_t size = 0, found[2] = {0};
    const MlcRtTensor sizes = {MLC_RT_I64, 1, &one, &size};
    // What a call has fetched is computed once more for the next.
    for (int i = 0; i < 3; i++) {
        if (i != 1) {
            assert_int_equal(
                call(mlc_measure_nodes_operator, places, sizeof places - 1, shapes, &sizes), 0);
            assert_int_equal(size, 2);
        }
        const MlcRtTensor y = {MLC_RT_I64, 2, (const int64_t[]){1, 2}, found};
        found[0] = found[1] = 0;
        assert_int_equal(call(mlc_run_nodes_operator, places, sizeof places - 1, shapes, &y), 0);
        assert_true(found[0] == 1 && found[1] == 2);
    }
}

static void
tells_why_not(void **state)
{
    (void)state;
    const int64_t shapes[] = {2, 1, -1}, others[] = {2, 7, -1}, one = 1;
    int64_t found[3];
    const MlcRtTensor sizes = {MLC_RT_I64, 1, &one, found};
    const MlcRtTensor y = {MLC_RT_I64, 2, (const int64_t[]){1, 3}, found};
    assert_int_equal(call(mlc_measure_nodes_operator, NULL, 0, shapes, &sizes), 1);
    assert_string_equal(message, "the part has no 'model'");
    assert_int_equal(call(mlc_measure_nodes_operator, places, sizeof places - 1, others, &sizes),
                     1);
    assert_string_equal(message, "output 0 has another rank or size than the model says");
    assert_int_equal(call(mlc_run_nodes_operator, places, sizeof places - 1, shapes, &y), 1);
    assert_string_equal(message, "output 0 has another rank or size than the model says");
    const int64_t all_known[] = {2, 1, 2};
    assert_int_equal(call(mlc_measure_nodes_operator, places, sizeof places - 1, all_known, &sizes),
                     1);
    assert_string_equal(message, "the part has other outputs than it was compiled for");
    assert_int_equal(call(mlc_run_nodes_operator, no_node, sizeof no_node - 1, shapes, &y), 1);
    assert_string_equal(message,
                        "its inputs, outputs or attributes are not as its operator has them");
    assert_int_equal(call(mlc_run_nodes_operator, "\x0a", 1, shapes, &y), 1);
    assert_non_null(strstr(message, "truncated"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_sizes_then_elements),
        cmocka_unit_test(tells_why_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
