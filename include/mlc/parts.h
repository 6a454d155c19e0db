// parts.h -- parts of a compiled model that the reference interpreter runs.
//
// There are two kinds: an op, as text; and nodes of the model that the importer refuses, which are
// run one by one (mlc/frontend/onnx_run.h).
//
// What mlc cannot compile is a call of this function in the model's code (mlc/operator.h), found in
// libmlc when the model is loaded. So libmlc_runtime needs no interpreter, and an artefact without
// such parts needs no libmlc.
//
// Ownership: nothing is kept between calls, but what mlc_measure_nodes_operator computed until it
// is fetched, or eight others were.
// Threads: any number may call it at the same time.
#ifndef MLC_PARTS_H
#define MLC_PARTS_H

#include "mlc/operator.h"

MLC_BEGIN_DECLS

// Attribute `module` is a module's text, with a function @part: its arguments are the inputs, its
// results the outputs, whatever their sizes are in the text.
MLC_API int32_t mlc_interpret_operator(const MlcOperatorCall *call);

// Attribute `model` is an ONNX model of tensors; `shapes` has for each output its rank and sizes,
// -1 for those that the model finds. The one output gets these, of all outputs in order (i64).
MLC_API int32_t mlc_measure_nodes_operator(const MlcOperatorCall *call);
// Gives the outputs of that model, which are of the sizes of the call.
MLC_API int32_t mlc_run_nodes_operator(const MlcOperatorCall *call);

MLC_END_DECLS

#endif
