// split.c -- mlc split: a folder per kernel of a model, with all that is needed to run it alone.
//
// The model runs once, in the interpreter, on the level of the kernels; it gives what each kernel
// function's first call is given and gives (expose-kernels). So what is expected of a kernel does
// not depend on how it is lowered. Equal kernels share a function, and so a folder.
#include "compilation.h"

#include "mlc/interp.h"
#include "mlc/ir/text.h"
#include "mlc/pass.h"
#include "mlc/support/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

typedef struct Split {
    Compilation compilation;
    const char *folder;
    const MlcStrVec *inputs; // NAME=FILE
    int64_t seed;
    MlcOpVec kernels; // functions, with data of their first calls
} Split;

// ---- files

// The folder, made if it is not there; what is in it is never overwritten.
static bool
take_folder(const char *path, MlcBuf *error)
{
    mlc_files_together(); // until the tool ends well
    if (!mlc_dir_create(path, error))
        return false;
    DIR *dir = opendir(path);
    bool is_empty = dir != NULL;
    for (struct dirent *d; dir && (d = readdir(dir));)
        is_empty &= strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0;
    if (!is_empty)
        mlc_buf_printf(error, "'%s': %s", path, dir ? "the folder is not empty" : strerror(errno));
    if (dir)
        closedir(dir);
    return is_empty;
}

static bool
write_file(Split *s, MlcStr kernel, const char *name, const MlcBuf *text, bool is_program)
{
    MlcBuf path = {0}, error = {0};
    mlc_buf_printf(&path, "%s/%.*s", s->folder, MLC_STR_FMT(kernel));
    bool ok = mlc_dir_create(mlc_buf_c_str(&path), &error);
    mlc_buf_printf(&path, "/%s", name);
    ok = ok && mlc_file_write_atomic(mlc_buf_c_str(&path), text->data, text->size, &error);
    if (ok && is_program && chmod(mlc_buf_c_str(&path), 0755) != 0) {
        mlc_buf_printf(&error, "'%s': %s", mlc_buf_c_str(&path), strerror(errno));
        ok = false;
    }
    if (!ok)
        report(&error);
    mlc_buf_release(&path);
    return ok;
}

// ---- passes on a copy of the model

static MlcOp *
transformed(Split *s, const char *pass, const char *options)
{
    MlcOp *copy = mlc_op_clone(s->compilation.module, NULL);
    MlcPassManagerConfig config = mlc_pass_manager_config_default();
    MlcPassManager *pm = mlc_pass_manager_create(s->compilation.ctx, &config);
    bool ok =
        mlc_pass_manager_add(pm, mlc_str(pass), mlc_str(options)) && mlc_pass_manager_run(pm, copy);
    mlc_pass_manager_destroy(pm);
    if (ok)
        return copy;
    mlc_op_destroy(copy);
    return NULL;
}

// ---- data

// "image" of {mlc.name = "image"}; else, as plan-memory calls it, "input_0".
static void
append_name(MlcBuf *out, MlcAttr attrs, size_t i, const char *otherwise)
{
    MlcAttr dict =
        attrs && i < mlc_array_attr_size(attrs) ? mlc_array_attr_element(attrs, i) : NULL;
    MlcAttr name = dict ? mlc_dict_attr_find(dict, mlc_str("mlc.name")) : NULL;
    if (name)
        mlc_buf_append_str(out, mlc_string_attr_value(name));
    else
        mlc_buf_printf(out, "%s_%zu", otherwise, i);
}

// Indices, masks and sizes are integers: 0 and 1 are fine for most.
static bool
random_integers(MlcInterp *interp, MlcOp *function, MlcType type, uint64_t state, MlcDatum *out)
{
    if (!mlc_eval_elements(mlc_interp_eval(interp), function, type, NULL, out))
        return false;
    size_t bytes = mlc_elements_attr_element_bytes(mlc_type_element(type));
    for (size_t i = 0; i < mlc_datum_num_elements(out); i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        memset((char *)out->elements.data + i * bytes, 0, bytes);
        ((char *)out->elements.data)[i * bytes] = (char)(state >> 63);
    }
    return true;
}

static bool
make_input(Split *s, MlcInterp *interp, MlcOp *function, MlcStr name, size_t i, MlcDatum *out)
{
    MlcType type = mlc_function_type_inputs(mlc_interp_function_type(function))[i];
    for (size_t k = 0; k < s->inputs->size; k++) {
        MlcStr spec = s->inputs->data[k];
        if (spec.size > name.size && spec.data[name.size] == '=' &&
            memcmp(spec.data, name.data, name.size) == 0)
            return mlc_interp_read_datum(
                interp, type, mlc_str_n(spec.data + name.size + 1, spec.size - name.size - 1), out);
    }
    if (!mlc_type_has_static_shape(type))
        return mlc_op_error(function,
                            "input '%.*s' has sizes that are not known: --input %.*s=FILE",
                            MLC_STR_FMT(name), MLC_STR_FMT(name));
    uint64_t seed = (uint64_t)s->seed + i;
    if (!mlc_type_is_float(mlc_type_element(type)))
        return random_integers(interp, function, type, seed, out);
    char spec[40];
    snprintf(spec, sizeof spec, "random:%llu", (unsigned long long)seed);
    return mlc_interp_read_datum(interp, type, mlc_str(spec), out);
}

// A result named "kernel_3.in0" becomes kernel_3/in0.npy.
static bool
write_value(Split *s, MlcInterp *interp, MlcStr name, const MlcDatum *value)
{
    MlcBuf path = {0}, error = {0};
    const char *dot = memchr(name.data, '.', name.size);
    size_t kernel = (size_t)(dot - name.data);
    mlc_buf_printf(&path, "%s/%.*s", s->folder, (int)kernel, name.data);
    bool ok = mlc_dir_create(mlc_buf_c_str(&path), &error);
    mlc_buf_printf(&path, "/%.*s.npy", (int)(name.size - kernel - 1), dot + 1);
    ok = ok && mlc_interp_write_npy(interp, value, mlc_buf_c_str(&path), &error);
    if (!ok)
        report(&error);
    mlc_buf_release(&path);
    return ok;
}

static bool
run_model(Split *s, MlcOp *exposed)
{
    MlcInterp *interp = mlc_interp_create(exposed, NULL);
    MlcOp *function = mlc_interp_function(interp, mlc_str("main"));
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcType type = mlc_interp_function_type(function);
    MlcAttr in = mlc_op_slot(function, methods->arg_attrs_slot),
            out = mlc_op_slot(function, methods->res_attrs_slot);
    size_t num_args = mlc_function_type_num_inputs(type),
           num_results = mlc_function_type_num_results(type);
    MlcDatum *args = mlc_calloc(num_args + num_results + 1, sizeof *args);
    MlcDatum *results = args + num_args;
    MlcBuf name = {0};
    bool ok = true;
    for (size_t i = 0; i < num_args && ok; i++) {
        mlc_buf_clear(&name);
        append_name(&name, in, i, "input");
        ok = make_input(s, interp, function, mlc_buf_str(&name), i, &args[i]);
    }
    ok = ok && mlc_interp_call(interp, mlc_str("main"), args, num_args, results, num_results);
    for (size_t i = 0; i < num_results && ok; i++) {
        mlc_buf_clear(&name);
        append_name(&name, out, i, "output");
        ok = write_value(s, interp, mlc_buf_str(&name), &results[i]);
    }
    mlc_buf_release(&name);
    mlc_free(args);
    mlc_interp_destroy(interp);
    return ok;
}

// ---- a kernel's folder

// What a kernel may differ by from what is expected, relative to its largest value.
static double
tolerance_of(MlcOp *function)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcType type = methods->type(function);
    double tolerance = 0;
    for (size_t i = 0; i < mlc_function_type_num_results(type); i++) {
        MlcType element = mlc_type_element(mlc_function_type_results(type)[i]);
        unsigned width = mlc_type_is_float(element) ? mlc_type_bit_width(element) : 0;
        double its = width >= 64 ? 1e-12 : width >= 32 ? DEFAULT_TOLERANCE : width > 0 ? 1e-2 : 0;
        tolerance = its > tolerance ? its : tolerance;
    }
    return tolerance;
}

// In a line of comment.
static void
append_node(MlcStr name, void *out)
{
    mlc_buf_append_char(out, ' ');
    for (size_t i = 0; i < name.size; i++)
        mlc_buf_append_char(out, (unsigned char)name.data[i] < ' ' ? '?' : name.data[i]);
}

// run.sh: a comment line for each call in the model, then the command.
static bool
write_script(Split *s, MlcOp *kernel, MlcOp *model)
{
    MlcStr name = mlc_symbol_name(kernel);
    MlcType type = mlc_interp_function_type(model);
    MlcBuf text = {0};
    mlc_buf_printf(&text, "#!/bin/sh\n# Runs %.*s, compares what it gives, and times it.\n",
                   MLC_STR_FMT(name));
    MLC_FOR_EACH_PREORDER (op, s->compilation.module) {
        const MlcCall *call = mlc_op_interface(op, MLC_INTERFACE_CALL);
        MlcAttr callee = call ? call->callee(op) : NULL;
        if (!callee || !mlc_str_equal(mlc_symbol_ref_attr_name(callee, 0), name))
            continue;
        mlc_buf_append_c(&text, "# computes");
        mlc_loc_visit_names(mlc_op_loc(op), append_node, &text);
        mlc_buf_append_char(&text, '\n');
    }
    mlc_buf_append_c(&text,
                     "# MLC names the compiler; arguments go to it: --threads 1, --profile, ...\n"
                     "cd \"$(dirname \"$0\")\" && exec \"${MLC:-mlc}\" bench kernel.mlir");
    extensions_append(&s->compilation.options->extensions, &text);
    for (size_t i = 0; i < mlc_function_type_num_inputs(type); i++)
        mlc_buf_printf(&text, " \\\n  --input in%zu=in%zu.npy", i, i);
    for (size_t i = 0; i < mlc_function_type_num_results(type); i++)
        mlc_buf_printf(&text, " \\\n  --expect out%zu=out%zu.npy", i, i);
    mlc_buf_printf(&text, " \\\n  --tolerance %g \"$@\"\n", tolerance_of(kernel));
    bool ok = write_file(s, name, "run.sh", &text, true);
    mlc_buf_release(&text);
    return ok;
}

static bool
write_kernel(Split *s, MlcOp *kernel)
{
    MlcStr name = mlc_symbol_name(kernel);
    MlcBuf text = {0};
    mlc_buf_printf(&text, "kernel=%.*s", MLC_STR_FMT(name));
    MlcOp *module = transformed(s, "isolate-kernel", mlc_buf_c_str(&text));
    mlc_buf_clear(&text);
    if (!module)
        return false;
    mlc_op_set_attr(module, "mlc.level",
                    mlc_string_attr_get(s->compilation.ctx, mlc_str("kernels")));
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.debug_info = true; // names of nodes
    mlc_op_print(module, &flags, &text);
    mlc_buf_append_char(&text, '\n');
    bool ok = write_file(s, name, "kernel.mlir", &text, false) &&
              write_script(s, kernel, mlc_symbol_lookup(module, mlc_str("main")));
    mlc_op_destroy(module);
    mlc_buf_release(&text);
    return ok;
}

// The kernels as they are when they are scheduled, to be read.
static int
write_linalg(Split *s)
{
    int code = compilation_lower(&s->compilation, mlc_str("linalg"));
    if (code != EXIT_OK)
        return code;
    bool ok = true;
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.elide_elements_over = flags.elide_resources_over = ELIDE_OVER;
    MLC_FOR_EACH_BLOCK_IN_OP (block, s->compilation.module)
        MLC_FOR_EACH_OP (op, block) {
            MlcBuf text = {0};
            if (!mlc_op_is_symbol(op) || !mlc_symbol_is_private(op))
                continue;
            mlc_op_print(op, &flags, &text);
            mlc_buf_append_char(&text, '\n');
            ok = ok && write_file(s, mlc_symbol_name(op), "linalg.mlir", &text, false);
            mlc_buf_release(&text);
        }
    return ok ? EXIT_OK : EXIT_WRONG;
}

static int
split(Split *s)
{
    int code = compilation_lower(&s->compilation, mlc_str("kernels"));
    if (code != EXIT_OK)
        return code;
    MlcOp *exposed = transformed(s, "expose-kernels", "");
    bool ok = exposed && run_model(s, exposed);
    if (exposed)
        mlc_op_destroy(exposed);
    size_t count = 0;
    MLC_FOR_EACH_BLOCK_IN_OP (block, s->compilation.module)
        MLC_FOR_EACH_OP (op, block)
            if (ok && mlc_op_is_symbol(op) && mlc_symbol_is_private(op)) {
                ok = write_kernel(s, op);
                count++;
            }
    code = ok ? write_linalg(s) : EXIT_WRONG;
    if (code == EXIT_OK)
        printf("%zu kernels in %s: kernel_N/run.sh runs and times one\n", count, s->folder);
    return code;
}

static int
split_model(Split *s, const char *path, const CompileOptions *options)
{
    InputFiles files;
    CompileOptions used = *options;
    int code = input_files_read(&files, path, &used, s->inputs, false);
    if (code == EXIT_OK) {
        code = compilation_begin(&s->compilation, path, &used);
        if (code == EXIT_OK)
            code = check_files(s->compilation.module, s->inputs, NULL, &used, false);
        if (code == EXIT_OK)
            code = split(s);
        compilation_end(&s->compilation);
    }
    input_files_release(&files);
    return code;
}

int
mlc_verb_split(int argc, char **argv)
{
    MlcStrVec inputs = {0};
    CompileOptions compile = {.threads = THREADS_NOT_GIVEN};
    Split s = {.inputs = &inputs, .seed = 1};
    const char *arguments[2];
    int code;
    const MlcCliOption options[] = {
        {"input", MLC_CLI_LIST, &inputs, "NAME=FILE",
         "an input of the run that the kernels' data comes from, from .npy; others are random",
         NULL},
        {"seed", MLC_CLI_INT, &s.seed, "N", "of random inputs; default 1", NULL},
        {"threads", MLC_CLI_INT, &compile.threads, "N", "compile with at most so many threads",
         NULL},
        {"numerics", MLC_CLI_STRING, &compile.numerics, "name",
         "which rewrites may round differently: strict, default or fast", NULL},
        SOURCE_CLI(&compile),
    };
    if (!parse_arguments("mlc split", "Makes a folder per kernel of a model: IR, data, a command.",
                         "MODEL FOLDER", options, sizeof options / sizeof *options, argc, argv,
                         arguments, 2, &code))
        goto done;
    MlcBuf error = {0};
    s.folder = arguments[1];
    if (!check_threads(&compile.threads))
        code = EXIT_WRONG;
    else if (!take_folder(s.folder, &error))
        code = report(&error);
    else
        code = split_model(&s, arguments[0], &compile);
done:
    mlc_vec_release(&inputs);
    compile_options_release(&compile);
    return code;
}
