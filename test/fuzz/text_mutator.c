// text_mutator.c -- mutations of text by tokens and lines, for targets whose inputs are languages:
// libFuzzer's bytes seldom give a text that still parses, and what verifies and passes do is behind
// that. Half of the time the caller's own mutations are left to do their work.
#include "random.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
                                 size_t size2, uint8_t *out, size_t max_out, unsigned seed);

typedef struct Span {
    size_t at, size;
} Span;

static uint64_t state;

static size_t
random_below(size_t limit)
{
    return fuzz_random_below(&state, limit);
}

static bool
is_word(uint8_t c)
{
    return isalnum(c) || c == '_' || c == '.' || c == '$';
}

// The token that holds byte `at`: a word with its sigil, or one character.
static Span
token_at(const uint8_t *data, size_t size, size_t at)
{
    size_t first = at, last = at + 1;
    if (!is_word(data[at]))
        return (Span){at, 1};
    while (first > 0 && is_word(data[first - 1]))
        first--;
    while (last < size && is_word(data[last]))
        last++;
    if (first > 0 && memchr("%@^!#-", data[first - 1], 6))
        first--;
    return (Span){first, last - first};
}

// Some lines, from one that holds byte `at`.
static Span
lines_at(const uint8_t *data, size_t size, size_t at)
{
    size_t first = at, last = at, count = 1 + random_below(random_below(4) ? 2 : 12);
    while (first > 0 && data[first - 1] != '\n')
        first--;
    while (last < size && count > 0)
        count -= data[last++] == '\n';
    return (Span){first, last - first};
}

// Puts `text` in the place of `old`; the new size, or the old one if it would not fit.
static size_t
replace(uint8_t *data, size_t size, size_t max_size, Span old, const void *text, size_t text_size)
{
    if (size - old.size + text_size > max_size)
        return size;
    memmove(data + old.at + text_size, data + old.at + old.size, size - old.at - old.size);
    memcpy(data + old.at, text, text_size);
    return size - old.size + text_size;
}

static size_t
replace_with_copy(uint8_t *data, size_t size, size_t max_size, Span old, Span other)
{
    uint8_t *copy = malloc(other.size + 1);
    memcpy(copy, data + other.at, other.size);
    size = replace(data, size, max_size, old, copy, other.size);
    free(copy);
    return size;
}

static size_t
replace_with_word(uint8_t *data, size_t size, size_t max_size, Span old)
{
    static const char *const words[] = {
        "0",
        "1",
        "-1",
        "2",
        "64",
        "9223372036854775807",
        "-9223372036854775808",
        "i0",
        "i1",
        "i8",
        "i32",
        "i64",
        "f16",
        "f32",
        "f64",
        "bf16",
        "index",
        "none",
        "?",
        "*",
        "true",
        "unit",
        "dense",
        "{",
        "}",
        "<",
        ">",
        "(",
        ")",
        "[",
        "]",
        ",",
        ":",
        "->",
        "loc(unknown)",
        "tensor<?xf32>",
        "tensor<4x0xi8>",
        "tensor<f32>",
        "tensor<*xf32>",
        "vector<4xf32>",
        "vector<[4]xi32>",
        "memref<?x?xf32>",
        "memref<4x4xf32, strided<[?, 1], offset: ?>>",
        "complex<f32>",
        "tuple<>",
        "0x7FC00000",
        "dense<0> : tensor<2xi32>",
        "dense<\"0x00\">",
        "affine_map<(d0) -> (d0)>",
        "@self",
        "\"\"",
    };
    const char *word = words[random_below(sizeof words / sizeof *words)];
    return replace(data, size, max_size, old, word, strlen(word));
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + FUZZ_RANDOM_SEED;
    if (size == 0 || random_below(2))
        return LLVMFuzzerMutate(data, size, max_size);
    for (size_t n = 1 + random_below(3); n > 0 && size > 0; n--) {
        size_t at = random_below(size), from = random_below(size);
        Span token = token_at(data, size, at), line = lines_at(data, size, at);
        switch (random_below(7)) {
        case 0: // takes out
            size = replace(data, size, max_size, random_below(2) ? token : line, "", 0);
            break;
        case 1: // a token like one elsewhere
        case 2:
            size = replace_with_copy(data, size, max_size, token, token_at(data, size, from));
            break;
        case 3: // lines again, elsewhere
            size = replace_with_copy(data, size, max_size, (Span){line.at, 0},
                                     lines_at(data, size, from));
            break;
        case 4: // a line like another
            size = replace_with_copy(data, size, max_size, line, lines_at(data, size, from));
            break;
        case 5:
            size = replace_with_copy(data, size, max_size, (Span){token.at + token.size, 0}, token);
            break;
        default:
            size = replace_with_word(data, size, max_size, token);
        }
    }
    return size;
}

size_t
LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2,
                          uint8_t *out, size_t max_out, unsigned seed)
{
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + FUZZ_RANDOM_SEED;
    if (size1 == 0 || size2 == 0 || size1 > max_out)
        return 0;
    memcpy(out, data1, size1);
    Span from = lines_at(data2, size2, random_below(size2));
    Span to = lines_at(out, size1, random_below(size1));
    if (random_below(2))
        to.size = 0;
    return replace(out, size1, max_out, to, data2 + from.at, from.size);
}
