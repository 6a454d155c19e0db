// linalg_build.h -- makes linalg ops and the tensor ops around them, for passes and conversions.
//
// What the generated builders (mlc/dialects/linalg.h, mlc/dialects/tensor.h) leave to do: shapes
// that are partly known, maps, iterators and bodies. Ops are made at the builder's place.
//
// Ownership: new ops belong to the builder's block.
// Threads: as for editing ops (mlc/ir/op.h).
#ifndef MLC_DIALECTS_LINALG_BUILD_H
#define MLC_DIALECTS_LINALG_BUILD_H

#include "mlc/ir.h"
#include "mlc/ir/mixed.h"

MLC_BEGIN_DECLS

// Dimensions of shapes and loops of ops that are made (graph.tile splits each dimension in two),
// and inputs of an op.
enum { MLC_BUILD_RANK = 2 * MLC_SMALL_RANK, MLC_BUILD_MAX_INPUTS = 8 };

// A tensor's sizes: MLC_DYNAMIC entries have their value in `values`.
typedef struct MlcTensorShape {
    size_t rank;
    int64_t dims[MLC_BUILD_RANK];
    MlcValue *values[MLC_BUILD_RANK];
} MlcTensorShape;

// Sizes of a value's type, of at most MLC_BUILD_RANK dimensions; dynamic ones become
// tensor.dim.
MLC_API void mlc_build_shape_of(MlcBuilder *b, MlcValue *tensor, MlcTensorShape *shape);
// The type of a tensor of that shape.
MLC_API MlcType mlc_tensor_shape_type(const MlcTensorShape *shape, MlcType element);
// tensor.dim of dimension `i`.
MLC_API MlcValue *mlc_build_dim(MlcBuilder *b, MlcValue *tensor, size_t i);
// tensor.empty of a static type, and of a shape.
MLC_API MlcValue *mlc_build_empty(MlcBuilder *b, MlcType type);
MLC_API MlcValue *mlc_build_empty_shape(MlcBuilder *b, const MlcTensorShape *shape,
                                        MlcType element);
// linalg.fill of an empty tensor with a number of the element type.
MLC_API MlcValue *mlc_build_filled(MlcBuilder *b, const MlcTensorShape *shape, MlcType element,
                                   double value);
// linalg.generic that gives each element of `dest` the value of `source` there; `source` NULL: the
// scalar `fill`.
MLC_API MlcValue *mlc_build_copy(MlcBuilder *b, MlcValue *source, MlcValue *fill, MlcValue *dest);

// The map of `num_dims` loops to the `n` loops listed.
MLC_API MlcAffineMap mlc_map_of_loops(MlcContext *ctx, unsigned num_dims, const unsigned *loops,
                                      size_t n);

// A linalg.generic, or a named op with its region: inputs, one output, and a body as text
// (mlc/dialects/linalg_body.h) over `names`, the output's last.
typedef struct MlcGeneric {
    const MlcOpDef *def; // NULL: linalg.generic; then maps are needed
    MlcValue *inputs[MLC_BUILD_MAX_INPUTS];
    MlcAffineMap maps[MLC_BUILD_MAX_INPUTS + 1]; // of inputs, then the output
    size_t num_inputs;
    MlcValue *output;
    size_t num_loops;
    const char *iterators; // one letter per loop, p or r; NULL: all parallel
    const char *body;      // NULL: made by `make`
    const char *const *names;
    MlcAttr fastmath; // of the body's float ops; NULL: none
    MlcValue *(*make)(MlcBuilder *b, MlcValue *const *args, void *user); // the result's element
    void *user;
    MlcOp *attrs; // whose number attributes the body names; may be NULL
    MlcNamedAttr extra[2];
    size_t num_extra;
} MlcGeneric;
// The op's result; NULL after a diagnostic if the body is wrong.
MLC_API MlcValue *mlc_build_generic(MlcBuilder *b, const MlcGeneric *generic);
// linalg.generic with one output and an open body: `maps` has one per input and the output's last;
// the body's arguments are made, its ops and linalg.yield are the caller's.
MLC_API MlcOp *mlc_build_open_generic(MlcBuilder *b, MlcValue *const *inputs, size_t num_inputs,
                                      MlcValue *output, const MlcAffineMap *maps,
                                      const MlcIterator *iterators, size_t num_loops);
// The same with several outputs, or memrefs, and without the block.
MLC_API MlcOp *mlc_build_bare_generic(MlcBuilder *b, MlcValue *const *operands, size_t num_inputs,
                                      size_t num_outputs, const MlcAffineMap *maps,
                                      const MlcIterator *iterators, size_t num_loops);
// The block of a bare generic, with its arguments; the builder stays where it is.
MLC_API MlcBlock *mlc_build_generic_body(MlcBuilder *b, MlcOp *generic);

// tensor.expand_shape to a static type; `reassociation` is its attribute.
MLC_API MlcValue *mlc_build_expand_shape(MlcBuilder *b, MlcValue *value, MlcType type,
                                         MlcAttr reassociation);
// Collapses to, or expands to, `shape`: group[i] says which dim of the smaller shape dim i of the
// larger belongs to. The tensor itself where the ranks are the same.
MLC_API MlcValue *mlc_build_collapse_to(MlcBuilder *b, MlcValue *tensor, const size_t *group,
                                        const MlcTensorShape *shape);
MLC_API MlcValue *mlc_build_expand_to(MlcBuilder *b, MlcValue *tensor, const size_t *group,
                                      const MlcTensorShape *shape);
// Any reshape between shapes of equally many elements, as a collapse and an expansion. Dynamic dims
// must come first and be the same in both: mlc_can_build_reshape says whether they are.
MLC_API bool mlc_can_build_reshape(MlcType from, MlcType to);
// Where mlc_can_build_reshape says no, nothing must be asked for.
MLC_API MlcValue *mlc_build_reshape(MlcBuilder *b, MlcValue *tensor, const MlcTensorShape *shape);

// tensor.pad with one value, `low` and `high` elements at each dimension; the tensor itself where
// nothing is padded.
MLC_API MlcValue *mlc_build_pad(MlcBuilder *b, MlcValue *tensor, const int64_t *low,
                                const int64_t *high, MlcAttr value);
// The window of `shape` that begins at `offsets`, read, and `source` put there into `dest`.
MLC_API MlcValue *mlc_build_extract_slice(MlcBuilder *b, MlcValue *source, const int64_t *offsets,
                                          const MlcTensorShape *shape);
MLC_API MlcValue *mlc_build_insert_slice(MlcBuilder *b, MlcValue *source, MlcValue *dest,
                                         const int64_t *offsets);
// The same at offsets that may be values.
MLC_API MlcValue *mlc_build_extract_slice_at(MlcBuilder *b, MlcValue *source,
                                             const MlcMixed *offsets, const MlcTensorShape *shape);
MLC_API MlcValue *mlc_build_insert_slice_at(MlcBuilder *b, MlcValue *source, MlcValue *dest,
                                            const MlcMixed *offsets);

MLC_END_DECLS

#endif
