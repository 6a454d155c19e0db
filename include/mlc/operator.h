// operator.h -- operators of a model that are functions in C: what a shared library defines for
// them, and what they are given.
//
// A node of domain `com.acme` and operator `Runs` is computed by the function `com_acme_Runs` of a
// library that was given to mlc (--shared-libs). `com_acme_Runs_shape`, if there is one, says of
// which type and shape its outputs are. Needs no library of mlc's.
//
//   MLC_API int32_t
//   com_acme_Runs(const MlcOperatorCall *call)
//   {
//       const float *x = call->inputs[0].data;
//       float *y = call->outputs[0].data;
//       ...
//       return 0;
//   }
//
// Ownership: all that is given is borrowed for the call.
// Threads: sessions may call a function at the same time; one session calls one at a time.
#ifndef MLC_OPERATOR_H
#define MLC_OPERATOR_H

#include "mlc/runtime/tensor.h"

MLC_BEGIN_DECLS

// Inputs and outputs of an operator together, at most.
enum { MLC_OPERATOR_MAX_TENSORS = 64, MLC_OPERATOR_MAX_RANK = 16 };

// The numbers are part of the file format.
typedef enum MlcOperatorAttributeKind {
    MLC_OPERATOR_INTS = 1, // one, or a list
    MLC_OPERATOR_FLOATS,
    MLC_OPERATOR_TEXT,
} MlcOperatorAttributeKind;

typedef struct MlcOperatorAttribute {
    const char *name;
    MlcOperatorAttributeKind kind;
    size_t count;        // numbers; of a text, bytes without the NUL behind it
    const int64_t *ints; // of that kind; else NULL, as the others
    const double *floats;
    const char *text;
} MlcOperatorAttribute;

typedef struct MlcOperatorCall {
    size_t size;               // of this record, as who calls has it: further fields may come
    const char *domain, *name; // "com.acme", "Runs"
    int64_t opset;             // that the model imports of the domain; 0: it does not say
    // Dense, row-major. What the node leaves out has type 0. Elements of outputs are to be written,
    // all of them; they are of the size that the shape rule says.
    const MlcRtTensor *inputs;
    size_t num_inputs;
    const MlcRtTensor *outputs;
    size_t num_outputs;
    const MlcOperatorAttribute *attributes; // those that the node has
    size_t num_attributes;
    char *message; // why it fails: as much as fits, NUL-terminated; empty when called
    size_t message_size;
} MlcOperatorCall;

// Computes the outputs when the model runs. 0 is success. Equal inputs must give equal outputs, and
// nothing else may change: calls are left out where nobody needs their outputs, or were made with
// equal inputs.
typedef int32_t (*MlcOperatorFunction)(const MlcOperatorCall *call);

typedef struct MlcOperatorShape {
    MlcRtType type;
    int32_t rank;
    int64_t dims[MLC_OPERATOR_MAX_RANK];
} MlcOperatorShape;

// The shape rule: fills in `outputs`, one for each of the node's, when the model is compiled. In
// `call` inputs have no elements (data NULL) but for constants, and there are no outputs. A size
// that is known only when the model runs is a negative number, the same for equal sizes; outputs
// may have these, and none computed from them. 0 is success.
typedef int32_t (*MlcOperatorShapeFunction)(const MlcOperatorCall *call, MlcOperatorShape *outputs);

// The attribute, or NULL.
static inline const MlcOperatorAttribute *
mlc_operator_attribute(const MlcOperatorCall *call, const char *name)
{
    for (size_t i = 0; i < call->num_attributes; i++)
        if (strcmp(call->attributes[i].name, name) == 0)
            return &call->attributes[i];
    return NULL;
}

// Its first number; `otherwise` where the node has no such attribute.
static inline int64_t
mlc_operator_int(const MlcOperatorCall *call, const char *name, int64_t otherwise)
{
    const MlcOperatorAttribute *a = mlc_operator_attribute(call, name);
    return a && a->kind == MLC_OPERATOR_INTS && a->count > 0 ? a->ints[0] : otherwise;
}

// The same of floats.
static inline double
mlc_operator_float(const MlcOperatorCall *call, const char *name, double otherwise)
{
    const MlcOperatorAttribute *a = mlc_operator_attribute(call, name);
    return a && a->kind == MLC_OPERATOR_FLOATS && a->count > 0 ? a->floats[0] : otherwise;
}

MLC_END_DECLS

#endif
