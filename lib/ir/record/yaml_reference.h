// yaml_reference.h -- private to lib/ir and mlc-gen: the reference page of a dialect.
#ifndef MLC_IR_YAML_REFERENCE_H
#define MLC_IR_YAML_REFERENCE_H

#include "mlc/support/buf.h"
#include "yaml_loader.h"

typedef struct MlcReference {
    const MlcYamlLoader *loader; // that has read it
    const MlcDialectDef *dialect;
    // Whether rules simplify the op; the passes that make other ops of it, between spaces, or NULL.
    bool (*has_rules)(void *user, const MlcOpDef *op);
    const char *(*passes)(void *user, const MlcOpDef *op);
    void *user;
} MlcReference;

// Appends the page, in Markdown.
void mlc_yaml_reference(const MlcReference *reference, MlcBuf *out);

#endif
