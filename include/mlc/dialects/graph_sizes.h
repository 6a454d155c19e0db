// graph_sizes.h -- sizes that are known when a model runs, as text: "batch", "past + seq",
// "2*batch*seq", "floordiv(h - 1, 2) + 1".
//
// A size is a sum of products of names. Names that are no identifiers stand between backticks. What
// no sum says is a function of two sizes: floordiv, max, min. The text is canonical: two sizes that
// are the same sum are the same text, so a string attribute of one is the same pointer. Sizes are
// not negative, and names stand for numbers that are not.
//
// Ownership: attributes live as long as their context; steps borrow from the text they were made
// of.
// Threads: any.
#ifndef MLC_DIALECTS_GRAPH_SIZES_H
#define MLC_DIALECTS_GRAPH_SIZES_H

#include "mlc/ir/builder.h"
#include "mlc/support/vec.h"

MLC_BEGIN_DECLS

// The canonical size that the text says, in which `a // b` is a quotient, too; NULL if it says
// none, or one of too many terms.
MLC_API MlcAttr mlc_size_parse(MlcContext *ctx, MlcStr text);
// The size that has this name, whatever bytes it is made of; NULL for none, or one with a backtick.
MLC_API MlcAttr mlc_size_named(MlcContext *ctx, MlcStr name);
MLC_API MlcAttr mlc_size_number(MlcContext *ctx, int64_t number);
MLC_API MLC_NODISCARD bool mlc_size_is_number(MlcAttr size, int64_t *number);
// Whether it is one name; without backticks.
MLC_API MLC_NODISCARD bool mlc_size_is_name(MlcAttr size, MlcStr *name);

// Quotients are rounded down.
typedef enum MlcSizeOp {
    MLC_SIZE_ADD,
    MLC_SIZE_SUB,
    MLC_SIZE_MUL,
    MLC_SIZE_FLOORDIV,
    MLC_SIZE_MAX,
    MLC_SIZE_MIN,
} MlcSizeOp;
// Of two sizes; NULL where one of them is NULL, the result has too many terms or a number beyond 64
// bits, or the divisor is the number 0.
MLC_API MlcAttr mlc_size_combine(MlcSizeOp op, MlcAttr a, MlcAttr b);
// a / b where it is known that nothing is left over; NULL if no sum says it.
MLC_API MlcAttr mlc_size_exact_quotient(MlcAttr a, MlcAttr b);
// A number that the size is surely not below; false if none is known.
MLC_API MLC_NODISCARD bool mlc_size_at_least(MlcAttr size, int64_t *least);
// The same where no name stands for 0.
MLC_API MLC_NODISCARD bool mlc_size_at_least_of_some(MlcAttr size, int64_t *least);

// A size as steps of a machine with a stack: numbers and names are pushed, ops take two.
typedef enum MlcSizeStepKind {
    MLC_SIZE_STEP_NUMBER,
    MLC_SIZE_STEP_NAME,
    MLC_SIZE_STEP_OP
} MlcSizeStepKind;
typedef struct MlcSizeStep {
    MlcSizeStepKind kind;
    int64_t number; // or the MlcSizeOp
    MlcStr name;    // without backticks
} MlcSizeStep;
typedef MLC_VEC(MlcSizeStep) MlcSizeSteps;
// Appends them. False if the text says no size.
MLC_API MLC_NODISCARD bool mlc_size_steps(MlcStr text, MlcSizeSteps *steps);

// The value of a name; NULL: there is none.
typedef MlcValue *(*MlcSizeFind)(MlcBuilder *b, MlcStr name, void *user);
// Makes the size, of type index, at the builder, of what `find` gives for its names; NULL if it
// gives none.
MLC_API MlcValue *mlc_size_build(MlcBuilder *b, MlcAttr size, MlcSizeFind find, void *user);

// The sizes in a tensor's type, one string attribute for each dimension; NULL: it has none.
MLC_API MlcAttr mlc_size_names(MlcType tensor);
// The size of dimension `i`: a number, what the type's encoding says, or NULL.
MLC_API MlcAttr mlc_size_of_dim(MlcType tensor, size_t i);

// A tensor of these sizes, of which NULL is unknown; its encoding has those that are no numbers.
MLC_API MlcType mlc_sized_type_get(MlcType element, const MlcAttr *sizes, size_t rank);

// Attributes of graph ops that have sizes in them, "" where none is: number `n` of them, or NULL.
MLC_API MlcAttr mlc_size_list(const MlcOp *op, size_t n);

// ---- of functions

// Below graph, types do not say sizes. What arguments and results of a function have them:
// `mlc.dims` of a tensor or buffer, a text for each dimension ("" where the type has a number, or
// nobody knows), and `mlc.size` of an index.
#define MLC_DIMS_ATTR "mlc.dims"
#define MLC_SIZE_ATTR "mlc.size"
// Of a module whose model function computes sizes: their names, by number.
#define MLC_COMPUTED_SIZES "mlc.computed_sizes"

// The argument with that `mlc.size`; NULL: there is none.
MLC_API MlcValue *mlc_size_argument(MlcOp *function, MlcAttr size);
// The op of the function's block whose result is the size, which its `mlc.size` says: what the
// function computes itself; NULL: there is none.
MLC_API MlcOp *mlc_size_setter(MlcOp *function, MlcAttr size);
// The size in a function, of type index, made where it begins, or behind the ops that set sizes
// in it: an argument with that `mlc.size`, or computed from sizes of its arguments and of those.
// NULL if it does not follow from these.
MLC_API MlcValue *mlc_size_in_function(MlcOp *function, MlcAttr size);

MLC_END_DECLS

#endif
