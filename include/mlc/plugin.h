// plugin.h -- passes, conversions and dialects in a shared object, for `mlc-opt --load-plugin` and
// for programs on libmlc.
//
//   static const MlcPassDef *const passes[] = {&mlc_pass_op_budget};
//   MLC_PLUGIN(.name = "op_budget", .version = "1", .passes = passes, .num_passes = 1)
//
// It is linked with libmlc and uses public headers alone. What it registers stays as long as the
// process, so it is never unloaded. A program that has such a record itself, its own mlc-opt for
// example, registers it without opening anything.
//
// Ownership: records and what they name live as long as the process; nothing is ever unloaded.
// Threads: any; `load` is called by the thread that loads, into a context where no other works yet.
#ifndef MLC_PLUGIN_H
#define MLC_PLUGIN_H

#include "mlc/ir/hook.h"
#include "mlc/pass.h"

MLC_BEGIN_DECLS

// Of the records and functions that plugins use: another number is another ABI.
#define MLC_PLUGIN_API 1

typedef struct MlcPlugin {
    size_t size;  // MLC_SIZED
    uint32_t api; // MLC_PLUGIN_API, as it was when the plugin was compiled
    const char *name, *version;
    const MlcPassDef *const *passes; // conversions too
    size_t num_passes;
    const MlcDialectDef *const *dialects; // compiled by mlc-gen
    size_t num_dialects;
    bool (*load)(MlcContext *ctx); // into each context, after the dialects; NULL: nothing more
    const MlcHook *hooks;          // that YAML and rules may name
    size_t num_hooks;
    const MlcPipelineDef *pipelines;
    size_t num_pipelines;
} MlcPlugin;

// The plugin's record, under the name that is looked for.
#define MLC_PLUGIN(...)                                                                            \
    MLC_API extern const MlcPlugin mlc_plugin;                                                     \
    const MlcPlugin mlc_plugin = {MLC_SIZED(MlcPlugin), .api = MLC_PLUGIN_API, __VA_ARGS__};

// Opens the shared object and registers its passes. The record lives as long as the process; NULL
// after an explanation in `error`: no such file, no record, another ABI, or a pass whose name is
// taken. Opening it again gives the same record.
MLC_API const MlcPlugin *mlc_plugin_open(const char *path, MlcBuf *error);
// The same of a record that is there already: a program's own. False after an explanation.
MLC_API bool mlc_plugin_register(const MlcPlugin *plugin, MlcBuf *error);
// Its dialects into a context, then what its `load` does. False after diagnostics.
MLC_API bool mlc_plugin_load(const MlcPlugin *plugin, MlcContext *ctx);

// A dialect's YAML and what its `package` names: plugins, further dialects, rules; what the context
// has of them is left out. False after located diagnostics.
MLC_API bool mlc_load_package(MlcContext *ctx, const char *path);

MLC_END_DECLS

#endif
