// mlc.h -- what the verbs of mlc share: one file a verb, its command line, exit codes, an open
// model.
#ifndef MLC_TOOLS_MLC_H
#define MLC_TOOLS_MLC_H

#include "mlc/runtime.h"
#include "mlc/support/arena.h"
#include "mlc/support/budget.h"
#include "mlc/support/cli.h"
#include "mlc/support/file.h"
#include "mlc/support/softfloat.h"

#include "extensions.h"
#include "quota.h"
#include "tensor_file.h"
#include "value_file.h"

struct MlcOp;
struct MlcOnnxInputValue;

// `code` of a verb.
enum { EXIT_OK = 0, EXIT_WRONG = 1, EXIT_UNSUPPORTED = 3 };

int mlc_verb_compile(int argc, char **argv);
int mlc_verb_run(int argc, char **argv);
int mlc_verb_bench(int argc, char **argv);
int mlc_verb_inspect(int argc, char **argv);
int mlc_verb_split(int argc, char **argv);
int mlc_verb_new(int argc, char **argv);
int mlc_verb_ops(int argc, char **argv);

// Parses a verb's command line, which has `num_values` positional arguments, named in `positional`
// ("MODEL FOLDER"). False: printed help (*code EXIT_OK) or what is wrong (EXIT_WRONG). `verb` is
// what stands before them: "mlc run".
bool parse_arguments(const char *verb, const char *overview, const char *positional,
                     const MlcCliOption *options, size_t num_options, int argc, char **argv,
                     const char **values, size_t num_values, int *code);
// The same for a verb that has one positional argument, the model; NULL where that is false.
const char *parse_verb(const char *verb, const char *overview, const MlcCliOption *options,
                       size_t num_options, int argc, char **argv, int *code);

// The initial value of --threads, and what it becomes then: the default of what is called, one per
// core.
enum { THREADS_NOT_GIVEN = -1, THREADS_DEFAULT = 0 };
// False after a message, unless it was not given or is from 1 to 1024.
bool check_threads(int64_t *threads);

// False after a message if one is negative or no number.
bool check_seconds_and_tolerance(double seconds, double tolerance);

// "mlc: " and the text on stderr, a line each; clears it. Returns EXIT_WRONG.
int report(MlcBuf *error);

typedef struct CompileOptions {
    MlcStr target;             // name of a target description; empty: the host
    MlcStr numerics;           // "strict", "default" or "fast"; empty: default
    MlcStr cache_dir;          // NULL: MLC_CACHE_DIR, or none; empty: none
    bool allow_external_links; // of a model's data, out of its folder
    MlcStrVec dims;            // --dim NAME=SIZE, of an ONNX model
    MlcStrVec items;           // --items NAME=SHAPES, of an ONNX model
    MlcStrVec input_values;    // --input-value NAME=FILE, of an ONNX model
    MlcStrVec shared_libs;     // --shared-libs a.so,b.so
    bool keeps_open_dims;      // those without a size are no error
    bool names_open_dims;      // and without a name get one
    const struct MlcOnnxInputValue
        *values; // of an ONNX model's inputs, for where they must be known
    size_t num_values;
    Extensions extensions; // which .mlir files use
    MlcStr max_arena;      // --max-arena as given; empty: no limit
    MlcStr ptxas;          // what makes cubins: a path; empty: none
    MlcStr host_kernels;   // --host-kernels as given; empty: those that must
    bool require_compiled; // nothing is left to the interpreter
    bool llvm_vectorizers; // LLVM's loop and SLP vectorisers, for comparison
    int64_t threads;       // of the compiler
    QuotaFlags quota;      // of reading and compiling
    MlcStr time;           // --compile-budget as given; empty: no limit
    MlcBudget *budget;     // begun, by start_budget; NULL: none
    struct MlcJit **jit;   // code goes here, not into the file; NULL: it does not
    // Looks at the module that was read, before it is compiled: EXIT_OK, or a code after a message.
    int (*check)(struct MlcOp *module, void *user);
    void *check_user;
} CompileOptions;

// The options of every verb that reads a model, and of those that compile, as rows of its table.
#define SOURCE_CLI(options)                                                                        \
    {"allow-external-links",                                                                       \
     MLC_CLI_FLAG,                                                                                 \
     &(options)->allow_external_links,                                                             \
     NULL,                                                                                         \
     "follow links to a model's data out of its folder",                                           \
     NULL},                                                                                        \
        {"dim",                                                                                    \
         MLC_CLI_LIST,                                                                             \
         &(options)->dims,                                                                         \
         "NAME=SIZE",                                                                              \
         "the size of a dimension that an ONNX model leaves open: batch=4, or image.0=4",          \
         NULL},                                                                                    \
        {"items",                                                                                  \
         MLC_CLI_LIST,                                                                             \
         &(options)->items,                                                                        \
         "NAME=SHAPES",                                                                            \
         "what a sequence or optional input holds: seq=2x3:4x3, seq=empty, opt=none",              \
         NULL},                                                                                    \
        {"input-value",                                                                            \
         MLC_CLI_LIST,                                                                             \
         &(options)->input_values,                                                                 \
         "NAME=FILE",                                                                              \
         "an input of an ONNX model that is this .npy in all runs, and no input then",             \
         NULL},                                                                                    \
        {"shared-libs",                                                                            \
         MLC_CLI_LIST,                                                                             \
         &(options)->shared_libs,                                                                  \
         "a.so,b.so",                                                                              \
         "libraries with functions of the model's own operators, or that the text declares (-e)",  \
         NULL},                                                                                    \
        QUOTA_OPTIONS(&(options)->quota), EXTENSIONS_CLI(&(options)->extensions)
#define COMPILE_CLI(options)                                                                       \
    {"max-arena",                                                                                  \
     MLC_CLI_STRING,                                                                               \
     &(options)->max_arena,                                                                        \
     "SIZE",                                                                                       \
     "512MiB: what values between kernels may take when the model runs; another order, or refused", \
     NULL},                                                                                        \
        {"host-kernels",                                                                               \
         MLC_CLI_STRING,                                                                           \
         &(options)->host_kernels,                                                                 \
         "LIST",                                                                                   \
         "kernels that stay on the CPU, of a model for a device: kernel_1,kernel_4, or half",      \
         NULL},                                                                                    \
        {"require-compiled",                                                                           \
     MLC_CLI_FLAG,                                                                                 \
     &(options)->require_compiled,                                                                 \
     NULL,                                                                                         \
     "refuse what would be left to the interpreter",                                               \
     NULL},                                                                                        \
        {"numerics",                                                                                   \
     MLC_CLI_STRING,                                                                               \
     &(options)->numerics,                                                                         \
     "name",                                                                                       \
     "which rewrites may round differently: strict, default or fast",                              \
     NULL},                                                                                        \
        {"compile-budget",                                                                         \
         MLC_CLI_STRING,                                                                           \
         &(options)->time,                                                                         \
         "time",                                                                                   \
         "10s, 500ms: leave out what makes code faster where compiling would take longer",         \
         NULL},                                                                                    \
        {"cache-dir",                                                                              \
         MLC_CLI_STRING,                                                                           \
         &(options)->cache_dir,                                                                    \
         "folder",                                                                                 \
         "keep what is compiled here, and find it again; default $MLC_CACHE_DIR",                  \
         NULL},                                                                                    \
        SOURCE_CLI(options)

void compile_options_release(CompileOptions *options);

// Begins what --compile-budget allows, kept in `budget`, and what a run may take at most, until the
// model is compiled (quota.h). False after a message: a flag is wrong.
bool start_budget(CompileOptions *options, MlcBudget *budget);

// Compiles the model at `path` (.onnx, or IR as .mlir) to an artefact, written to `out`, which the
// caller commits or abandons. Returns an exit code; faults were reported.
int compile_model(const char *path, const CompileOptions *options, MlcFileWriter *out);

// "dir/resnet50.onnx": "resnet50", the artefact's name.
MlcStr model_stem(const char *path);

// Arguments and results of a module's function @main, as the runtime will describe them, in
// `arena`; an element type of 0 where it cannot, or the rank is not known. False if they are no
// tensors.
bool module_signature(struct MlcOp *module, MlcArena *arena, const MlcRtTensorInfo **inputs,
                      size_t *num_inputs, const MlcRtTensorInfo **outputs, size_t *num_outputs);

// Those of a module's inputs or outputs that are no tensors, in `arena`.
void module_lists(struct MlcOp *module, MlcArena *arena, bool of_outputs, ListValue **lists,
                  size_t *count);

// False after a message: --dim, --items or --input-value is given for what is no ONNX model.
bool check_no_model_options(const char *path, const CompileOptions *options);
// What the files of --input and --input-value say of the ONNX model that they are for.
typedef struct InputFiles {
    MlcArena arena;
    MlcStrVec dims; // of what the model leaves open: "image.0=4", after those of --dim
    MlcStrVec items; // of sequences and optionals: "seq=2x3:4x3", after those of --items
    struct MlcOnnxInputValue *values; // of --input-value, and of small inputs
    size_t num_values;
    TensorFile *files;
    size_t num_files;
} InputFiles;

// Reads them, and has the options, which must not outlive them, say the same. Of another model than
// ONNX they say nothing. Returns an exit code: where sizes are open and the inputs must be
// complete, one without a file is an error. Released whatever the code.
int input_files_read(InputFiles *in, const char *path, CompileOptions *options,
                     const MlcStrVec *inputs, bool are_complete); // `inputs` NULL: none
void input_files_release(InputFiles *in);

// Reads an ONNX model's inputs and hands the module to `look`: @main with arguments alone. Returns
// its exit code, or that of what was wrong.
int read_signature(const char *path, const CompileOptions *options,
                   int (*look)(struct MlcOp *module, void *user), void *user);

// Reads the files given for a module's inputs and outputs, only to tell what is wrong with names,
// types and shapes; and which inputs have none, if it must be complete. Returns an exit code. What
// `options` have values of may be no input: it became a constant.
int check_files(struct MlcOp *module, const MlcStrVec *inputs, const MlcStrVec *expect,
                const CompileOptions *options, bool is_complete);

// Where in the cache this model belongs, compiled with these options. False if there is no cache,
// or the model cannot be read.
bool cache_place(const char *model, const CompileOptions *options, MlcBuf *place);
// NULL if the cache does not have it whole, or if it does not run here.
MlcModel *cache_load(const char *place, const MlcModelOptions *options);
// Appends the file of what the cache has there, whole, for whatever processor. False if it has not.
bool cache_find(const char *place, MlcBuf *path);
// Makes `to` what cache_find found: nothing to do if it is that file, a link where no other file of
// a user's is one, a copy otherwise, whole or not at all.
bool cache_give(const char *kept, const char *to, MlcBuf *error);
// Keeps a link to the artefact there, or a copy of it; or the artefact that was written, which was
// begun with `place` as its path.
void cache_keep(const char *place, const char *artefact);
void cache_commit(const char *place, MlcFileWriter *artefact);

// A model with a session and its inputs set. `path` is an artefact, or an .onnx file, which is
// compiled first.
typedef struct OpenModel {
    MlcModel *model;
    MlcSession *session;
    TensorFile *inputs;   // one per input of the model
    TensorFile *expected; // one per output; without data where nothing is expected
    struct MlcJit *jit;   // code that is not in the model's file
    double load_seconds;
} OpenModel;

typedef struct OpenOptions {
    const MlcStrVec *inputs; // NAME=FILE
    const MlcStrVec *expect; // NAME=FILE of outputs; NULL: none
    double tolerance;        // of floats expected, relative to the largest
    int64_t threads;         // 0: as many as there are cores
    bool profile;            // print a table of the kernels' times
    MlcStr trace;            // write the last run here; empty: do not
    bool perf_map;           // tell perf the functions' names
    MlcStr device;           // "cuda:0"; empty: where the artefact wants to run
    int64_t streams;         // of work on the device, at most; 0: as the model has them
    const MlcStrVec *grow;   // NAME=ROOM: caches that grow in place; NULL: none
    CompileOptions compile;  // of a source
} OpenOptions;

// The options of every verb that runs, as rows of its table.
#define PROFILE_CLI(options)                                                                       \
    {"profile",                                                                                    \
     MLC_CLI_FLAG,                                                                                 \
     &(options)->profile,                                                                          \
     NULL,                                                                                         \
     "also the time of each kernel, beside what the machine could do",                             \
     NULL},                                                                                        \
        {"perf-map",                                                                               \
         MLC_CLI_FLAG,                                                                             \
         &(options)->perf_map,                                                                     \
         NULL,                                                                                     \
         "name the code's functions by their nodes for perf, in /tmp/perf-PID.map",                \
         NULL},                                                                                    \
    {                                                                                              \
        "trace", MLC_CLI_STRING, &(options)->trace, "file",                                        \
            "write the last run here, for chrome://tracing or Perfetto", NULL                      \
    }

#define DEVICE_CLI(options)                                                                        \
    {"device",                                                                                     \
     MLC_CLI_STRING,                                                                               \
     &(options)->device,                                                                           \
     "name",                                                                                       \
     "run kernels on this device, cuda:0, cuda:1, ...; a model (.onnx) is compiled for it",        \
     NULL},                                                                                        \
    {                                                                                              \
        "streams", MLC_CLI_INT, &(options)->streams, "N",                                          \
            "how many streams of work a device gets at most; default as many as the model has",    \
            NULL                                                                                   \
    }

// What a run is to give, as rows of the same tables.
#define DEFAULT_TOLERANCE 1e-4
#define EXPECT_CLI(options, list)                                                                  \
    {"expect",                                                                                     \
     MLC_CLI_LIST,                                                                                 \
     (list),                                                                                       \
     "NAME=FILE",                                                                                  \
     "compare this output with an .npy; another one is an error",                                  \
     NULL},                                                                                        \
    {                                                                                              \
        "tolerance", MLC_CLI_DOUBLE, &(options)->tolerance, "T",                                   \
            "largest difference over the largest value expected, of floats; default 1e-4", NULL    \
    }

// How a model is loaded whose own operators are in these libraries (--shared-libs); the list is the
// arena's.
MlcModelOptions load_options(const MlcStrVec *shared_libs, bool perf_map, MlcArena *arena);

// Returns an exit code, EXIT_OK if it is open; else the fault was reported.
int model_open(OpenModel *open, const char *path, const OpenOptions *options);
void model_close(OpenModel *open);

// Whether a file is to be compiled: .onnx and .mlir. Else it is an artefact, whatever its name: the
// runtime tells what is wrong.
bool is_source(const char *path);

// " conv1 relu1": the lines of a text of the runtime's, each behind `separator`, the first behind
// `first`.
void print_lines(const char *first, const char *separator, const char *lines);
// What the options ask for of a session that ran. Nothing is measured without them.
void give_profile(const OpenModel *open, const OpenOptions *how, MlcBuf *error);

// Whether elements are floats, and which.
bool is_float(MlcRtType type, MlcFloatKind *kind);

// Compares the outputs of the last run with those expected, and tells. False with `error` set.
bool expect_check(const OpenModel *open, double tolerance, MlcBuf *error);

// What so many cores of this machine can do at most in a second.
typedef struct Roofline {
    double flops; // of f32
    double bytes; // from memory
} Roofline;
Roofline roofline_measure(int threads); // takes about 0.3 s
// The least time for so much work over the time taken. More than 1 where data came from caches.
double roofline_share(const Roofline *machine, double flops, double bytes, double seconds);

// Prints the model's IR as it is at a level ("linalg"). Returns an exit code.
int print_level(const char *path, const CompileOptions *options, MlcStr level);

#endif
