// print_shape.h -- private: what a printer remembers of ops of one shape (op_shape.h).
#ifndef MLC_IR_PRINT_SHAPE_H
#define MLC_IR_PRINT_SHAPE_H

#include "op/op_shape.h"
#include "print_impl.h"

// Texts do not change while a printer lives, once the aliases are known (print_value.c).
typedef struct MlcPrintShape {
    MlcOpShape shape;
    const MlcPrintInfo *info; // of its definition
    bool is_collected;        // its aliases are known
    uint8_t tail_size;        // 0: not known
    char tail[159];           // of the generic form: properties and types
} MlcPrintShape;

// The entry of an op's shape, until another op is asked for. NULL: the op has regions, or
// attributes that other ops of its shape need not have, or was not verified.
MlcPrintShape *mlc_print_shape(MlcPrinter *p, const MlcOp *op);
void mlc_print_shapes_forget(MlcPrinter *p);
// The text from `start` on is the tail.
void mlc_print_shape_keep_tail(MlcPrinter *p, MlcPrintShape *shape, size_t start);

#endif
