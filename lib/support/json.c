// json.c -- one value after the other, indented by two spaces.
#include "mlc/support/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void
mlc_json_init(MlcJson *json, MlcBuf *out)
{
    *json = (MlcJson){.out = out, .is_first = true};
}

static void
new_line(MlcJson *json)
{
    mlc_buf_append_char(json->out, '\n');
    mlc_buf_append_repeated(json->out, ' ', 2 * (size_t)json->depth);
}

// What stands between the value before and the one that comes now.
static void
before_value(MlcJson *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (!json->is_first)
        mlc_buf_append_char(json->out, ',');
    if (json->depth > 0)
        new_line(json);
    json->is_first = false;
}

static void
begin(MlcJson *json, char bracket)
{
    before_value(json);
    mlc_buf_append_char(json->out, bracket);
    json->depth++;
    json->is_first = true;
}

static void
end(MlcJson *json, char bracket)
{
    if (json->depth == 0)
        mlc_bug("JSON: '%c' closes nothing", bracket);
    --json->depth;
    if (!json->is_first)
        new_line(json);
    mlc_buf_append_char(json->out, bracket);
    json->is_first = false;
    if (json->depth == 0)
        mlc_buf_append_char(json->out, '\n');
}

void
mlc_json_begin_object(MlcJson *json)
{
    begin(json, '{');
}

void
mlc_json_end_object(MlcJson *json)
{
    end(json, '}');
}

void
mlc_json_begin_array(MlcJson *json)
{
    begin(json, '[');
}

void
mlc_json_end_array(MlcJson *json)
{
    end(json, ']');
}

// Bytes of the well-formed UTF-8 sequence at `p`, 0 if it is none (RFC 3629: no overlong forms, no
// surrogates).
static size_t
utf8_length(const unsigned char *p, size_t left)
{
    if (p[0] < 0x80)
        return 1;
    size_t length = p[0] >= 0xc2 && p[0] <= 0xdf ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : 0;
    if (p[0] >= 0xf0 && p[0] <= 0xf4)
        length = 4;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool bad = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
               (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f);
    return bad ? 0 : length;
}

static void
append_string(MlcBuf *out, MlcStr s)
{
    mlc_buf_append_char(out, '"');
    for (size_t i = 0; i < s.size;) {
        const unsigned char *p = (const unsigned char *)s.data + i;
        size_t length = utf8_length(p, s.size - i);
        if (length == 0)
            mlc_buf_append_c(out, "\\ufffd");
        else if (*p == '"' || *p == '\\')
            mlc_buf_printf(out, "\\%c", *p);
        else if (*p == '\n')
            mlc_buf_append_c(out, "\\n");
        else if (*p == '\t')
            mlc_buf_append_c(out, "\\t");
        else if (*p < 0x20 || *p == 0x7f)
            mlc_buf_printf(out, "\\u%04x", *p);
        else
            mlc_buf_append(out, p, length);
        i += length ? length : 1;
    }
    mlc_buf_append_char(out, '"');
}

void
mlc_json_key(MlcJson *json, const char *key)
{
    before_value(json);
    append_string(json->out, mlc_str(key));
    mlc_buf_append_c(json->out, ": ");
    json->after_key = true;
}

void
mlc_json_str(MlcJson *json, MlcStr value)
{
    before_value(json);
    append_string(json->out, value);
}

void
mlc_json_c_str(MlcJson *json, const char *value)
{
    mlc_json_str(json, mlc_str(value));
}

void
mlc_json_int(MlcJson *json, int64_t value)
{
    before_value(json);
    mlc_buf_append_int(json->out, value);
}

void
mlc_json_uint(MlcJson *json, uint64_t value)
{
    before_value(json);
    mlc_buf_append_uint(json->out, value);
}

void
mlc_json_double(MlcJson *json, double value)
{
    before_value(json);
    if (!isfinite(value)) {
        mlc_buf_append_c(json->out, "null");
        return;
    }
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    for (char *p = text; *p; p++)
        if (*p == ',') // the locale's decimal point
            *p = '.';
    mlc_buf_append_c(json->out, text);
}

void
mlc_json_bool(MlcJson *json, bool value)
{
    before_value(json);
    mlc_buf_append_c(json->out, value ? "true" : "false");
}

void
mlc_json_null(MlcJson *json)
{
    before_value(json);
    mlc_buf_append_c(json->out, "null");
}
