// process.h -- what mlc-opt does with one text: read, verify, run passes, print or interpret.
#ifndef MLC_TOOLS_PROCESS_H
#define MLC_TOOLS_PROCESS_H

#include "actions.h"
#include "extensions.h"
#include "interpret.h"
#include "quota.h"

#include "mlc/ir/text.h"
#include "mlc/opt.h"
#include "mlc/pass.h"
#include "mlc/support/file.h"

// Where the output goes, opened with the first piece.
typedef struct OutputFile {
    MlcFileWriter writer;
    bool is_open, failed;
    MlcBuf error;
} OutputFile;

typedef struct PassUse {
    MlcStr flag, options;
} PassUse;

typedef struct Options {
    const MlcOptSetup *setup; // whose tool it is
    bool help, split, verify_diagnostics, allow_unregistered, is_interpreted, dump_pipeline,
        show_dialects, show_conversions, check_dialect, dialect_reference, statistics, timing;
    bool no_threads, skip_verify_each, no_implicit_module, print_op_on_diag, verify_roundtrip,
        run_reproducer, version, list_passes, emit_bytecode, emit_mlc_bytecode, elide_resource_data;
    int64_t threads;
    int64_t min_shared; // -1: as the context has it
    MlcStr pipeline, output, target, timing_display, statistics_display, tree_dir, reproducer,
        generate_reproducer;
    InterpretOptions interpret;
    Extensions extensions;
    MlcStrVec print_after, print_before;
    MLC_VEC(const char *) after, before; // the same, each with a NULL behind
    MLC_VEC(PassUse) passes;
    MlcPrintFlags print;
    MlcPassManagerConfig manager;
    ActionWatch actions;
    MlcStr split_marker, output_split_marker;
    MlcLimits limits;
    QuotaFlags quota;
    const MlcFile *only_file; // not split: nothing comes after it; else NULL
    OutputFile out_file;
} Options;

// A context with the built-in dialects and the limits of the options.
MlcContext *create_context(const Options *o);
// What the tool brings into it, then what the options name. False after diagnostics.
bool load_dialects(const Options *o, MlcContext *ctx);

// Writes what is in `out`, and clears it. `options` is an Options.
void flush_output(void *options, MlcBuf *out);

// One part of the input, in a context of its own. `text` has two NULs behind it; appends to `out`.
// `options` is an Options. True if nothing was wrong.
bool process_part(MlcStr text, MlcStr name, void *options, MlcBuf *out);

#endif
