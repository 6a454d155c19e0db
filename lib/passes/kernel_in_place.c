// kernel_in_place.c -- a kernel writes its result over an argument that it is the last to read:
// what is added to a product (a residual) becomes the sum.
//
// A result's own buffer is memory that no core has touched for long: each line of it is fetched
// only to be overwritten. That of the argument has just been read. docs/kernels.md has the figures.
//
// Two conditions. Every caller must be through with the argument's buffer, and have made the
// result's for this call. And the kernel must have read an element before it writes the one of that
// index: loops around a read and a write must not carry one element from the write to a later read
// (affine_accesses.h), and in one iteration the read must come first, or be of another element. A
// kernel that writes sums of parts, or reads rows twice, is left alone. The two arguments become
// one, so that nothing after this pass can take them for different memory.
//
// Run when kernels are affine loops, before they are made parallel.
#include "affine_accesses.h"
#include "kernel_arguments.h"
#include "kernel_notes.h"

#include "mlc/ir.h"
#include "mlc/support/map.h"

typedef struct Kernel {
    MlcOp *function;
    MlcKernelCalls calls;
    bool is_only_called;
    MLC_VEC(MlcAccesses) accesses; // of each op of the body, once they are asked for
    bool has_accesses, is_known;
} Kernel;

typedef struct Kernels {
    MlcSymbolTable *symbols;
    MLC_VEC(Kernel) list;
    MlcMap number_of; // function -> place in the list + 1
} Kernels;

static void
add_use(MlcOp *user, MlcAttr ref, void *data)
{
    Kernels *kernels = data;
    MlcOp *function = mlc_symbol_table_lookup(kernels->symbols, mlc_symbol_ref_attr_name(ref, 0));
    size_t number = (size_t)(uintptr_t)mlc_map_get(&kernels->number_of, function), count;
    if (!function || number == 0)
        return;
    Kernel *kernel = &kernels->list.data[number - 1];
    const MlcCall *methods = mlc_op_interface(user, MLC_INTERFACE_CALL);
    MlcKernelCall call = {.op = user};
    if (methods && methods->callee(user) == ref) {
        methods->arguments(user, &call.first, &count);
        mlc_vec_push(&kernel->calls, call);
    } else {
        kernel->is_only_called = false;
    }
}

// ---- the callers

static bool
is_fresh_for(MlcOp *call, MlcValue *written)
{
    MlcOp *alloc = mlc_value_def(written);
    size_t times = 0;
    if (!mlc_op_is_named(alloc, "memref.alloc") || mlc_op_block(alloc) != mlc_op_block(call))
        return false;
    MLC_FOR_EACH_USE (use, written) {
        MlcOp *user = mlc_block_find_ancestor(mlc_op_block(call), mlc_use_owner(use));
        if (user != call && !mlc_op_is_before(call, user))
            return false;
        times += user == call;
    }
    return times == 1;
}

// Whether `buffer` is used by no op after `call`, through views either; counts what `call` uses.
// What a call marked run_once fills lives as long as the model.
static bool
is_not_used_after(MlcOp *call, MlcValue *buffer, size_t *times)
{
    MLC_FOR_EACH_USE (use, buffer) {
        MlcOp *user = mlc_use_owner(use), *top = mlc_block_find_ancestor(mlc_op_block(call), user);
        if (top != call && !mlc_op_is_before(top, call))
            return false;
        if (mlc_op_attr(user, "mlc.run_once"))
            return false;
        if (mlc_op_interface(user, MLC_INTERFACE_VIEW_LIKE)) {
            if (!is_not_used_after(call, mlc_op_result(user, 0), times))
                return false;
        } else {
            *times += top == call;
        }
    }
    return true;
}

static bool
is_last_use(MlcOp *call, MlcValue *read)
{
    MlcOp *root = mlc_value_def(read);
    size_t times = 0;
    while (root && mlc_op_interface(root, MLC_INTERFACE_VIEW_LIKE))
        root = mlc_value_def(mlc_op_operand(root, 0));
    return mlc_op_is_named(root, "memref.alloc") && mlc_op_block(root) == mlc_op_block(call) &&
           is_not_used_after(call, mlc_op_result(root, 0), &times) && times == 1;
}

static bool
callers_allow(const Kernel *kernel, size_t read, size_t written)
{
    for (size_t i = 0; i < kernel->calls.size; i++) {
        const MlcKernelCall *call = &kernel->calls.data[i];
        MlcValue *from = mlc_op_operand(call->op, call->first + read),
                 *to = mlc_op_operand(call->op, call->first + written);
        if (from == to || mlc_op_attr(call->op, "mlc.run_once") || !is_fresh_for(call->op, to) ||
            !is_last_use(call->op, from))
            return false;
    }
    return kernel->is_only_called && kernel->calls.size > 0;
}

// ---- the kernel

static MlcBlock *
body_of(const Kernel *kernel)
{
    return mlc_region_first(mlc_op_region(kernel->function, 0));
}

static bool
know_accesses(Kernel *kernel)
{
    if (kernel->has_accesses)
        return kernel->is_known;
    kernel->has_accesses = kernel->is_known = true;
    MLC_FOR_EACH_OP (op, body_of(kernel)) {
        MlcAccesses accesses = {.op = op};
        kernel->is_known &= mlc_accesses_collect(&accesses) == NULL;
        mlc_vec_push(&kernel->accesses, accesses);
    }
    return kernel->is_known;
}

static MlcValue *
argument_behind(MlcValue *value)
{
    for (MlcOp *def;
         (def = mlc_value_def(value)) && mlc_op_interface(def, MLC_INTERFACE_VIEW_LIKE);)
        value = mlc_op_operand(def, 0);
    return value;
}

// Whether x is to `read` what y is to `written`: the same views of it.
static bool
are_same_views(MlcValue *x, MlcValue *y, MlcValue *read, MlcValue *written)
{
    MlcOp *of_x = mlc_value_def(x), *of_y = mlc_value_def(y);
    if (!of_x || !of_y)
        return x == read && y == written;
    if (mlc_op_def(of_x) != mlc_op_def(of_y) || mlc_op_num_operands(of_x) != 1 ||
        mlc_op_num_operands(of_y) != 1 || mlc_value_type(x) != mlc_value_type(y) ||
        mlc_op_all_attrs(of_x) != mlc_op_all_attrs(of_y))
        return false;
    return are_same_views(mlc_op_operand(of_x, 0), mlc_op_operand(of_y, 0), read, written);
}

// Nothing but `accesses` uses `value`, through views either.
static bool
is_only_accessed(MlcValue *value, const MlcMap *accessing)
{
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use);
        bool ok = mlc_op_interface(user, MLC_INTERFACE_VIEW_LIKE)
                      ? is_only_accessed(mlc_op_result(user, 0), accessing)
                      : mlc_map_has(accessing, user);
        if (!ok)
            return false;
    }
    return true;
}

static bool
has_no_other_uses(const Kernel *kernel, MlcValue *read, MlcValue *written)
{
    MlcMap accessing;
    mlc_map_init(&accessing);
    for (size_t i = 0; i < kernel->accesses.size; i++)
        for (size_t k = 0; k < kernel->accesses.data[i].list.size; k++)
            mlc_map_set(&accessing, kernel->accesses.data[i].list.data[k].op, NULL);
    bool ok = is_only_accessed(read, &accessing) && is_only_accessed(written, &accessing);
    mlc_map_release(&accessing);
    return ok;
}

// Whether access a, of `read` in op number i of the body, comes before b, of `written` in number j.
static bool
comes_first(const Kernel *kernel, size_t i, const MlcAccess *a, size_t j, const MlcAccess *b,
            MlcValue *read, MlcValue *written)
{
    const MlcAccesses *of_a = &kernel->accesses.data[i], *of_b = &kernel->accesses.data[j];
    if (i < j)
        return true;
    return are_same_views(a->root, b->root, read, written) &&
           (i == j ? mlc_access_is_first(of_a, a, b) : mlc_access_is_apart(of_a, a, of_b, b));
}

static bool
reads_before_it_writes(const Kernel *kernel, MlcValue *read, MlcValue *written)
{
    for (size_t i = 0; i < kernel->accesses.size; i++)
        for (size_t k = 0; k < kernel->accesses.data[i].list.size; k++) {
            const MlcAccess *a = &kernel->accesses.data[i].list.data[k];
            if (argument_behind(a->root) != read)
                continue;
            if (a->is_write)
                return false;
            for (size_t j = 0; j <= i; j++)
                for (size_t l = 0; l < kernel->accesses.data[j].list.size; l++) {
                    const MlcAccess *b = &kernel->accesses.data[j].list.data[l];
                    if (b->is_write && argument_behind(b->root) == written &&
                        !comes_first(kernel, i, a, j, b, read, written))
                        return false;
                }
        }
    return has_no_other_uses(kernel, read, written);
}

static bool
is_written(const Kernel *kernel, MlcValue *argument)
{
    for (size_t i = 0; i < kernel->accesses.size; i++)
        for (size_t k = 0; k < kernel->accesses.data[i].list.size; k++)
            if (kernel->accesses.data[i].list.data[k].is_write &&
                argument_behind(kernel->accesses.data[i].list.data[k].root) == argument)
                return true;
    return false;
}

// ---- the change

static void
forget_accesses(Kernel *kernel)
{
    for (size_t i = 0; i < kernel->accesses.size; i++)
        mlc_vec_release(&kernel->accesses.data[i].list);
    mlc_vec_release(&kernel->accesses);
    kernel->has_accesses = false;
}

static void
make_one(Kernel *kernel, size_t read, size_t written)
{
    MlcBlock *body = body_of(kernel);
    mlc_kernel_note(kernel->function, "result %zu written over argument %zu", written, read);
    mlc_value_replace_uses(mlc_block_arg(body, written), mlc_block_arg(body, read));
    mlc_block_erase_arg(body, written);
    mlc_kernel_follow_arguments(kernel->function);
    for (size_t i = 0; i < kernel->calls.size; i++) {
        const MlcKernelCall *call = &kernel->calls.data[i];
        MlcValue *from = mlc_op_operand(call->op, call->first + read);
        MlcOp *alloc = mlc_value_def(mlc_op_operand(call->op, call->first + written));
        mlc_op_erase_operand(call->op, call->first + written);
        mlc_op_replace(alloc, &from, 1);
    }
    forget_accesses(kernel);
}

// The argument whose buffer may be that of argument `written`; -1: none.
static int64_t
find_argument(Kernel *kernel, size_t written)
{
    MlcBlock *body = body_of(kernel);
    MlcValue *result = mlc_block_arg(body, written);
    for (size_t read = 0; read < mlc_block_num_args(body); read++) {
        MlcValue *argument = mlc_block_arg(body, read);
        if (read == written || mlc_value_type(argument) != mlc_value_type(result) ||
            !callers_allow(kernel, read, written) || !know_accesses(kernel) ||
            !is_written(kernel, result) || is_written(kernel, argument))
            continue;
        if (reads_before_it_writes(kernel, argument, result))
            return (int64_t)read;
        mlc_kernel_remark(kernel->function,
                          "result %zu not written over argument %zu, which is read after that",
                          written, read);
    }
    return -1;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    Kernels kernels = {.symbols = mlc_symbol_table_create(module)};
    mlc_map_init(&kernels.number_of);
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(module, 0)))
        if (mlc_is_kernel_function(op) && mlc_region_has_one_block(mlc_op_region(op, 0))) {
            mlc_vec_push(&kernels.list, ((Kernel){.function = op, .is_only_called = true}));
            mlc_map_set(&kernels.number_of, op, (void *)(uintptr_t)kernels.list.size);
        }
    bool ok = true, is_known = mlc_symbol_visit_uses(module, false, add_use, &kernels);
    for (size_t i = 0; i < kernels.list.size; i++) {
        Kernel *kernel = &kernels.list.data[i];
        size_t made = 0;
        for (size_t k = mlc_block_num_args(body_of(kernel)); is_known && k-- > 0;) {
            int64_t read = find_argument(kernel, k);
            if (read < 0)
                continue;
            make_one(kernel, (size_t)read, k);
            made++;
        }
        if (made > 0) // views that are now the same
            ok = ok && mlc_pass_run_pipeline(pass, mlc_str("cse"), kernel->function);
        mlc_pass_count(pass, "results-in-place", (int64_t)made);
        forget_accesses(kernel);
        mlc_vec_release(&kernel->calls);
    }
    mlc_vec_release(&kernels.list);
    mlc_map_release(&kernels.number_of);
    mlc_symbol_table_destroy(kernels.symbols);
    return ok;
}

MLC_PASS(kernel_in_place, .flag = "kernel-in-place",
         .summary = "Write a kernel's result over an argument that it is the last to read",
         .anchor = "builtin.module", .run = run)
