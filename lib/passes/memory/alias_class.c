// alias_class.c -- members of a class are only ever added, mostly in program order: neighbours
// matter at neighbouring places. So unions of 16 of them, of 16 such unions, and so on, say where
// none of many matters.
#include "alias_class.h"

enum { SHIFT = 4, LEVELS = 7 }; // 16 to the power of 8 members

static uint32_t
least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t
most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void
join(AliasSpan *to, const AliasSpan *span)
{
    to->first = least(to->first, span->first);
    to->last = most(to->last, span->last);
    to->first_write = least(to->first_write, span->first_write);
    to->last_write = most(to->last_write, span->last_write);
    to->has_twin |= span->has_twin;
    to->is_writable &= span->is_writable;
}

// Member `i` in the unions above it.
static void
add_above(AliasClass *c, size_t i)
{
    for (size_t level = 0; level < LEVELS; level++) {
        size_t at = i >> (SHIFT * (level + 1));
        AliasSpans *spans = &c->above[level];
        if (at < spans->size)
            join(&spans->data[at], &c->spans.data[i]);
        else
            mlc_vec_push(spans, c->spans.data[i]);
        if (spans->size <= (size_t)1 << SHIFT)
            break; // few enough to look at each
    }
}

// The level `level` of a class that is just getting it has no unions of the members before.
static void
build_above(AliasClass *c)
{
    for (size_t level = 0; level < LEVELS; level++)
        c->above[level].size = 0;
    for (size_t level = 0; level < LEVELS; level++) {
        AliasSpans *spans = &c->above[level];
        for (size_t i = 0; i < c->spans.size; i++) {
            size_t at = i >> (SHIFT * (level + 1));
            if (at < spans->size)
                join(&spans->data[at], &c->spans.data[i]);
            else
                mlc_vec_push(spans, c->spans.data[i]);
        }
        if (spans->size <= (size_t)1 << SHIFT)
            break;
    }
}

void
alias_class_add(AliasClass *c, MlcValue *value, AliasSpan span)
{
    if (c->members.size == 0)
        c->all = span;
    else
        join(&c->all, &span);
    mlc_vec_push(&c->members, value);
    mlc_vec_push(&c->spans, span);
    size_t n = c->spans.size;
    if (n <= (size_t)1 << SHIFT)
        return;
    if (!c->above)
        c->above = mlc_calloc(LEVELS, sizeof *c->above);
    bool grows = false; // one more than a power of 16: there is a level more
    for (size_t level = 1; level <= LEVELS; level++)
        grows |= n == ((size_t)1 << (SHIFT * level)) + 1;
    if (grows)
        build_above(c);
    else
        add_above(c, n - 1);
}

void
alias_class_take(AliasClass *to, AliasClass *from)
{
    for (size_t i = 0; i < from->members.size; i++)
        alias_class_add(to, from->members.data[i], from->spans.data[i]);
    alias_class_release(from);
}

void
alias_class_release(AliasClass *c)
{
    for (size_t level = 0; c->above && level < LEVELS; level++)
        mlc_vec_release(&c->above[level]);
    mlc_free(c->above);
    c->above = NULL;
    mlc_vec_release(&c->members);
    mlc_vec_release(&c->spans);
}

static bool
matters(const AliasSpan *span, AliasWhat what, uint32_t from, uint32_t to)
{
    if (what == ALIAS_READ)
        return to > span->first && from <= span->last;
    if (what == ALIAS_WRITTEN)
        return span->last_write > from && span->first_write <= to;
    return span->has_twin;
}

size_t
alias_class_next(const AliasClass *c, size_t i, AliasWhat what, uint32_t from, uint32_t to)
{
    while (i < c->spans.size && !matters(&c->spans.data[i], what, from, to)) {
        size_t step = 1;
        for (size_t level = 0; c->above && level < LEVELS; level++) {
            size_t width = (size_t)1 << (SHIFT * (level + 1)), at = i >> (SHIFT * (level + 1));
            if (i % width != 0 || at >= c->above[level].size ||
                matters(&c->above[level].data[at], what, from, to))
                break;
            step = width;
        }
        i += step;
    }
    return i < c->spans.size ? i : c->spans.size;
}
