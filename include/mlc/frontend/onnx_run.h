// onnx_run.h -- runs a model node by node, by the reference interpreter.
//
// Nothing is known before: when a node's turn comes, its inputs have their values, so that all its
// sizes are numbers, whatever they were computed from. Each node is imported by itself then, and
// interpreted. Slow, but for every model that mlc has the operators of.
//
// Ownership: a run owns its outputs; what it is given is borrowed for the call.
// Threads: any; several may run one model at a time.
#ifndef MLC_FRONTEND_ONNX_RUN_H
#define MLC_FRONTEND_ONNX_RUN_H

#include "mlc/runtime/tensor.h"
#include "mlc/support/buf.h"

MLC_BEGIN_DECLS

typedef struct MlcOnnxRun MlcOnnxRun;

// Runs the model in these bytes, which must be tensors' alone: inputs and outputs in its order,
// those with an initialiser left out. NULL with words in `error`.
MLC_API MLC_NODISCARD MlcOnnxRun *mlc_onnx_run(const void *model, size_t size,
                                               const MlcRtTensor *inputs, size_t num_inputs,
                                               MlcBuf *error);
// What the run gave.
MLC_API size_t mlc_onnx_run_num_outputs(const MlcOnnxRun *run);
MLC_API const MlcRtTensor *mlc_onnx_run_output(const MlcOnnxRun *run, size_t i);
MLC_API void mlc_onnx_run_destroy(MlcOnnxRun *run);

MLC_END_DECLS

#endif
