// yaml.c -- libyaml's events to a tree in an arena.
//
// An anchored node goes into a map when it is complete, so an alias inside its own anchor finds
// nothing: there are no cycles. Every node knows how many nodes it stands for with aliases written
// out; the sum is held to a limit, which ends "billion laughs" texts before anybody walks them.
// Depth is counted here, since the builder recurses.
#include "mlc/support/yaml.h"

#include <errno.h>
#include <stdlib.h>
#include <yaml.h>

#include "mlc/support/map.h"
#include "mlc/support/vec.h"

typedef MLC_VEC(const MlcYaml *) NodeVec;

typedef struct Reader {
    yaml_parser_t parser;
    MlcArena *arena;
    const char *filename;
    MlcBuf *error;
    MlcStrMap anchors;
    size_t num_nodes; // made so far, aliases not counted again
    unsigned depth;
} Reader;

static const MlcYaml *read_node(Reader *reader, yaml_event_t *event);

// Appends the located message; NULL, so that a rejection is one line.
static const MlcYaml *MLC_PRINTF(3, 4)
    fail(Reader *reader, yaml_mark_t mark, const char *format, ...)
{
    mlc_buf_printf(reader->error, "%s:%zu:%zu: ", reader->filename, mark.line + 1, mark.column + 1);
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(reader->error, format, args);
    va_end(args);
    return NULL;
}

static bool
next_event(Reader *reader, yaml_event_t *event)
{
    if (yaml_parser_parse(&reader->parser, event))
        return true;
    yaml_parser_t *parser = &reader->parser;
    yaml_mark_t mark = parser->problem_mark;
    const char *problem = parser->problem ? parser->problem : "not YAML";
    if (parser->error == YAML_READER_ERROR)
        fail(reader, parser->mark, "%s at byte %zu", problem, parser->problem_offset);
    else if (parser->context)
        fail(reader, mark, "%s %s", problem, parser->context);
    else
        fail(reader, mark, "%s", problem);
    return false;
}

static MlcStr
anchor_of(const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL;
    if (event->type == YAML_SCALAR_EVENT)
        anchor = event->data.scalar.anchor;
    else if (event->type == YAML_SEQUENCE_START_EVENT)
        anchor = event->data.sequence_start.anchor;
    else if (event->type == YAML_MAPPING_START_EVENT)
        anchor = event->data.mapping_start.anchor;
    return mlc_str((const char *)anchor);
}

static MlcYaml *
new_node(Reader *reader, const yaml_event_t *event, MlcYamlKind kind)
{
    MlcYaml *node = MLC_NEW(reader->arena, MlcYaml);
    node->kind = kind;
    node->line = (uint32_t)event->start_mark.line + 1;
    node->column = (uint32_t)event->start_mark.column + 1;
    node->filename = reader->filename;
    node->num_nodes = 1;
    return node;
}

static const MlcYaml *
read_scalar(Reader *reader, const yaml_event_t *event)
{
    MlcYaml *node = new_node(reader, event, MLC_YAML_SCALAR);
    const char *text = (const char *)event->data.scalar.value;
    node->text = mlc_arena_strdup(reader->arena, mlc_str_n(text, event->data.scalar.length));
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return node;
}

static const MlcYaml *
read_alias(Reader *reader, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    const MlcYaml *node = mlc_str_map_get(&reader->anchors, mlc_str(name));
    return node ? node
                : fail(reader, event->start_mark, "alias '*%s' names no complete node", name);
}

// The next node below `parent` into *node: false at the event `end` (then *node is NULL and *ok
// true) and on failure.
static bool
read_child(Reader *reader, MlcYaml *parent, yaml_event_type_t end, const MlcYaml **node, bool *ok)
{
    yaml_event_t event;
    *node = NULL;
    *ok = next_event(reader, &event);
    if (!*ok)
        return false;
    if (event.type != end) {
        *node = read_node(reader, &event);
        *ok = *node != NULL;
    }
    if (*node) {
        parent->num_nodes += (*node)->num_nodes;
        if (parent->num_nodes > MLC_YAML_MAX_NODES) {
            fail(reader, event.start_mark, "more than %u nodes, aliases counted in full",
                 MLC_YAML_MAX_NODES);
            *ok = false;
        }
    }
    yaml_event_delete(&event);
    return *ok && *node;
}

static const MlcYaml *const *
keep_nodes(Reader *reader, const NodeVec *nodes)
{
    return mlc_arena_memdup(reader->arena, nodes->data, nodes->size * sizeof *nodes->data,
                            MLC_ALIGNOF(MlcYaml *));
}

static const MlcYaml *
read_sequence(Reader *reader, const yaml_event_t *event)
{
    MlcYaml *node = new_node(reader, event, MLC_YAML_SEQUENCE);
    NodeVec items = {0};
    const MlcYaml *item;
    bool ok;
    while (read_child(reader, node, YAML_SEQUENCE_END_EVENT, &item, &ok))
        mlc_vec_push(&items, item);
    node->items = keep_nodes(reader, &items);
    node->num_items = items.size;
    mlc_vec_release(&items);
    return ok ? node : NULL;
}

// Whether `key` may stand as the next key of a mapping; adds it to `seen`.
static bool
check_key(Reader *reader, MlcStrMap *seen, const MlcYaml *key)
{
    yaml_mark_t mark = {.line = key->line - 1, .column = key->column - 1};
    if (key->kind != MLC_YAML_SCALAR)
        return fail(reader, mark, "a key must be a scalar"), false;
    MlcStrMapEntry *entry = mlc_str_map_find(seen, key->text);
    if (entry)
        return fail(reader, mark, "key '%.*s' is given twice, first in line %u",
                    MLC_STR_FMT(key->text), (unsigned)entry->value),
               false;
    mlc_str_map_set_u64(seen, key->text, key->line);
    return true;
}

static const MlcYaml *
read_mapping(Reader *reader, const yaml_event_t *event)
{
    MlcYaml *node = new_node(reader, event, MLC_YAML_MAPPING);
    NodeVec keys = {0}, values = {0};
    MlcStrMap seen;
    mlc_str_map_init(&seen, NULL);
    const MlcYaml *key, *value;
    bool ok;
    while (read_child(reader, node, YAML_MAPPING_END_EVENT, &key, &ok)) {
        ok = check_key(reader, &seen, key) && read_child(reader, node, YAML_NO_EVENT, &value, &ok);
        if (!ok)
            break;
        mlc_vec_push(&keys, key);
        mlc_vec_push(&values, value);
    }
    node->keys = keep_nodes(reader, &keys);
    node->items = keep_nodes(reader, &values);
    node->num_items = keys.size;
    mlc_str_map_release(&seen);
    mlc_vec_release(&keys);
    mlc_vec_release(&values);
    return ok ? node : NULL;
}

// The node that starts with `event`, which stays the caller's.
static const MlcYaml *
read_node(Reader *reader, yaml_event_t *event)
{
    if (event->type == YAML_ALIAS_EVENT)
        return read_alias(reader, event);
    if (++reader->num_nodes > MLC_YAML_MAX_NODES)
        return fail(reader, event->start_mark, "more than %u nodes", MLC_YAML_MAX_NODES);
    if (++reader->depth > MLC_YAML_MAX_DEPTH)
        return fail(reader, event->start_mark, "nested deeper than %d", MLC_YAML_MAX_DEPTH);
    const MlcYaml *node;
    if (event->type == YAML_SCALAR_EVENT)
        node = read_scalar(reader, event);
    else if (event->type == YAML_SEQUENCE_START_EVENT)
        node = read_sequence(reader, event);
    else if (event->type == YAML_MAPPING_START_EVENT)
        node = read_mapping(reader, event);
    else
        return fail(reader, event->start_mark, "expected a value");
    --reader->depth;
    MlcStr anchor = anchor_of(event);
    if (node && anchor.data)
        mlc_str_map_set(&reader->anchors, anchor, node);
    return node;
}

// Skips `type`, which libyaml's grammar promises next unless the text ends or is broken.
static bool
expect_event(Reader *reader, yaml_event_type_t type, const char *otherwise)
{
    yaml_event_t event;
    if (!next_event(reader, &event))
        return false;
    bool ok = event.type == type;
    if (!ok)
        fail(reader, event.start_mark, "%s", otherwise);
    yaml_event_delete(&event);
    return ok;
}

static const MlcYaml *
read_document(Reader *reader)
{
    yaml_event_t event;
    if (!expect_event(reader, YAML_STREAM_START_EVENT, "expected a stream") ||
        !expect_event(reader, YAML_DOCUMENT_START_EVENT, "the text holds no document") ||
        !next_event(reader, &event))
        return NULL;
    const MlcYaml *root = read_node(reader, &event);
    yaml_event_delete(&event);
    if (!root ||
        !expect_event(reader, YAML_DOCUMENT_END_EVENT, "expected the end of the document") ||
        !expect_event(reader, YAML_STREAM_END_EVENT, "only one document may stand in a text"))
        return NULL;
    return root;
}

const MlcYaml *
mlc_yaml_parse(MlcArena *arena, MlcStr text, const char *filename, MlcBuf *error)
{
    Reader reader = {.arena = arena, .filename = filename, .error = error};
    if (text.size > MLC_YAML_MAX_BYTES)
        return fail(&reader, (yaml_mark_t){0}, "larger than %u bytes", MLC_YAML_MAX_BYTES);
    if (!yaml_parser_initialize(&reader.parser))
        mlc_out_of_memory(sizeof reader.parser);
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)text.data, text.size);
    mlc_str_map_init(&reader.anchors, arena);
    const MlcYaml *root = read_document(&reader);
    mlc_str_map_release(&reader.anchors);
    yaml_parser_delete(&reader.parser);
    return root;
}

const MlcYaml *
mlc_yaml_get(const MlcYaml *node, const char *key)
{
    if (!mlc_yaml_is_mapping(node))
        return NULL;
    for (size_t i = 0; i < node->num_items; i++)
        if (mlc_str_equal(node->keys[i]->text, mlc_str(key)))
            return node->items[i];
    return NULL;
}

bool
mlc_yaml_try_as_str(const MlcYaml *node, MlcStr *out)
{
    if (!mlc_yaml_is_scalar(node))
        return false;
    *out = node->text;
    return true;
}

// A scalar that may be a number: plain, not empty, without a NUL inside.
static bool
may_be_number(const MlcYaml *node)
{
    return mlc_yaml_is_scalar(node) && !node->quoted && node->text.size > 0 &&
           strlen(node->text.data) == node->text.size;
}

bool
mlc_yaml_try_as_int(const MlcYaml *node, int64_t *out)
{
    if (!may_be_number(node))
        return false;
    const char *digits = node->text.data;
    digits += *digits == '-' || *digits == '+';
    // YAML 1.2: 010 is ten, so the base is never guessed from a leading 0.
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    if (*digits < '0' || *digits > '9')
        return false;
    char *end;
    errno = 0;
    long long value = strtoll(node->text.data, &end, hex ? 16 : 10);
    if (*end || errno)
        return false;
    *out = value;
    return true;
}

bool
mlc_yaml_try_as_double(const MlcYaml *node, double *out)
{
    if (!may_be_number(node) || strspn(node->text.data, "+-.0123456789eE") != node->text.size)
        return false;
    char *end;
    double value = strtod(node->text.data, &end);
    if (*end)
        return false;
    *out = value;
    return true;
}

bool
mlc_yaml_try_as_bool(const MlcYaml *node, bool *out)
{
    if (!mlc_yaml_is_scalar(node) || node->quoted)
        return false;
    bool yes = mlc_str_equal(node->text, mlc_str("true"));
    if (!yes && !mlc_str_equal(node->text, mlc_str("false")))
        return false;
    *out = yes;
    return true;
}

bool
mlc_yaml_is_null(const MlcYaml *node)
{
    return mlc_yaml_is_scalar(node) && !node->quoted &&
           (node->text.size == 0 || mlc_str_equal(node->text, mlc_str("~")) ||
            mlc_str_equal(node->text, mlc_str("null")));
}

MlcStr
mlc_yaml_as_str(const MlcYaml *node, const char *otherwise)
{
    MlcStr value = mlc_str(otherwise);
    mlc_yaml_try_as_str(node, &value);
    return value;
}

int64_t
mlc_yaml_as_int(const MlcYaml *node, int64_t otherwise)
{
    mlc_yaml_try_as_int(node, &otherwise);
    return otherwise;
}

bool
mlc_yaml_as_bool(const MlcYaml *node, bool otherwise)
{
    mlc_yaml_try_as_bool(node, &otherwise);
    return otherwise;
}

bool
mlc_yaml_error(const MlcYaml *node, const char *filename, MlcBuf *error, const char *format, ...)
{
    mlc_buf_printf(error, "%s:%u:%u: ", filename, node->line, node->column);
    va_list args;
    va_start(args, format);
    mlc_buf_vprintf(error, format, args);
    va_end(args);
    return false;
}
