// standalone.c -- [FIRST:]RUNS FILE|FOLDER...: runs a libFuzzer target without libFuzzer, so that
// every build has a short fuzzing run.
//
// Each seed file, or each part of one that "// -----" cuts, is given as it is (from FIRST 0, the
// default), then RUNS mutants: cut and mutated (bytes flipped, overwritten, inserted, removed,
// copied from another seed, or by the target's own mutators). Mutant n of the same seeds is the
// same in every run and on every machine. While an input is in flight it is kept in
// standalone-crash-PID in the current folder, its number in standalone-crash-PID.number (-1: a
// seed); both are removed at the end. MLC_FUZZ_SECONDS=n: an input that takes more of
// the processor is a crash. Real fuzzing: scripts/fuzz.sh; counted: scripts/mutants.py.
#include "random.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    MAX_SEEDS = 1 << 14,
    MAX_SEED_BYTES = 200000,
    MAX_INPUT_BYTES = 2 * MAX_SEED_BYTES,
    MAX_MUTATIONS = 6
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                                                     unsigned seed);
__attribute__((weak)) size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
                                                       const uint8_t *data2, size_t size2,
                                                       uint8_t *out, size_t max_out, unsigned seed);

static struct {
    uint8_t *data;
    size_t size;
} seeds[MAX_SEEDS];
static size_t num_seeds;
static uint64_t state;

static size_t
random_below(size_t limit)
{
    return fuzz_random_below(&state, limit);
}

static void
add_seed(const uint8_t *data, size_t size)
{
    if (num_seeds == MAX_SEEDS || size == 0)
        return;
    seeds[num_seeds].data = memcpy(malloc(size), data, size);
    seeds[num_seeds++].size = size;
}

static void
add_file(const char *path)
{
    static const char cut[] = "\n// -----";
    FILE *file = fopen(path, "rb");
    if (!file)
        return;
    uint8_t *data = malloc(MAX_SEED_BYTES);
    size_t size = fread(data, 1, MAX_SEED_BYTES, file);
    fclose(file);
    for (const uint8_t *at = data, *end = data + size; at;) {
        const uint8_t *next = memmem(at, (size_t)(end - at), cut, sizeof cut - 1);
        add_seed(at, (size_t)((next ? next : end) - at));
        next = next ? memchr(next + 1, '\n', (size_t)(end - next) - 1) : NULL;
        at = next ? next + 1 : NULL;
    }
    free(data);
}

static void
add_path(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return;
    if (!S_ISDIR(info.st_mode)) {
        add_file(path);
        return;
    }
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char child[4096];
        snprintf(child, sizeof child, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            add_path(child);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

// Makes room for, or takes out, `size` bytes at `at`; returns the new length.
static size_t
make_or_take(uint8_t *data, size_t length, size_t at, size_t size, bool insert)
{
    if (insert && at + size <= length && length + size <= MAX_INPUT_BYTES) {
        memmove(data + at + size, data + at, length - at);
        return length + size;
    }
    if (!insert && at + size <= length) {
        memmove(data + at, data + at + size, length - at - size);
        return length - size;
    }
    return length;
}

static size_t
mutate(uint8_t *data, size_t length)
{
    static const uint8_t telling[] = {0,   1,   0x7f, 0x80, 0xff, '"', '<', '(',
                                      '{', '%', '!',  '#',  '-',  '0', '\n'};
    size_t at = random_below(length ? length : 1),
           size = 1 + random_below(random_below(4) ? 4 : 64);
    switch (random_below(6)) {
    case 0:
        data[at] ^= (uint8_t)(1u << random_below(8));
        return length ? length : 1;
    case 1:
        data[at] = telling[random_below(sizeof telling)];
        return length ? length : 1;
    case 2:
        return make_or_take(data, length, at, size, false);
    case 3: // repeats what is there
        return make_or_take(data, length, at, size, true);
    case 4: { // a piece of another seed
        size_t other = random_below(num_seeds), from = random_below(seeds[other].size);
        size_t count = 1 + random_below(200);
        if (count > seeds[other].size - from || at + count > length)
            return length;
        memcpy(data + at, seeds[other].data + from, count);
        return length;
    }
    default:
        return random_below(8) ? length : at;
    }
}

size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    (void)max_size;
    return mutate(data, size);
}

// Where what is in flight is kept.
static struct {
    char path[64], number_path[80];
    int file, number;
    int seconds; // for one input; 0: no limit
} flight;

static void
flight_begin(void)
{
    const char *seconds = getenv("MLC_FUZZ_SECONDS");
    flight.seconds = seconds ? atoi(seconds) : 0;
    snprintf(flight.path, sizeof flight.path, "standalone-crash-%ld", (long)getpid());
    snprintf(flight.number_path, sizeof flight.number_path, "%s.number", flight.path);
    flight.file = open(flight.path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    flight.number = open(flight.number_path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (flight.file < 0 || flight.number < 0)
        perror("standalone: inputs are not kept");
}

static void
flight_end(void)
{
    if (flight.file >= 0)
        close(flight.file);
    if (flight.number >= 0)
        close(flight.number);
    unlink(flight.path);
    unlink(flight.number_path);
}

static void
keep(const uint8_t *data, size_t size, long number)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%-20ld\n", number);
    if (flight.file >= 0 &&
        (ftruncate(flight.file, 0) != 0 || pwrite(flight.file, data, size, 0) != (ssize_t)size))
        perror("standalone: keeping the input");
    if (flight.number >= 0 && pwrite(flight.number, text, (size_t)length, 0) != length)
        perror("standalone: keeping the input's number");
}

// A copy of its own size, so that ASan sees a read past the end.
static void
give(const uint8_t *data, size_t size, long number)
{
    keep(data, size, number);
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, data, size);
    struct itimerval limit = {.it_value = {.tv_sec = flight.seconds}};
    setitimer(ITIMER_PROF, &limit, NULL); // of the processor: the machine may be busy
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static size_t
make_mutant(uint8_t *data, long number)
{
    state = FUZZ_RANDOM_SEED ^ ((uint64_t)number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    size_t seed = random_below(num_seeds), length = seeds[seed].size;
    memcpy(data, seeds[seed].data, length);
    if (LLVMFuzzerCustomCrossOver && random_below(4) == 0) {
        size_t other = random_below(num_seeds);
        size_t crossed = LLVMFuzzerCustomCrossOver(
            seeds[seed].data, seeds[seed].size, seeds[other].data, seeds[other].size, data,
            MAX_INPUT_BYTES, (unsigned)random_below(UINT32_MAX));
        if (crossed > 0)
            return crossed;
    }
    for (size_t m = 1 + random_below(random_below(2) ? MAX_MUTATIONS : 2); m > 0; --m)
        length = LLVMFuzzerCustomMutator
                     ? LLVMFuzzerCustomMutator(data, length, MAX_INPUT_BYTES,
                                               (unsigned)random_below(UINT32_MAX))
                     : mutate(data, length);
    return length;
}

int
main(int argc, char **argv)
{
    const char *colon = argc > 1 ? strchr(argv[1], ':') : NULL;
    long first = colon ? atol(argv[1]) : 0, runs = argc > 1 ? atol(colon ? colon + 1 : argv[1]) : 0;
    for (int i = 2; i < argc; i++)
        add_path(argv[i]);
    if (num_seeds == 0) {
        fprintf(stderr, "usage: %s [FIRST:]RUNS FILE|FOLDER...\n", argv[0]);
        return 1;
    }
    flight_begin();
    uint8_t *data = malloc(MAX_INPUT_BYTES);
    if (first == 0)
        give(data, 0, -1);
    for (size_t i = 0; i < num_seeds && first == 0; i++)
        give(seeds[i].data, seeds[i].size, -1);
    for (long number = first; number < first + runs; number++)
        give(data, make_mutant(data, number), number);
    flight_end();
    free(data);
    for (size_t i = 0; i < num_seeds; i++)
        free(seeds[i].data);
    printf("%zu seeds and %ld mutations: no crash\n", num_seeds, runs);
    return 0;
}
