// runtime_texts.c -- strings by numbers, and what compiled code may ask of them: numbers from
// nowhere, questions and programs that are none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "texts.h"

static int64_t
number(MlcRtTexts *t, const char *text)
{
    return mlc_rt_text_number(t, (MlcRtString){text, strlen(text)});
}

static void
numbers(void **state)
{
    MlcRtStrings literals = {0};
    (void)state;
    assert_int_equal(mlc_rt_strings_add(&literals, (MlcRtString){"a", 1}, true), 0);
    MlcRtTexts t = {.literals = &literals, .own = {.first = literals.count}};
    for (int round = 0; round < 3; round++) {
        assert_int_equal(number(&t, "a"), 0);
        for (int i = 0; i < 5000; i++) {
            char text[16];
            snprintf(text, sizeof text, "%d", i);
            assert_int_equal(number(&t, text), 1 + i);
            assert_int_equal(number(&t, text), 1 + i);
        }
        assert_string_equal(mlc_rt_text_string(&t, 4711).data, "4710");
        mlc_rt_strings_clear(&t.own);
        assert_int_equal(mlc_rt_text_string(&t, 4711).size, 0);
    }
    assert_int_equal(mlc_rt_text_string(&t, -1).size, 0);
    assert_int_equal(mlc_rt_text_string(&t, INT64_MAX).size, 0);
    mlc_rt_strings_release(&t.own);
    mlc_rt_strings_release(&literals);
}

static void
questions(void **state)
{
    MlcRtStrings literals = {0};
    MlcRtTexts t = {.literals = &literals};
    int64_t result, args[4] = {number(&t, "ab"), number(&t, "b"), -1, 7};
    (void)state;
    assert_null(mlc_rt_text_compute(&t, MLC_RT_TEXT_concat, args, &result));
    assert_string_equal(mlc_rt_text_string(&t, result).data, "abb");
    assert_null(mlc_rt_text_compute(&t, MLC_RT_TEXT_parts, args, &result));
    assert_int_equal(result, 2);
    assert_null(mlc_rt_text_compute(&t, MLC_RT_TEXT_part, args, &result)); // beyond the last one
    assert_int_equal(mlc_rt_text_string(&t, result).size, 0);
    assert_string_equal(mlc_rt_text_compute(&t, 99, args, &result),
                        "a question about strings that this runtime does not know");
    assert_string_equal(mlc_rt_text_compute(&t, MLC_RT_TEXT_match, args, &result),
                        "a regular expression that cannot be run");
    mlc_rt_strings_release(&t.own);
}

static const char *
part_of(MlcRtTexts *t, int64_t string, int64_t delimiter, int64_t part)
{
    int64_t result, args[4] = {string, delimiter, -1, part};
    assert_null(mlc_rt_text_compute(t, MLC_RT_TEXT_part, args, &result));
    return mlc_rt_text_string(t, result).data;
}

// In order, not in order, of another string between, and after the strings were forgotten.
static void
parts(void **state)
{
    MlcRtStrings literals = {0};
    MlcRtTexts t = {.literals = &literals};
    (void)state;
    int64_t comma = number(&t, ","), first = number(&t, "a,b,,c"), second = number(&t, " d  e ");
    int64_t space = number(&t, "");
    static const char *const of_first[] = {"a", "b", "", "c", "", ""};
    for (int i = 0; i < 6; i++)
        assert_string_equal(part_of(&t, first, comma, i), of_first[i]);
    assert_string_equal(part_of(&t, first, comma, 3), "c");
    assert_string_equal(part_of(&t, first, comma, 3), "c");
    assert_string_equal(part_of(&t, first, comma, 1), "b");
    assert_string_equal(part_of(&t, second, space, 1), "e");
    assert_string_equal(part_of(&t, first, comma, 3), "c");
    assert_string_equal(part_of(&t, second, space, 0), "d");
    mlc_rt_texts_clear(&t);
    assert_int_equal(number(&t, "?"), comma);
    assert_int_equal(number(&t, "x,y"), first);
    assert_int_equal(number(&t, ","), second);
    assert_string_equal(part_of(&t, first, second, 1), "y");
    mlc_rt_strings_release(&t.own);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(questions),
        cmocka_unit_test(parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
