// target_jit.c -- a module's functions in this process.
//
// What is missing is told here rather than by the linker, which knows no locations: each function
// that the module declares, uses and that the process has not is an error at its declaration.
#include "mlc/target.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "mlc/ir.h"

bool
mlc_target_jit_module(MlcOp *module, const MlcTargetOptions *options, MlcJit **jit)
{
    MlcBuf error = {0}, object = {0};
    const MlcTargetApi *api = mlc_target_open(&error);
    *jit = NULL;
    if (api && api->emit(module, options, MLC_EMIT_OBJECT, &object)) {
        MlcStr code = mlc_buf_str(&object);
        *jit = api->jit_create(&code, 1, &error);
    }
    if (error.size > 0)
        mlc_op_error(module, "%s", mlc_buf_c_str(&error));
    mlc_buf_release(&object);
    mlc_buf_release(&error);
    return *jit != NULL;
}

static bool
is_declaration(MlcOp *op)
{
    return strcmp(mlc_op_def(op)->name, "llvm.func") == 0 &&
           mlc_region_is_empty(mlc_op_region(op, 0));
}

static bool
is_missing(MlcOp *function)
{
    MlcBuf name = {0};
    mlc_buf_append_str(&name, mlc_symbol_name(function));
    bool missing = strncmp(mlc_buf_c_str(&name), "llvm.", 5) != 0 &&
                   !dlsym(RTLD_DEFAULT, mlc_buf_c_str(&name));
    mlc_buf_release(&name);
    return missing;
}

static void
report_missing(MlcOp *module, MlcStr name)
{
    bool found = false;
    MLC_FOR_EACH_BLOCK_IN_OP (block, module)
        MLC_FOR_EACH_OP (op, block)
            if (is_declaration(op) && is_missing(op)) {
                mlc_op_error(op, "no library defines the function '%.*s'",
                             MLC_STR_FMT(mlc_symbol_name(op)));
                found = true;
            }
    if (!found)
        mlc_op_error(module, "no code for the function '%.*s'", MLC_STR_FMT(name));
}

void *
mlc_target_jit_function(MlcOp *module, MlcJit *jit, MlcStr name)
{
    MlcOp *function = mlc_symbol_lookup(module, name);
    if (!function || strcmp(mlc_op_def(function)->name, "llvm.func") != 0) {
        mlc_op_error(module, "there is no function '%.*s'", MLC_STR_FMT(name));
        return NULL;
    }
    MlcBuf symbol = {0};
    mlc_buf_append_str(&symbol, name);
    void *code =
        is_declaration(function) ? NULL : mlc_target_jit_lookup(jit, mlc_buf_c_str(&symbol));
    mlc_buf_release(&symbol);
    if (is_declaration(function))
        mlc_op_error(function, "the function '%.*s' has no body", MLC_STR_FMT(name));
    else if (!code)
        report_missing(module, name);
    return code;
}

// A function to call; those of one priority are called in the order in which they are written.
typedef struct Entry {
    MlcStr name;
    int64_t priority;
    size_t index;
} Entry;

static int
compare_entries(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    if (x->priority != y->priority)
        return x->priority < y->priority ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static bool
call_entries(MlcOp *module, MlcJit *jit, MlcOp *op, const char *list)
{
    MlcAttr names = mlc_op_attr(op, list), priorities = mlc_op_attr(op, "priorities");
    MLC_VEC(Entry) entries = {0};
    for (size_t i = 0; i < mlc_array_attr_size(names); i++) {
        int64_t priority = mlc_attr_as_int(mlc_array_attr_element(priorities, i));
        MlcStr name = mlc_symbol_ref_attr_name(mlc_array_attr_element(names, i), 0);
        mlc_vec_push(&entries, ((Entry){name, priority, i}));
    }
    if (entries.size > 1)
        qsort(entries.data, entries.size, sizeof *entries.data, compare_entries);
    bool ok = true;
    for (size_t i = 0; ok && i < entries.size; i++) {
        void *code = mlc_target_jit_function(module, jit, entries.data[i].name);
        ok = code != NULL;
        if (ok)
            ((void (*)(void))(uintptr_t)code)();
    }
    mlc_vec_release(&entries);
    return ok;
}

bool
mlc_target_jit_call_all(MlcOp *module, MlcJit *jit, bool destructors)
{
    const char *name = destructors ? "llvm.mlir.global_dtors" : "llvm.mlir.global_ctors";
    bool ok = true;
    MLC_FOR_EACH_BLOCK_IN_OP (block, module)
        MLC_FOR_EACH_OP (op, block)
            if (strcmp(mlc_op_def(op)->name, name) == 0)
                ok = ok && call_entries(module, jit, op, destructors ? "dtors" : "ctors");
    return ok;
}
