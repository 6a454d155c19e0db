// A model from object file to result: linked, written, loaded, run by several threads, without
// allocation; and what must be refused with a message: damaged files, other versions and
// processors, wrong inputs.
#include "mlc/object.h"
#include "mlc/runtime.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "mlc/support/cpu.h"
#include "mlc/support/file.h"

enum { ROW = 16, ROWS = 40 };

// Counted by every malloc, free and mmap of the process, the runtime library's included.
static volatile bool counting;
static _Atomic int allocations;

#ifdef __SANITIZE_ADDRESS__
static const bool interposed = false; // the sanitizer has malloc and mmap itself
#else
static const bool interposed = true;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

void *
malloc(size_t size)
{
    allocations += counting;
    return __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
    allocations += counting;
    return __libc_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
    allocations += counting;
    return __libc_realloc(old, size);
}

void *
mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    allocations += counting;
    return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
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
    MlcRtTensorInfo inputs[] = {{"x", MLC_RT_F32, 2, dims, batch}};
    MlcRtTensorInfo outputs[] = {{"y", MLC_RT_F32, 2, dims, batch},
                                 {"e", MLC_RT_F32, 1, four, unnamed}};
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
            model, &(MlcSessionOptions){.threads = threads, .profile = true}, &error);
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
    MlcSession *session = mlc_session_create(model, &(MlcSessionOptions){.threads = 2}, &error);
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
    MlcSessionOptions options = {.threads = 1};
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
    MlcSession *session = mlc_session_create(c->model, &(MlcSessionOptions){.threads = 3}, &error);
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
    assert_non_null(strstr(error.message, "this processor lacks warp-drive, mind-reading"));
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
    MlcModelOptions options = {.perf_map = true};
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
    free(copy);
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_null(mlc_model_load_memory(f->artefact.data, f->artefact.size, &options, &error));
    assert_int_equal(error.status, MLC_RT_FILE);
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
    assert_non_null(strstr(mlc_buf_c_str(&error), "undefined: "));
    assert_non_null(strstr(mlc_buf_c_str(&error), "'not_there'"));
    assert_non_null(strstr(mlc_buf_c_str(&error), "'nor_this'"));
    mlc_buf_clear(&error);
    link_error(VARIABLE_OBJECT, &error);
    assert_non_null(strstr(mlc_buf_c_str(&error), "writable data"));
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
        cmocka_unit_test(wrong_inputs),
        cmocka_unit_test(other_processors_and_versions),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(damaged_objects),
        cmocka_unit_test(perf_map),
        cmocka_unit_test(same_symbol_twice),
        cmocka_unit_test(refused_code),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
