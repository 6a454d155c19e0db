// operators.h -- operators of a model that are functions of libraries (mlc/operator.h).
#ifndef MLC_LIB_RUNTIME_OPERATORS_H
#define MLC_LIB_RUNTIME_OPERATORS_H

#include "mlc/operator.h"
#include "mlc/runtime/artefact.h"

typedef struct MlcRtOperator {
    const char *symbol, *library;
    MlcOperatorFunction function;
    MlcOperatorCall call;                          // without addresses and sizes
    MlcRtTensor tensors[MLC_OPERATOR_MAX_TENSORS]; // types and ranks
    void *memory;                                  // what its fields are in
} MlcRtOperator;

// Reads the fields, which are not believed. False: they are wrong, or there is no memory for them.
bool mlc_rt_operator_read(MlcRtOperator *op, const char *fields, size_t size);
void mlc_rt_operator_release(MlcRtOperator *op);

// Finds the function: in `libraries`, in the program, beside the artefact at `path`, beside
// the runtime, where the system looks. False with what was wrong in `message`.
bool mlc_rt_operator_find(MlcRtOperator *op, const char *const *libraries, size_t num_libraries,
                          const char *path, char *message, size_t message_size);

// Calls it: an address and sizes for each tensor at `tensors`. False with why it failed in
// `message`; then outputs are 0.
bool mlc_rt_operator_run(const MlcRtOperator *op, const int64_t *tensors, char *message,
                         size_t message_size);

#endif
