// expected.c -- -verify-diagnostics, as mlir-opt does it.
//
// `@below` and `@above` mean the next and the previous line without such a comment, so that several
// can stand together. A diagnostic that nobody expects is a failure, whatever its severity; so is a
// comment that nothing meets.
#include "expected.h"

#include "mlc/support/alloc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const severity_names[] = {"error", "warning", "remark",
                                             "note"}; // by MlcSeverity

static bool
complain(ExpectedCheck *check, unsigned line, const char *what, MlcStr text)
{
    fprintf(stderr, "%.*s:%u: error: %s%s%.*s%s\n", MLC_STR_FMT(check->name), line, what,
            text.size ? " \"" : "", MLC_STR_FMT(text), text.size ? "\"" : "");
    check->failed = true;
    return false;
}

// "{{a+}}" inside the text is a regular expression, the rest is meant as written.
static bool
compile_pattern(Expected *e)
{
    MlcBuf pattern = {0};
    bool inside = false;
    for (size_t i = 0; i < e->text.size; i++) {
        const char *at = e->text.data + i;
        bool twice = i + 1 < e->text.size && at[0] == at[1];
        if (twice && at[0] == (inside ? '}' : '{')) {
            mlc_buf_append_char(&pattern, inside ? ')' : '(');
            inside = !inside;
            i++;
        } else {
            if (!inside && strchr("\\^$.|?*+()[]{}", at[0]))
                mlc_buf_append_char(&pattern, '\\');
            mlc_buf_append_char(&pattern, at[0]);
        }
    }
    bool ok =
        !inside && regcomp(&e->pattern, mlc_buf_c_str(&pattern), REG_EXTENDED | REG_NOSUB) == 0;
    mlc_buf_release(&pattern);
    return ok;
}

static const char *
skip_spaces(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

static bool
take(const char **at, const char *end, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(end - *at) < size || memcmp(*at, word, size) != 0)
        return false;
    *at += size;
    return true;
}

enum { LINE_BELOW = -1, LINE_ABOVE = -2 };

// The place after '@': a line number, or one of the above; -3 if malformed.
static long
read_place(const char **at, const char *end, unsigned line)
{
    if (take(at, end, "unknown"))
        return 0;
    if (take(at, end, "below"))
        return LINE_BELOW;
    if (take(at, end, "above"))
        return LINE_ABOVE;
    if (*at == end || (**at != '+' && **at != '-'))
        return -3;
    bool up = *(*at)++ == '-';
    long offset = 0;
    while (*at < end && isdigit((unsigned char)**at) && offset < 100000)
        offset = offset * 10 + (*(*at)++ - '0');
    long result = (long)line + (up ? -offset : offset);
    return result > 0 ? result : -3;
}

// A comment that starts behind "expected-"; `found` tells whether it is one at all.
static bool
read_comment(ExpectedCheck *check, const char *at, const char *end, unsigned line, long *place,
             bool *found)
{
    Expected e = {.at = line};
    size_t severity = 0;
    while (severity < 4 && !take(&at, end, severity_names[severity]))
        severity++;
    *found = severity < 4;
    if (!*found)
        return true;
    e.severity = (MlcSeverity)severity;
    e.is_pattern = take(&at, end, "-re");
    at = skip_spaces(at, end);
    *place = line;
    if (take(&at, end, "@"))
        *place = read_place(&at, end, line);
    at = skip_spaces(at, end);
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    if (*place == -3 || !take(&at, end, "{{") || end - at < 2 || end[-1] != '}' || end[-2] != '}')
        return complain(check, line, "malformed expected-... comment", mlc_str(""));
    e.text = mlc_str_n(at, (size_t)(end - at) - 2);
    if (e.is_pattern && !compile_pattern(&e))
        return complain(check, line, "malformed regular expression", e.text);
    e.line = *place > 0 ? (unsigned)*place : 0;
    mlc_vec_push(&check->list, e);
    return true;
}

bool
expected_read(ExpectedCheck *check, MlcContext *ctx, MlcStr name, MlcStr text)
{
    *check = (ExpectedCheck){.ctx = ctx, .name = name};
    unsigned line = 0, last_plain = 0;
    size_t first_below = 0; // of the list: those from here with line 0 and place "below" wait for
                            // the next plain line
    MLC_VEC(size_t) below = {0};
    bool ok = true;
    for (const char *at = text.data, *end = text.data + text.size; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        line++;
        bool any = false;
        const char *mark = memmem(at, (size_t)(stop - at), "expected-", 9);
        if (mark) {
            long place = 0;
            size_t count = check->list.size;
            ok &= read_comment(check, mark + 9, stop, line, &place, &any);
            if (check->list.size > count && place == LINE_BELOW)
                mlc_vec_push(&below, count);
            if (check->list.size > count && place == LINE_ABOVE)
                check->list.data[count].line = last_plain;
        }
        if (!any) {
            last_plain = line;
            for (; first_below < below.size; first_below++)
                check->list.data[below.data[first_below]].line = line;
        }
        at = stop + 1;
    }
    mlc_vec_release(&below);
    return ok;
}

static bool
says(const Expected *e, MlcStr message)
{
    if (!e->is_pattern)
        return memmem(message.data, message.size, e->text.data, e->text.size) != NULL;
    MlcBuf copy = {0};
    mlc_buf_append_str(&copy, message);
    bool same = regexec(&e->pattern, mlc_buf_c_str(&copy), 0, NULL, 0) == 0;
    mlc_buf_release(&copy);
    return same;
}

static void
check_one(ExpectedCheck *check, const MlcDiag *diag)
{
    MlcLoc file = diag->loc ? mlc_loc_find_file(diag->loc) : NULL;
    unsigned line = file && mlc_str_equal(mlc_loc_file_name(check->ctx, file), check->name)
                        ? mlc_loc_line(file)
                        : 0;
    for (size_t i = 0; i < check->list.size; i++) {
        Expected *e = &check->list.data[i];
        if (!e->is_met && e->severity == diag->severity && e->line == line &&
            says(e, diag->message)) {
            e->is_met = true;
            return;
        }
    }
    char what[32];
    snprintf(what, sizeof what, "unexpected %s:", severity_names[diag->severity]);
    complain(check, line, what, diag->message);
}

void
expected_handle(const MlcDiag *diag, void *user)
{
    ExpectedCheck *check = user;
    check_one(check, diag);
    for (size_t i = 0; i < diag->num_notes; i++)
        check_one(check, &diag->notes[i]);
}

bool
expected_finish(ExpectedCheck *check)
{
    for (size_t i = 0; i < check->list.size; i++) {
        Expected *e = &check->list.data[i];
        if (!e->is_met) {
            char what[64];
            snprintf(what, sizeof what,
                     "expected %s was not produced:", severity_names[e->severity]);
            complain(check, e->at, what, e->text);
        }
        if (e->is_pattern)
            regfree(&e->pattern);
    }
    mlc_vec_release(&check->list);
    return !check->failed;
}
