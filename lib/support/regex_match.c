// regex_match.c -- runs a regular expression's program on a text (regex.h).
//
// All states that the program may be in after a character are kept side by side, each once, so a
// text of n characters takes n times the program's size at most. (Thompson, CACM 1968.) Programs
// may come from files: nothing in them is believed. libc alone: the runtime has this file.
#include "mlc/support/regex.h"

#include <stdlib.h>

#define NO_CHARACTER UINT32_MAX

enum { MAX_INSTRUCTIONS = 1 << 20 };

bool
mlc_utf8_next(const char **at, const char *end, uint32_t *character)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)*at;
    unsigned more = p[0] < 0x80 ? 0 : p[0] < 0xc2 ? 4 : p[0] < 0xe0 ? 1 : p[0] < 0xf0 ? 2 : 3;
    uint32_t code = more == 0 ? p[0] : p[0] & (0x3fu >> more);
    bool ok = p[0] < 0xf5 && more < 4 && (size_t)(end - *at) > more;
    for (unsigned i = 1; ok && i <= more; i++) {
        ok = (p[i] & 0xc0) == 0x80;
        code = code << 6 | (p[i] & 0x3f);
    }
    ok = ok && code >= least[more] && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000);
    *at += ok ? more + 1 : 1;
    *character = ok ? code : NO_CHARACTER - 1;
    return ok;
}

typedef struct Machine {
    const char *instructions, *ranges; // may be unaligned
    MlcRegexHeader header;
    uint32_t *now, *next, *stack; // states
    uint32_t num_now, num_next;
    uint32_t *seen; // per state: the step that put it into `next`, from 1
    uint32_t step;
    uint32_t before, ahead; // characters around the place; NO_CHARACTER at the ends
    bool matches;           // at the text's end
} Machine;

static MlcRegexInstruction
instruction(const Machine *m, uint32_t state)
{
    MlcRegexInstruction i;
    memcpy(&i, m->instructions + (size_t)state * sizeof i, sizeof i);
    return i;
}

static bool
is_word(uint32_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

static bool
holds(const Machine *m, int32_t assertion)
{
    switch (assertion) {
    case MLC_REGEX_TEXT_START:
        return m->before == NO_CHARACTER;
    case MLC_REGEX_TEXT_END:
        return m->ahead == NO_CHARACTER;
    case MLC_REGEX_LINE_START:
        return m->before == NO_CHARACTER || m->before == '\n';
    case MLC_REGEX_LINE_END:
        return m->ahead == NO_CHARACTER || m->ahead == '\n';
    case MLC_REGEX_WORD_EDGE:
        return is_word(m->before) != is_word(m->ahead);
    case MLC_REGEX_NO_WORD_EDGE:
        return is_word(m->before) == is_word(m->ahead);
    default:
        return false;
    }
}

static void
push(Machine *m, uint32_t *depth, uint32_t state, int32_t offset)
{
    int64_t target = (int64_t)state + offset;
    if (target < 0 || target >= m->header.num_instructions || m->seen[target] == m->step)
        return;
    m->seen[target] = m->step;
    m->stack[(*depth)++] = (uint32_t)target;
}

// The states that wait for a character, from one that was reached at this place. Each is put on the
// stack once in a step.
static void
reach(Machine *m, uint32_t state, int32_t offset)
{
    uint32_t depth = 0;
    push(m, &depth, state, offset);
    while (depth > 0) {
        uint32_t at = m->stack[--depth];
        MlcRegexInstruction i = instruction(m, at);
        switch (i.op) {
        case MLC_REGEX_END:
            m->matches |= m->ahead == NO_CHARACTER;
            break;
        case MLC_REGEX_SPLIT:
            push(m, &depth, at, i.b);
            push(m, &depth, at, i.a);
            break;
        case MLC_REGEX_JUMP:
            push(m, &depth, at, i.a);
            break;
        case MLC_REGEX_ASSERT:
            if (holds(m, i.a))
                push(m, &depth, at, 1);
            break;
        case MLC_REGEX_CHARS:
            m->next[m->num_next++] = at;
            break;
        default:
            break;
        }
    }
}

// Ranges are in order: halves until one is left.
static bool
takes(const Machine *m, MlcRegexInstruction i, uint32_t character)
{
    int64_t low = i.a, high = (int64_t)i.a + i.b;
    if (low < 0 || i.b < 0 || high > m->header.num_ranges)
        return false;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        MlcRegexRange range;
        memcpy(&range, m->ranges + (size_t)middle * sizeof range, sizeof range);
        if (character > range.last)
            low = middle + 1;
        else if (character < range.first)
            high = middle;
        else
            return true;
    }
    return false;
}

static uint32_t
look_ahead(const char **at, const char *end)
{
    uint32_t character = NO_CHARACTER;
    if (*at < end)
        (void)mlc_utf8_next(at, end, &character);
    return character;
}

static void
run(Machine *m, MlcStr text)
{
    const char *at = text.data, *end = text.data + text.size;
    m->before = NO_CHARACTER;
    m->ahead = look_ahead(&at, end);
    m->step = 1;
    reach(m, 0, 0);
    while (m->ahead != NO_CHARACTER && m->num_next > 0) {
        uint32_t character = m->ahead, *was = m->now;
        m->now = m->next;
        m->num_now = m->num_next;
        m->next = was;
        m->num_next = 0;
        m->step++;
        m->before = character;
        m->ahead = look_ahead(&at, end);
        for (uint32_t k = 0; k < m->num_now; k++)
            if (takes(m, instruction(m, m->now[k]), character))
                reach(m, m->now[k], 1);
    }
}

MlcRegexResult
mlc_regex_match(MlcStr program, MlcStr text)
{
    Machine m = {.matches = false};
    if (program.size < sizeof m.header)
        return MLC_REGEX_FAILED;
    memcpy(&m.header, program.data, sizeof m.header);
    size_t n = m.header.num_instructions;
    if (n == 0 || n > MAX_INSTRUCTIONS || text.size >= UINT32_MAX - 2 ||
        program.size != sizeof m.header + n * sizeof(MlcRegexInstruction) +
                            (size_t)m.header.num_ranges * sizeof(MlcRegexRange))
        return MLC_REGEX_FAILED;
    m.instructions = program.data + sizeof m.header;
    m.ranges = m.instructions + n * sizeof(MlcRegexInstruction);
    uint32_t *memory = calloc(4 * n, sizeof *memory);
    if (!memory)
        return MLC_REGEX_FAILED;
    m.now = memory;
    m.next = memory + n;
    m.stack = memory + 2 * n;
    m.seen = memory + 3 * n;
    run(&m, text);
    free(memory);
    return m.matches ? MLC_REGEX_MATCHES : MLC_REGEX_DIFFERS;
}
