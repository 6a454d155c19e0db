// runtime_operators.c -- operators that are functions of libraries: fields that are wrong,
// functions that are found and that fail.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "operators.h"

typedef struct Fields {
    _Alignas(8) char data[512];
    size_t size;
} Fields;

static void
add(Fields *f, uint32_t kind, const void *data, size_t size)
{
    MlcArtefactField head = {kind, (uint32_t)size};
    memcpy(f->data + f->size, &head, sizeof head);
    memcpy(f->data + f->size + sizeof head, data, size);
    f->size += sizeof head + (size + 7) / 8 * 8;
}

static void
add_text(Fields *f, uint32_t kind, const char *text)
{
    add(f, kind, text, strlen(text) + 1);
}

// One input that is left out, one of f32 [?], an output of i64 [?, ?], and an attribute of each
// kind.
static Fields
whole(const char *symbol)
{
    Fields f = {.size = 0};
    const int64_t none[] = {0, 0}, input[] = {MLC_RT_F32, 1}, output[] = {MLC_RT_I64, 2}, opset = 3;
    const int64_t ints[] = {4, -5};
    const double floats[] = {0.5};
    add_text(&f, MLC_ARTEFACT_FIELD_FUNCTION, symbol);
    add_text(&f, MLC_ARTEFACT_FIELD_LIBRARY, "libnowhere.so");
    add_text(&f, MLC_ARTEFACT_FIELD_DOMAIN, "com.acme");
    add_text(&f, MLC_ARTEFACT_FIELD_NAME, "F");
    add(&f, MLC_ARTEFACT_FIELD_OPSET, &opset, sizeof opset);
    add(&f, MLC_ARTEFACT_FIELD_INPUT, none, sizeof none);
    add(&f, MLC_ARTEFACT_FIELD_INPUT, input, sizeof input);
    add(&f, MLC_ARTEFACT_FIELD_OUTPUT, output, sizeof output);
    add_text(&f, MLC_ARTEFACT_FIELD_ATTRIBUTE, "i");
    add(&f, MLC_ARTEFACT_FIELD_INTS, ints, sizeof ints);
    add_text(&f, MLC_ARTEFACT_FIELD_ATTRIBUTE, "f");
    add(&f, MLC_ARTEFACT_FIELD_FLOATS, floats, sizeof floats);
    add_text(&f, MLC_ARTEFACT_FIELD_ATTRIBUTE, "t");
    add_text(&f, MLC_ARTEFACT_FIELD_TEXT, "text");
    return f;
}

static void
reads_what_it_is_told(void **state)
{
    (void)state;
    MlcRtOperator op = {0};
    Fields f = whole("f");
    assert_true(mlc_rt_operator_read(&op, f.data, f.size));
    const MlcOperatorCall *call = &op.call;
    assert_string_equal(call->domain, "com.acme");
    assert_int_equal(call->opset, 3);
    assert_int_equal(call->num_inputs, 2);
    assert_int_equal(op.tensors[0].type, 0);
    assert_int_equal(op.tensors[2].rank, 2);
    assert_int_equal(mlc_operator_int(call, "i", 0), 4);
    assert_int_equal(mlc_operator_int(call, "t", 7), 7); // no number
    assert_true(mlc_operator_float(call, "f", 0) == 0.5);
    assert_int_equal(mlc_operator_attribute(call, "t")->count, 4);
    assert_string_equal(mlc_operator_attribute(call, "t")->text, "text");
    assert_null(mlc_operator_attribute(call, "u"));
    mlc_rt_operator_release(&op);
}

// Whatever the bytes are, reading ends, and looks at nothing else.
static void
believes_nothing(void **state)
{
    (void)state;
    Fields good = whole("f");
    for (size_t size = 0; size < good.size; size++) {
        MlcRtOperator op = {0};
        Fields cut = {.size = size};
        memcpy(cut.data, good.data, size);
        (void)mlc_rt_operator_read(&op, cut.data, cut.size);
        mlc_rt_operator_release(&op);
    }
    for (size_t at = 0; at < good.size; at++)
        for (int value = 0; value < 256; value += at % 8 < 2 ? 1 : 51) {
            MlcRtOperator op = {0};
            Fields f = good;
            f.data[at] = (char)value;
            (void)mlc_rt_operator_read(&op, f.data, f.size);
            mlc_rt_operator_release(&op);
        }
    Fields many = whole("f");
    const int64_t output[] = {MLC_RT_I64, 0}, type[] = {MLC_RT_NUM_TYPES, 0}, rank[] = {1, 17};
    const int64_t *const wrong[] = {type, rank};
    for (size_t i = 0; i < 2; i++) {
        MlcRtOperator op = {0};
        Fields f = many;
        add(&f, MLC_ARTEFACT_FIELD_OUTPUT, wrong[i], sizeof output);
        assert_false(mlc_rt_operator_read(&op, f.data, f.size));
        mlc_rt_operator_release(&op);
    }
    MlcRtOperator op = {0};
    add_text(&many, MLC_ARTEFACT_FIELD_ATTRIBUTE, "no value");
    assert_false(mlc_rt_operator_read(&op, many.data, many.size));
    mlc_rt_operator_release(&op);
}

MLC_API int32_t mlc_test_operator(const MlcOperatorCall *call);

int32_t
mlc_test_operator(const MlcOperatorCall *call)
{
    const float *x = call->inputs[1].data;
    int64_t *y = call->outputs[0].data;
    assert_int_equal(call->inputs[1].dims[0], 2);
    assert_int_equal(call->outputs[0].dims[1], 3);
    for (int i = 0; i < 3; i++)
        y[i] = (int64_t)(x[0] + x[1]) + i;
    return x[0] > 0 ? 0 : 9;
}

static void
calls_the_programs_function(void **state)
{
    (void)state;
    MlcRtOperator op = {0};
    char message[256];
    Fields f = whole("mlc_test_operator");
    float x[] = {1, 2};
    int64_t y[3], row[] = {(int64_t)(intptr_t)x, 2, (int64_t)(intptr_t)y, 1, 3};
    assert_true(mlc_rt_operator_read(&op, f.data, f.size));
    op.function = mlc_test_operator;
    assert_true(mlc_rt_operator_run(&op, row, message, sizeof message));
    assert_int_equal(y[2], 5);
    x[0] = -1;
    assert_false(mlc_rt_operator_run(&op, row, message, sizeof message));
    assert_string_equal(message, "code 9");
    assert_int_equal(y[2], 0); // nobody computes on what a failure left
    mlc_rt_operator_release(&op);
    f = whole("mlc_no_such_operator");
    op = (MlcRtOperator){0};
    assert_true(mlc_rt_operator_read(&op, f.data, f.size));
    assert_false(mlc_rt_operator_find(&op, NULL, 0, "m.so", message, sizeof message));
    assert_non_null(strstr(message, "is the function 'mlc_no_such_operator' of 'libnowhere.so', "
                                    "which is not there"));
    mlc_rt_operator_release(&op);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_it_is_told),
        cmocka_unit_test(believes_nothing),
        cmocka_unit_test(calls_the_programs_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
