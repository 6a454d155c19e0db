// kernel_notes.h -- what passes decided about a kernel and why, kept with it for those who look at
// its time: `mlc.notes` of its function, strings in the order of the decisions.
#ifndef MLC_PASSES_KERNEL_NOTES_H
#define MLC_PASSES_KERNEL_NOTES_H

#include "mlc/pass.h"

#define MLC_KERNEL_NOTES "mlc.notes"

// A note of the kernel function around `op`, if there is one: what was chosen. Where the kernel
// computes several nodes and `op` is of one of them, the note begins with its name.
void mlc_kernel_note(MlcOp *op, const char *format, ...) MLC_PRINTF(2, 3);
// A remark at `op` too: what was not done, or not everywhere, and why.
void mlc_kernel_remark(MlcOp *op, const char *format, ...) MLC_PRINTF(2, 3);
// Adds to the notes of `holder`, unless it is there.
void mlc_op_add_kernel_note(MlcOp *holder, MlcStr note);

#endif
