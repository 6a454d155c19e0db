// kernel_graph.c -- see kernel_graph.h.
#include "kernel_graph.h"
#include "buffer_places.h"

#include "mlc/dialects/bufferize.h"
#include "mlc/ir.h"

static int64_t
bytes_of(MlcType type)
{
    if (!mlc_type_is(type, MLC_TYPE_TENSOR) || !mlc_type_has_static_shape(type))
        return 0;
    return mlc_buffer_align(mlc_buffer_bytes(type));
}

bool
mlc_is_tensor_view(MlcOp *op)
{
    if (mlc_op_interface(op, MLC_INTERFACE_VIEW_LIKE))
        return true;
    const MlcBufferize *methods = mlc_bufferize_methods(op);
    bool is_whole;
    return methods && methods->reads && methods->alias && mlc_op_num_operands(op) > 0 &&
           mlc_op_num_results(op) == 1 && !methods->reads(op, 0) &&
           !(methods->writes && methods->writes(op, 0)) &&
           methods->alias(op, 0, &is_whole) == mlc_op_result(op, 0);
}

// Outputs are the caller's memory.
static bool
is_returned(MlcValue *value)
{
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use);
        if (mlc_op_has_trait(user, MLC_TRAIT_TERMINATOR) ||
            (mlc_is_tensor_view(user) && is_returned(mlc_op_result(user, 0))))
            return true;
    }
    return false;
}

static void
add_buffer(MlcKernelGraph *g, uint32_t number, MlcValue *value)
{
    MlcKernelNode *node = &g->nodes[number];
    MlcKernelBuffer *buffer = &g->buffers[g->num_buffers++];
    buffer->value = value;
    buffer->maker = number;
    buffer->bytes = is_returned(value) ? 0 : bytes_of(mlc_value_type(value));
    node->made += buffer->bytes;
    mlc_map_set_u64(&g->owners, (uint64_t)(uintptr_t)value, g->num_buffers);
    mlc_vec_push(&node->buffers, (uint32_t)g->num_buffers - 1);
}

static void
add_operand(MlcKernelGraph *g, uint32_t number, MlcValue *value, const MlcMap *numbers)
{
    MlcKernelNode *node = &g->nodes[number];
    uint64_t maker, owner;
    MlcOp *def = mlc_value_def(value);
    if (def && mlc_map_get_u64(numbers, (uint64_t)(uintptr_t)def, &maker)) {
        mlc_vec_push(&node->before, (uint32_t)maker - 1);
        mlc_vec_push(&g->nodes[maker - 1].after, number);
    }
    if (!mlc_map_get_u64(&g->owners, (uint64_t)(uintptr_t)value, &owner))
        return;
    MlcKernelBuffer *buffer = &g->buffers[owner - 1];
    if (buffer->users.size && buffer->users.data[buffer->users.size - 1] == number)
        return;
    mlc_vec_push(&buffer->users, number);
    mlc_vec_push(&node->buffers, (uint32_t)owner - 1);
}

// A view has its operand's buffer; constants have none.
static void
add_results(MlcKernelGraph *g, uint32_t number)
{
    MlcOp *op = g->nodes[number].op;
    uint64_t owner;
    if (mlc_op_has_trait(op, MLC_TRAIT_CONSTANT_LIKE))
        return;
    if (mlc_is_tensor_view(op)) {
        if (mlc_map_get_u64(&g->owners, (uint64_t)(uintptr_t)mlc_op_operand(op, 0), &owner))
            mlc_map_set_u64(&g->owners, (uint64_t)(uintptr_t)mlc_op_result(op, 0), owner);
        return;
    }
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        add_buffer(g, number, mlc_op_result(op, i));
}

// What regions read counts as read by the op.
static void
add_operands(MlcKernelGraph *g, uint32_t number, MlcOp *block_op, const MlcMap *numbers)
{
    MLC_FOR_EACH_OPERAND (value, block_op)
        add_operand(g, number, value, numbers);
    MLC_FOR_EACH_PREORDER (op, block_op)
        if (op != block_op)
            MLC_FOR_EACH_OPERAND (value, op)
                add_operand(g, number, value, numbers);
}

void
mlc_kernel_graph_read(MlcKernelGraph *graph, MlcBlock *block, MlcArena *arena)
{
    MlcMap numbers = {0};
    *graph = (MlcKernelGraph){0};
    MLC_FOR_EACH_OP (op, block) {
        graph->num_nodes++;
        graph->num_buffers += mlc_op_num_results(op);
    }
    graph->num_nodes--; // the terminator stays
    graph->nodes = MLC_NEW_ARRAY(arena, MlcKernelNode, graph->num_nodes + 1);
    graph->buffers = MLC_NEW_ARRAY(arena, MlcKernelBuffer, graph->num_buffers + 1);
    graph->num_buffers = 0;
    uint32_t number = 0;
    MLC_FOR_EACH_OP (op, block) {
        if (number == graph->num_nodes)
            break;
        graph->nodes[number].op = op;
        add_operands(graph, number, op, &numbers);
        add_results(graph, number);
        mlc_map_set_u64(&numbers, (uint64_t)(uintptr_t)op, ++number);
    }
    mlc_map_release(&numbers);
}

void
mlc_kernel_graph_release(MlcKernelGraph *graph)
{
    for (size_t i = 0; i < graph->num_nodes; i++) {
        mlc_vec_release(&graph->nodes[i].before);
        mlc_vec_release(&graph->nodes[i].after);
        mlc_vec_release(&graph->nodes[i].buffers);
    }
    for (size_t i = 0; i < graph->num_buffers; i++)
        mlc_vec_release(&graph->buffers[i].users);
    mlc_map_release(&graph->owners);
}
