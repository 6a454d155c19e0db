// gen.h -- private to mlc-gen: a dialect's records, loaded, and the three things printed from them.
#ifndef MLC_GEN_H
#define MLC_GEN_H

#include "mlc/support/buf.h"
#include "record/relation.h"
#include "record/yaml_loader.h"
#include "rewrite/rules_compile.h"

typedef struct GenDialect {
    MlcYamlLoader loader;
    const char *name;
    const MlcDialectDef *def; // NULL while it is being loaded, or after a fault
    MlcRulesCompiler rules;   // of <d>.rules, once gen_load_rules has run
} GenDialect;

typedef struct Gen {
    MlcArena arena;
    const char *directory; // holds <d>/<d>.yaml
    const char *outside;   // of a dialect of another tree: holds <d>.yaml, looked at first; or NULL
    MLC_VEC(GenDialect *) dialects;
    MlcStrMap conversions; // of pages: op -> names of passes, between spaces (const char *)
} Gen;

// Loads <directory>/<name>/<name>.yaml, or finds what was loaded. NULL after messages to stderr.
GenDialect *gen_load(Gen *gen, const char *name);

// Compiles <directory>/<d>/<d>.rules, if it is there; false after messages to stderr.
bool gen_load_rules(Gen *gen, GenDialect *d);

void gen_tables(Gen *gen, GenDialect *d, MlcBuf *out);
void gen_header(Gen *gen, GenDialect *d, MlcBuf *out);
// Tables from a YAML file of rows: machines, and nvvm's instructions; false after messages to
// stderr.
bool gen_targets(Gen *gen, const char *path, MlcBuf *out);
bool gen_instructions(Gen *gen, const char *path, MlcBuf *out);
// The rows of such a file, which has nothing but the list `key`; NULL after messages to stderr.
const MlcYaml *gen_read_list(Gen *gen, const char *path, const char *key);

// The part of an op's name after the dialect, dots turned into `_`.
const char *gen_c_name(Gen *gen, const char *full_name);
// A name of a record in snake case: "lowerBound" is lower_bound.
const char *gen_snake(Gen *gen, const char *name);
// The same as the name of a parameter: with `_` behind if C or C++ has it.
const char *gen_param(Gen *gen, const char *name);
// The builder `name` of an op (builders.c).
void gen_builder(Gen *gen, const GenDialect *d, const MlcOpDef *op, const char *name, MlcBuf *out);
// Attributes as C values (c_value.c): "MlcArithCmpiPredicate"; the type; ", type name" as a
// parameter, or a pointer and a count; from such parameters, and from an attribute.
const char *gen_enum_type(Gen *gen, const MlcAttrDef *def);
const char *gen_c_type(Gen *gen, const GenDialect *d, const MlcAttrSlot *slot);
void gen_c_param(Gen *gen, const GenDialect *d, const MlcAttrSlot *slot, MlcBuf *out);
void gen_c_to_attr(Gen *gen, const GenDialect *d, const MlcAttrSlot *slot, const char *ctx,
                   const char *value, MlcBuf *out);
void gen_c_from_attr(Gen *gen, const GenDialect *d, const MlcAttrSlot *slot, const char *attr,
                     MlcBuf *out);
// A string as a C literal, or NULL.
void gen_string(MlcBuf *out, const char *text);
// The rules of a dialect as C data, one MlcRuleTable `<op>_rules` per op, and what names them: the
// table of an op or NULL.
void gen_rules(Gen *gen, GenDialect *d, MlcBuf *out,
               const char *(*constraint)(void *user, const MlcConstraint *c), void *user);
const char *gen_rules_of(Gen *gen, const GenDialect *d, const MlcOpDef *op);
// The C name wanted by a slot for a function or vtable; NULL if it stays empty.
const char *gen_symbol(const GenDialect *d, const void *slot);

#endif
