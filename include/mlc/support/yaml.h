// yaml.h -- YAML text to a tree of nodes that know where they stand.
//
// Everything lives in the caller's arena: nodes, strings, nothing points into the text. An alias is
// the same node again (a DAG, never a cycle); the tree it stands for is counted as if written out,
// and too many nodes are refused. Depth and size have limits as well; a key given twice in a
// mapping is an error. Only one document per text.
//
// Ownership: everything lies in the caller's arena.
// Threads: any, with arenas of their own.
#ifndef MLC_SUPPORT_YAML_H
#define MLC_SUPPORT_YAML_H

#include "mlc/support/arena.h"
#include "mlc/support/base.h"
#include "mlc/support/buf.h"

MLC_BEGIN_DECLS

#define MLC_YAML_MAX_DEPTH 64
#define MLC_YAML_MAX_NODES (UINT32_C(1) << 20) // aliases counted as often as they stand
#define MLC_YAML_MAX_BYTES (UINT32_C(1) << 26)

typedef enum MlcYamlKind {
    MLC_YAML_SCALAR,
    MLC_YAML_SEQUENCE,
    MLC_YAML_MAPPING,
} MlcYamlKind;

typedef struct MlcYaml MlcYaml;

struct MlcYaml {
    MlcYamlKind kind;
    uint32_t line;        // from 1
    uint32_t column;      // from 1, in characters
    const char *filename; // as given to the reader; the caller keeps it
    bool quoted;          // a scalar that was not plain: never null, bool or number
    MlcStr text;          // of a scalar, NUL-terminated
    size_t num_items;
    const MlcYaml *const *items; // of a sequence; the values of a mapping, in the order of the text
    const MlcYaml *const *keys;  // of a mapping: scalars, in step with `items`
    size_t num_nodes;            // of the tree below and with this node
};

// The root, or NULL with `file:line:col: message` appended to `error`. `filename` is only for
// messages.
MLC_API MLC_NODISCARD const MlcYaml *mlc_yaml_parse(MlcArena *arena, MlcStr text,
                                                    const char *filename, MlcBuf *error);

// The value of `key`, or NULL: not there, or `node` is NULL or no mapping.
MLC_API MLC_NODISCARD const MlcYaml *mlc_yaml_get(const MlcYaml *node, const char *key);

// These ask: false, changing nothing, when `node` is NULL or is not of that form.
MLC_API bool mlc_yaml_try_as_str(const MlcYaml *node, MlcStr *out);  // any scalar
MLC_API bool mlc_yaml_try_as_int(const MlcYaml *node, int64_t *out); // plain, decimal or 0x
MLC_API bool mlc_yaml_try_as_double(const MlcYaml *node, double *out);
MLC_API bool mlc_yaml_try_as_bool(const MlcYaml *node, bool *out); // plain true or false

MLC_API bool mlc_yaml_is_null(const MlcYaml *node); // plain "", ~ or null

// The same with a default for "not of that form".
MLC_API MlcStr mlc_yaml_as_str(const MlcYaml *node, const char *otherwise);
MLC_API int64_t mlc_yaml_as_int(const MlcYaml *node, int64_t otherwise);
MLC_API bool mlc_yaml_as_bool(const MlcYaml *node, bool otherwise);

// Appends `filename:line:col: message` (no newline) and returns false, so that a rejection is one
// line.
MLC_API bool mlc_yaml_error(const MlcYaml *node, const char *filename, MlcBuf *error,
                            const char *format, ...) MLC_PRINTF(4, 5);

// What a node is; false for NULL.
static inline bool
mlc_yaml_is_mapping(const MlcYaml *node)
{
    return node && node->kind == MLC_YAML_MAPPING;
}

// Whether it is a list.
static inline bool
mlc_yaml_is_sequence(const MlcYaml *node)
{
    return node && node->kind == MLC_YAML_SEQUENCE;
}

// Whether it is text.
static inline bool
mlc_yaml_is_scalar(const MlcYaml *node)
{
    return node && node->kind == MLC_YAML_SCALAR;
}

// One past the last of its items.
static inline const MlcYaml *const *
mlc_yaml_items_end(const MlcYaml *node)
{
    return node->num_items ? node->items + node->num_items : node->items;
}

// The items of a sequence; none when `node` is NULL or something else. `node` is evaluated more
// than once.
#define MLC_YAML_FOR_EACH(item, node)                                                              \
    for (const MlcYaml *const *item##_at = mlc_yaml_is_sequence(node) ? (node)->items : NULL,      \
                              *const *item##_end = item##_at ? mlc_yaml_items_end(node) : NULL,    \
                              *item = NULL;                                                        \
         item##_at != item##_end && (item = *item##_at, true); ++item##_at)

MLC_END_DECLS

#endif
