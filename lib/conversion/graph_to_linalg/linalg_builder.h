// linalg_builder.h -- makes tensor and linalg ops for lowerings: shapes in, values out.
#ifndef MLC_CONVERSION_LINALG_BUILDER_H
#define MLC_CONVERSION_LINALG_BUILDER_H

#include "mlc/ir.h"

enum { MLC_LB_MAX_RANK = 20, MLC_LB_MAX_INPUTS = 8 };

typedef struct MlcLb {
    MlcBuilder b;
    MlcContext *ctx;
    MlcAttr fastmath; // of float ops in bodies
} MlcLb;

// A tensor's sizes: MLC_DYNAMIC entries have their value in `values`.
typedef struct MlcLbShape {
    size_t rank;
    int64_t dims[MLC_LB_MAX_RANK];
    MlcValue *values[MLC_LB_MAX_RANK];
} MlcLbShape;

// A linalg.generic, or a named op with its region: inputs, one output, and a body as text
// (mlc/dialects/linalg_body.h) over `names`, the output's last.
typedef struct MlcLbGeneric {
    const MlcOpDef *def; // NULL: linalg.generic; then maps are needed
    MlcValue *inputs[MLC_LB_MAX_INPUTS];
    MlcAffineMap maps[MLC_LB_MAX_INPUTS + 1]; // of inputs, then the output
    size_t num_inputs;
    MlcValue *output;
    size_t num_loops;
    const char *iterators; // one letter per loop, p or r; NULL: all parallel
    const char *body;      // NULL: made by `make`
    const char *const *names;
    MlcValue *(*make)(MlcLb *lb, MlcValue *const *args, void *user); // gives the result's element
    void *user;
    MlcOp *attrs; // whose number attributes the body names; may be NULL
    MlcNamedAttr extra[2];
    size_t num_extra;
} MlcLbGeneric;

// Sizes of a value's type; dynamic ones become tensor.dim.
void mlc_lb_shape_of(MlcLb *lb, MlcValue *tensor, MlcLbShape *shape);
MlcType mlc_lb_type(const MlcLbShape *shape, MlcType element);
MlcValue *mlc_lb_dim(MlcLb *lb, MlcValue *tensor, size_t i);
// In a body that `make` makes: where loop `i` is.
MlcValue *mlc_lb_index(MlcLb *lb, size_t i);

MlcValue *mlc_lb_empty(MlcLb *lb, const MlcLbShape *shape, MlcType element);
MlcValue *mlc_lb_filled(MlcLb *lb, const MlcLbShape *shape, MlcType element, double value);
// NULL after a diagnostic if the body is wrong.
MlcValue *mlc_lb_generic(MlcLb *lb, const MlcLbGeneric *generic);

// Collapses to, or expands to, `shape`: group[i] says which dim of the smaller shape dim i of the
// larger belongs to.
MlcValue *mlc_lb_collapse(MlcLb *lb, MlcValue *tensor, const size_t *group,
                          const MlcLbShape *shape);
MlcValue *mlc_lb_expand(MlcLb *lb, MlcValue *tensor, const size_t *group, const MlcLbShape *shape);
// Any reshape between shapes of equally many elements, as a collapse and an expansion. Dynamic dims
// must come first and be the same in both (false otherwise, nothing made).
bool mlc_lb_can_reshape(MlcType from, MlcType to);
MlcValue *mlc_lb_reshape(MlcLb *lb, MlcValue *tensor, const MlcLbShape *shape);

// tensor.pad with one value; the tensor itself where nothing is padded.
MlcValue *mlc_lb_pad(MlcLb *lb, MlcValue *tensor, const int64_t *low, const int64_t *high,
                     MlcAttr value);
MlcValue *mlc_lb_insert_slice(MlcLb *lb, MlcValue *source, MlcValue *dest, const int64_t *offsets);
MlcValue *mlc_lb_extract_slice(MlcLb *lb, MlcValue *source, const int64_t *offsets,
                               const MlcLbShape *shape);

// The map of `num_dims` loops to the loops listed.
MlcAffineMap mlc_lb_map(MlcContext *ctx, unsigned num_dims, const unsigned *loops, size_t n);

#endif
