// The option parser: spellings, kinds, the order of events, each message, help; and the JSON
// writer.
#include "mlc/support/cli.h"
#include "mlc/support/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct Values {
    bool verbose;
    MlcStr output;
    int64_t threads;
    double seconds;
    MlcStrVec inputs;
    MlcBuf events;
    MlcStrVec positional;
    MlcBuf error;
} Values;

static bool
note_event(void *target, MlcStr name, MlcStr value, MlcBuf *error)
{
    MlcBuf *events = target;
    mlc_buf_printf(events, "%.*s(%.*s) ", MLC_STR_FMT(name), (int)value.size,
                   value.data ? value.data : "");
    if (mlc_str_equal(value, mlc_str("bad")))
        return mlc_buf_append_c(error, "bad value"), false;
    return true;
}

#define OPTIONS(v)                                                                                 \
    {                                                                                              \
        {.name = "verbose", .kind = MLC_CLI_FLAG, .target = &(v).verbose, .help = "Say more"},     \
            {.name = "o",                                                                          \
             .kind = MLC_CLI_STRING,                                                               \
             .target = &(v).output,                                                                \
             .value_name = "file",                                                                 \
             .help = "Where to write"},                                                            \
            {.name = "threads", .kind = MLC_CLI_INT, .target = &(v).threads, .help = "How many"},  \
            {.name = "min-time", .kind = MLC_CLI_DOUBLE, .target = &(v).seconds},                  \
            {.name = "input", .kind = MLC_CLI_LIST, .target = &(v).inputs},                        \
            {.name = "fuse",                                                                       \
             .kind = MLC_CLI_EVENT,                                                                \
             .target = &(v).events,                                                                \
             .event = note_event,                                                                  \
             .help = "Fuse"},                                                                      \
            {.name = "tile",                                                                       \
             .kind = MLC_CLI_EVENT,                                                                \
             .target = &(v).events,                                                                \
             .event = note_event,                                                                  \
             .value_name = "options",                                                              \
             .help = "Tile"},                                                                      \
    }

enum { NUM_OPTIONS = 7 };

static bool
parse(Values *v, const char *const *args, int num_args)
{
    const MlcCliOption options[] = OPTIONS(*v);
    char *argv[20] = {(char *)"tool"};
    for (int i = 0; i < num_args; i++)
        argv[i + 1] = (char *)args[i];
    return mlc_cli_parse(options, NUM_OPTIONS, num_args + 1, argv, &v->positional, &v->error);
}

static void
release(Values *v)
{
    mlc_vec_release(&v->inputs);
    mlc_vec_release(&v->positional);
    mlc_buf_release(&v->events);
    mlc_buf_release(&v->error);
}

#define PARSE(v, ...)                                                                              \
    parse(v, (const char *const[]){__VA_ARGS__},                                                   \
          (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))

static void
all_spellings(void **state)
{
    (void)state;
    Values v = {0};
    assert_true(PARSE(&v, "a.mlir", "-verbose", "--o", "x", "-threads=0x10", "--min-time", "2.5",
                      "--input", "a=1.npy", "-input=b=2.npy", "-", "--", "--verbose=false"));
    assert_true(v.verbose);
    assert_string_equal(v.output.data, "x");
    assert_int_equal(v.threads, 16);
    assert_true(v.seconds == 2.5);
    assert_int_equal(v.inputs.size, 2);
    assert_string_equal(v.inputs.data[1].data, "b=2.npy");
    assert_int_equal(v.positional.size, 3);
    assert_string_equal(v.positional.data[1].data, "-");
    assert_string_equal(v.positional.data[2].data, "--verbose=false");
    release(&v);
}

static void
events_keep_their_order(void **state)
{
    (void)state;
    Values v = {0};
    assert_true(PARSE(&v, "--tile=4,4", "--fuse", "file", "--tile"));
    assert_string_equal(mlc_buf_c_str(&v.events), "tile(4,4) fuse() tile() ");
    assert_int_equal(v.positional.size, 1);
    release(&v);
}

static void
every_fault_is_reported(void **state)
{
    (void)state;
    Values v = {0};
    assert_false(PARSE(&v, "--fsue", "--nothing-like-it", "--threads=4x", "--verbose=maybe",
                       "--min-time=", "--fuse=bad", "--threads=99999999999999999999", "--o"));
    assert_string_equal(mlc_buf_c_str(&v.error),
                        "unknown option '--fsue'; did you mean '--fuse'?\n"
                        "unknown option '--nothing-like-it'\n"
                        "option '--threads' expects an integer, got '4x'\n"
                        "option '--verbose' expects true or false, got 'maybe'\n"
                        "option '--min-time' expects a number, got ''\n"
                        "bad value\n"
                        "option '--threads' expects an integer, got '99999999999999999999'\n"
                        "option '--o' expects a value");
    release(&v);
}

static void
help_lists_the_table(void **state)
{
    (void)state;
    Values v = {0};
    const MlcCliOption options[] = OPTIONS(v);
    MlcBuf buf = {0};
    mlc_cli_help(&buf, "tool [options] file", "Does things.", options, NUM_OPTIONS);
    assert_string_equal(mlc_buf_c_str(&buf),
                        "usage: tool [options] file\n\nDoes things.\n\noptions:\n"
                        "  --verbose                       Say more\n"
                        "  --o=<file>                      Where to write\n"
                        "  --threads=<int>                 How many\n"
                        "  --fuse                          Fuse\n"
                        "  --tile[=<options>]              Tile\n");
    mlc_buf_release(&buf);
    release(&v);
}

static void
edit_distance(void **state)
{
    (void)state;
    assert_int_equal(mlc_edit_distance(mlc_str("kitten"), mlc_str("sitting"), 5), 3);
    assert_int_equal(mlc_edit_distance(mlc_str("fuse"), mlc_str("fsue"), 5), 1);
    assert_int_equal(mlc_edit_distance(mlc_str(""), mlc_str("abc"), 5), 3);
    assert_int_equal(mlc_edit_distance(mlc_str("abc"), mlc_str("abc"), 0), 0);
    assert_int_equal(mlc_edit_distance(mlc_str("abcdefgh"), mlc_str("x"), 3), 4);
}

static void
json(void **state)
{
    (void)state;
    MlcBuf buf = {0};
    MlcJson json;
    mlc_json_init(&json, &buf);
    mlc_json_begin_object(&json);
    mlc_json_key(&json, "name");
    mlc_json_c_str(&json, "a\"\\\n\x01\xc3\xa9\xff");
    mlc_json_key(&json, "times");
    mlc_json_begin_array(&json);
    mlc_json_double(&json, 0.1);
    mlc_json_double(&json, 1.0 / 0.0);
    mlc_json_int(&json, -3);
    mlc_json_end_array(&json);
    mlc_json_key(&json, "empty");
    mlc_json_begin_array(&json);
    mlc_json_end_array(&json);
    mlc_json_key(&json, "ok");
    mlc_json_bool(&json, true);
    mlc_json_end_object(&json);
    assert_string_equal(mlc_buf_c_str(&buf),
                        "{\n  \"name\": \"a\\\"\\\\\\n\\u0001\xc3\xa9\\ufffd\",\n"
                        "  \"times\": [\n    0.1,\n    null,\n    -3\n  ],\n"
                        "  \"empty\": [],\n  \"ok\": true\n}\n");
    mlc_buf_release(&buf);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_spellings),           cmocka_unit_test(events_keep_their_order),
        cmocka_unit_test(every_fault_is_reported), cmocka_unit_test(help_lists_the_table),
        cmocka_unit_test(edit_distance),           cmocka_unit_test(json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
