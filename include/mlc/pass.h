// pass.h -- passes, their options, and the manager that nests them by op.
//
// Ownership: records of passes and pipelines live as long as the process; the caller destroys
// managers; in a pass, scratch and option values are the manager's.
// Threads: a manager belongs to one at a time, except mlc_pass_manager_cancel; `run` is called by
// several threads at a time, on isolated ops side by side, and edits nothing outside of its op. The
// registry may be asked by any.
#ifndef MLC_PASS_H
#define MLC_PASS_H

#include "mlc/ir.h"
#include "mlc/support/arena.h"
#include "mlc/support/budget.h"
#include "mlc/support/quota.h"
#include "mlc/support/sized.h"

MLC_BEGIN_DECLS

typedef struct MlcPass MlcPass; // one use of a pass in a pipeline: options, statistics, scratch
typedef struct MlcPassManager MlcPassManager;

typedef enum MlcOptionKind {
    MLC_OPTION_BOOL,
    MLC_OPTION_INT,
    MLC_OPTION_STRING,
    MLC_OPTION_INT_LIST,
    MLC_OPTION_STRING_LIST
} MlcOptionKind;
typedef struct MlcPassOption {
    const char *name; // "tile-sizes"
    MlcOptionKind kind;
    const char *initial; // as text; NULL: false, 0, empty
    const char *help;
} MlcPassOption;

// Something computed about the IR under an op, kept between passes while it holds.
typedef struct MlcAnalysisDef {
    const char *name; // as the timing report has it: "DominanceInfo"
    void *(*create)(MlcOp *root);
    void (*destroy)(void *analysis);
    const void *more; // NULL, as in mlc/ir/def.h
} MlcAnalysisDef;
extern MLC_API const MlcAnalysisDef mlc_analysis_dominance; // MlcDominance

// A pass is a constant record; MLC_PASS(name, ...) at the end of lib/passes/<room>/<name>.c
// defines mlc_pass_<name>, and the line mlc_add_pass(<room>/<name>) in lib/passes/CMakeLists.txt
// registers it. A program's own pass is registered by mlc_pass_register.
typedef struct MlcPassDef {
    size_t size;      // MLC_SIZED
    const char *name; // "linalg_pack"
    // On the command line: the name with dashes, or mlir-opt's spelling of it; never NULL.
    const char *flag;
    const char *title; // in reports: "CSE"; NULL: made from the flag, each word with a capital
    const char *summary;
    const char *description;
    const char *anchor; // op it runs on ("func.func"); NULL: any isolated op
    const MlcPassOption *options;
    size_t num_options;
    const char *const *dependent_dialects; // NULL-terminated; may be NULL
    // Analyses that still hold after the pass although it edited; NULL-terminated, may be NULL.
    // Those of IR that was not edited (mlc_op_edits) hold anyway.
    const MlcAnalysisDef *const *preserves;
    bool (*run)(MlcPass *pass, MlcOp *root); // false: failed, after a diagnostic
    // Whether ops of this kind are what the pass makes others of, by its own tables: so that pages
    // of the reference, and `--show-conversions`, know. NULL: it converts none.
    bool (*converts)(const MlcOpDef *op);
} MlcPassDef;
#define MLC_PASS(id, ...)                                                                          \
    const MlcPassDef mlc_pass_##id = {MLC_SIZED(MlcPassDef), .name = #id, __VA_ARGS__};

// The context of the IR that it runs on.
MLC_API MlcContext *mlc_pass_context(const MlcPass *pass);
MLC_API MlcArena *mlc_pass_scratch(MlcPass *pass); // dies when the pass returns
// The value of an option that the pass declares, of that kind: what was given, else its default.
// Strings and lists live as long as the pass.
MLC_API bool mlc_pass_option_bool(const MlcPass *pass, const char *name);
MLC_API int64_t mlc_pass_option_int(const MlcPass *pass, const char *name);
MLC_API MlcStr mlc_pass_option_str(const MlcPass *pass, const char *name);
// The same of lists; returns how many there are.
MLC_API size_t mlc_pass_option_ints(const MlcPass *pass, const char *name, const int64_t **values);
MLC_API size_t mlc_pass_option_strs(const MlcPass *pass, const char *name, const MlcStr **values);
// Shown by -pass-statistics.
MLC_API void mlc_pass_count(MlcPass *pass, const char *statistic, int64_t amount);
// Machine compiled for: mlc/machine.h.
MLC_API const struct MlcTargetDesc *mlc_pass_target(const MlcPass *pass);
// The CPU: that machine, or the one beside it.
MLC_API const struct MlcTargetDesc *mlc_pass_host(const MlcPass *pass);
// The analysis of `root`, made when first asked for; one of the op the pass runs on outlives the
// pass and serves later ones until the op is edited. A pass that edits and asks again gets the same
// one.
MLC_API void *mlc_pass_analysis(MlcPass *pass, const MlcAnalysisDef *def, MlcOp *root);
MLC_API MlcDominance *mlc_pass_dominance(MlcPass *pass, MlcOp *root);
// Whether so much of the time for compiling is gone that what can be left out is: rewrites that
// make code faster and compiling slower. Counts what asks and hears yes as left out.
MLC_API bool mlc_pass_is_late(MlcPass *pass);
// Whether the run was cancelled or went beyond its limits: passes that take long look now and then,
// and return false.
MLC_API bool mlc_pass_is_cancelled(const MlcPass *pass);

// Visits every isolated op inside `root`, those inside of others first, then `root`: in the
// manager's threads where several stand next to each other, with diagnostics in the order of the
// ops. A visit keeps its hands off what lies in isolated ops inside its own. False if one was.
MLC_API bool mlc_pass_visit_layers(MlcPass *pass, MlcOp *root,
                                   bool (*visit)(MlcOp *isolated, void *user), void *user);

// All registered passes, generated from the mlc_add_pass lines, and those that programs add.
MLC_API size_t mlc_num_passes(void);
// Pass `i`, below mlc_num_passes; by its flag or its name: NULL if there is none.
MLC_API const MlcPassDef *mlc_pass_at(size_t i);
MLC_API const MlcPassDef *mlc_pass_find(MlcStr flag_or_name);
MLC_API bool mlc_pass_register(const MlcPassDef *def); // a program's own; false if taken

// A named pipeline is text: "cleanup" is "canonicalize,cse". It may name others.
typedef struct MlcPipelineDef {
    const char *name;
    const char *summary;
    const char *text;
} MlcPipelineDef;
// The named pipelines, built in and those that programs add.
MLC_API size_t mlc_num_pipelines(void);
// Pipeline `i`, below mlc_num_pipelines; by its name: NULL if there is none. They live for ever.
MLC_API const MlcPipelineDef *mlc_pipeline_at(size_t i);
MLC_API const MlcPipelineDef *mlc_pipeline_find(MlcStr name);
MLC_API bool mlc_pipeline_register(const MlcPipelineDef *def); // a program's own; false if taken

typedef struct MlcPassManagerConfig {
    size_t size;        // MLC_SIZED
    const char *anchor; // op that the whole pipeline runs on; NULL: "builtin.module"
    bool verify_each;   // default true
    bool timing, statistics;
    bool timing_list, statistics_list; // sorted, flat, instead of as the tree of the pipeline
    bool print_after_all, print_before_all, print_after_change, print_after_failure,
        print_module_scope;
    const char *const *print_after;  // pass flags, NULL-terminated; may be NULL
    const char *const *print_before; // the same
    const char *print_tree_dir; // IR goes to files under this folder, not to stderr; may be NULL
    // Where a failing or crashing run leaves the IR as it was, with the pipeline, for
    // `mlc-opt --run-reproducer`; NULL: nowhere. `local`: the IR before the failing pass, and only
    // it.
    const char *reproducer;
    bool local_reproducer;
    unsigned threads;                   // 0: as many as there are cores; 1: none but the caller
    const struct MlcTargetDesc *target; // NULL: the host
    MlcBudget *budget;                  // of time, shared with code generation; NULL: none
    // Called after each pass of the pipeline is through with all its ops; `done` of `total` passes.
    void (*progress)(size_t done, size_t total, const MlcPassDef *pass, void *user);
    void *progress_user;
    // The CPU beside `target` where that is a GPU; NULL: the host.
    const struct MlcTargetDesc *host;
} MlcPassManagerConfig;
// Verifies after each pass; all else is off.
static inline MlcPassManagerConfig
mlc_pass_manager_config_default(void)
{
    MlcPassManagerConfig config;
    memset(&config, 0, sizeof config);
    config.size = sizeof config;
    config.verify_each = true;
    return config;
}

// `config` is copied, and may be NULL: the default. The caller destroys it.
MLC_API MlcPassManager *mlc_pass_manager_create(MlcContext *ctx,
                                                const MlcPassManagerConfig *config);
MLC_API void mlc_pass_manager_destroy(MlcPassManager *pm);
// "builtin.module(func.func(cse,canonicalize{max-iterations=3}),symbol-dce)"; a located diagnostic
// if it is wrong.
MLC_API bool mlc_pass_manager_parse(MlcPassManager *pm, MlcStr pipeline);
// Adds one pass (nested on its anchor where that is not the root), options as "a=1 b=2" or "".
MLC_API bool mlc_pass_manager_add(MlcPassManager *pm, MlcStr flag, MlcStr options);
MLC_API size_t mlc_pass_manager_size(const MlcPassManager *pm); // items of the outermost pipeline
MLC_API void mlc_pass_manager_print_pipeline(MlcPassManager *pm, MlcBuf *out);
// False after diagnostics. The IR is then valid or was left where a pass failed.
MLC_API bool mlc_pass_manager_run(MlcPassManager *pm, MlcOp *root);
// The same of a pipeline that is run once, by a manager with the default settings.
MLC_API bool mlc_run_pipeline(MlcOp *root, MlcStr pipeline);
// Appends the module around `root` with the pipeline beside it, as --run-reproducer reads it.
MLC_API void mlc_pass_manager_reproducer(MlcPassManager *pm, MlcOp *root, MlcBuf *out);
// Makes a run stop before its next pass, with an error; from any thread, or a signal handler.
MLC_API void mlc_pass_manager_cancel(MlcPassManager *pm);
// What a run may take (mlc/support/quota.h). One that takes more stops before its next pass,
// rewrite or conversion of an op, and fails with an error that names the pass; what stands between
// those ends first.
MLC_API void mlc_pass_manager_limit(MlcPassManager *pm, const MlcQuotaLimits *limits);
// A row of the report that the caller measured (reading, writing), in nanoseconds.
MLC_API void mlc_pass_manager_add_time(MlcPassManager *pm, const char *name, int64_t wall,
                                       int64_t cpu);
// The timing tree and statistics of all runs, as text.
MLC_API void mlc_pass_manager_report(MlcPassManager *pm, MlcBuf *out);
// Called around pipelines, passes and analyses, from the thread that does the work; any may be
// NULL.
typedef struct MlcInstrumentation {
    size_t size; // MLC_SIZED
    void (*before)(const MlcPassDef *pass, MlcOp *op, void *user);
    void (*after)(const MlcPassDef *pass, MlcOp *op, bool ok, bool changed, void *user);
    void (*before_pipeline)(MlcStr anchor, MlcOp *op, void *user);
    void (*after_pipeline)(MlcStr anchor, MlcOp *op, bool ok, void *user);
    void (*before_analysis)(const MlcAnalysisDef *analysis, MlcOp *op, void *user);
    void (*after_analysis)(const MlcAnalysisDef *analysis, MlcOp *op, void *user);
    void *user;
} MlcInstrumentation;
// Copied; hooks are called in the order they were added, those after a pass the other way round.
MLC_API void mlc_pass_manager_add_instrumentation(MlcPassManager *pm,
                                                  const MlcInstrumentation *hooks);
// Runs a pipeline from inside a pass on an op nested in the one it was given.
MLC_API bool mlc_pass_run_pipeline(MlcPass *pass, MlcStr pipeline, MlcOp *op);
// Runs one on `root`, the op that the pass was given, for the machine `target`. Only from the pass
// of an outermost op: the manager's threads work on it. Reports have its passes below this one.
MLC_API bool mlc_pass_run_pipeline_for(MlcPass *pass, MlcStr pipeline, MlcOp *root,
                                       const struct MlcTargetDesc *target);

MLC_END_DECLS

#endif
