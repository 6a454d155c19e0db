// kernel_scratch.c -- buffers that a kernel allocates become windows of one more argument, so that
// the model's plan can give them room. Those that are not alive at the same time share it.
//
// Only static allocations outside parallel loops, which nobody hands on: those of sequential loops
// may share one place. Others stay allocations. Those inside belong to the thread that runs the
// iteration, and are turned into windows of its scratch by parallel-to-runtime. Callers allocate
// the argument, as they do the kernel's other buffers.
#include "buffer_places.h"
#include "kernel_arguments.h"

#include "mlc/analysis.h"

#include "mlc/dialects/memref.h"

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

static void
collect(MlcOp *function, MlcOpVec *allocs)
{
    MLC_FOR_EACH_PREORDER (op, function)
        if (mlc_memref_alloc_isa(op) && !is_in_parallel_loop(op) && mlc_buffer_has_place(op))
            mlc_vec_push(allocs, op);
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

// The type of the scratch argument that `function` was given; NULL if it needs none.
static MlcType
give_scratch(MlcOp *function, MlcArena *arena)
{
    MlcOpVec allocs = {0};
    MlcBufferPlaces buffers = {0};
    MlcType bytes = NULL;
    collect(function, &allocs);
    if (allocs.size > 0) {
        MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
        mlc_buffer_lives(entry, &allocs, &buffers);
        int64_t total = mlc_buffer_place(&buffers, arena);
        MlcType byte = mlc_integer_type_get(mlc_op_context(function), 8, MLC_SIGNLESS);
        // A kernel's buffers are all in one memory.
        MlcType first = mlc_value_type(mlc_op_result(allocs.data[0], 0));
        bytes = mlc_memref_type_get(byte, &total, 1, NULL, mlc_memref_type_memory_space(first));
        replace_allocs(&buffers, mlc_block_add_arg(entry, bytes, mlc_op_loc(function)));
        mlc_function_follow_arguments(function);
    }
    mlc_vec_release(&buffers);
    mlc_vec_release(&allocs);
    return bytes;
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

// Callees come first: what they are given is allocated by their callers, which may be kernels too.
static bool
run(MlcPass *pass, MlcOp *module)
{
    MlcCallGraph *graph = mlc_call_graph_create(module);
    for (size_t i = 0; i < mlc_call_graph_num_groups(graph); i++) {
        size_t count;
        MlcOp *op = mlc_call_graph_callable(graph, mlc_call_graph_group(graph, i, &count)[0]);
        if (count > 1 || mlc_op_parent(op) != module ||
            !mlc_op_interface(op, MLC_INTERFACE_FUNCTION) || !mlc_symbol_is_private(op))
            continue;
        MlcType scratch = give_scratch(op, mlc_pass_scratch(pass));
        if (scratch) {
            pass_scratch(module, mlc_symbol_name(op), scratch);
            mlc_pass_count(pass, "scratch-bytes", mlc_type_dim(scratch, 0));
        }
    }
    mlc_call_graph_destroy(graph);
    return true;
}

MLC_PASS(kernel_scratch, .flag = "kernel-scratch",
         .summary = "Pass a kernel's buffers in as one scratch argument",
         .anchor = "builtin.module", .run = run)
