// print_shape.c -- what printing finds out of ops of one shape: that their aliases are collected,
// and the text of the generic form behind the operands.
#include "mlc/support/alloc.h"
#include "print_shape.h"

#define NUM_SHAPES_BITS 9

MlcPrintShape *
mlc_print_shape(MlcPrinter *p, const MlcOp *op)
{
    MlcOpShape shape;
    uint64_t hash;
    if (!p->flags.assume_verified || op->num_regions || op->dict || !op->def->dialect ||
        !mlc_op_shape(op, &shape, &hash))
        return NULL;
    if (!p->shapes)
        p->shapes = mlc_calloc((size_t)1 << NUM_SHAPES_BITS, sizeof *p->shapes);
    MlcPrintShape *entry = &p->shapes[hash >> (64 - NUM_SHAPES_BITS)];
    if (!mlc_op_shape_equal(&shape, &entry->shape)) {
        entry->shape = shape;
        entry->info = mlc_print_info(p, op->def);
        entry->is_collected = false;
        entry->tail_size = 0;
    }
    return entry;
}

void
mlc_print_shapes_forget(MlcPrinter *p)
{
    if (p->shapes)
        memset(p->shapes, 0, sizeof *p->shapes << NUM_SHAPES_BITS);
}

void
mlc_print_shape_keep_tail(MlcPrinter *p, MlcPrintShape *shape, size_t start)
{
    size_t size = p->buf->size - start;
    if (p->gave_up || size > sizeof shape->tail)
        return;
    memcpy(shape->tail, p->buf->data + start, size);
    shape->tail_size = (uint8_t)size;
}
