// kernel_scratch.c -- buffers that a kernel allocates become windows of one more argument, so that
// the model's plan can give them room. Those that are not alive at the same time share it.
//
// Only allocations outside parallel loops, which nobody hands on: those of sequential loops may
// share one place. Others stay allocations. Those inside belong to the thread that runs the
// iteration, and are turned into windows of its scratch by parallel-to-runtime. Callers allocate
// the argument, as they do the kernel's other buffers.
//
// A buffer of a size that the kernel computes from those it is told is an argument by itself, its
// address. Callers compute the size as the kernel does, so the plan has it as a text.
#include "buffer_places.h"
#include "kernel_arguments.h"

#include "mlc/analysis.h"
#include "mlc/analysis/alias.h"

#include "mlc/dialects/affine.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"

enum { MAX_DEPTH = 8 }; // of a size

static bool
is_in_parallel_loop(MlcOp *op)
{
    for (MlcOp *parent = mlc_op_parent(op); parent; parent = mlc_op_parent(parent)) {
        const MlcLoop *loop = mlc_op_interface(parent, MLC_INTERFACE_LOOP);
        if (loop && loop->is_parallel && loop->is_parallel(parent))
            return true;
    }
    return false;
}

static bool
collect(MlcOp *function, MlcOpVec *allocs)
{
    bool ok = true;
    MLC_FOR_EACH_PREORDER (op, function)
        if (mlc_memref_alloc_isa(op) && !is_in_parallel_loop(op) && mlc_buffer_has_place(op)) {
            ok = mlc_buffer_check_bytes(op) && ok;
            mlc_vec_push(allocs, op);
        }
    return ok;
}

static void
replace_allocs(const MlcBufferPlaces *buffers, MlcValue *scratch)
{
    for (size_t i = 0; i < buffers->size; i++) {
        MlcOp *alloc = buffers->data[i].alloc;
        MlcBuilder b;
        mlc_builder_init(&b, mlc_op_context(alloc));
        mlc_builder_before(&b, alloc);
        MlcType type = mlc_value_type(mlc_op_result(alloc, 0));
        MlcValue *offset = mlc_build_index(&b, buffers->data[i].offset);
        MlcValue *view = mlc_memref_view(&b, type, scratch, offset, NULL, 0);
        mlc_op_replace(alloc, &view, 1);
    }
}

// `*scratch`: the type of the scratch argument that `function` was given; NULL if it needs none.
static bool
give_scratch(MlcOp *function, MlcArena *arena, MlcType *scratch)
{
    MlcOpVec allocs = {0};
    MlcBufferPlaces buffers = {0};
    *scratch = NULL;
    bool ok = collect(function, &allocs);
    if (ok && allocs.size > 0) {
        MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
        mlc_buffer_lives(entry, &allocs, &buffers);
        int64_t total = mlc_buffer_place(&buffers, arena);
        MlcContext *ctx = mlc_op_context(function);
        // A kernel's buffers are all in one memory.
        MlcType first = mlc_value_type(mlc_op_result(allocs.data[0], 0));
        *scratch = mlc_memref_type_get(mlc_integer_type_get(ctx, 8, MLC_SIGNLESS), &total, 1, NULL,
                                       mlc_memref_type_memory_space(first));
        replace_allocs(&buffers, mlc_block_add_arg(entry, *scratch, mlc_op_loc(function)));
        mlc_function_follow_arguments(function);
        mlc_op_set_attr(function, "mlc.call_scratch", mlc_i64_attr_get(ctx, total));
    }
    mlc_vec_release(&buffers);
    mlc_vec_release(&allocs);
    return ok;
}

// Every caller allocates the scratch for the time of the call.
static void
pass_scratch(MlcOp *module, MlcStr callee, MlcType scratch)
{
    MLC_FOR_EACH_PREORDER (op, module) {
        const MlcCall *call = mlc_op_interface(op, MLC_INTERFACE_CALL);
        MlcAttr name = call ? call->callee(op) : NULL;
        if (!name || !mlc_str_equal(mlc_symbol_ref_attr_name(name, 0), callee))
            continue;
        MlcBuilder b;
        mlc_builder_init(&b, mlc_op_context(op));
        mlc_builder_before(&b, op);
        MlcValue *buffer = mlc_memref_alloc(&b, scratch, NULL, 0, NULL, 0);
        mlc_memref_alloc_set_alignment(mlc_value_def(buffer),
                                       mlc_i64_attr_get(b.ctx, MLC_BUFFER_ALIGNMENT));
        mlc_op_insert_operands(op, mlc_op_num_operands(op), &buffer, 1);
    }
}

// ---- buffers of sizes that are known when the model runs

// What sizes are made of, as the model's plan knows it (plan_sizes.c).
static bool
is_size_op(const MlcOp *op)
{
    return mlc_arith_addi_isa(op) || mlc_arith_subi_isa(op) || mlc_arith_muli_isa(op) ||
           mlc_arith_floordivsi_isa(op) || mlc_arith_maxsi_isa(op) || mlc_arith_minsi_isa(op);
}

static bool
is_size_expr(MlcAffineExpr e)
{
    switch (mlc_affine_kind(e)) {
    case MLC_AFFINE_CONSTANT:
    case MLC_AFFINE_DIM:
    case MLC_AFFINE_SYMBOL:
        return true;
    case MLC_AFFINE_ADD:
    case MLC_AFFINE_MUL:
    case MLC_AFFINE_FLOORDIV:
        return is_size_expr(mlc_affine_lhs(e)) && is_size_expr(mlc_affine_rhs(e));
    default:
        return false;
    }
}

static bool
is_size_apply(const MlcOp *op)
{
    return mlc_affine_apply_isa(op) &&
           is_size_expr(mlc_affine_map_result(mlc_op_affine_map(op, "map"), 0));
}

// Whether the size is made of arguments of the function and of numbers.
static bool
follows_from_arguments(MlcValue *size, MlcBlock *entry, int depth)
{
    MlcOp *def = mlc_value_def(size);
    if (!def)
        return mlc_value_block(size) == entry;
    if (mlc_value_constant(size))
        return true;
    if (depth == 0 || !(is_size_op(def) || is_size_apply(def)))
        return false;
    MLC_FOR_EACH_OPERAND (operand, def)
        if (!follows_from_arguments(operand, entry, depth - 1))
            return false;
    return true;
}

// Only of bodies that always run, or loops: what a branch needs would be kept for nothing.
static bool
is_planned(MlcOp *alloc, MlcOp *function)
{
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    for (MlcOp *parent = mlc_op_parent(alloc); parent != function; parent = mlc_op_parent(parent))
        if (!mlc_op_interface(parent, MLC_INTERFACE_LOOP))
            return false;
    MLC_FOR_EACH_OPERAND (size, alloc)
        if (!follows_from_arguments(size, entry, MAX_DEPTH))
            return false;
    return mlc_op_num_operands(alloc) > 0 && !is_in_parallel_loop(alloc) &&
           mlc_buffer_stays(mlc_op_result(alloc, 0));
}

static MlcValue *size_at_call(MlcBuilder *b, MlcValue *size, const MlcKernelCall *call);

// As arith; the expression's dimensions and symbols are what `apply` is given, in this order.
static MlcValue *
expr_at_call(MlcBuilder *b, MlcAffineExpr e, MlcOp *apply, const MlcKernelCall *call)
{
    MlcAffineKind kind = mlc_affine_kind(e);
    size_t num_dims = mlc_affine_map_num_dims(mlc_op_affine_map(apply, "map"));
    if (kind == MLC_AFFINE_CONSTANT)
        return mlc_build_index(b, mlc_affine_value(e));
    if (kind == MLC_AFFINE_DIM || kind == MLC_AFFINE_SYMBOL) {
        size_t i = mlc_affine_position(e) + (kind == MLC_AFFINE_SYMBOL ? num_dims : 0);
        return size_at_call(b, mlc_op_operand(apply, i), call);
    }
    MlcValue *lhs = expr_at_call(b, mlc_affine_lhs(e), apply, call);
    MlcValue *rhs = expr_at_call(b, mlc_affine_rhs(e), apply, call);
    return kind == MLC_AFFINE_ADD   ? mlc_arith_addi(b, lhs, rhs)
           : kind == MLC_AFFINE_MUL ? mlc_arith_muli(b, lhs, rhs)
                                    : mlc_arith_floordivsi(b, lhs, rhs);
}

// The size as the caller has it, where the builder is.
static MlcValue *
size_at_call(MlcBuilder *b, MlcValue *size, const MlcKernelCall *call)
{
    MlcOp *def = mlc_value_def(size);
    if (!def)
        return mlc_op_operand(call->op, call->first + mlc_value_index(size));
    if (mlc_affine_apply_isa(def))
        return expr_at_call(b, mlc_affine_map_result(mlc_op_affine_map(def, "map"), 0), def, call);
    MlcOp *made = mlc_op_clone(def, NULL);
    for (size_t i = 0; i < mlc_op_num_operands(def); i++)
        mlc_op_set_operand(made, i, size_at_call(b, mlc_op_operand(def, i), call));
    mlc_builder_insert(b, made);
    return mlc_op_result(made, 0);
}

// Allocated for the time of the call; what is computed may be less than 0, where nothing is used.
static void
pass_buffer(MlcOp *alloc, const MlcKernelCall *call)
{
    MlcValueVec sizes = {0};
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(alloc));
    mlc_builder_before(&b, call->op);
    MlcValue *zero = mlc_build_index(&b, 0);
    MLC_FOR_EACH_OPERAND (size, alloc) {
        MlcValue *given = size_at_call(&b, size, call);
        mlc_vec_push(&sizes, mlc_value_def(size) ? mlc_arith_maxsi(&b, given, zero) : given);
    }
    MlcValue *buffer = mlc_memref_alloc(&b, mlc_value_type(mlc_op_result(alloc, 0)), sizes.data,
                                        sizes.size, NULL, 0);
    mlc_memref_alloc_set_alignment(mlc_value_def(buffer),
                                   mlc_i64_attr_get(b.ctx, MLC_BUFFER_ALIGNMENT));
    MlcValue *address = mlc_build_address(&b, buffer);
    mlc_op_insert_operands(call->op, mlc_op_num_operands(call->op), &address, 1);
    mlc_vec_release(&sizes);
}

// The allocation becomes the buffer at the address that is a new argument.
static void
take_address(MlcOp *alloc, MlcOp *function)
{
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    MlcType type = mlc_value_type(mlc_op_result(alloc, 0));
    MlcMixedList shape = {.size = mlc_type_rank(type)};
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(alloc));
    mlc_builder_before(&b, alloc);
    for (size_t i = 0, next = 0; i < shape.size; i++)
        shape.items[i] = mlc_type_dim(type, i) == MLC_DYNAMIC
                             ? mlc_mixed_of(mlc_op_operand(alloc, next++))
                             : mlc_mixed(mlc_type_dim(type, i));
    MlcValue *address =
        mlc_block_add_arg(entry, mlc_memref_element_type(type), mlc_op_loc(function));
    MlcValue *buffer = mlc_build_buffer_at(&b, address, type, &shape);
    mlc_op_replace(alloc, &buffer, 1);
}

static void
find_calls(MlcOp *module, MlcStr callee, MlcKernelCalls *calls)
{
    MLC_FOR_EACH_PREORDER (op, module) {
        const MlcCall *call = mlc_op_interface(op, MLC_INTERFACE_CALL);
        MlcAttr name = call ? call->callee(op) : NULL;
        MlcKernelCall found = {.op = op};
        size_t count;
        if (!name || !mlc_str_equal(mlc_symbol_ref_attr_name(name, 0), callee))
            continue;
        call->arguments(op, &found.first, &count);
        mlc_vec_push(calls, found);
    }
}

static size_t
plan_open_buffers(MlcOp *module, MlcOp *function)
{
    MlcKernelCalls calls = {0};
    MlcOpVec allocs = {0};
    MLC_FOR_EACH_PREORDER (op, function)
        if (mlc_memref_alloc_isa(op) && is_planned(op, function))
            mlc_vec_push(&allocs, op);
    if (allocs.size > 0)
        find_calls(module, mlc_symbol_name(function), &calls);
    for (size_t i = 0; i < allocs.size; i++) {
        for (size_t k = 0; k < calls.size; k++)
            pass_buffer(allocs.data[i], &calls.data[k]);
        take_address(allocs.data[i], function);
    }
    if (allocs.size > 0)
        mlc_function_follow_arguments(function);
    size_t count = allocs.size;
    mlc_vec_release(&allocs);
    mlc_vec_release(&calls);
    return count;
}

// Callees come first: what they are given is allocated by their callers, which may be kernels too.
static bool
run(MlcPass *pass, MlcOp *module)
{
    MlcCallGraph *graph = mlc_call_graph_create(module);
    bool ok = true;
    for (size_t i = 0; ok && i < mlc_call_graph_num_groups(graph); i++) {
        size_t count;
        MlcOp *op = mlc_call_graph_callable(graph, mlc_call_graph_group(graph, i, &count)[0]);
        if (count > 1 || mlc_op_parent(op) != module ||
            !mlc_op_interface(op, MLC_INTERFACE_FUNCTION) || !mlc_symbol_is_private(op))
            continue;
        mlc_pass_count(pass, "open-buffers", (int64_t)plan_open_buffers(module, op));
        MlcType scratch;
        ok = give_scratch(op, mlc_pass_scratch(pass), &scratch);
        if (scratch) {
            pass_scratch(module, mlc_symbol_name(op), scratch);
            mlc_pass_count(pass, "scratch-bytes", mlc_type_dim(scratch, 0));
        }
    }
    mlc_call_graph_destroy(graph);
    return ok;
}

static const char *const dialects[] = {"memref", "arith", NULL};

MLC_PASS(kernel_scratch, .flag = "kernel-scratch",
         .summary = "Pass a kernel's buffers in as one scratch argument",
         .anchor = "builtin.module", .dependent_dialects = dialects, .run = run)
