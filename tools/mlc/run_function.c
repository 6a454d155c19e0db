// run_function.c -- mlc run -e NAME: one function of a module, of any type, on arguments from the
// command line.
//
// Arguments are read, and results printed, as the interpreter does it (mlc/interp.h). Code is
// made of a copy of the module, lowered by the pipelines for functions; `_mlc_call`, which
// llvm-call-by-pointers adds, takes them by pointers. Elements lie in memory as datums have them.
#include "compilation.h"
#include "run_function.h"
#include "shared_libs.h"

#include "mlc/dialects/memref.h"
#include "mlc/interp.h"
#include "mlc/ir/eval.h"
#include "mlc/pass.h"
#include "mlc/support/alloc.h"
#include "mlc/support/arena.h"
#include "mlc/target.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

typedef struct Run {
    const FunctionOptions *options;
    Compilation c;
    MlcOp *function, *lowered; // `lowered`: the copy
    MlcType type;
    MlcInterp *interp;
    MlcJit *jit;
    MlcArena arena;
    MlcDatum *args, *results;
    MLC_VEC(void *) arg_places, result_places;
} Run;

static bool
is_memref(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_MEMREF);
}

static bool
is_tensor(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_TENSOR);
}

static bool
is_number(MlcType type)
{
    return mlc_type_is_int_or_index(type) || mlc_type_is_float(type);
}

static bool
can_be_passed(MlcType type)
{
    bool has_shape = is_memref(type) || is_tensor(type) || mlc_type_is(type, MLC_TYPE_VECTOR);
    return has_shape ? is_number(mlc_type_element(type)) && mlc_type_rank(type) <= MLC_RANK_LIMIT
                     : is_number(type);
}

static bool
check_types(Run *r)
{
    size_t num_args = mlc_function_type_num_inputs(r->type),
           num_results = mlc_function_type_num_results(r->type);
    for (size_t i = 0; i < num_args + num_results; i++) {
        bool is_arg = i < num_args;
        size_t number = is_arg ? i : i - num_args;
        MlcType type = is_arg ? mlc_function_type_inputs(r->type)[number]
                              : mlc_function_type_results(r->type)[number];
        if (!can_be_passed(type))
            return mlc_op_error(
                r->function,
                "%s %zu is %s, but mlc run passes numbers, and vectors, tensors and "
                "memrefs of them",
                is_arg ? "argument" : "result", number, mlc_type_text(type));
    }
    return true;
}

static bool
read_args(Run *r)
{
    size_t n = mlc_function_type_num_inputs(r->type);
    const MlcStrVec *given = r->options->inputs;
    if (n != given->size)
        return mlc_op_error(r->function, "takes %zu arguments, but %zu --input were given", n,
                            given->size);
    r->args = MLC_NEW_ARRAY(&r->arena, MlcDatum, n + 1);
    for (size_t i = 0; i < n; i++)
        if (!mlc_interp_read_datum(r->interp, mlc_function_type_inputs(r->type)[i], given->data[i],
                                   &r->args[i]))
            return false;
    return true;
}

static int64_t *
words(Run *r, size_t rank)
{
    return MLC_NEW_ARRAY(&r->arena, int64_t, 3 + 2 * rank);
}

// The fields of a descriptor, each behind a pointer of its own.
static void
pass_descriptor(Run *r, void *data, int64_t offset, size_t rank, const int64_t *sizes,
                const int64_t *strides)
{
    int64_t *fields = words(r, rank);
    fields[0] = fields[1] = (int64_t)(intptr_t)data;
    fields[2] = offset;
    for (size_t i = 0; i < rank; i++) {
        fields[3 + i] = sizes[i];
        fields[3 + rank + i] = strides[i];
    }
    for (size_t i = 0; i < 3 + 2 * rank; i++)
        mlc_vec_push(&r->arg_places, &fields[i]);
}

// The function may write into its argument, and frees nothing: it gets a copy in the arena.
static void
pass_tensor(Run *r, const MlcDatum *d)
{
    int64_t strides[MLC_RANK_LIMIT], stride = 1;
    void *data = mlc_arena_alloc(&r->arena, d->elements.num_bytes + 1, 64);
    memcpy(data, d->elements.data, d->elements.num_bytes);
    for (size_t i = d->rank; i-- > 0;) {
        strides[i] = stride;
        stride *= d->elements.shape[i];
    }
    pass_descriptor(r, data, 0, d->rank, d->elements.shape, strides);
}

static bool
pass_arg(Run *r, const MlcDatum *d, MlcType type)
{
    if (is_tensor(type)) {
        pass_tensor(r, d);
    } else if (is_memref(type)) {
        MlcBuffer *buffer = d->memref.buffer;
        void *data = mlc_eval_buffer_data(mlc_interp_eval(r->interp), r->function, buffer, 0,
                                          mlc_buffer_size(buffer));
        if (!data)
            return false;
        pass_descriptor(r, data, d->memref.offset, d->rank, d->memref.sizes, d->memref.strides);
    } else if (mlc_type_is(type, MLC_TYPE_VECTOR)) {
        mlc_vec_push(&r->arg_places, d->elements.data);
    } else {
        void *place = mlc_arena_alloc(&r->arena, mlc_elements_attr_element_bytes(type), 16);
        mlc_datum_write(place, d);
        mlc_vec_push(&r->arg_places, place);
    }
    return true;
}

// Where the call puts result `i`.
static bool
make_place(Run *r, size_t i)
{
    MlcType type = mlc_function_type_results(r->type)[i];
    void *place;
    if (is_tensor(type) || is_memref(type)) {
        place = words(r, mlc_type_rank(type));
    } else if (mlc_type_is(type, MLC_TYPE_VECTOR)) {
        if (!mlc_eval_elements(mlc_interp_eval(r->interp), r->function, type, NULL, &r->results[i]))
            return false;
        place = r->results[i].elements.data;
    } else {
        place = mlc_arena_alloc(&r->arena, mlc_elements_attr_element_bytes(type), 16);
    }
    mlc_vec_push(&r->result_places, place);
    return true;
}

// The elements that a descriptor describes, as a tensor.
static bool
take_descriptor(Run *r, MlcType type, const int64_t *fields, MlcDatum *out)
{
    size_t rank = mlc_type_rank(type),
           bytes = mlc_elements_attr_element_bytes(mlc_type_element(type));
    const int64_t *sizes = fields + 3, *strides = sizes + rank;
    MlcType tensor = mlc_tensor_type_get(mlc_type_element(type), sizes, rank, NULL);
    if (!mlc_eval_elements_of_rank(mlc_interp_eval(r->interp), r->function, tensor, sizes, rank,
                                   out))
        return false;
    const char *data = (const char *)(intptr_t)fields[1] + fields[2] * (int64_t)bytes;
    int64_t at[MLC_RANK_LIMIT] = {0};
    for (size_t i = 0; i < mlc_datum_num_elements(out); i++) {
        int64_t position = 0;
        for (size_t d = 0; d < rank; d++)
            position += at[d] * strides[d];
        memcpy((char *)out->elements.data + i * bytes, data + position * (int64_t)bytes, bytes);
        mlc_next_index(at, sizes, rank);
    }
    return true;
}

static bool
take_result(Run *r, size_t i)
{
    MlcType type = mlc_function_type_results(r->type)[i];
    if (is_tensor(type) || is_memref(type))
        return take_descriptor(r, type, r->result_places.data[i], &r->results[i]);
    if (is_number(type))
        mlc_datum_read(mlc_interp_eval(r->interp), type, r->result_places.data[i], &r->results[i]);
    return true;
}

// A program that frees some of its buffers frees all.
static bool
frees_by_itself(MlcOp *module)
{
    MLC_FOR_EACH_PREORDER (op, module)
        if (mlc_memref_dealloc_isa(op))
            return true;
    return false;
}

static bool
lower(Run *r)
{
    MlcPassManagerConfig config = mlc_pass_manager_config_default();
    config.threads = (unsigned)r->options->compile->threads;
    MlcBuf pipeline = {0};
    mlc_buf_printf(&pipeline,
                   "symbol-privatize{exclude=%.*s},symbol-dce,"
                   "function-memref-pipeline,%sfunction-llvm-pipeline,"
                   "llvm-call-by-pointers{function=%.*s results=%zu}",
                   MLC_STR_FMT(r->options->entry),
                   frees_by_itself(r->c.module) ? "" : "buffer-deallocation-pipeline,",
                   MLC_STR_FMT(r->options->entry), mlc_function_type_num_results(r->type));
    r->lowered = mlc_op_clone(r->c.module, NULL);
    MlcPassManager *pm = mlc_pass_manager_create(r->c.ctx, &config);
    bool ok =
        mlc_pass_manager_parse(pm, mlc_buf_str(&pipeline)) && mlc_pass_manager_run(pm, r->lowered);
    mlc_pass_manager_destroy(pm);
    mlc_buf_release(&pipeline);
    return ok;
}

// ---- what the function does wrong

static char fault_message[1 << 9]; // made before the call: a handler may make none

static void
on_fault(int signal)
{
    (void)signal;
    if (write(STDERR_FILENO, fault_message, strlen(fault_message)) < 0)
        _exit(EXIT_WRONG); // nobody can be told
    _exit(EXIT_WRONG);
}

// Compiled code checks nothing by itself: an access of what is not there, or of memory that could
// not be had, is a signal. From here on it is an error that names the function.
static void
tell_faults(const Run *r)
{
    static char stack[1 << 16]; // that of the function may be what is used up
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    snprintf(fault_message, sizeof fault_message,
             "mlc: function '%.*s' failed: it used memory that is not there or could not be had, "
             "divided by 0, or nested its calls too deep; mlc-opt --interpret says where\n",
             MLC_STR_FMT(r->options->entry));
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &(struct sigaction){.sa_handler = on_fault, .sa_flags = SA_ONSTACK},
                  NULL);
}

static bool
call(Run *r)
{
    if (!mlc_target_jit_module(r->lowered, NULL, &r->jit))
        return false;
    void *code = mlc_target_jit_function(r->lowered, r->jit, mlc_str("_mlc_call"));
    if (!code || !mlc_target_jit_call_all(r->lowered, r->jit, false))
        return false;
    fflush(stdout);
    tell_faults(r);
    ((void (*)(void **, void **))(uintptr_t)code)(r->arg_places.data, r->result_places.data);
    fflush(stdout);
    return mlc_target_jit_call_all(r->lowered, r->jit, true);
}

static bool
give(Run *r, const MlcDatum *d, size_t number, MlcBuf *error)
{
    MlcStr folder = r->options->output_dir;
    MlcBuf text = {0};
    bool ok = true;
    if (folder.data) {
        mlc_buf_printf(&text, "%.*s/output_%zu.npy", MLC_STR_FMT(folder), number);
        ok = mlc_dir_create(folder.data, error) &&
             mlc_interp_write_npy(r->interp, d, mlc_buf_c_str(&text), error);
    } else {
        mlc_interp_print_datum(r->interp, d, &text);
        printf("%s\n", mlc_buf_c_str(&text));
    }
    mlc_buf_release(&text);
    return ok;
}

// The results; of a function without any, the buffers that it was given.
static bool
give_all(Run *r, MlcBuf *error)
{
    size_t num_results = mlc_function_type_num_results(r->type), number = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < num_results; i++)
        ok = take_result(r, i) && give(r, &r->results[i], number++, error);
    for (size_t i = 0; ok && num_results == 0 && i < r->options->inputs->size; i++)
        if (is_memref(mlc_function_type_inputs(r->type)[i]))
            ok = give(r, &r->args[i], number++, error);
    return ok;
}

static bool
prepare(Run *r)
{
    r->interp = mlc_interp_create(r->c.module, NULL);
    r->function = mlc_interp_function(r->interp, r->options->entry);
    r->type = r->function ? mlc_interp_function_type(r->function) : NULL;
    if (!r->type || !check_types(r) || !read_args(r))
        return false;
    size_t num_results = mlc_function_type_num_results(r->type);
    r->results = MLC_NEW_ARRAY(&r->arena, MlcDatum, num_results + 1);
    bool ok = true;
    for (size_t i = 0; ok && i < r->options->inputs->size; i++)
        ok = pass_arg(r, &r->args[i], mlc_function_type_inputs(r->type)[i]);
    for (size_t i = 0; ok && i < num_results; i++)
        ok = make_place(r, i);
    return ok;
}

static bool
open_libraries(const FunctionOptions *options, MlcBuf *error)
{
    return shared_libs_open_runner_utils(error) && shared_libs_open(options->shared_libs, error);
}

int
run_function(const char *path, const FunctionOptions *options)
{
    Run r = {.options = options};
    MlcBuf error = {0};
    int code = compilation_begin(&r.c, path, options->compile);
    bool ok = code == EXIT_OK && prepare(&r) && lower(&r) && open_libraries(options, &error) &&
              call(&r) && give_all(&r, &error);
    if (r.c.ctx)
        mlc_diag_flush(r.c.ctx);
    if (r.jit)
        mlc_target_open(NULL)->jit_destroy(r.jit);
    if (r.lowered)
        mlc_op_destroy(r.lowered);
    if (r.interp)
        mlc_interp_destroy(r.interp);
    mlc_vec_release(&r.arg_places);
    mlc_vec_release(&r.result_places);
    mlc_arena_release(&r.arena);
    compilation_end(&r.c);
    if (error.size > 0)
        return report(&error);
    return ok ? EXIT_OK : code != EXIT_OK ? code : EXIT_WRONG;
}
