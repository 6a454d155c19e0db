// kernel_in_place.c -- a kernel writes its result over an argument that it is the last to read:
// what is added to a product (a residual) becomes the sum.
//
// A result's own buffer is memory that no core has touched for long: each line of it is fetched
// only to be overwritten. That of the argument has just been read. docs/measurements/products.md
// has the figures.
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
#include "kernel/kernel_arguments.h"
#include "kernel/kernel_notes.h"

#include "mlc/ir.h"
#include "mlc/support/map.h"

#include "mlc/dialects/memref.h"

// Arguments that may become one: whether they do, is for the kernel's own code to say.
typedef struct Couple {
    size_t read, written;
    bool is_in_order;
} Couple;

typedef struct Kernel {
    MlcOp *function;
    MlcKernelCalls calls;
    bool is_only_called;
    MLC_VEC(Couple) couples;       // that all callers allow
    MLC_VEC(MlcAccesses) accesses; // of each op of the body, while they are looked at
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

static MlcValue *
behind_views(MlcValue *value)
{
    for (MlcOp *def;
         (def = mlc_value_def(value)) && mlc_op_interface(def, MLC_INTERFACE_VIEW_LIKE);)
        value = mlc_op_operand(def, 0);
    return value;
}

// ---- the callers

static bool
is_fresh_for(MlcOp *call, MlcValue *written)
{
    MlcOp *alloc = mlc_value_def(written);
    size_t times = 0;
    if (!mlc_memref_alloc_isa(alloc) || mlc_op_block(alloc) != mlc_op_block(call))
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
    MlcOp *root = mlc_value_def(behind_views(read));
    size_t times = 0;
    return mlc_memref_alloc_isa(root) && mlc_op_block(root) == mlc_op_block(call) &&
           is_not_used_after(call, mlc_op_result(root, 0), &times) && times == 1;
}

static bool
callers_allow(const Kernel *kernel, size_t read, size_t written)
{
    if (!kernel->is_only_called || kernel->calls.size == 0)
        return false;
    for (size_t i = 0; i < kernel->calls.size; i++) {
        const MlcKernelCall *call = &kernel->calls.data[i];
        MlcValue *from = mlc_op_operand(call->op, call->first + read),
                 *to = mlc_op_operand(call->op, call->first + written);
        if (from == to || mlc_op_attr(call->op, "mlc.run_once") || !is_fresh_for(call->op, to) ||
            !is_last_use(call->op, from))
            return false;
    }
    return true;
}

// ---- the kernel

static MlcBlock *
body_of(const Kernel *kernel)
{
    return mlc_region_first(mlc_op_region(kernel->function, 0));
}

static bool
collect_accesses(Kernel *kernel)
{
    bool is_known = true;
    for (MlcOp *op = mlc_block_first(body_of(kernel)); is_known && op; op = mlc_op_next(op)) {
        MlcAccesses accesses = {.op = op};
        is_known = mlc_accesses_collect(&accesses) == NULL;
        mlc_vec_push(&kernel->accesses, accesses);
    }
    return is_known;
}

static void
forget_accesses(Kernel *kernel)
{
    for (size_t i = 0; i < kernel->accesses.size; i++)
        mlc_vec_release(&kernel->accesses.data[i].list);
    mlc_vec_release(&kernel->accesses);
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
            if (behind_views(a->root) != read)
                continue;
            if (a->is_write)
                return false;
            for (size_t j = 0; j <= i; j++)
                for (size_t l = 0; l < kernel->accesses.data[j].list.size; l++) {
                    const MlcAccess *b = &kernel->accesses.data[j].list.data[l];
                    if (b->is_write && behind_views(b->root) == written &&
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
                behind_views(kernel->accesses.data[i].list.data[k].root) == argument)
                return true;
    return false;
}

// Looks at one kernel, in any thread.
static bool
look_at(MlcOp *op, void *user)
{
    Kernels *kernels = user;
    size_t number = (size_t)(uintptr_t)mlc_map_get(&kernels->number_of, op);
    Kernel *kernel = number ? &kernels->list.data[number - 1] : NULL;
    if (!kernel || kernel->couples.size == 0)
        return true;
    bool is_known = collect_accesses(kernel);
    for (size_t i = 0; is_known && i < kernel->couples.size; i++) {
        Couple *couple = &kernel->couples.data[i];
        MlcValue *read = mlc_block_arg(body_of(kernel), couple->read),
                 *written = mlc_block_arg(body_of(kernel), couple->written);
        if (!is_written(kernel, written) || is_written(kernel, read))
            continue;
        couple->is_in_order = reads_before_it_writes(kernel, read, written);
        if (!couple->is_in_order)
            mlc_kernel_remark(
                kernel->function,
                "result in argument %zu not written over argument %zu, read after that",
                couple->written, couple->read);
    }
    forget_accesses(kernel);
    return true;
}

// ---- the change

static void
make_one(const Kernel *kernel, const Couple *couple)
{
    MlcBlock *body = body_of(kernel);
    mlc_kernel_note(kernel->function, "result in argument %zu written over argument %zu",
                    couple->written, couple->read);
    mlc_value_replace_uses(mlc_block_arg(body, couple->written), mlc_block_arg(body, couple->read));
    mlc_function_erase_argument(kernel->function, couple->written);
    for (size_t i = 0; i < kernel->calls.size; i++) {
        const MlcKernelCall *call = &kernel->calls.data[i];
        MlcValue *from = mlc_op_operand(call->op, call->first + couple->read);
        MlcOp *alloc = mlc_value_def(mlc_op_operand(call->op, call->first + couple->written));
        mlc_op_erase_operand(call->op, call->first + couple->written);
        mlc_op_replace(alloc, &from, 1);
    }
}

// One result has a new place: the last arguments move up, and neither of the two is free any more.
static void
update_couples(Kernel *kernel, Couple done)
{
    for (size_t i = 0; i < kernel->couples.size; i++) {
        Couple *other = &kernel->couples.data[i];
        other->is_in_order &= other->read != done.read && other->written != done.written;
        other->read -= other->read > done.written;
        other->written -= other->written > done.written;
    }
}

static size_t
change(Kernel *kernel)
{
    size_t count = 0;
    for (size_t i = 0; i < kernel->couples.size; i++) {
        Couple couple = kernel->couples.data[i];
        if (!couple.is_in_order || !callers_allow(kernel, couple.read, couple.written))
            continue;
        make_one(kernel, &couple);
        update_couples(kernel, couple);
        count++;
    }
    return count;
}

static void
find_couples(Kernel *kernel)
{
    MlcBlock *body = body_of(kernel);
    size_t num_args = mlc_block_num_args(body);
    for (size_t written = num_args; written-- > 0;)
        for (size_t read = 0; read < num_args; read++)
            if (read != written &&
                mlc_value_type(mlc_block_arg(body, read)) ==
                    mlc_value_type(mlc_block_arg(body, written)) &&
                callers_allow(kernel, read, written))
                mlc_vec_push(&kernel->couples, ((Couple){read, written, false}));
}

static bool
rewrite(MlcPass *pass, MlcOp *module, Kernels *kernels)
{
    for (size_t i = 0; i < kernels->list.size; i++)
        find_couples(&kernels->list.data[i]);
    bool ok = mlc_pass_visit_layers(pass, module, look_at, kernels);
    for (size_t i = 0; ok && i < kernels->list.size; i++) {
        size_t made = change(&kernels->list.data[i]);
        mlc_pass_count(pass, "results-in-place", (int64_t)made);
        if (made > 0) // views that are now the same
            ok = mlc_pass_run_pipeline(pass, mlc_str("cse"), kernels->list.data[i].function);
    }
    return ok;
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
    bool ok =
        !mlc_symbol_visit_uses(module, false, add_use, &kernels) || rewrite(pass, module, &kernels);
    for (size_t i = 0; i < kernels.list.size; i++) {
        mlc_vec_release(&kernels.list.data[i].couples);
        mlc_vec_release(&kernels.list.data[i].calls);
    }
    mlc_vec_release(&kernels.list);
    mlc_map_release(&kernels.number_of);
    mlc_symbol_table_destroy(kernels.symbols);
    return ok;
}

MLC_PASS(kernel_in_place, .flag = "kernel-in-place",
         .summary = "Write a kernel's result over an argument that it is the last to read",
         .anchor = "builtin.module", .run = run)
