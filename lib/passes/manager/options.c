// options.c -- the text of a pass's options ("tile-sizes=4,8 interchange"), read against the table
// in its definition.
//
// Values are separated by blanks; a value may be quoted with " or ' or be in {} to hold blanks.
// Bools may be named alone. Everything is read before a pass runs, so that a wrong option stops the
// tool before it changes anything.
#include "manager.h"

#include "mlc/support/cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

static bool
parse_int(MlcStr text, int64_t *value)
{
    char copy[32];
    if (text.size == 0 || text.size >= sizeof copy)
        return false;
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    char *end;
    errno = 0;
    *value = strtoll(copy, &end, 0);
    return errno == 0 && *end == '\0';
}

static bool
parse_bool(MlcStr text, int64_t *value)
{
    if (text.size == 0 || mlc_str_equal(text, mlc_str("true")) || mlc_str_equal(text, mlc_str("1")))
        return *value = 1, true;
    if (mlc_str_equal(text, mlc_str("false")) || mlc_str_equal(text, mlc_str("0")))
        return *value = 0, true;
    return false;
}

// Splits off the next comma-separated element.
static MlcStr
next_element(MlcStr *rest)
{
    const char *comma = memchr(rest->data, ',', rest->size);
    MlcStr element = {rest->data, comma ? (size_t)(comma - rest->data) : rest->size};
    size_t used = element.size + (comma ? 1 : 0);
    *rest = mlc_str_n(rest->data + used, rest->size - used);
    return element;
}

static bool
parse_int_list(MlcPassManager *pm, MlcStr text, PassValue *value)
{
    size_t count = 0;
    for (MlcStr rest = text; rest.size > 0; count++)
        next_element(&rest);
    int64_t *ints = MLC_NEW_ARRAY(&pm->arena, int64_t, count);
    MlcStr rest = text;
    for (size_t i = 0; i < count; i++)
        if (!parse_int(next_element(&rest), &ints[i]))
            return false;
    value->ints = ints;
    value->num_ints = count;
    return true;
}

// Commas inside brackets belong to an element: "func.func(cse,inline),x" are two.
static MlcStr
next_string(MlcStr *rest)
{
    size_t n = 0, depth = 0;
    for (; n < rest->size && (depth > 0 || rest->data[n] != ','); n++) {
        if (strchr("({[<", rest->data[n]))
            depth++;
        else if (depth > 0 && strchr(")}]>", rest->data[n]))
            depth--;
    }
    MlcStr element = {rest->data, n};
    n += n < rest->size;
    *rest = mlc_str_n(rest->data + n, rest->size - n);
    return element;
}

static bool
parse_string_list(MlcPassManager *pm, PassValue *value)
{
    size_t count = 0;
    for (MlcStr rest = value->text; rest.size > 0; count++)
        next_string(&rest);
    MlcStr *strings = MLC_NEW_ARRAY(&pm->arena, MlcStr, count);
    MlcStr rest = value->text;
    for (size_t i = 0; i < count; i++)
        strings[i] = next_string(&rest);
    value->strings = strings;
    value->num_strings = count;
    return true;
}

static bool
parse_value(MlcPassManager *pm, const MlcPassOption *option, MlcStr text, PassValue *value)
{
    value->text = mlc_arena_strdup(&pm->arena, text);
    switch (option->kind) {
    case MLC_OPTION_BOOL:
        return parse_bool(text, &value->integer);
    case MLC_OPTION_INT:
        return parse_int(text, &value->integer);
    case MLC_OPTION_INT_LIST:
        return parse_int_list(pm, text, value);
    case MLC_OPTION_STRING_LIST:
        return parse_string_list(pm, value);
    case MLC_OPTION_STRING:
        return true;
    }
    return false;
}

static const char *
kind_text(MlcOptionKind kind)
{
    static const char *const texts[] = {"true or false", "an integer", "a string",
                                        "a list of integers", "a list of strings"};
    return texts[kind];
}

static void
skip_blanks(MlcStr *rest)
{
    while (rest->size > 0 && isspace((unsigned char)*rest->data))
        *rest = mlc_str_n(rest->data + 1, rest->size - 1);
}

// Reads on to a blank outside quotes and braces, or to the end. `closed` is where what the first
// character opens is closed, 0 if it opens nothing. False if a quote or a brace does not close.
static bool
scan_value(MlcStr text, size_t *size, size_t *closed)
{
    size_t depth = 0, n = 0;
    char quote = 0;
    *closed = 0;
    for (; n < text.size; n++) {
        char c = text.data[n];
        bool was_open = quote || depth > 0;
        if (quote)
            quote = c == quote ? 0 : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '{')
            depth++;
        else if (c == '}' && depth == 0)
            return false;
        else if (c == '}')
            depth--;
        else if (depth == 0 && isspace((unsigned char)c))
            break;
        if (was_open && !quote && depth == 0 && *closed == 0)
            *closed = memchr("\"'{", text.data[0], 3) ? n : SIZE_MAX;
    }
    *closed = *closed == SIZE_MAX ? 0 : *closed;
    *size = n;
    return !quote && depth == 0;
}

// One value; quotes or braces around all of it are dropped.
static bool
take_value(MlcStr *rest, MlcStr *value)
{
    size_t n, closed;
    if (!scan_value(*rest, &n, &closed))
        return false;
    *value =
        closed > 0 && closed == n - 1 ? mlc_str_n(rest->data + 1, n - 2) : mlc_str_n(rest->data, n);
    *rest = mlc_str_n(rest->data + n, rest->size - n);
    return true;
}

// A value may have NULs.
static void
append_between(char open, MlcStr value, char close, MlcBuf *out)
{
    mlc_buf_append_char(out, open);
    mlc_buf_append_str(out, value);
    mlc_buf_append_char(out, close);
}

void
mlc_pass_value_print(MlcStr value, MlcBuf *out)
{
    size_t n, closed;
    bool is_whole = scan_value(value, &n, &closed);
    MlcBuf braced = {0};
    append_between('{', value, '}', &braced);
    if (is_whole && n == value.size && (closed == 0 || closed < n - 1))
        mlc_buf_append_str(out, value);
    else if (scan_value(mlc_buf_str(&braced), &n, &closed) && closed == braced.size - 1)
        mlc_buf_append_str(out, mlc_buf_str(&braced));
    else { // it stood in quotes, and cannot hold both kinds
        char quote = memchr(value.data, '\'', value.size) ? '"' : '\'';
        append_between(quote, value, quote, out);
    }
    mlc_buf_release(&braced);
}

static const MlcPassOption *
find_option(const MlcPassDef *def, MlcStr name, size_t *index)
{
    for (size_t i = 0; i < def->num_options; i++) {
        if (mlc_str_equal(name, mlc_str(def->options[i].name)))
            return *index = i, &def->options[i];
    }
    return NULL;
}

static bool
unknown_option(MlcPassManager *pm, const MlcPassDef *def, MlcStr name, MlcLoc loc)
{
    MlcStr names[64];
    size_t n = 0;
    for (; n < def->num_options && n < 64; n++)
        names[n] = mlc_str(def->options[n].name);
    MlcStr near = mlc_closest_name(name, names, n);
    const char *flag = def->flag;
    if (near.size > 0)
        return mlc_error(pm->ctx, loc, "pass '%s' has no option '%.*s'; did you mean '%.*s'?", flag,
                         MLC_STR_FMT(name), MLC_STR_FMT(near));
    return mlc_error(pm->ctx, loc, "pass '%s' has no option '%.*s'", flag, MLC_STR_FMT(name));
}

bool
mlc_pass_item_parse_options(MlcPassManager *pm, PassItem *item, MlcStr text, MlcLoc loc)
{
    const MlcPassDef *def = item->def;
    PassValue *values = MLC_NEW_ARRAY(&pm->arena, PassValue, def->num_options);
    for (size_t i = 0; i < def->num_options; i++) {
        values[i] = (PassValue){0};
        const MlcPassOption *option = &def->options[i];
        MlcStr initial = mlc_str(option->initial ? option->initial : "");
        if (!option->initial && option->kind <= MLC_OPTION_INT)
            initial = mlc_str("0");
        if (!parse_value(pm, option, initial, &values[i]))
            mlc_bug("default of option '%s' of pass '%s'", option->name, def->name);
    }
    item->values = values;
    for (skip_blanks(&text); text.size > 0; skip_blanks(&text)) {
        size_t n = 0, index;
        while (n < text.size && text.data[n] != '=' && !isspace((unsigned char)text.data[n]))
            n++;
        MlcStr name = mlc_str_n(text.data, n);
        text = mlc_str_n(text.data + n, text.size - n);
        const MlcPassOption *option = find_option(def, name, &index);
        if (!option)
            return unknown_option(pm, def, name, loc);
        MlcStr value = {"", 0};
        if (text.size > 0 && *text.data == '=') {
            text = mlc_str_n(text.data + 1, text.size - 1);
            if (!take_value(&text, &value))
                return mlc_error(pm->ctx, loc,
                                 "option '%s' of pass '%s' has a quote or a brace "
                                 "that is not closed",
                                 option->name, def->flag);
        }
        if (!parse_value(pm, option, value, &values[index]))
            return mlc_error(pm->ctx, loc, "option '%s' of pass '%s' wants %s, got '%.*s'",
                             option->name, def->flag, kind_text(option->kind), MLC_STR_FMT(value));
    }
    return true;
}

static const PassValue *
find_value(const MlcPass *pass, const char *name, MlcOptionKind kind)
{
    const MlcPassDef *def = pass->item->def;
    size_t index;
    const MlcPassOption *option = find_option(def, mlc_str(name), &index);
    if (!option || option->kind != kind)
        mlc_bug("pass '%s' asks for option '%s' as another kind than it declares", def->name, name);
    return &pass->item->values[index];
}

bool
mlc_pass_option_bool(const MlcPass *pass, const char *name)
{
    return find_value(pass, name, MLC_OPTION_BOOL)->integer != 0;
}

int64_t
mlc_pass_option_int(const MlcPass *pass, const char *name)
{
    return find_value(pass, name, MLC_OPTION_INT)->integer;
}

MlcStr
mlc_pass_option_str(const MlcPass *pass, const char *name)
{
    return find_value(pass, name, MLC_OPTION_STRING)->text;
}

size_t
mlc_pass_option_ints(const MlcPass *pass, const char *name, const int64_t **values)
{
    const PassValue *value = find_value(pass, name, MLC_OPTION_INT_LIST);
    *values = value->ints;
    return value->num_ints;
}

size_t
mlc_pass_option_strs(const MlcPass *pass, const char *name, const MlcStr **values)
{
    const PassValue *value = find_value(pass, name, MLC_OPTION_STRING_LIST);
    *values = value->strings;
    return value->num_strings;
}
