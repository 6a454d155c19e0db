// yaml_semantics.h -- private: `semantics` of an op in dialect YAML: what follows from one word.
#ifndef MLC_IR_YAML_SEMANTICS_H
#define MLC_IR_YAML_SEMANTICS_H

#include "yaml_loader.h"

// The op's traits, groups and regions are there; adds traits, and what the record lacks of regions.
// NULL: nothing is said, or it was at fault.
const MlcSemantics *mlc_yaml_read_semantics(MlcYamlLoader *l, const MlcYaml *node, MlcOpDef *op);
// The attributes that come with it, put in front of the op's own; returns how many.
size_t mlc_yaml_semantics_attrs(MlcYamlLoader *l, const MlcSemantics *s, MlcAttrSlot *slots);
// Symbol of an interface that comes with it; NULL and SIZE_MAX behind the last.
typedef struct MlcYamlInterface {
    MlcInterface id;
    const char *symbol;
} MlcYamlInterface;
enum { MLC_YAML_MAX_INTERFACES = 4, MLC_YAML_MAX_SEMANTICS_ATTRS = 5 };
const MlcYamlInterface *mlc_yaml_semantics_interfaces(const MlcSemantics *s, size_t *n);
// Wants its functions, where hooks name no others.
void mlc_yaml_semantics_hooks(MlcYamlLoader *l, const MlcYaml *node, const MlcSemantics *s,
                              MlcOpDef *op);
const char *mlc_yaml_semantics_words(const MlcSemantics *s); // for pages

#endif
