// support_regex.c -- regular expressions on whole texts: what matches, what does not, what is
// refused, and programs that are none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "mlc/support/regex.h"

static MlcRegexResult
match(const char *pattern, MlcStr text)
{
    MlcBuf program = {0}, error = {0};
    if (!mlc_regex_compile(mlc_str(pattern), &program, &error))
        fail_msg("'%s': %s", pattern, mlc_buf_c_str(&error));
    MlcRegexResult result = mlc_regex_match(mlc_buf_str(&program), text);
    mlc_buf_release(&program);
    mlc_buf_release(&error);
    return result;
}

// Whole texts, as Python's re.fullmatch (RE2's rules where they differ).
static void
texts(void **state)
{
    static const struct {
        const char *pattern, *yes[4], *no[4];
    } rows[] = {
        {"", {""}, {"a"}},
        {"abc", {"abc"}, {"ab", "abcd", ""}},
        {"a|bc|", {"a", "bc", ""}, {"abc", "b"}},
        {"(a|b)*c", {"c", "abbac"}, {"ab", "cc"}},
        {"a+b?", {"a", "aab"}, {"b", "abb"}},
        {"a{2}", {"aa"}, {"a", "aaa"}},
        {"a{2,}", {"aa", "aaaaa"}, {"a"}},
        {"(ab){1,3}c", {"abc", "abababc"}, {"c", "ababababc"}},
        {"a{0}b", {"b"}, {"ab"}},
        {"x{,2}", {"x{,2}"}, {"xx"}},
        {"a*?b+?", {"b", "aabb"}, {"a"}},
        {"[a-c]x[^a-c]", {"axd", "cx\xc3\xa9"}, {"axb", "dxd"}},
        {"[]a]+", {"]a]"}, {"["}},
        {"[\\d\\-x]+", {"1-x"}, {"y"}},
        {"\\w+@\\w+\\.com", {"joe@mail.com"}, {"joe@mail_com", "@mail.com"}},
        {"\\D\\S\\W", {"ab!", "a!."}, {"1b!", "a !"}},
        {"a.c",
         {"abc", "a\xe2\x82\xac"
                 "c"},
         {"a\nc", "ac"}},
        {"(?s)a.c", {"a\nc"}, {"ac"}},
        {"(?i)aBc[x-z]", {"ABCY", "abcx"}, {"abc1"}},
        {"(?i:a)b", {"Ab"}, {"AB"}},
        {"^a$", {"a"}, {"a\n", "ba"}},
        {"(?m)a$\\n^b", {"a\nb"}, {"ab"}},
        {"\\Aa\\z", {"a"}, {"aa"}},
        {"a\\b.b", {"a b"}, {"acb"}},
        {"a\\Bb", {"ab"}, {"a"}},
        {"(?P<name>a)(?<other>b)", {"ab"}, {"a"}},
        {"[[:alpha:]]+[[:^digit:]]", {"ab.", "Zz"}, {"a1", "1"}},
        {"\\x41\\x{1F600}\\101",
         {"A\xf0\x9f\x98\x80"
          "A"},
         {"A"}},
        {"\\Qa.b*\\Ec", {"a.b*c"}, {"axb*c"}},
        {"\\t\\n\\.\\*", {"\t\n.*"}, {"tn.*"}},
        {"((a*)*)*b", {"aaab", "b"}, {"aaa"}},
        {"(a?){30}a{30}", {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}, {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}},
        {"(x+x+)+y", {"xxy"}, {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < 4; k++) {
            if (rows[i].yes[k] &&
                match(rows[i].pattern, mlc_str(rows[i].yes[k])) != MLC_REGEX_MATCHES)
                fail_msg("'%s' should match '%s'", rows[i].pattern, rows[i].yes[k]);
            if (rows[i].no[k] &&
                match(rows[i].pattern, mlc_str(rows[i].no[k])) != MLC_REGEX_DIFFERS)
                fail_msg("'%s' should not match '%s'", rows[i].pattern, rows[i].no[k]);
        }
    assert_int_equal(match("a.b", mlc_str_n("a\0b", 3)), MLC_REGEX_MATCHES);
    assert_int_equal(match("a.b", mlc_str_n("a\xff"
                                            "b",
                                            3)),
                     MLC_REGEX_MATCHES);
    assert_int_equal(match("a\\wb", mlc_str_n("a\xff"
                                              "b",
                                              3)),
                     MLC_REGEX_DIFFERS);
}

static void
refusals(void **state)
{
    static const struct {
        const char *pattern, *message;
    } rows[] = {
        {"a(b", "at byte 1: a parenthesis that is not closed"},
        {"a)b", "at byte 1: a parenthesis that was not opened"},
        {"[ab", "at byte 0: a bracket that is not closed"},
        {"*a", "at byte 0: nothing is repeated here"},
        {"a**", "at byte 1: a repetition of a repetition"},
        {"a{3,2}", "a repetition that is out of order, or of more than 1000"},
        {"a{1001}", "a repetition that is out of order, or of more than 1000"},
        {"[b-a]", "at byte 1: a range whose end comes before its start"},
        {"[[:nosuch:]]", "an unknown class of characters"},
        {"\\pL", "a class of Unicode, which is not supported"},
        {"\\C", "\\C, which is not supported"},
        {"(a)\\1", "a reference to a group"},
        {"\\y", "an unknown escape"},
        {"\\xZ", "a hexadecimal number that is no character"},
        {"\\", "the pattern ends here"},
        {"(?z)a", "an unknown kind of group"},
        {"(?P<>a)", "no name of a group"},
        {"(?i)\xc3\xa9", "(?i) is for letters of ASCII"},
        {"\\Qab\\E*", "a repetition of quoted text, which is not supported"},
        {"a\xff", "at byte 1: no valid UTF-8"},
        {"((a{100}){100}){100}", "a pattern that takes more than 20000 steps"},
        {"(((){1000}){1000}){1000}", "repetitions of repetitions that take too long"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MlcBuf program = {0}, error = {0};
        if (mlc_regex_compile(mlc_str(rows[i].pattern), &program, &error) ||
            !strstr(mlc_buf_c_str(&error), rows[i].message))
            fail_msg("'%s': '%s', expected '%s'", rows[i].pattern, mlc_buf_c_str(&error),
                     rows[i].message);
        assert_int_equal(program.size, 0);
        mlc_buf_release(&error);
    }
    char deep[512];
    MlcBuf program = {0}, error = {0};
    memset(deep, '(', sizeof deep);
    assert_false(mlc_regex_compile(mlc_str_n(deep, sizeof deep), &program, &error));
    assert_non_null(strstr(mlc_buf_c_str(&error), "groups deeper than 200"));
    mlc_buf_release(&error);
}

// Programs come from files: whatever they are, matching ends and stays within them.
static void
damaged_programs(void **state)
{
    MlcBuf program = {0}, error = {0};
    (void)state;
    assert_true(mlc_regex_compile(mlc_str("(a|b[c-x]){2,5}\\bz*"), &program, &error));
    for (size_t size = 0; size < program.size; size++)
        assert_int_equal(mlc_regex_match(mlc_str_n(program.data, size), mlc_str("ab")),
                         MLC_REGEX_FAILED);
    for (size_t i = sizeof(MlcRegexHeader); i < program.size; i++)
        for (int value = 0; value < 256; value += 51) {
            char was = program.data[i];
            program.data[i] = (char)value;
            assert_int_not_equal(mlc_regex_match(mlc_buf_str(&program), mlc_str("abbcz")),
                                 MLC_REGEX_FAILED);
            program.data[i] = was;
        }
    mlc_buf_release(&program);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(refusals),
        cmocka_unit_test(damaged_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
