// gpu_concat.h -- buffers that copies of others fill, part by part.
#ifndef MLC_CONVERSION_GPU_CONCAT_H
#define MLC_CONVERSION_GPU_CONCAT_H

#include "mlc/ir.h"

// Makes copies that fill a buffer part by part one op each, which asks of each element what part it
// is in: a launch instead of one for each part. Ops behind that walk a flat view of the buffer walk
// the buffer.
void gpu_concat_join(MlcBlock *block);

#endif
