// parts.h -- parts of a compiled model that the reference interpreter runs.
//
// What mlc cannot compile is a call of this function in the model's code (mlc/operator.h), found in
// libmlc when the model is loaded. So libmlc_runtime needs no interpreter, and an artefact without
// such parts needs no libmlc.
//
// Ownership: nothing is kept between calls.
// Threads: any number may call it at the same time.
#ifndef MLC_PARTS_H
#define MLC_PARTS_H

#include "mlc/operator.h"

MLC_BEGIN_DECLS

// Attribute `module` is a module's text, with a function @part: its arguments are the inputs, its
// results the outputs, whatever their sizes are in the text.
MLC_API int32_t mlc_interpret_operator(const MlcOperatorCall *call);

MLC_END_DECLS

#endif
