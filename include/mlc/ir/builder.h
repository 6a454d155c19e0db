// builder.h -- makes ops at an insertion point. Embedded on the caller's stack.
//
// Ownership: the builder is the caller's, and nothing is to be freed; new ops belong to its block,
// or without one to the caller.
// Threads: a builder belongs to one at a time; what it makes goes where that thread may edit
// (mlc/ir/op.h).
#ifndef MLC_IR_BUILDER_H
#define MLC_IR_BUILDER_H

#include "mlc/ir/op.h"

MLC_BEGIN_DECLS

typedef struct MlcBuilder {
    MlcContext *ctx;
    MlcBlock *block; // NULL: ops are left detached
    MlcOp *before;   // insert before this op; NULL: at the end of `block`
    MlcLoc loc;      // of ops that are made
    // Told of each op made (rewrite drivers); may be NULL. `b` may be a copy: what it belongs to is
    // `user`.
    void (*inserted)(struct MlcBuilder *b, MlcOp *op);
    void *user;
} MlcBuilder;

// Unknown location, no insertion point.
MLC_API void mlc_builder_init(MlcBuilder *b, MlcContext *ctx);

MLC_API void mlc_builder_before(MlcBuilder *b, MlcOp *op); // and takes op's location
// Makes ops right behind `op`, at the end or at the start of a block from here on. Behind an op,
// the location becomes the op's.
MLC_API void mlc_builder_after(MlcBuilder *b, MlcOp *op);
MLC_API void mlc_builder_at_end(MlcBuilder *b, MlcBlock *block);
MLC_API void mlc_builder_at_start(MlcBuilder *b, MlcBlock *block);
// Puts a detached op, which the block owns from here on, at the builder's place, and returns it.
MLC_API MlcOp *mlc_builder_insert(MlcBuilder *b, MlcOp *op);

// Makes and inserts. `state->loc` NULL: b->loc.
MLC_API MlcOp *mlc_builder_create(MlcBuilder *b, const MlcOpState *state);
// By name ("arith.addi"), the common case; the op must be registered (a bug of ours otherwise).
// `attrs` may be NULL. Result types: given, or inferred when num_results is SIZE_MAX and the
// definition can.
MLC_API MlcOp *mlc_build_op(MlcBuilder *b, const char *name, const MlcType *result_types,
                            size_t num_results, MlcValue *const *operands, size_t num_operands,
                            const MlcNamedAttr *attrs, size_t num_attrs, size_t num_regions);
#define MLC_INFER_RESULTS SIZE_MAX
// What generated builders (mlc/dialects/<d>.h: mlc_arith_addf) are made of.
typedef struct MlcValues {
    MlcValue *const *items;
    size_t count;
} MlcValues;
typedef struct MlcTypes {
    const MlcType *items;
    size_t count;
} MlcTypes;
// An op from the groups of its record: `results` has one entry per result group (NULL: their types
// follow from the rest), `operands` one per operand group, `attrs` one per attribute slot (NULL: it
// is absent), `successors` one per successor; each of them may be NULL where the record has none.
// Sizes of groups are set where the op keeps them.
MLC_API MlcOp *mlc_build_groups(MlcBuilder *b, const MlcOpDef *def, const MlcTypes *results,
                                const MlcValues *operands, const MlcAttr *attrs,
                                MlcBlock *const *successors, size_t num_regions);
// One result, given or inferred (type NULL), operands in a list: mlc_build(b, "arith.addi", NULL,
// x, y).
MLC_API MlcValue *mlc_build_value(MlcBuilder *b, const char *name, MlcType type,
                                  MlcValue *const *operands, size_t num_operands);
#define mlc_build(b, name, type, ...)                                                              \
    mlc_build_value((b), (name), (type), (MlcValue *const[]){__VA_ARGS__},                         \
                    sizeof((MlcValue *const[]){__VA_ARGS__}) / sizeof(MlcValue *))
// The attribute set on a freshly made op, for chains: mlc_with_attr(op, "fastmath", a) returns op.
MLC_API MlcOp *mlc_with_attr(MlcOp *op, const char *name, MlcAttr value);
// A pair for lists of attributes; `name` is copied into the context.
MLC_API MlcNamedAttr mlc_named(MlcContext *ctx, const char *name, MlcAttr value);

// Appended; the builder moves to its end.
MLC_API MlcBlock *mlc_builder_create_block(MlcBuilder *b, MlcRegion *region,
                                           const MlcType *arg_types, size_t num_args);

// Constants (arith.constant) of an int, index or float type, or a splat of a shaped type.
MLC_API MlcValue *mlc_build_constant(MlcBuilder *b, MlcAttr value);
MLC_API MlcValue *mlc_build_index(MlcBuilder *b, int64_t value);
MLC_API MlcValue *mlc_build_int(MlcBuilder *b, MlcType type, int64_t value);
MLC_API MlcValue *mlc_build_float(MlcBuilder *b, MlcType type, double value);
// One result, of the type of `lhs`; of `yes`, and arith's.
MLC_API MlcValue *mlc_build_binary(MlcBuilder *b, const char *name, MlcValue *lhs, MlcValue *rhs);
MLC_API MlcValue *mlc_build_select(MlcBuilder *b, MlcValue *condition, MlcValue *yes, MlcValue *no);
// arith.cmpi or arith.cmpf, by the operands' type; the predicate is a number of
// mlc/dialects/arith.h.
MLC_API MlcValue *mlc_build_compare(MlcBuilder *b, int64_t predicate, MlcValue *lhs, MlcValue *rhs);

MLC_END_DECLS

#endif
