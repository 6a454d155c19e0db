// artefact_inputs.c -- ARTEFACT FIRST COUNT: runs a compiled model on inputs that are made up:
// sizes of its open dimensions, equal names mostly of one size, and numbers of all kinds, among
// them what breaks arithmetic and lies outside of what is indexed. Set n of an artefact is the same
// in every run.
//
// Each run gives numbers, or an error with a message. Behind each input lies a page that cannot be
// read, so that a read beyond its end is seen in code that no sanitizer instruments. One in AGAIN
// sets runs again in a session of its own and must end the same: nothing hangs on what ran before,
// or on memory that nobody wrote. MLC_FUZZ_SECONDS=n: a set that takes more of the processor ends
// the process. The number of the set in flight stands in "in-flight" in the current folder.
#include "random.h"

#include "mlc/runtime.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum { MAX_INPUTS = 32, MAX_RANK = 64, MAX_ELEMENTS = 1 << 16, PAGE = 4096, AGAIN = 8 };

static uint64_t state;

static size_t likely_told; // of 4 sizes: how many are those that the dimensions had

static size_t
random_below(size_t limit)
{
    return fuzz_random_below(&state, limit);
}

#define PICK(array) ((array)[random_below(sizeof(array) / sizeof *(array))])

// ---- inputs

typedef struct Input {
    const MlcRtTensorInfo *info;
    int64_t dims[MAX_RANK];
    size_t count; // of elements
    uint8_t *pages;
    size_t num_bytes; // of the pages, the one behind included
    MlcRtTensor tensor;
} Input;

// "x_0_d16" and "d16" are names of a dimension that was 16. -1: another name.
static int64_t
told_size(const char *name)
{
    const char *told = strrchr(name, 'd');
    char *end = NULL;
    long long size = told && told[1] ? strtoll(told + 1, &end, 10) : -1;
    return end && !*end ? size : -1;
}

static int64_t
random_size(const char *name, int64_t limit)
{
    int64_t told = told_size(name);
    if (told >= 0 && told <= limit && random_below(4) < likely_told)
        return told;
    static const int64_t sizes[] = {0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 16, 17, 33, 64, 257};
    int64_t size = random_below(200) ? PICK(sizes) : 5000;
    return size < limit ? size : limit;
}

// That of the first dimension of this name, but for one in 40.
static int64_t
size_of(const Input *inputs, int32_t input, int32_t dim, int64_t limit)
{
    const char *name = inputs[input].info->dim_names[dim];
    bool is_own = !*name || random_below(40) == 0;
    for (int32_t i = 0; !is_own && i <= input; i++)
        for (int32_t k = 0; k < (i < input ? inputs[i].info->rank : dim); k++)
            if (inputs[i].info->dims[k] < 0 && !strcmp(inputs[i].info->dim_names[k], name))
                return inputs[i].dims[k];
    return random_size(name, limit);
}

static void
choose_sizes(Input *inputs, int32_t count)
{
    static const size_t likely[] = {4, 4, 3, 2, 0};
    bool fits = false;
    likely_told = PICK(likely);
    for (int64_t limit = 5000; !fits; limit /= 2) {
        fits = true;
        for (int32_t i = 0; i < count; i++) {
            inputs[i].count = 1;
            for (int32_t k = 0; k < inputs[i].info->rank; k++) {
                int64_t fixed = inputs[i].info->dims[k];
                inputs[i].dims[k] = fixed < 0 ? size_of(inputs, i, k, limit) : fixed;
                inputs[i].count *= (size_t)inputs[i].dims[k];
            }
            fits &= inputs[i].count <= MAX_ELEMENTS || limit == 0;
        }
    }
}

// ---- numbers, `wild` of 8 of them such as break things

static double
random_float(size_t wild)
{
    static const double telling[] = {
        0,    -0.0,  0.5,          1,      -1,    2,        1e-40,
        1e30, -1e30, 127.5,        256,    32768, -129,     3e9,
        -3e9, 1e300, 2147483648.0, 9.3e18, NAN,   INFINITY, -INFINITY,
    };
    return random_below(8) < wild ? PICK(telling) : (double)random_below(1 << 20) / (1 << 18) - 1;
}

static int64_t
random_int(size_t wild)
{
    static const int64_t telling[] = {
        -1,         -2,        -3,           -5,        5,         9,
        16,         17,        64,           127,       255,       1024,
        65535,      1 << 20,   INT32_MAX,    INT32_MIN, INT64_MAX, INT64_MIN,
        UINT32_MAX, 1LL << 53, -(1LL << 40), 1LL << 62, 1000000,   100,
    };
    return random_below(8) < wild ? PICK(telling) : (int64_t)random_below(5);
}

static void
put_number(MlcRtType type, uint8_t *at, size_t wild)
{
    double real = random_float(wild);
    float single = (float)real;
    int64_t integer = random_int(wild);
    uint16_t half =
        (uint16_t)(random_below(8) < wild ? random_below(1 << 16) : 0x3800 + random_below(0x400));
    switch (type) {
    case MLC_RT_F64:
        memcpy(at, &real, 8);
        return;
    case MLC_RT_F32:
        memcpy(at, &single, 4);
        return;
    case MLC_RT_F16:
    case MLC_RT_BF16:
        memcpy(at, &half, 2);
        return;
    case MLC_RT_BOOL:
        *at = (uint8_t)random_below(2);
        return;
    case MLC_RT_I4:
    case MLC_RT_U4:
    case MLC_RT_I2:
    case MLC_RT_U2:
    case MLC_RT_F4E2M1FN:
    case MLC_RT_F6E2M3FN:
    case MLC_RT_F6E3M2FN:
        *at = (uint8_t)random_below(2);
        return;
    default:
        memcpy(at, &integer, mlc_rt_type_bytes(type)); // little-endian: the low bytes
    }
}

// Behind the last byte, or at most 15 later, comes the page that cannot be read.
static void
make_data(Input *in)
{
    static const size_t wilds[] = {0, 0, 1, 1, 4, 8};
    size_t width = mlc_rt_type_bytes(in->info->type), bytes = in->count * width;
    size_t readable = (bytes + PAGE) / PAGE * PAGE, wild = PICK(wilds);
    in->num_bytes = readable + PAGE;
    in->pages =
        mmap(NULL, in->num_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (in->pages == MAP_FAILED || mprotect(in->pages + readable, PAGE, PROT_NONE) != 0) {
        perror("pages of an input");
        exit(2);
    }
    uint8_t *data = in->pages + readable - (bytes + 15) / 16 * 16;
    for (size_t i = 0; i < in->count; i++)
        put_number(in->info->type, data + i * width, wild);
    in->tensor = (MlcRtTensor){in->info->type, in->info->rank, in->dims, data};
}

// ---- runs

typedef struct Ending {
    bool is_ok;
    uint64_t hash; // of all outputs, or of the message
} Ending;

static void
hash_bytes(uint64_t *hash, const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001b3); // FNV-1a
}

_Noreturn static void
give_up(long number, const char *what, const char *more)
{
    fprintf(stderr, "set %ld: %s%s\n", number, what, more);
    abort();
}

static Ending
run(MlcSession *session, const MlcModel *model, Input *inputs, int32_t count, long number)
{
    MlcRtError error = {0};
    Ending end = {.is_ok = true, .hash = UINT64_C(0xcbf29ce484222325)};
    for (int32_t i = 0; i < count && end.is_ok; i++)
        end.is_ok = mlc_session_set_input(session, i, &inputs[i].tensor, &error);
    end.is_ok = end.is_ok && mlc_session_run(session, &error);
    if (!end.is_ok && (!error.message[0] || error.status == MLC_RT_OK))
        give_up(number, "failed without a word", "");
    if (!end.is_ok)
        hash_bytes(&end.hash, error.message, strlen(error.message));
    for (int32_t i = 0; end.is_ok && i < mlc_model_num_outputs(model); i++) {
        const MlcRtTensor *t = mlc_session_output(session, i);
        size_t bytes = t->type == MLC_RT_STRING ? 0 : mlc_rt_type_bytes(t->type);
        for (int32_t k = 0; k < t->rank; k++) {
            if (t->dims[k] < 0)
                give_up(number, "an output has a negative size", "");
            bytes *= (size_t)t->dims[k];
        }
        hash_bytes(&end.hash, t->dims, (size_t)t->rank * sizeof *t->dims);
        hash_bytes(&end.hash, t->data, bytes);
    }
    return end;
}

static MlcSession *
new_session(const MlcModel *model)
{
    MlcRtError error;
    MlcSessionOptions options = {MLC_SIZED(MlcSessionOptions), .threads = 2};
    MlcSession *session = mlc_session_create(model, &options, &error);
    if (!session)
        fprintf(stderr, "session: %s\n", error.message);
    return session;
}

static bool
run_set(const MlcModel *model, MlcSession *session, Input *inputs, int32_t count, long number)
{
    state = FUZZ_RANDOM_SEED ^ ((uint64_t)number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    choose_sizes(inputs, count);
    for (int32_t i = 0; i < count; i++)
        make_data(&inputs[i]);
    Ending end = run(session, model, inputs, count, number);
    if (random_below(AGAIN) == 0) {
        MlcSession *other = new_session(model);
        Ending again = other ? run(other, model, inputs, count, number) : end;
        if (again.is_ok != end.is_ok || again.hash != end.hash)
            give_up(number, "another answer in a session of its own", "");
        mlc_session_destroy(other);
    }
    for (int32_t i = 0; i < count; i++)
        munmap(inputs[i].pages, inputs[i].num_bytes);
    return end.is_ok;
}

static bool
find_inputs(const MlcModel *model, Input *inputs)
{
    if (mlc_model_num_inputs(model) > MAX_INPUTS)
        return false;
    for (int32_t i = 0; i < mlc_model_num_inputs(model); i++) {
        inputs[i].info = mlc_model_input(model, i);
        if (inputs[i].info->type == MLC_RT_STRING || inputs[i].info->rank > MAX_RANK)
            return false;
    }
    return true;
}

int
main(int argc, char **argv)
{
    MlcRtError error;
    static Input inputs[MAX_INPUTS];
    const char *seconds = getenv("MLC_FUZZ_SECONDS");
    struct itimerval limit = {.it_value = {.tv_sec = seconds ? atoi(seconds) : 0}};
    MlcModel *model = argc == 4 ? mlc_model_load(argv[1], NULL, &error) : NULL;
    if (!model) {
        fprintf(stderr, "%s\n", argc == 4 ? error.message : "usage: ARTEFACT FIRST COUNT");
        return 2;
    }
    MlcSession *session = find_inputs(model, inputs) ? new_session(model) : NULL;
    long first = atol(argv[2]), count = session ? atol(argv[3]) : 0, num_ok = 0;
    int flight = open("in-flight", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (long number = first; number < first + count; number++) {
        char text[32];
        int length = snprintf(text, sizeof text, "%-20ld\n", number);
        if (pwrite(flight, text, (size_t)length, 0) != length)
            perror("in-flight");
        setitimer(ITIMER_PROF, &limit, NULL);
        num_ok += run_set(model, session, inputs, mlc_model_num_inputs(model), number);
    }
    close(flight);
    mlc_session_destroy(session);
    mlc_model_destroy(model);
    printf("%ld sets, %ld gave numbers\n", count, num_ok);
    return 0;
}
