// A model from object file to result: linked, written, loaded, run by several threads, without
// allocation; and what must be refused with a message: damaged files, other versions and
// processors, wrong inputs.
#include "mlc/object.h"
#include "mlc/runtime.h"

#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "mlc/support/cpu.h"
#include "mlc/support/file.h"

enum { ROW = 16, ROWS = 40 };

// Counted by every malloc, mmap and mprotect of the process, the runtime library's included; that
// of number `failing` gets nothing.
static volatile bool counting;
static _Atomic int allocations;
static int failing;

#ifdef __SANITIZE_ADDRESS__
static const bool interposed = false; // the sanitizer has malloc and mmap itself
#else
static const bool interposed = true;

// The runtime's library calls them only if they are not hidden.
#define INTERPOSE __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static bool
is_failing(void)
{
    bool fails = counting && ++allocations == failing;
    if (fails)
        errno = ENOMEM;
    return fails;
}

INTERPOSE void *
malloc(size_t size)
{
    return is_failing() ? NULL : __libc_malloc(size);
}

INTERPOSE void *
calloc(size_t count, size_t size)
{
    return is_failing() ? NULL : __libc_calloc(count, size);
}

INTERPOSE void *
realloc(void *old, size_t size)
{
    return is_failing() ? NULL : __libc_realloc(old, size);
}

INTERPOSE void *
mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return is_failing() ? MAP_FAILED
                        : (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

INTERPOSE int
mprotect(void *address, size_t size, int protection)
{
    return is_failing() ? -1 : (int)syscall(SYS_mprotect, address, size, protection);
}
#endif

typedef struct Fixture {
    MlcFile object;
    MlcImage image;
    MlcBuf artefact;
    float constants[ROW];
} Fixture;

static const int64_t static_dims[] = {ROWS, ROW}, dynamic_dims[] = {-1, ROW}, four[] = {4};
static const char *const batch[] = {"batch", ""}, *const unnamed[] = {""};
static const MlcArtefactKernelSpec kernels[] = {{"scale", "node_a\nnode_b", NULL, 2048, 4096},
                                                {"exp", "node_c", "tile 4\npacked", 0, 0}};

static void
make_tail(void *to, void *user)
{
    memcpy(to, user, 4);
}

static void
write_artefact(Fixture *f, bool dynamic, const char *features, MlcBuf *out)
{
    const int64_t *dims = dynamic ? dynamic_dims : static_dims;
    MlcRtTensorInfo inputs[] = {{"x", MLC_RT_F32, 2, dims, batch, NULL}};
    MlcRtTensorInfo outputs[] = {{"y", MLC_RT_F32, 2, dims, batch, NULL},
                                 {"e", MLC_RT_F32, 1, four, unnamed, NULL}};
    MlcArtefactConstant constants[] = {{.size = sizeof f->constants, .data = f->constants},
                                       {.size = 4, .make = make_tail, .user = "tail"}};
    MlcArtefactSpec spec = {
        .name = "test",
        .isa = "x86-64",
        .features = features,
        .inputs = inputs,
        .num_inputs = 1,
        .outputs = outputs,
        .num_outputs = 2,
        .kernels = kernels,
        .num_kernels = 2,
        .arena_bytes = dynamic ? 0 : ROWS * ROW * 4,
        .scratch_bytes = ROW * 4,
        .prepared_bytes = ROW * 4,
        .constants = constants,
        .num_constants = 2,
        .image = &f->image,
    };
    MlcBuf error = {0};
    bool ok = mlc_artefact_write_buf(&spec, out, &error);
    if (!ok)
        fail_msg("%s", mlc_buf_c_str(&error));
}

static const MlcStr *static_literals;
static size_t num_static_literals, num_static_operators;

// One input x, and outputs y and e: as values of these forms.
static MlcModel *
load_values(Fixture *f, const char *x, const char *y, const char *e, MlcRtError *error)
{
    MlcRtTensorInfo infos[] = {{"x", MLC_RT_F32, 2, static_dims, batch, NULL},
                               {"y", MLC_RT_F32, 2, static_dims, batch, NULL},
                               {"e", MLC_RT_F32, 1, four, unnamed, NULL}};
    MlcArtefactValueSpec values[] = {
        {"X", x, MLC_RT_F32, false}, {"Y", y, MLC_RT_F64, true}, {"E", e, (MlcRtType)0, true}};
    MlcArtefactConstant constants = {.size = sizeof f->constants, .data = f->constants};
    MlcArtefactSpec spec = {.name = "test",
                            .isa = "x86-64",
                            .features = "sse3",
                            .scratch_bytes = ROW * 4,
                            .prepared_bytes = ROW * 4,
                            .constants = &constants,
                            .num_constants = 1,
                            .inputs = infos,
                            .num_inputs = 1,
                            .outputs = infos + 1,
                            .num_outputs = 2,
                            .image = &f->image,
                            .values = values,
                            .num_values = e ? 3 : 2,
                            .literals = static_literals,
                            .num_literals = num_static_literals};
    MlcArtefactParts parts = {MLC_SIZED(MlcArtefactParts), .operators = static_literals,
                              .num_operators = num_static_operators};
    char path[] = "/tmp/mlc-values-XXXXXX";
    close(mkstemp(path));
    MlcFileWriter writer;
    MlcBuf fault = {0};
    assert_true(mlc_file_writer_begin(&writer, path, &fault));
    assert_true(mlc_artefact_write_parts(&spec, &parts, &writer, &fault));
    assert_true(mlc_file_writer_commit(&writer, &fault));
    MlcModel *model = mlc_model_load(path, NULL, error);
    unlink(path);
    if (model) { // names are in the artefact
        const MlcRtValueInfo *value = mlc_model_output_value(model, 0);
        assert_string_equal(value->name, "Y");
        mlc_model_destroy(model);
    }
    return model;
}

static void
values_that_are_no_tensors(void **state)
{
    static const char *const wrong[][3] = {
        {"tensor", "tensor", NULL},
        {"tensor", "sequence(tensor, tensor, tensor)", NULL},
        {"sequence()", "tensor", "tensor"},
        {"tensor", "sequence(tensor, tensor", NULL},
        {"tensor", "sequence(tensor, tensor))", NULL},
        {"tensor", "sequence(tensor,tensor)", NULL},
        {"tensor", "sequence tensor", "tensor"},
        {"tensor", "bag(tensor, tensor)", NULL},
        {"tensor", "optional(tensor, tensor)", NULL},
        {"tensor", "map(tensor)", "tensor"},
        {"tensor", "map(sequence(tensor), tensor)", NULL},
        {"tensor",
         "sequence(sequence(sequence(sequence(sequence(sequence(sequence(sequence(sequence("
         "sequence(tensor))))))))))",
         "tensor"},
    };
    static const char *const right[][3] = {
        {"tensor", "tensor", "tensor"},
        {"sequence(tensor)", "optional(sequence(tensor, tensor))", "sequence()"},
        {"optional(tensor)", "optional()", "map(tensor, tensor)"},
        {"tensor", "sequence(map(tensor, tensor))", NULL},
        {"tensor", "table(tensor, tensor)", NULL},
    };
    MlcRtError error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(load_values(*state, wrong[i][0], wrong[i][1], wrong[i][2], &error));
        assert_non_null(strstr(error.message, "(table of values)"));
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_non_null(load_values(*state, right[i][0], right[i][1], right[i][2], &error));
    MlcStr twice[] = {{"a\0b", 3}, {"", 0}, {"a\0b", 3}};
    static_literals = twice;
    num_static_literals = 2;
    assert_non_null(load_values(*state, "tensor", "tensor", "tensor", &error));
    num_static_literals = 3;
    assert_null(load_values(*state, "tensor", "tensor", "tensor", &error));
    assert_non_null(strstr(error.message, "(table of strings)"));
    num_static_literals = 0;
    num_static_operators = 1;
    assert_null(load_values(*state, "tensor", "tensor", "tensor", &error));
    assert_non_null(strstr(error.message, "(table of operators)"));
    num_static_operators = 0;
    assert_string_equal(mlc_rt_form_name(MLC_RT_MAP), "map");
    assert_string_equal(mlc_rt_form_name(MLC_RT_TABLE), "table");
    assert_string_equal(mlc_rt_form_name((MlcRtForm)77), "?");
}

static int
set_up(void **state)
{
    static Fixture f;
    MlcBuf error = {0};
    if (!mlc_file_open(&f.object, CODE_OBJECT, MLC_FILE_READ_ONLY, &error))
        return fprintf(stderr, "%s\n", mlc_buf_c_str(&error)), -1;
    for (int i = 0; i < ROW; i++)
        f.constants[i] = (float)i;
    MlcStr object = {f.object.data, f.object.size};
    if (!mlc_image_link(&f.image, &object, 1, &error))
        return fprintf(stderr, "%s\n", mlc_buf_c_str(&error)), -1;
    write_artefact(&f, false, "sse3", &f.artefact);
    *state = &f;
    return 0;
}

static int
tear_down(void **state)
{
    Fixture *f = *state;
    mlc_image_release(&f->image);
    mlc_buf_release(&f->artefact);
    mlc_file_release(&f->object);
    return 0;
}

static void
fill(float *x, size_t count, float start)
{
    for (size_t i = 0; i < count; i++)
        x[i] = start + (float)i;
}

static bool
is_right(const MlcRtTensor *y, const float *x, int64_t rows)
{
    const float *data = y->data;
    if (y->dims[0] != rows)
        return false;
    for (int64_t i = 0; i < rows * ROW; i++) {
        float c = (float)(i % ROW);
        if (data[i] != 2 * c * x[i] + c)
            return false;
    }
    return true;
}

static MlcModel *
load(const MlcBuf *artefact)
{
    MlcRtError error = {0};
    MlcModel *model = mlc_model_load_memory(artefact->data, artefact->size, NULL, &error);
    if (!model)
        fail_msg("%s", error.message);
    return model;
}

static void
runs_and_describes_itself(void **state)
{
    Fixture *f = *state;
    MlcModel *model = load(&f->artefact);
    assert_string_equal(mlc_model_name(model), "test");
    assert_int_equal(mlc_model_num_inputs(model), 1);
    assert_int_equal(mlc_model_find_output(model, "e"), 1);
    assert_int_equal(mlc_model_find_output(model, "x"), -1);
    assert_string_equal(mlc_model_kernel(model, 0)->nodes, "node_a\nnode_b");
    assert_string_equal(mlc_model_kernel(model, 0)->notes, "");
    assert_string_equal(mlc_model_kernel(model, 1)->notes, "tile 4\npacked");
    assert_string_equal(mlc_model_input(model, 0)->dim_names[0], "batch");

    float x[ROWS * ROW];
    fill(x, ROWS * ROW, 1);
    MlcRtTensor tensor = {MLC_RT_F32, 2, static_dims, x};
    for (int32_t threads = 1; threads <= 4; threads++) {
        MlcRtError error;
        MlcSession *session = mlc_session_create(
            model,
            &(MlcSessionOptions){MLC_SIZED(MlcSessionOptions), .threads = threads, .profile = true},
            &error);
        assert_non_null(session);
        assert_null(mlc_session_output(session, 0));
        assert_true(mlc_session_set_input(session, 0, &tensor, &error));
        assert_true(mlc_session_run(session, &error));
        assert_true(is_right(mlc_session_output(session, 0), x, ROWS));
        assert_true(((float *)mlc_session_output(session, 1)->data)[0] == 1.0f);
        assert_int_equal(mlc_session_profile(session, 1).calls, 1);
        mlc_session_destroy(session);
    }
    mlc_model_destroy(model);
}

static void
file_is_the_same(void **state)
{
    Fixture *f = *state;
    char path[] = "/tmp/mlc-runtime-XXXXXX";
    int fd = mkstemp(path);
    assert_true(write(fd, f->artefact.data, f->artefact.size) == (ssize_t)f->artefact.size);
    close(fd);
    MlcRtError error;
    MlcModel *model = mlc_model_load(path, NULL, &error);
    unlink(path);
    assert_non_null(model);
    MlcSession *session = mlc_session_create(model, NULL, &error);
    float x[ROWS * ROW], y[ROWS * ROW];
    fill(x, ROWS * ROW, 3);
    assert_true(
        mlc_session_set_input(session, 0, &(MlcRtTensor){MLC_RT_F32, 2, static_dims, x}, &error));
    assert_true(mlc_session_set_output(session, 0, y, sizeof y, &error));
    assert_true(mlc_session_run(session, &error));
    assert_ptr_equal(mlc_session_output(session, 0)->data, y);
    assert_true(is_right(mlc_session_output(session, 0), x, ROWS));
    mlc_session_destroy(session);
    mlc_model_destroy(model);
    assert_null(mlc_model_load("/nonexistent/m.so", NULL, &error));
    assert_int_equal(error.status, MLC_RT_FILE);
}

static void
run_allocates_nothing(void **state)
{
    Fixture *f = *state;
    MlcModel *model = load(&f->artefact);
    MlcRtError error;
    MlcSession *session = mlc_session_create(
        model, &(MlcSessionOptions){MLC_SIZED(MlcSessionOptions), .threads = 2}, &error);
    float x[ROWS * ROW];
    fill(x, ROWS * ROW, 1);
    MlcRtTensor tensor = {MLC_RT_F32, 2, static_dims, x};
    void *(*volatile allocate)(size_t) = malloc; // not to be optimised away
    bool ok = true;
    counting = true;
    for (int i = 0; i < 50; i++)
        ok &=
            mlc_session_set_input(session, 0, &tensor, &error) && mlc_session_run(session, &error);
    counting = false;
    assert_true(ok);
    assert_int_equal(allocations, 0);
    if (interposed) {
        counting = true;
        free(allocate(1));
        counting = false;
        assert_int_equal(allocations, 1);
    }
    mlc_session_destroy(session);
    mlc_model_destroy(model);
}

static void
callers_arena_is_touched_to_the_last_byte(void **state)
{
    Fixture *f = *state;
    MlcModel *model = load(&f->artefact);
    MlcSessionOptions options = {MLC_SIZED(MlcSessionOptions), .threads = 1};
    size_t bytes = mlc_session_memory_bytes(model, &options);
    unsigned char *memory = aligned_alloc(64, bytes + 64);
    memset(memory, 0xee, bytes + 64);
    options.memory = memory;
    options.memory_bytes = bytes - 1;
    MlcRtError error;
    assert_null(mlc_session_create(model, &options, &error));
    assert_int_equal(error.status, MLC_RT_MEMORY);
    options.memory_bytes = bytes;
    MlcSession *session = mlc_session_create(model, &options, &error);
    float x[ROWS * ROW];
    fill(x, ROWS * ROW, 1);
    assert_true(
        mlc_session_set_input(session, 0, &(MlcRtTensor){MLC_RT_F32, 2, static_dims, x}, &error));
    assert_true(mlc_session_run(session, &error));
    assert_int_equal(memory[mlc_model_arena_bytes(model) - 1], 0x55);
    for (size_t i = bytes; i < bytes + 64; i++)
        assert_int_equal(memory[i], 0xee);
    mlc_session_destroy(session);
    mlc_model_destroy(model);
    free(memory);
}

typedef struct Caller {
    const MlcModel *model;
    float start;
    bool ok;
} Caller;

static void *
caller_thread(void *argument)
{
    Caller *c = argument;
    MlcRtError error;
    MlcSession *session = mlc_session_create(
        c->model, &(MlcSessionOptions){MLC_SIZED(MlcSessionOptions), .threads = 3}, &error);
    float x[ROWS * ROW];
    c->ok = session != NULL;
    for (int round = 0; round < 100 && c->ok; round++) {
        fill(x, ROWS * ROW, c->start + (float)round);
        c->ok = mlc_session_set_input(session, 0, &(MlcRtTensor){MLC_RT_F32, 2, static_dims, x},
                                      &error) &&
                mlc_session_run(session, &error) &&
                is_right(mlc_session_output(session, 0), x, ROWS);
    }
    mlc_session_destroy(session);
    return NULL;
}

static void
sessions_share_a_model(void **state)
{
    Fixture *f = *state;
    MlcModel *model = load(&f->artefact);
    enum { NUM_CALLERS = 5 };
    pthread_t threads[NUM_CALLERS];
    Caller callers[NUM_CALLERS];
    for (int i = 0; i < NUM_CALLERS; i++) {
        callers[i] = (Caller){model, (float)i, false};
        pthread_create(&threads[i], NULL, caller_thread, &callers[i]);
    }
    for (int i = 0; i < NUM_CALLERS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(callers[i].ok);
    }
    mlc_model_destroy(model);
}

static void
dynamic_rows(void **state)
{
    Fixture *f = *state;
    MlcBuf artefact = {0};
    write_artefact(f, true, "", &artefact);
    MlcModel *model = load(&artefact);
    MlcRtError error;
    MlcSession *session = mlc_session_create(model, NULL, &error);
    assert_non_null(session);
    float *x = malloc(1001 * ROW * sizeof *x);
    fill(x, 1001 * ROW, 0);
    const int64_t sizes[] = {3, 50, 0, 1, 1000};
    for (int i = 0; i < 5; i++) {
        int64_t dims[] = {sizes[i], ROW};
        assert_true(
            mlc_session_set_input(session, 0, &(MlcRtTensor){MLC_RT_F32, 2, dims, x}, &error));
        assert_true(mlc_session_run(session, &error));
        assert_true(is_right(mlc_session_output(session, 0), x, sizes[i]));
    }
    int64_t dims[] = {1001, ROW};
    assert_true(mlc_session_set_input(session, 0, &(MlcRtTensor){MLC_RT_F32, 2, dims, x}, &error));
    assert_false(mlc_session_run(session, &error));
    assert_string_equal(error.message, "more than 1000 rows");
    free(x);
    mlc_session_destroy(session);
    mlc_model_destroy(model);
    mlc_buf_release(&artefact);
}

static void
wrong_inputs(void **state)
{
    Fixture *f = *state;
    MlcModel *model = load(&f->artefact);
    MlcRtError error;
    MlcSession *s = mlc_session_create(model, NULL, &error);
    float x[ROWS * ROW] = {2e6f};
    assert_false(mlc_session_run(s, &error));
    assert_string_equal(error.message, "input 'x' is not set");
    assert_false(
        mlc_session_set_input(s, 1, &(MlcRtTensor){MLC_RT_F32, 2, static_dims, x}, &error));
    assert_string_equal(error.message, "no input 1: the model has 1");
    assert_false(
        mlc_session_set_input(s, 0, &(MlcRtTensor){MLC_RT_I64, 2, static_dims, x}, &error));
    assert_string_equal(error.message, "input 'x' has elements of type f32, got i64");
    int64_t dims[] = {ROWS, 3};
    assert_false(mlc_session_set_input(s, 0, &(MlcRtTensor){MLC_RT_F32, 2, dims, x}, &error));
    assert_string_equal(error.message, "input 'x' has shape [40x16], got [40x3]");
    assert_false(
        mlc_session_set_input(s, 0, &(MlcRtTensor){MLC_RT_F32, 2, static_dims, NULL}, &error));
    assert_false(mlc_session_set_input(
        s, 0, &(MlcRtTensor){MLC_RT_F32, 2, static_dims, (char *)x + 1}, &error));
    assert_true(mlc_session_set_input(s, 0, &(MlcRtTensor){MLC_RT_F32, 2, static_dims, x}, &error));
    assert_false(mlc_session_run(s, &error));
    assert_int_equal(error.status, MLC_RT_RUN);
    assert_string_equal(error.message, "the first element is too large");
    assert_null(mlc_session_output(s, 0));
    assert_false(mlc_session_set_output(s, 0, x, 8, &error));
    mlc_session_destroy(s);
    mlc_model_destroy(model);
}

static MlcRtStatus
load_status(const void *data, size_t size, MlcRtError *error)
{
    MlcModel *model = mlc_model_load_memory(data, size, NULL, error);
    MlcRtStatus status = model ? MLC_RT_OK : error->status;
    mlc_model_destroy(model);
    return status;
}

static void
other_processors_and_versions(void **state)
{
    Fixture *f = *state;
    MlcRtError error;
    MlcBuf artefact = {0};
    write_artefact(f, false, "sse3,warp-drive,mind-reading", &artefact);
    assert_int_equal(load_status(artefact.data, artefact.size, &error), MLC_RT_ISA);
    assert_non_null(strstr(error.message,
                           "this processor lacks warp-drive, mind-reading: "
                           "compile the model with --target=host here, or for an older target"));
    artefact.data[8]++;
    assert_int_equal(load_status(artefact.data, artefact.size, &error), MLC_RT_VERSION);
    assert_int_equal(load_status("not a model at all", 18, &error), MLC_RT_CORRUPT);
    mlc_buf_release(&artefact);
}

static void
rehash(char *data, size_t size)
{
    size_t start = offsetof(MlcArtefactHeader, constants_hash);
    MlcArtefactHeader h;
    memcpy(&h, data, sizeof h);
    uint64_t end = h.sections[MLC_ARTEFACT_CONSTANTS].offset;
    if (end < start || end > size)
        return;
    uint64_t hash = mlc_artefact_hash(data + start, end - start);
    memcpy(data + offsetof(MlcArtefactHeader, hash), &hash, 8);
}

// Damage anywhere is found by the hash; damage with a right hash, in the tables, never leads
// outside the file. Text is left alone there: code is trusted.
static void
damaged_files(void **state)
{
    Fixture *f = *state;
    MlcRtError error;
    char *copy = malloc(f->artefact.size);
    MlcArtefactHeader h;
    memcpy(&h, f->artefact.data, sizeof h);
    for (size_t size = 0; size < f->artefact.size; size += size < 1500 ? 7 : 501)
        assert_int_equal(load_status(f->artefact.data, size, &error), MLC_RT_CORRUPT);
    size_t tables = h.sections[MLC_ARTEFACT_TEXT].offset;
    for (size_t at = 0; at < f->artefact.size; at += at < 1500 ? 1 : 97) {
        memcpy(copy, f->artefact.data, f->artefact.size);
        copy[at] ^= 0x41;
        MlcRtStatus status = load_status(copy, f->artefact.size, &error);
        bool padding = at >= tables && status == MLC_RT_OK;
        assert_true(status == MLC_RT_CORRUPT || (status == MLC_RT_VERSION && at < 16) || padding);
    }
    srand(1);
    for (int round = 0; round < 20000; round++) {
        memcpy(copy, f->artefact.data, f->artefact.size);
        size_t at = 24 + (size_t)rand() % (h.sections[MLC_ARTEFACT_IMPORTS].offset + 16 - 24);
        copy[at] = (char)(rand() % 3 == 0 ? rand() : rand() % 2 ? 0xff : copy[at] + 1);
        // Another entry point would run whatever stands there.
        memcpy(copy + offsetof(MlcArtefactHeader, main),
               (char *)&h + offsetof(MlcArtefactHeader, main), 24);
        memcpy(copy + offsetof(MlcArtefactHeader, prepared_bytes), &h.prepared_bytes, 8);
        memcpy(copy + offsetof(MlcArtefactHeader, rodata_address), &h.rodata_address, 16);
        memcpy(copy + offsetof(MlcArtefactHeader, sections[MLC_ARTEFACT_IMPORTS]),
               &h.sections[MLC_ARTEFACT_IMPORTS], 3 * sizeof(MlcArtefactSection));
        rehash(copy, f->artefact.size);
        load_status(copy, f->artefact.size, &error);
    }
    free(copy);
}

// perf's file has a line for each function, where it is and how long; a damaged table is no reason
// to write anywhere else.
static void
perf_map(void **state)
{
    Fixture *f = *state;
    MlcRtError error;
    MlcModelOptions options = {MLC_SIZED(MlcModelOptions), .perf_map = true};
    char path[64], line[512];
    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    unlink(path);
    MlcModel *model = mlc_model_load_memory(f->artefact.data, f->artefact.size, &options, &error);
    assert_non_null(model);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t lines = 0, mains = 0;
    unsigned long long last_end = 0;
    while (fgets(line, sizeof line, file)) {
        unsigned long long begin, size;
        char name[256];
        assert_int_equal(sscanf(line, "%llx %llx %255s", &begin, &size, name), 3);
        assert_true(begin >= last_end && size > 0);
        last_end = begin + size;
        mains += strcmp(name, "@" MLC_RT_SYMBOL_MAIN) == 0;
        lines++;
    }
    assert_true(lines >= 1);
    assert_int_equal(mains, 1);
    fclose(file);
    mlc_model_destroy(model);

    MlcArtefactHeader h;
    memcpy(&h, f->artefact.data, sizeof h);
    char *copy = malloc(f->artefact.size);
    memcpy(copy, f->artefact.data, f->artefact.size);
    uint64_t beyond = h.sections[MLC_ARTEFACT_TEXT].size + 1;
    memcpy(copy + h.sections[MLC_ARTEFACT_SYMBOLS].offset + offsetof(MlcArtefactSymbol, size),
           &beyond, sizeof beyond);
    rehash(copy, f->artefact.size);
    assert_null(mlc_model_load_memory(copy, f->artefact.size, &options, &error));
    assert_int_equal(error.status, MLC_RT_CORRUPT);
    assert_non_null(strstr(error.message, "(table of symbols)"));
    free(copy);
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_null(mlc_model_load_memory(f->artefact.data, f->artefact.size, &options, &error));
    assert_int_equal(error.status, MLC_RT_FILE);
    assert_non_null(strstr(error.message, "cannot write '/tmp/perf-"));
    rmdir(path);
}

static void
damaged_objects(void **state)
{
    Fixture *f = *state;
    char *copy = malloc(f->object.size);
    srand(2);
    for (int round = 0; round < 3000; round++) {
        memcpy(copy, f->object.data, f->object.size);
        for (int i = 0; i < 1 + round % 3; i++)
            copy[(size_t)rand() % f->object.size] = (char)rand();
        MlcImage image;
        MlcBuf error = {0};
        MlcStr object = {copy, round % 5 == 0 ? (size_t)rand() % f->object.size : f->object.size};
        if (mlc_image_link(&image, &object, 1, &error))
            mlc_image_release(&image);
        else
            assert_true(error.size > 0);
        mlc_buf_release(&error);
    }
    free(copy);
}

static void
same_symbol_twice(void **state)
{
    Fixture *f = *state;
    MlcStr object = {f->object.data, f->object.size}, objects[] = {object, object};
    MlcImage image;
    MlcBuf error = {0};
    assert_false(mlc_image_link(&image, objects, 2, &error));
    assert_non_null(strstr(mlc_buf_c_str(&error), "is defined twice"));
    mlc_buf_release(&error);
}

static void
link_error(const char *path, MlcBuf *error)
{
    MlcFile file;
    assert_true(mlc_file_open(&file, path, MLC_FILE_READ_ONLY, error));
    MlcStr object = {file.data, file.size};
    MlcImage image;
    assert_false(mlc_image_link(&image, &object, 1, error));
    mlc_file_release(&file);
}

static void
refused_code(void **state)
{
    (void)state;
    MlcBuf error = {0};
    link_error(UNDEFINED_OBJECT, &error);
    assert_non_null(strstr(mlc_buf_c_str(&error),
                           "(code may call what it defines and the runtime's imports only)"));
    assert_non_null(strstr(mlc_buf_c_str(&error), "'not_there'"));
    assert_non_null(strstr(mlc_buf_c_str(&error), "'nor_this'"));
    mlc_buf_clear(&error);
    link_error(VARIABLE_OBJECT, &error);
    assert_non_null(strstr(mlc_buf_c_str(&error), " bytes): compiled code must be re-entrant"));
    mlc_buf_release(&error);
}

// ---- what is said

static void
assert_says(const MlcRtError *error, const char *message)
{
    if (!strstr(error->message, message))
        fail_msg("expected '%s' in '%s'", message, error->message);
}

// The artefact with `size` bytes at `at` changed, and hashes that are right again.
static void
assert_patched(const MlcBuf *artefact, size_t at, const void *bytes, size_t size,
               const char *message)
{
    MlcRtError error = {0};
    char *copy = malloc(artefact->size);
    memcpy(copy, artefact->data, artefact->size);
    memcpy(copy + at, bytes, size);
    rehash(copy, artefact->size);
    load_status(copy, artefact->size, &error); // where it loads, nothing is said
    assert_says(&error, message);
    free(copy);
}

static void
assert_patched_u32(const MlcBuf *artefact, size_t at, uint32_t value, const char *message)
{
    assert_patched(artefact, at, &value, sizeof value, message);
}

static void
assert_patched_u64(const MlcBuf *artefact, size_t at, uint64_t value, const char *message)
{
    assert_patched(artefact, at, &value, sizeof value, message);
}

#define HEADER(field) offsetof(MlcArtefactHeader, field)

static void
damage_is_named(void **state)
{
    Fixture *f = *state;
    MlcBuf *a = &f->artefact;
    MlcArtefactHeader h;
    memcpy(&h, a->data, sizeof h);
    MlcRtError error;
    load_status(a->data, 100, &error);
    assert_says(&error, "is damaged (the file ends inside the header): compile the model again");
    load_status(a->data, a->size - 1, &error);
    assert_says(&error, "): copy it or compile the model again");
    load_status("not a model at all", 18, &error);
    assert_says(&error, "'the model in memory' is not a compiled model: make one with mlc compile");
    assert_patched_u32(a, HEADER(version), 77,
                       "compile the model again with the mlc that belongs to the runtime");
    assert_patched_u32(a, HEADER(page_size), 4097, "(page size)");
    assert_patched_u64(a, HEADER(sections[MLC_ARTEFACT_TENSORS].offset), 3, "(section table)");
    assert_patched_u32(a, HEADER(model_name), UINT32_MAX, "(a name in the header)");
    assert_patched_u64(a, HEADER(scratch_bytes), 1, "(memory plan)");
    assert_patched_u64(a, HEADER(rodata_address), 1, "(layout of the code)");
    assert_patched_u64(a, HEADER(main), UINT64_MAX - 1, "(entry points)");
    assert_patched_u32(a, HEADER(machine), 77,
                       "'the model in memory' was compiled for another kind of processor (x86-64)");
    assert_patched_u32(a, HEADER(num_inputs), 1000, "(table of inputs and outputs)");
    size_t tensors = h.sections[MLC_ARTEFACT_TENSORS].offset;
    size_t dims = h.sections[MLC_ARTEFACT_DIMS].offset;
    assert_patched_u32(a, tensors + offsetof(MlcArtefactTensor, rank), 99,
                       "(table of inputs and outputs)");
    assert_patched_u64(a, dims, (uint64_t)-7, "(table of dimensions)");
    assert_patched_u64(a, dims, UINT64_MAX >> 1, "(a shape is too large)");
    MlcBuf dynamic = {0};
    write_artefact(f, true, "", &dynamic);
    assert_patched_u64(&dynamic, HEADER(shapes), MLC_ARTEFACT_NONE,
                       "(dynamic dimensions without a shape function)");
    mlc_buf_release(&dynamic);
    assert_patched_u32(a, h.sections[MLC_ARTEFACT_KERNELS].offset, UINT32_MAX,
                       "(table of kernels)");
    assert_patched_u32(a, h.sections[MLC_ARTEFACT_IMPORTS].offset, UINT32_MAX,
                       "(table of imports)");
    assert_patched_u32(a, h.sections[MLC_ARTEFACT_IMPORTS].offset, h.model_name,
                       "calls 'test', which this runtime does not offer: compile the model again "
                       "with the mlc that belongs to the runtime");
    char byte = (char)(a->data[h.sections[MLC_ARTEFACT_TEXT].offset] ^ 1);
    char *copy = malloc(a->size);
    memcpy(copy, a->data, a->size);
    copy[h.sections[MLC_ARTEFACT_TEXT].offset] = byte;
    load_status(copy, a->size, &error);
    assert_says(&error, "(its hash differs)");
    memcpy(copy, a->data, a->size);
    copy[h.sections[MLC_ARTEFACT_CONSTANTS].offset] ^= 1;
    load_status(copy, a->size, &error);
    assert_says(&error, "(the hash of its constants differs)");
    memcpy(copy, a->data, a->size);
    copy[h.sections[MLC_ARTEFACT_STRINGS].offset] = 'x';
    rehash(copy, a->size);
    load_status(copy, a->size, &error);
    assert_says(&error, "(string table)");
    free(copy);
}

// 16 TB are more than the address space of the test is let to have.
static void
no_memory(void **state)
{
#if defined(__SANITIZE_ADDRESS__)
    skip(); // the sanitizer's own memory is more than any limit that would do here
#endif
    Fixture *f = *state;
    MlcRtError error;
    uint64_t much = UINT64_C(1) << 44;
    struct rlimit old, limit;
    getrlimit(RLIMIT_AS, &old);
    limit = (struct rlimit){UINT64_C(1) << 43, old.rlim_max};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        skip();
    assert_patched_u64(&f->artefact, HEADER(prepared_bytes), much,
                       "not enough memory for 17592186044416 bytes of prepared constants");
    char *copy = malloc(f->artefact.size);
    memcpy(copy, f->artefact.data, f->artefact.size);
    memcpy(copy + HEADER(arena_bytes), &much, sizeof much);
    rehash(copy, f->artefact.size);
    MlcModel *model = mlc_model_load_memory(copy, f->artefact.size, NULL, &error);
    assert_non_null(model);
    assert_null(mlc_session_create(model, NULL, &error));
    assert_says(&error, "not enough memory for an arena of ");
    mlc_model_destroy(model);
    free(copy);
    setrlimit(RLIMIT_AS, &old);
}

// Begins to count anew, up to the allocation that gets nothing.
static void
fail_at(int number)
{
    allocations = 0;
    failing = number;
    counting = true;
}

// Whatever gets no memory, loading and opening fail with a word, and nothing is left behind.
static void
memory_that_ends(void **state)
{
    Fixture *f = *state;
    MlcRtError error;
    MlcBuf said = {0};
    char path[] = "/tmp/mlc-model-XXXXXX";
    int fd = mkstemp(path);
    unlink(path);
    assert_int_equal(write(fd, f->artefact.data, f->artefact.size), f->artefact.size);
    if (!interposed)
        skip();
    MlcModel *model = NULL;
    for (int i = 1; !model; i++) {
        fail_at(i);
        model = mlc_model_load_file(fd, "m.so", NULL, &error);
        counting = false;
        if (!model)
            mlc_buf_printf(&said, "%s\n", error.message);
    }
    close(fd);
    MlcSessionOptions options = {MLC_SIZED(MlcSessionOptions), .threads = 1, .profile = true};
    MlcSession *session = NULL;
    for (int i = 1; !session; i++) {
        fail_at(i);
        session = mlc_session_create(model, &options, &error);
        counting = false;
        if (!session)
            mlc_buf_printf(&said, "%s\n", error.message);
    }
    static const char *const messages[] = {
        "not enough memory to load 'm.so'",  "no room for the code of 'm.so': ",
        "cannot map the code of 'm.so': ",   "cannot map 'm.so': ",
        "not enough memory for a session\n", "not enough memory for output 'y' (2560 bytes)",
    };
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (!strstr(mlc_buf_c_str(&said), messages[i]))
            fail_msg("not said: %s, but\n%s", messages[i], mlc_buf_c_str(&said));
    mlc_session_destroy(session);
    mlc_model_destroy(model);
    mlc_buf_release(&said);
}

static void
no_files(void **state)
{
    (void)state;
    MlcRtError error;
    assert_null(mlc_model_load("/nowhere/m.so", NULL, &error));
    assert_says(&error, "cannot open '/nowhere/m.so': ");
    assert_null(mlc_model_load("/dev", NULL, &error));
    assert_says(&error, "cannot load '/dev': not a regular file");
    assert_null(mlc_model_load_file(-1, "m.so", NULL, &error));
    assert_says(&error, "cannot load 'm.so': ");
    char path[] = "/tmp/mlc-empty-XXXXXX";
    int fd = mkstemp(path);
    unlink(path);
    assert_null(mlc_model_load_file(fd, "m.so", NULL, &error));
    assert_says(&error, "'m.so' is empty: compile the model again");
    close(fd);
}

// ---- code from elsewhere, which may misbehave

static int32_t
fails_with_5(const MlcRtCall *call)
{
    (void)call;
    return 5;
}

static int32_t
asks_for_less_than_nothing(const MlcRtCall *call)
{
    *(int64_t *)call->scratch = -1;
    return 0;
}

static int32_t
makes_negative_rows(const MlcRtCall *call)
{
    call->output_dims[0][0] = -4;
    *(int64_t *)call->scratch = 0;
    return 0;
}

typedef struct Code {
    int32_t (*main)(const MlcRtCall *call), (*shapes)(const MlcRtCall *call);
} Code;

static void *
resolve(void *user, const char *symbol)
{
    const Code *code = user;
    if (strcmp(symbol, MLC_RT_SYMBOL_MAIN) == 0)
        return __extension__(void *)(uintptr_t) code->main;
    return strcmp(symbol, MLC_RT_SYMBOL_SHAPES) == 0 ? __extension__(void *)(uintptr_t) code->shapes
                                                     : NULL;
}

static void
assert_run_says(const MlcBuf *artefact, Code code, const char *message)
{
    MlcRtError error;
    MlcModelOptions options = {MLC_SIZED(MlcModelOptions), .resolve = resolve, .user = &code};
    MlcModel *model = mlc_model_load_memory(artefact->data, artefact->size, &options, &error);
    if (!model) {
        assert_says(&error, message);
        return;
    }
    MlcSession *s = mlc_session_create(model, NULL, &error);
    assert_non_null(s);
    float x[ROWS * ROW] = {0};
    assert_true(mlc_session_set_input(s, 0, &(MlcRtTensor){MLC_RT_F32, 2, static_dims, x}, &error));
    assert_false(mlc_session_run(s, &error));
    assert_says(&error, message);
    mlc_session_destroy(s);
    mlc_model_destroy(model);
}

// Rows of two outputs whose sizes it finds: of "y" the first ROW floats of each, of "t" columns.
static int64_t found_rows, found_columns;

static int32_t
finds_sizes(const MlcRtCall *call)
{
    float *rows = call->outputs[0], *columns = call->outputs[1];
    for (int i = 0; i < 6; i++)
        rows[i] = columns[i] = (float)i;
    call->output_dims[0][0] = found_rows;
    call->output_dims[1][1] = found_columns;
    return 0;
}

static MlcModel *
load_with_found_sizes(Fixture *f, const MlcModelOptions *options, MlcBuf *out)
{
    static const int64_t rows[] = {-1, 2}, columns[] = {2, -1}, most_rows[] = {3, 2},
                         most_columns[] = {2, 3};
    MlcRtTensorInfo outputs[] = {
        {"y", MLC_RT_F32, 2, rows, batch, most_rows},
        {"t", MLC_RT_F32, 2, columns, batch, most_columns},
    };
    MlcArtefactSpec spec = {.name = "found",
                            .isa = "x86-64",
                            .features = "",
                            .outputs = outputs,
                            .num_outputs = 2,
                            .image = &f->image};
    MlcBuf reason = {0};
    MlcRtError error;
    assert_true(mlc_artefact_write_buf(&spec, out, &reason));
    MlcModel *model = mlc_model_load_memory(out->data, out->size, options, &error);
    assert_non_null(model);
    return model;
}

// Sizes that the code finds are those of the outputs, whose rows stand together then; the next run
// has as much place again.
static void
found_sizes(void **state)
{
    static const struct {
        int64_t rows, columns;
        float second[3]; // row of "t"
    } runs[] = {{2, 2, {3, 4, 0}}, {3, 3, {3, 4, 5}}, {0, 1, {3, 0, 0}}, {1, 0, {0}}};
    MlcRtError error;
    MlcBuf artefact = {0};
    Code code = {finds_sizes, NULL};
    MlcModelOptions options = {MLC_SIZED(MlcModelOptions), .resolve = resolve, .user = &code};
    MlcModel *model = load_with_found_sizes(*state, &options, &artefact);
    assert_int_equal(mlc_model_output(model, 1)->dims[1], -1);
    assert_int_equal(mlc_model_output(model, 1)->bounds[1], 3);
    assert_int_equal(mlc_model_output(model, 1)->bounds[0], 2);
    MlcSession *s = mlc_session_create(model, NULL, &error);
    assert_non_null(s);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        found_rows = runs[i].rows;
        found_columns = runs[i].columns;
        assert_true(mlc_session_run(s, &error));
        const MlcRtTensor *y = mlc_session_output(s, 0), *t = mlc_session_output(s, 1);
        assert_int_equal(y->dims[0], found_rows);
        assert_int_equal(y->dims[1], 2);
        assert_int_equal(t->dims[1], found_columns);
        assert_memory_equal((float *)t->data + found_columns, runs[i].second,
                            (size_t)found_columns * sizeof(float));
    }
    float small[5], enough[6];
    assert_false(mlc_session_set_output(s, 1, small, sizeof small, &error));
    assert_string_equal(error.message, "output 't' has 24 bytes, but the memory given has 20");
    assert_true(mlc_session_set_output(s, 1, enough, sizeof enough, &error));
    static const int64_t wrong[] = {4, -1};
    for (int i = 0; i < 2; i++) {
        found_rows = wrong[i];
        assert_false(mlc_session_run(s, &error));
        assert_string_equal(error.message, i == 0
                                               ? "size 0 of output 'y' is 4, not within 0 and 3"
                                               : "size 0 of output 'y' is -1, not within 0 and 3");
    }
    mlc_session_destroy(s);
    mlc_model_destroy(model);
    mlc_buf_release(&artefact);
}

static void
code_that_fails(void **state)
{
    Fixture *f = *state;
    MlcBuf dynamic = {0};
    write_artefact(f, true, "", &dynamic);
    assert_run_says(&f->artefact, (Code){0},
                    "the code given for 'the model in memory' has no 'mlc_main'");
    assert_run_says(&f->artefact, (Code){fails_with_5, NULL}, "the model failed with code 5");
    assert_run_says(&dynamic, (Code){fails_with_5, NULL},
                    "the model has dynamic dimensions, but no shape function");
    assert_run_says(&dynamic, (Code){fails_with_5, fails_with_5}, "the model failed with code 5");
    assert_run_says(&dynamic, (Code){fails_with_5, asks_for_less_than_nothing},
                    "the shape function asks for -1 bytes");
    assert_run_says(&dynamic, (Code){fails_with_5, makes_negative_rows},
                    "the shape of output 'y' is negative or too large");
    mlc_buf_release(&dynamic);
}

static void
wrong_arguments(void **state)
{
    Fixture *f = *state;
    MlcRtError error;
    MlcModel *model = load(&f->artefact);
    _Alignas(64) static char memory[256];
    MlcSessionOptions small = {MLC_SIZED(MlcSessionOptions), .memory = memory,
                               .memory_bytes = sizeof memory};
    assert_null(mlc_session_create(model, &small, &error));
    assert_says(&error, "the arena given has 256 bytes, but ");
    assert_says(&error, " are needed (mlc_session_memory_bytes)");
    MlcSessionOptions crooked = {MLC_SIZED(MlcSessionOptions), .memory = memory + 4,
                                 .memory_bytes = sizeof memory - 4};
    assert_null(mlc_session_create(model, &crooked, &error));
    assert_says(&error, "the arena given is not aligned to 64 bytes");
    MlcSession *s = mlc_session_create(model, NULL, &error);
    float x[ROWS * ROW + 1] = {0};
    MlcRtTensor t = {MLC_RT_F32, 2, NULL, x};
    assert_false(mlc_session_set_input(s, 0, &t, &error));
    assert_says(&error, "no shape given for input 'x'");
    t = (MlcRtTensor){MLC_RT_F32, 2, static_dims, NULL};
    assert_false(mlc_session_set_input(s, 0, &t, &error));
    assert_says(&error, "no data given for input 'x'");
    t.data = (char *)x + 1;
    assert_false(mlc_session_set_input(s, 0, &t, &error));
    assert_says(&error, "the data of input 'x' is not aligned to its elements of 4 bytes");
    assert_false(mlc_session_set_output(s, 7, x, sizeof x, &error));
    assert_says(&error, "no output 7: the model has 2");
    assert_false(mlc_session_set_output(s, 0, (char *)x + 1, 8, &error));
    assert_says(&error, "the memory for output 'y' is not aligned to its elements");
    assert_false(mlc_session_set_output(s, 0, x, 8, &error));
    assert_says(&error, "output 'y' has 2560 bytes, but the memory given has 8");
    mlc_session_destroy(s);
    mlc_model_destroy(model);
    MlcBuf dynamic = {0};
    write_artefact(f, true, "", &dynamic);
    model = load(&dynamic);
    s = mlc_session_create(model, NULL, &error);
    int64_t dims[] = {INT64_MAX / 8, ROW};
    assert_false(mlc_session_set_input(s, 0, &(MlcRtTensor){MLC_RT_F32, 2, dims, x}, &error));
    assert_says(&error, "the shape of input 'x' is too large");
    mlc_session_destroy(s);
    mlc_model_destroy(model);
    mlc_buf_release(&dynamic);
}

// Two dimensions of one input that have one name.
static void
names_of_dimensions(void **state)
{
    Fixture *f = *state;
    MlcRtError error;
    MlcBuf artefact = {0};
    MlcArtefactHeader h;
    write_artefact(f, true, "", &artefact);
    memcpy(&h, artefact.data, sizeof h);
    char *dims = artefact.data + h.sections[MLC_ARTEFACT_DIMS].offset;
    memcpy(dims + sizeof(MlcArtefactDim), dims, sizeof(MlcArtefactDim));
    rehash(artefact.data, artefact.size);
    MlcModel *model = load(&artefact);
    MlcSession *s = mlc_session_create(model, NULL, &error);
    float x[12] = {0};
    int64_t sizes[] = {3, 4};
    assert_true(mlc_session_set_input(s, 0, &(MlcRtTensor){MLC_RT_F32, 2, sizes, x}, &error));
    assert_false(mlc_session_run(s, &error));
    assert_says(&error, "dimension 'batch' is 3 in input 'x' and 4 in input 'x'");
    mlc_session_destroy(s);
    mlc_model_destroy(model);
    mlc_buf_release(&artefact);
}

static MlcSession *running;
static MlcRtError from_inside;

static int32_t
runs_again(const MlcRtCall *call)
{
    (void)call;
    return mlc_session_run(running, &from_inside) ? 1 : 0;
}

static void
one_run_at_a_time(void **state)
{
    Fixture *f = *state;
    MlcRtError error;
    Code code = {runs_again, NULL};
    MlcModelOptions options = {MLC_SIZED(MlcModelOptions), .resolve = resolve, .user = &code};
    MlcModel *model = mlc_model_load_memory(f->artefact.data, f->artefact.size, &options, &error);
    assert_non_null(model);
    running = mlc_session_create(model, NULL, &error);
    float x[ROWS * ROW] = {0};
    MlcRtTensor t = {MLC_RT_F32, 2, static_dims, x};
    assert_true(mlc_session_set_input(running, 0, &t, &error));
    assert_true(mlc_session_run(running, &error));
    assert_says(&from_inside, "the session runs in another thread: use one session per thread");
    mlc_session_destroy(running);
    mlc_model_destroy(model);
}

// ---- objects

static void
assert_object_says(const Fixture *f, size_t at, const void *bytes, size_t size, const char *message)
{
    char *copy = malloc(f->object.size);
    memcpy(copy, f->object.data, f->object.size);
    memcpy(copy + at, bytes, size);
    MlcStr object = {copy, f->object.size};
    MlcImage image;
    MlcBuf error = {0};
    assert_false(mlc_image_link(&image, &object, 1, &error));
    if (!strstr(mlc_buf_c_str(&error), message))
        fail_msg("expected '%s' in '%s'", message, mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    free(copy);
}

static void
faults_of_objects(void **state)
{
    Fixture *f = *state;
    MlcBuf error = {0};
    MlcImage image;
    assert_false(mlc_image_link(&image, NULL, 0, &error));
    assert_string_equal(mlc_buf_c_str(&error), "there are no objects");
    mlc_buf_release(&error);
    uint16_t number = 77;
    uint64_t wild = UINT64_MAX / 2, three = 3;
    Elf64_Ehdr h;
    memcpy(&h, f->object.data, sizeof h);
    assert_object_says(f, offsetof(Elf64_Ehdr, e_type), &number, 2,
                       "object 0 is malformed: no relocatable little-endian ELF64 file");
    assert_object_says(f, offsetof(Elf64_Ehdr, e_machine), &number, 2,
                       "object 0 is for machine 77: there is no linker for it");
    assert_object_says(f, offsetof(Elf64_Ehdr, e_shoff), &wild, 8, "section header table");
    size_t at = h.e_shoff + sizeof(Elf64_Shdr); // the first section that is one
    assert_object_says(f, at + offsetof(Elf64_Shdr, sh_size), &wild, 8,
                       "a section lies outside the file");
    assert_object_says(f, at + offsetof(Elf64_Shdr, sh_addralign), &three, 8,
                       "alignment of a section");
    for (size_t i = 1; i < h.e_shnum; i++) {
        Elf64_Shdr s;
        memcpy(&s, f->object.data + h.e_shoff + i * sizeof s, sizeof s);
        if (s.sh_type != SHT_RELA || s.sh_size == 0)
            continue;
        Elf64_Shdr target;
        memcpy(&target, f->object.data + h.e_shoff + s.sh_info * sizeof s, sizeof target);
        if (!(target.sh_flags & SHF_EXECINSTR))
            continue;
        assert_object_says(f, s.sh_offset + offsetof(Elf64_Rela, r_offset), &wild, 8,
                           "a relocation lies outside its section");
        Elf64_Rela r;
        memcpy(&r, f->object.data + s.sh_offset, sizeof r);
        uint64_t info =
            ELF64_R_INFO(ELF64_R_SYM(r.r_info), 1); // absolute, or none of its machine's
        assert_object_says(f, s.sh_offset + offsetof(Elf64_Rela, r_info), &info, 8,
                           "' is not position-independent");
        info = ELF64_R_INFO(0, ELF64_R_TYPE(r.r_info));
        assert_object_says(f, s.sh_offset + offsetof(Elf64_Rela, r_info), &info, 8,
                           "a relocation against nothing");
        return;
    }
    fail_msg("the code has no relocations");
}

static void
artefacts_that_cannot_be(void **state)
{
    Fixture *f = *state;
    const int64_t dims[] = {ROWS, ROW};
    const char *const names[] = {"", ""};
    MlcRtTensorInfo inputs[] = {{"x", MLC_RT_F32, 99, dims, names, NULL}};
    MlcArtefactSpec spec = {.name = "test",
                            .isa = "x86-64",
                            .features = "",
                            .inputs = inputs,
                            .num_inputs = 1,
                            .image = &f->image};
    MlcBuf out = {0}, error = {0};
    assert_false(mlc_artefact_write_buf(&spec, &out, &error));
    assert_non_null(strstr(mlc_buf_c_str(&error), "an artefact holds known types up to rank "));
    mlc_buf_release(&out);
    mlc_buf_release(&error);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_and_describes_itself),
        cmocka_unit_test(file_is_the_same),
        cmocka_unit_test(run_allocates_nothing),
        cmocka_unit_test(callers_arena_is_touched_to_the_last_byte),
        cmocka_unit_test(sessions_share_a_model),
        cmocka_unit_test(dynamic_rows),
        cmocka_unit_test(found_sizes),
        cmocka_unit_test(wrong_inputs),
        cmocka_unit_test(other_processors_and_versions),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(damaged_objects),
        cmocka_unit_test(perf_map),
        cmocka_unit_test(same_symbol_twice),
        cmocka_unit_test(refused_code),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(memory_that_ends),
        cmocka_unit_test(no_files),
        cmocka_unit_test(code_that_fails),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(values_that_are_no_tensors),
        cmocka_unit_test(names_of_dimensions),
        cmocka_unit_test(one_run_at_a_time),
        cmocka_unit_test(faults_of_objects),
        cmocka_unit_test(artefacts_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
