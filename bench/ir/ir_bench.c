// ir_bench.c -- times what the IR core does with one file: reading, verifying, walking, cloning,
// printing, CSE, canonicalisation and bytecode, each by itself, and the bytes that its ops take.
//
//   ir_bench FILE.mlir [ROUNDS]
//
// Prints one JSON object: seconds of processor time (the least of ROUNDS, one thread), ops,
// bytes.
#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/bytecode.h"
#include "mlc/ir/text.h"
#include "mlc/pass.h"
#include "mlc/support/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

typedef enum Stage {
    PARSE,
    VERIFY,
    WALK,
    CLONE,
    PRINT,
    PRINT_GENERIC,
    CSE,
    CANONICALIZE,
    WRITE_BYTECODE,
    READ_BYTECODE,
    OPEN_BYTECODE, // bodies are left unread
    NUM_STAGES
} Stage;
static const char *const names[NUM_STAGES] = {
    "parse", "verify",       "walk",           "clone",         "print",         "print generic",
    "cse",   "canonicalize", "write bytecode", "read bytecode", "open bytecode",
};
static double least[NUM_STAGES];

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void
took(Stage stage, double start)
{
    double seconds = now() - start;
    if (least[stage] == 0 || seconds < least[stage])
        least[stage] = seconds;
}

static size_t
count_ops(MlcOp *root)
{
    size_t count = 0;
    MLC_FOR_EACH_PREORDER (op, root)
        count++;
    return count;
}

static void
forget_text(void *user, MlcBuf *out)
{
    (void)user;
    mlc_buf_clear(out);
}

static void
time_print(MlcOp *module, Stage stage, bool generic)
{
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.generic = generic;
    flags.flush = forget_text;
    flags.assume_verified = true;
    MlcBuf out = {0};
    double start = now();
    mlc_op_print(module, &flags, &out);
    took(stage, start);
    mlc_buf_release(&out);
}

// On a clone, which is destroyed.
static bool
time_pass(MlcOp *module, Stage stage, const char *flag)
{
    MlcContext *ctx = mlc_op_context(module);
    MlcPassManagerConfig config = mlc_pass_manager_config_default();
    config.verify_each = false;
    config.threads = 1;
    MlcPassManager *pm = mlc_pass_manager_create(ctx, &config);
    bool ok = mlc_pass_manager_add(pm, mlc_str(flag), mlc_str(""));
    MlcOp *copy = mlc_op_clone(module, NULL);
    double start = now();
    ok = ok && mlc_pass_manager_run(pm, copy);
    took(stage, start);
    mlc_op_destroy(copy);
    mlc_pass_manager_destroy(pm);
    return ok;
}

// Reads what was written into a new context: everything, or all but the bodies.
static bool
time_open(const MlcBuf *bytes, Stage stage, bool lazy)
{
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    MlcBytecodeReadOptions options = {MLC_SIZED(MlcBytecodeReadOptions), .lazy = lazy};
    double start = now();
    MlcBytecode *file = mlc_bytecode_open(ctx, mlc_buf_str(bytes), mlc_str("bench"), &options);
    took(stage, start);
    MlcOp *root = file ? mlc_bytecode_root(file) : NULL;
    mlc_bytecode_close(file);
    if (root)
        mlc_op_destroy(root);
    mlc_context_destroy(ctx);
    return root != NULL;
}

static bool
time_bytecode(MlcOp *module)
{
    MlcBuf bytes = {0};
    double start = now();
    mlc_bytecode_write(module, NULL, &bytes);
    took(WRITE_BYTECODE, start);
    bool ok = time_open(&bytes, READ_BYTECODE, false) && time_open(&bytes, OPEN_BYTECODE, true);
    mlc_buf_release(&bytes);
    return ok;
}

// One round; a context of its own, so that nothing is there already.
static bool
run_round(const MlcFile *file, const char *path, size_t *num_ops, size_t *num_bytes)
{
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    size_t before = mlc_context_memory(ctx);
    double start = now();
    MlcOp *module = mlc_parse_source(ctx, mlc_str_n(file->data, file->size), mlc_str(path), NULL);
    took(PARSE, start);
    bool ok = module != NULL;
    if (ok) {
        *num_bytes = mlc_context_memory(ctx) - before;
        start = now();
        ok = mlc_verify(module);
        took(VERIFY, start);
        start = now();
        *num_ops = count_ops(module);
        took(WALK, start);
        start = now();
        MlcOp *copy = mlc_op_clone(module, NULL);
        took(CLONE, start);
        mlc_op_destroy(copy);
        time_print(module, PRINT, false);
        time_print(module, PRINT_GENERIC, true);
        ok = ok && time_bytecode(module);
        ok = ok && time_pass(module, CSE, "cse") && time_pass(module, CANONICALIZE, "canonicalize");
        mlc_op_destroy(module);
    }
    mlc_context_destroy(ctx);
    return ok;
}

int
main(int argc, char **argv)
{
    MlcFile file;
    MlcBuf error = {0};
    if (argc < 2 || !mlc_file_open(&file, argv[1], MLC_FILE_PRIVATE, &error)) {
        fprintf(stderr, "ir_bench: %s\n", argc < 2 ? "no file given" : mlc_buf_c_str(&error));
        return 1;
    }
    size_t num_ops = 0, num_bytes = 0;
    bool ok = true;
    for (int round = argc > 2 ? atoi(argv[2]) : 3; ok && round > 0; round--)
        ok = run_round(&file, argv[1], &num_ops, &num_bytes);
    printf("{\"ops\": %zu, \"bytes\": %zu", num_ops, num_bytes);
    for (int i = 0; i < NUM_STAGES; i++)
        printf(", \"%s\": %.6f", names[i], least[i]);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(", \"peak KiB\": %ld}\n", usage.ru_maxrss);
    mlc_file_release(&file);
    return ok ? 0 : 1;
}
