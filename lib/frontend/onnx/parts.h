// parts.h -- nodes that are refused, and run node by node when the model runs (mlc/parts.h).
#ifndef MLC_FRONTEND_ONNX_PARTS_H
#define MLC_FRONTEND_ONNX_PARTS_H

#include "node.h"
#include "order.h"

// Node `i` was refused, with this reason, and nothing was wrong with it: the next import runs it.
// False: it is not to be tried, or was.
bool mlc_onnx_refuse_to_part(MlcOnnxImport *im, const MlcOnnxNode *node, MlcStr why);
// Whether node `i` is run: it was refused, or reads what only a run knows the rank of.
bool mlc_onnx_is_part(MlcOnnxImport *im, const MlcOnnxOrdered *graph, size_t i);
// Makes the call that stands for it. False, with nothing told: that cannot be.
bool mlc_onnx_import_part(MlcOnnxNodeImport *n, const MlcOnnxOrdered *graph, size_t i);
// Whether the value is one of which only a run knows the rank: it stands for none.
bool mlc_onnx_is_pending(const MlcOnnxImport *im, MlcValue *value);
// The next import refuses what was refused of these nodes, since nobody can say what they give.
void mlc_onnx_give_up_part(MlcOnnxImport *im, MlcValue *pending);
// One warning of all nodes that are run.
void mlc_onnx_tell_parts(MlcOnnxImport *im);

#endif
