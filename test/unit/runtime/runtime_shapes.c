// Sizes that follow from those of the inputs: what is computed, what a run is refused for, and what
// is wrong with tables.
#include "shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

// Strings at 1, 7, 11, 13, 15 and 24.
static const char strings[] = "\0batch\0seq\0x\0y\0past+seq\0node";
enum { BATCH = 1, SEQ = 7, X = 11, Y = 13, SUM = 15, NODE = 24, PAST = SUM };
enum { S_BATCH, S_SEQ, S_SUM, S_BYTES, S_LEFT, S_QUOTIENT, S_MAX, S_MIN, NUM_SIZES };
enum { NUM_STEPS = 20, NUM_DIMS = 6, NUM_CHECKS = 1, NUM_BUFFERS = 3 };

typedef struct File {
    char text[32];
    MlcArtefactShapes counts;
    uint32_t symbols[2];
    MlcArtefactSize sizes[NUM_SIZES];
    MlcArtefactStep steps[NUM_STEPS];
    MlcArtefactCheck checks[NUM_CHECKS];
    MlcArtefactBuffer buffers[NUM_BUFFERS];
    MlcArtefactCache cache; // beyond the tables, unless counted
} File;
#define TABLES offsetof(File, counts)

// x: [batch, seq], y: [seq, batch + seq]; the output: [4 * batch * seq, seq - 1].
typedef struct Fixture {
    File file;
    MlcModel model;
    MlcRtTensorInfo tensors[3];
    int64_t known[NUM_DIMS];
    uint32_t shapes[NUM_DIMS];
    const char *names[NUM_DIMS];
} Fixture;

#define PUSH(number)                                                                               \
    {                                                                                              \
        MLC_RT_STEP_NUMBER, number                                                                 \
    }
#define NAME(symbol)                                                                               \
    {                                                                                              \
        MLC_RT_STEP_SYMBOL, symbol                                                                 \
    }
#define DO(operation)                                                                              \
    {                                                                                              \
        MLC_RT_STEP_OPERATION, operation                                                           \
    }

static void
make(Fixture *f)
{
    *f = (Fixture){
        .file = {.counts = {2, NUM_SIZES, NUM_STEPS, NUM_CHECKS, NUM_BUFFERS, 0},
                 .symbols = {BATCH, SEQ},
                 .sizes = {{0, 1, BATCH, 0},
                           {1, 1, SEQ, 0},
                           {0, 2, SUM, 0}, // set below
                           {2, 5, X, 0},
                           {7, 3, SEQ, 0},
                           {10, 3, Y, 0},
                           {13, 3, X, 0},
                           {16, 3, Y, 0}},
                 .steps = {NAME(0),
                           NAME(1),
                           NAME(0),
                           NAME(1),
                           DO(MLC_RT_MUL),
                           PUSH(4),
                           DO(MLC_RT_MUL),
                           NAME(1),
                           PUSH(1),
                           DO(MLC_RT_SUB),
                           PUSH(100),
                           NAME(0),
                           DO(MLC_RT_FLOORDIV),
                           NAME(0),
                           NAME(1),
                           DO(MLC_RT_MAX),
                           NAME(0),
                           NAME(1),
                           DO(MLC_RT_MIN),
                           DO(MLC_RT_ADD)},
                 .checks = {{S_BATCH, S_BATCH, NODE, 0}},
                 .buffers = {{S_BYTES, 0, 1, 0}, {S_BYTES, 1, 2, 0}, {S_BYTES, 2, 3, 0}}},
        .known = {-1, -1, -1, -1, -1, -1},
        .shapes = {S_BATCH + 1, S_SEQ + 1, S_SEQ + 1, S_BATCH + 1, S_BYTES + 1, S_LEFT + 1},
        .names = {"batch", "seq", "seq", "batch", "", ""},
    };
    memcpy(f->file.text, strings, sizeof strings);
    f->file.sizes[S_SUM] = (MlcArtefactSize){0, 1, SUM, 0};
    for (int i = 0; i < 3; i++)
        f->tensors[i] = (MlcRtTensorInfo){i == 1 ? "y" : "x", MLC_RT_F32,       2,
                                          f->known + 2 * i,   f->names + 2 * i, f->known + 2 * i};
    f->model = (MlcModel){.data = (const char *)&f->file,
                          .shape_tables = (char *)&f->file.counts,
                          .shape_bytes = offsetof(File, cache) - TABLES,
                          .tensors = f->tensors,
                          .dims = f->known,
                          .dim_shapes = f->shapes,
                          .num_inputs = 2,
                          .num_outputs = 1,
                          .num_dims = NUM_DIMS};
}

static const char *
fault(const Fixture *f)
{
    return mlc_rt_shapes_check(&f->file.counts, offsetof(File, cache) - TABLES, sizeof strings, 1);
}

static void
sizes_are_computed(void **state)
{
    (void)state;
    Fixture f;
    make(&f);
    assert_null(fault(&f));
    MlcRtShapePlan *plan = mlc_rt_shape_plan_create(&f.model);
    int64_t dims[NUM_DIMS] = {2, 7, 7, 2}, arena = -1;
    assert_true(mlc_rt_shape_plan_run(plan, dims, &arena, NULL));
    const int64_t *sizes = mlc_rt_shape_plan_sizes(plan);
    const int64_t wanted[NUM_SIZES] = {2, 7, 2, 56, 6, 50, 7, 2};
    for (int i = 0; i < NUM_SIZES; i++)
        assert_int_equal(sizes[i], wanted[i]);
    assert_int_equal(dims[4], 56);
    assert_int_equal(dims[5], 6);
    // The first and the last are not alive at the same time.
    assert_int_equal(arena, 128);
    assert_int_equal(sizes[NUM_SIZES], sizes[NUM_SIZES + 2]);
    assert_int_not_equal(sizes[NUM_SIZES], sizes[NUM_SIZES + 1]);
    mlc_rt_shape_plan_destroy(plan);
}

static void
refuses(Fixture *f, int64_t batch, int64_t seq, const char *message)
{
    MlcRtError error = {0};
    MlcRtShapePlan *plan = mlc_rt_shape_plan_create(&f->model);
    int64_t dims[NUM_DIMS] = {batch, seq, seq, batch}, arena;
    assert_false(mlc_rt_shape_plan_run(plan, dims, &arena, &error));
    assert_string_equal(error.message, message);
    mlc_rt_shape_plan_destroy(plan);
}

// The symbol "batch" is no input's: the code computes it.
static void
computed_sizes_follow(void **state)
{
    (void)state;
    Fixture f;
    MlcRtError error = {0};
    make(&f);
    f.file.sizes[S_BATCH].computed = 1;
    f.shapes[0] = f.shapes[3] = 0;
    f.file.buffers[1] = (MlcArtefactBuffer){S_BYTES, 0, 0, 1};
    assert_null(fault(&f));
    MlcRtShapePlan *plan = mlc_rt_shape_plan_create(&f.model);
    const int64_t *sizes = mlc_rt_shape_plan_sizes(plan);
    int64_t dims[NUM_DIMS] = {2, 7, 7, 2}, bytes = -1;
    static char arena[64], output[64];
    assert_int_equal(mlc_rt_shape_plan_num_computed(plan), 1);
    for (int again = 0; again < 2; again++) {
        assert_true(mlc_rt_shape_plan_run(plan, dims, &bytes, NULL));
        assert_int_equal(bytes, 0);
        assert_int_equal(sizes[S_SEQ], 7);
        assert_int_equal(sizes[S_BYTES], -1);
        assert_int_equal(dims[4], -1);
        assert_false(mlc_rt_shape_plan_set(plan, 1, 2, dims, &bytes, NULL));
        assert_false(mlc_rt_shape_plan_set(plan, 0, -1, dims, &bytes, NULL));
        assert_true(mlc_rt_shape_plan_set(plan, 0, 2, dims, &bytes, NULL));
        assert_int_equal(dims[4], 56);
        assert_int_equal(bytes, 64); // of two, one after the other
        mlc_rt_shape_plan_move(plan, arena, 4096, (void *[]){output});
        assert_int_equal(sizes[NUM_SIZES], 4096);
        assert_int_equal(sizes[NUM_SIZES + 1], output - arena);
        assert_int_equal(sizes[NUM_SIZES + 2], 4096);
        assert_false(mlc_rt_shape_plan_set(plan, 0, 3, dims, &bytes, &error));
        assert_string_equal(error.message, "the model computes 3 as its size 0");
    }
    mlc_rt_shape_plan_destroy(plan);
    f.file.sizes[S_BYTES].computed = 2; // which is no symbol
    assert_string_equal(fault(&f), "computed sizes in the table of shapes");
    f.file.sizes[S_BYTES].computed = 0;
    f.file.buffers[1].output = 2;
    assert_string_equal(fault(&f), "buffers in the table of shapes");
}

static void
runs_are_refused(void **state)
{
    (void)state;
    Fixture f;
    make(&f);
    refuses(&f, INT64_MAX / 2, 8, "the size 'x' is too large, or divides by 0, for these inputs");
    refuses(&f, 0, 8, "the size 'y' is too large, or divides by 0, for these inputs");
    refuses(&f, 1, 0, "the size 'seq' is -1 for these inputs");
    refuses(&f, INT64_C(1) << 40, 1 << 10, "a buffer of 'x' bytes is too large: 4503599627370496");
    f.file.checks[0].b = S_SEQ;
    refuses(&f, 2, 3, "sizes 'batch' and 'seq' must be equal at 'node', but are 2 and 3");
    f.file.checks[0].b = S_BATCH;
    f.shapes[3] = S_BYTES + 1; // as if the model said so
    refuses(&f, 2, 3, "dimension 1 of input 'y' is 2, but 'x' is 24 by the other inputs");
    f.shapes[0] = f.shapes[3] = 0;
    refuses(&f, 2, 3, "no input has the dimension 'batch'");
}

static void
many_buffers_are_too_much(void **state)
{
    (void)state;
    Fixture f;
    make(&f);
    for (int i = 0; i < NUM_BUFFERS; i++)
        f.file.buffers[i] = (MlcArtefactBuffer){S_BYTES, 0, 1, 0};
    refuses(&f, INT64_C(1) << 35, 1 << 9,
            "not enough memory for an arena of 211106232532992 bytes");
}

static void
tables_are_checked(void **state)
{
    (void)state;
    Fixture f;
    make(&f);
    assert_string_equal(mlc_rt_shapes_check(&f.file.counts, 8, sizeof strings, 1),
                        "table of shapes");
    f.file.counts.num_steps++;
    assert_string_equal(fault(&f), "table of shapes");
    make(&f);
    f.file.symbols[1] = sizeof strings;
    assert_string_equal(fault(&f), "a name in the table of shapes");
    make(&f);
    f.file.checks[0].a = NUM_SIZES;
    assert_string_equal(fault(&f), "checks in the table of shapes");
    make(&f);
    f.file.buffers[1].last = 0;
    assert_string_equal(fault(&f), "buffers in the table of shapes");
}

static void
steps_are_checked(void **state)
{
    (void)state;
    Fixture f;
    const MlcArtefactSize bad_sizes[] = {
        {NUM_STEPS + 1, 0, X, 0},
        {NUM_STEPS, 1, X, 0},
        {0, 0, X, 0}, // nowhere, too many, none
        {2, 2, X, 0}, // two numbers are left
        {4, 1, X, 0}, // nothing to multiply
        {0, 1, sizeof strings, 0},
    };
    const MlcArtefactStep bad_steps[] = {NAME(2), NAME(-1), DO(MLC_RT_MIN + 1), {9, 0}};
    for (size_t i = 0; i < sizeof bad_sizes / sizeof *bad_sizes; i++) {
        make(&f);
        f.file.sizes[S_BYTES] = bad_sizes[i];
        assert_string_equal(fault(&f), "steps in the table of shapes");
    }
    for (size_t i = 0; i < sizeof bad_steps / sizeof *bad_steps; i++) {
        make(&f);
        f.file.steps[i == 2 ? 4 : 3] = bad_steps[i];
        assert_string_equal(fault(&f), "steps in the table of shapes");
    }
}

// y grows along its dimension `seq`, in the output's memory, whose room is called batch here.
static void
make_cache(Fixture *f)
{
    make(f);
    f->file.counts.num_caches = 1;
    f->file.cache = (MlcArtefactCache){
        .input = 1, .output = 0, .dim = 0, .past = S_SEQ, .present = S_LEFT, .room = S_BATCH};
    f->shapes[4] = S_BATCH + 1;
    f->model.shape_bytes += sizeof f->file.cache;
}

static void
caches_are_checked(void **state)
{
    (void)state;
    Fixture f;
    make_cache(&f);
    assert_null(mlc_rt_shapes_check(&f.file.counts, f.model.shape_bytes, sizeof strings, 1));
    assert_true(mlc_rt_caches_check(&f.model));
    for (int i = 0; i < 3; i++) {
        make_cache(&f);
        *(i == 0   ? &f.file.cache.past
          : i == 1 ? &f.file.cache.room
                   : &f.file.cache.present) = i == 2 ? NUM_SIZES : S_LEFT; // no symbol, no size
        assert_string_equal(
            mlc_rt_shapes_check(&f.file.counts, f.model.shape_bytes, sizeof strings, 1),
            "caches in the table of shapes");
    }
    for (int i = 0; i < 4; i++) {
        make_cache(&f);
        *(i == 0   ? &f.file.cache.input
          : i == 1 ? &f.file.cache.output
          : i == 2 ? &f.file.cache.dim
                   : &f.shapes[4]) = i == 0 || i == 2 ? 2 : 1;
        if (i == 3)
            f.shapes[4] = S_SEQ + 1; // the room is another size
        assert_false(mlc_rt_caches_check(&f.model));
    }
    make_cache(&f);
    f.tensors[2].type = MLC_RT_F64;
    assert_false(mlc_rt_caches_check(&f.model));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_computed), cmocka_unit_test(computed_sizes_follow),
        cmocka_unit_test(runs_are_refused),   cmocka_unit_test(many_buffers_are_too_much),
        cmocka_unit_test(tables_are_checked), cmocka_unit_test(steps_are_checked),
        cmocka_unit_test(caches_are_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
