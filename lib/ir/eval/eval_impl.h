// eval_impl.h -- cells and buffers, for the files eval*.c.
#ifndef MLC_IR_EVAL_IMPL_H
#define MLC_IR_EVAL_IMPL_H

#include "mlc/ir/eval.h"
#include "mlc/support/vec.h"

struct MlcCell {
    size_t num_holders;
    size_t size;   // bytes
    bool is_fresh; // on the stack of cells that nothing holds
    _Alignas(16) unsigned char bytes[];
};

struct MlcBuffer {
    MlcBuffer *next;    // of all buffers
    MlcBuffer *root;    // the buffer that owns the bytes; itself, if it is no window
    MlcBuffer *windows; // of a root
    MlcBuffer *next_window;
    void *data;
    size_t num_bytes;
    MlcOp *owner;               // that made it
    MlcOp *function;            // whose address this is
    uint64_t address;           // of a root
    size_t offset;              // of a window in its root
    bool is_freed, is_constant; // of a root
};

MlcCell *mlc_cell_create(MlcEval *e, size_t size); // fresh; the bytes are not set

#endif
