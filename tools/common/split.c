// split.c -- finds the markers; parts are copied, because the parser wants two NULs behind a text.
#include "split.h"

#include <stdio.h>

enum { TAIL = 2 }; // characters of the marker that a near miss may lack

typedef struct Split {
    MlcStr text, marker;
    const char *path;
} Split;

static unsigned
line_of(const Split *s, const char *at)
{
    unsigned line = 1;
    for (const char *p = s->text.data; p < at; p++)
        line += *p == '\n';
    return line;
}

static void
warn_of_near_miss(const Split *s, const char *at)
{
    const char *start = at, *end = at, *stop = s->text.data + s->text.size;
    while (start > s->text.data && start[-1] != '\n')
        start--;
    while (end < stop && *end != '\n')
        end++;
    fprintf(stderr, "%s:%u:%d: warning: near miss with file split marker\n%.*s\n%*s^\n", s->path,
            line_of(s, at), (int)(at - start) + 1, (int)(end - start), start, (int)(at - start),
            "");
}

// The next marker from `at` on; NULL: none.
static const char *
find_marker(const Split *s, const char *at)
{
    const char *end = s->text.data + s->text.size;
    size_t head = s->marker.size > TAIL ? s->marker.size - TAIL : s->marker.size;
    for (; (at = memmem(at, (size_t)(end - at), s->marker.data, head)); at += head) {
        size_t left = (size_t)(end - at);
        bool whole = left >= s->marker.size && memcmp(at, s->marker.data, s->marker.size) == 0;
        if (whole && (left == s->marker.size || at[s->marker.size] != '-'))
            return at;
        warn_of_near_miss(s, at);
    }
    return NULL;
}

static bool
process_part(const Split *s, const char *at, const char *end, SplitFn fn, void *user, MlcBuf *out)
{
    MlcBuf part = {0}, name = {0};
    mlc_buf_append(&part, at, (size_t)(end - at));
    mlc_buf_append(&part, "\0", 2);
    mlc_buf_printf(&name, "within split at %s:%u offset ", s->path, line_of(s, at));
    bool ok = fn(mlc_str_n(part.data, part.size - 2), mlc_str(mlc_buf_c_str(&name)), user, out);
    mlc_buf_release(&part);
    mlc_buf_release(&name);
    return ok;
}

bool
split_and_process(MlcStr text, const char *path, MlcStr marker, MlcStr output_marker, SplitFn fn,
                  void *user, MlcBuf *out)
{
    Split s = {text, marker, path};
    bool ok = true;
    for (const char *at = text.data; at;) {
        const char *found = find_marker(&s, at);
        if (at != text.data && output_marker.size > 0)
            mlc_buf_printf(out, "%.*s\n", MLC_STR_FMT(output_marker));
        ok &= process_part(&s, at, found ? found : text.data + text.size, fn, user, out);
        at = found ? found + marker.size : NULL;
    }
    return ok;
}
