// yaml_loader.h -- private to lib/ir and mlc-gen: a dialect's YAML to its records. docs/dialects.md
// is the manual.
#ifndef MLC_IR_YAML_LOADER_H
#define MLC_IR_YAML_LOADER_H

#include "mlc/ir/def.h"
#include "mlc/ir/rule.h"
#include "mlc/support/map.h"
#include "mlc/support/vec.h"
#include "mlc/support/yaml.h"

MLC_BEGIN_DECLS

typedef struct MlcYamlLoader MlcYamlLoader;

struct MlcYamlText {
    const char *text;
    const MlcYaml *node; // where it stands
};

struct MlcYamlLoader {
    // Set by the caller.
    MlcArena *arena; // of the records and of all they point to
    const char *filename;
    // The records of another dialect, "builtin" included; NULL if there is none.
    const MlcDialectDef *(*find)(void *user, MlcStr name);
    // Told of each fault.
    void (*report)(void *user, const char *filename, unsigned line, unsigned column,
                   const char *message);
    void *user;
    // Compiles a condition of `require` (lib/ir/rewrite/rules_require.c); `message` may be NULL.
    // NULL: they are left out.
    const MlcRule *(*requirement)(MlcYamlLoader *l, const MlcOpDef *op, const MlcYaml *condition,
                                  const MlcYaml *message);
    // The function of rules of that C name; NULL: the linker knows it.
    MlcRuleFunction (*function)(const char *symbol);

    // Results, besides the dialect.
    MlcMap symbols; // address of a slot for a function or a vtable -> the C name that belongs there
                    // (const char *)
    MlcMap nodes;   // address of a record, or of a part of one (an operand, a region, a parameter,
                    // a slot of `symbols`) -> the YAML it was read from (const MlcYaml *)
    MLC_VEC(const char *) uses;
    MLC_VEC(struct MlcYamlText) types;   // texts of types, for who can read them
    MLC_VEC(struct MlcYamlText) attrs;   // of attributes
    MLC_VEC(struct MlcYamlText) customs; // names of custom directives
    size_t num_faults;

    // While loading.
    MlcDialectDef *dialect;
    uint8_t op_cost;               // of ops that do not say; 0: unknown
    unsigned num_open_constraints; // being read, each for the one before
    MlcStrMap constraints;         // name -> named constraint (lib/ir/record/yaml_constraint.c)
};

// NULL if anything was at fault. Slots of functions and vtables are empty; `symbols` says what they
// want.
const MlcDialectDef *mlc_yaml_load(MlcYamlLoader *loader, MlcStr text);
void mlc_yaml_loader_release(MlcYamlLoader *loader); // not the arena

// Between the files of the loader.
// The tree of one file's text; NULL after a report.
const MlcYaml *mlc_yaml_loader_parse(MlcYamlLoader *l, MlcStr text, const char *filename);
bool mlc_yaml_loader_fail(MlcYamlLoader *l, const MlcYaml *node, const char *format, ...)
    MLC_PRINTF(3, 4); // false
// The slot gets what `symbol` names. `node`: where the file says so; NULL: the loader does.
void mlc_yaml_loader_want(MlcYamlLoader *l, const MlcYaml *node, const void *slot,
                          const char *symbol);
bool mlc_yaml_loader_check_keys(MlcYamlLoader *l, const MlcYaml *node, const char *what,
                                const char *const *allowed); // NULL-terminated
// The constraints of the file by name, evaluated when asked for; then those of `name`s and
// expressions.
void mlc_yaml_loader_add_constraints(MlcYamlLoader *l, const MlcYaml *section);
void mlc_yaml_loader_finish_constraints(MlcYamlLoader *l);
const MlcConstraint *mlc_yaml_loader_constraint(MlcYamlLoader *l,
                                                const MlcYaml *node); // never NULL
const MlcConstraint *mlc_yaml_loader_builtin_constraint(MlcYamlLoader *l, const char *name);
// The same, of attributes or of types.
const MlcConstraint *mlc_yaml_loader_constraint_of(MlcYamlLoader *l, const MlcYaml *node,
                                                   bool of_attrs);

MLC_END_DECLS

#endif
