// expected.c -- -verify-diagnostics, as mlir-opt does it.
//
// `@below` and `@above` mean the next and the previous line without such a comment, so that several
// can stand together. A diagnostic that nobody expects is a failure, whatever its severity; so is a
// comment that nothing meets.
#include "expected.h"

#include "mlc/support/alloc.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const severity_names[] = {"error", "warning", "remark",
                                             "note"}; // by MlcSeverity

// "name:line:column: error: message", the source line and what it is about, underlined.
static bool MLC_PRINTF(4, 5)
    complain(ExpectedCheck *check, const char *at, size_t size, const char *format, ...)
{
    const char *start = at, *end = at, *first = check->source.data,
               *last = first + check->source.size;
    unsigned line = 1;
    for (const char *p = first; p < at; p++)
        line += *p == '\n';
    while (start > first && start[-1] != '\n')
        start--;
    while (end < last && *end != '\n')
        end++;
    fprintf(stderr, "%.*s:%u:%d: error: ", MLC_STR_FMT(check->name), line, (int)(at - start) + 1);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n%.*s\n%*s^", (int)(end - start), start, (int)(at - start), "");
    for (size_t i = 1; i < size && at + i < end; i++)
        fputc('~', stderr);
    fputc('\n', stderr);
    check->failed = true;
    return false;
}

// What a compiler of patterns takes without end: deep ones by its recursion, repetitions of
// repetitions by writing them out. NULL, or what is wrong.
static const char *
find_excess(MlcStr text)
{
    enum { MAX_NESTING = 200, MAX_REPEATED = 1 << 15 };
    double repeated = 1;
    size_t nesting = 0;
    for (size_t i = 0; i < text.size; i++) {
        nesting += text.data[i] == '(';
        nesting -= text.data[i] == ')' && nesting > 0;
        if (nesting > MAX_NESTING)
            return "invalid regex: nested deeper than 200";
        if (text.data[i] != '{' && text.data[i] != ',')
            continue;
        double count = 0;
        for (; i + 1 < text.size && isdigit((unsigned char)text.data[i + 1]); i++)
            count = 10 * count + (text.data[i + 1] - '0');
        repeated *= count > 1 ? count : 1;
        if (repeated > MAX_REPEATED)
            return "invalid regex: repeats more than 32768 times";
    }
    return NULL;
}

// "{{a+}}" inside the text is a regular expression, the rest is meant as written. NULL, or what is
// wrong.
static const char *
compile_pattern(Expected *e, char fault[256])
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
    const char *wrong =
        inside ? "found start of regex with no end '}}'" : find_excess(mlc_buf_str(&pattern));
    int code = wrong ? 0 : regcomp(&e->pattern, mlc_buf_c_str(&pattern), REG_EXTENDED | REG_NOSUB);
    mlc_buf_release(&pattern);
    if (code == REG_EPAREN)
        return "invalid regex: parentheses not balanced";
    if (code != 0) {
        size_t n = (size_t)snprintf(fault, 256, "invalid regex: ");
        regerror(code, &e->pattern, fault + n, 256 - n);
        return fault;
    }
    return wrong;
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
    return result >= 0 ? result : -3;
}

// A comment that starts behind "expected-"; `found` tells whether it is one at all.
static bool
read_comment(ExpectedCheck *check, const char *at, const char *end, unsigned line, long *place,
             bool *found)
{
    Expected e = {.at = at - strlen("expected-")};
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
        return complain(check, e.at, 1, "malformed expected-... comment");
    e.text = mlc_str_n(at, (size_t)(end - at) - 2);
    char fault[256];
    const char *wrong = e.is_pattern ? compile_pattern(&e, fault) : NULL;
    if (wrong)
        return complain(check, e.at, e.text.size, "%s", wrong);
    e.line = *place > 0 ? (unsigned)*place : 0;
    mlc_vec_push(&check->list, e);
    return true;
}

bool
expected_read(ExpectedCheck *check, MlcContext *ctx, MlcStr name, MlcStr text)
{
    *check = (ExpectedCheck){.ctx = ctx, .name = name, .source = text};
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
    MlcBuf text = {0};
    mlc_buf_printf(&text, "unexpected %s: %.*s", severity_names[diag->severity],
                   MLC_STR_FMT(diag->message));
    MlcDiag unexpected = {
        .severity = MLC_ERROR, .loc = diag->loc, .id = "", .message = mlc_buf_str(&text)};
    mlc_diag_print(check->ctx, &unexpected, stderr);
    mlc_buf_release(&text);
    check->failed = true;
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
        if (!e->is_met)
            complain(check, e->at, e->text.size, "expected %s \"%.*s\" was not produced",
                     severity_names[e->severity], MLC_STR_FMT(e->text));
        if (e->is_pattern)
            regfree(&e->pattern);
    }
    mlc_vec_release(&check->list);
    return !check->failed;
}
