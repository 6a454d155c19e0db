// infer.h -- the language in which a shape of a graph op's result is said.
//
// A rule reads the operands' shapes and the attributes of an op, or of one about to be made, and
// fills in the result's Shape. It tells what contradicts itself, and which sizes must be equal.
#ifndef MLC_DIALECTS_GRAPH_INFER_H
#define MLC_DIALECTS_GRAPH_INFER_H

#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/ir.h"

#include <inttypes.h>

typedef struct Shape {
    bool ranked;
    size_t rank;
    int64_t dims[MLC_SMALL_RANK];  // MLC_DYNAMIC where unknown
    MlcAttr names[MLC_SMALL_RANK]; // string attributes, or NULL
} Shape;

// An op, or one about to be made (then nothing is reported).
typedef struct Infer {
    MlcContext *ctx;
    MlcOp *op;
    const MlcOpState *state;
    const MlcType *types;  // of the operands of `op`, if they are to be seen as these
    MlcType element;       // of the result; starts as operand 0's
    MlcSizesDiffer differ; // NULL: nobody asks
    void *user;
} Infer;

typedef bool (*MlcInferReport)(MlcOp *op, const char *format, ...);
// False; tells it, if there is an op to tell it of.
bool mlc_infer_report(Infer *in, MlcInferReport as, const char *format, ...) MLC_PRINTF(3, 4);

// Invalid; valid, but more than these ops compute on.
#define contradiction(in, ...) mlc_infer_report(in, mlc_op_error, __VA_ARGS__)
#define beyond(in, ...) mlc_infer_report(in, mlc_op_unsupported, __VA_ARGS__)

// NULL: left out, and without a default.
MlcAttr mlc_infer_attr(const Infer *in, const char *name);
// False if the rank is beyond what these ops compute on.
bool mlc_infer_shape(Infer *in, MlcType type, Shape *shape);
MlcType mlc_infer_type(Infer *in, const Shape *shape); // with elements of in->element
// An axis that may count from the end.
bool mlc_infer_axis(Infer *in, int64_t axis, size_t rank, size_t *positive);
// numpy's rule: shapes are aligned at their ends, and 1 fits any size.
bool mlc_infer_broadcast(Infer *in, Shape *result, const Shape *other);
bool mlc_infer_same_elements(Infer *in, size_t i, size_t k);
// What is dynamic gets the text, if it is none of a number.
void mlc_infer_set_size(Shape *shape, size_t i, MlcAttr size, int64_t dim);

static inline size_t
num_operands(const Infer *in)
{
    return in->op ? mlc_op_num_operands(in->op) : in->state->num_operands;
}

static inline MlcType
operand_type(const Infer *in, size_t i)
{
    if (in->types)
        return in->types[i];
    return mlc_value_type(in->op ? mlc_op_operand(in->op, i) : in->state->operands[i]);
}

static inline int64_t
int_attr(const Infer *in, const char *name, int64_t otherwise)
{
    int64_t value;
    MlcAttr attr = mlc_infer_attr(in, name);
    return attr && mlc_attr_try_as_int(attr, &value) ? value : otherwise;
}

static inline bool
bool_attr(const Infer *in, const char *name)
{
    MlcAttr attr = mlc_infer_attr(in, name);
    return attr && mlc_attr_is(attr, MLC_ATTR_INTEGER) && mlc_attr_as_bool(attr);
}

static inline bool
operand_shape(Infer *in, size_t i, Shape *shape)
{
    return mlc_infer_shape(in, operand_type(in, i), shape);
}

static inline bool
is_named(MlcAttr name)
{
    return mlc_attr_is(name, MLC_ATTR_STRING) && mlc_string_attr_value(name).size > 0;
}

static inline void
set_dim(Shape *shape, size_t i, int64_t dim)
{
    shape->dims[i] = dim;
    shape->names[i] = NULL;
}

static inline void
copy_dim(Shape *to, size_t i, const Shape *from, size_t k)
{
    to->dims[i] = from->dims[k];
    to->names[i] = from->names[k];
}

static inline MlcAttr
size_of(const Infer *in, const Shape *shape, size_t i)
{
    if (shape->dims[i] != MLC_DYNAMIC)
        return mlc_size_number(in->ctx, shape->dims[i]);
    return is_named(shape->names[i]) ? shape->names[i] : NULL;
}

// Tells those that must be equal and are not by their texts.
static inline void
must_be_equal(Infer *in, MlcAttr a, MlcAttr b)
{
    if (in->differ && a && b && a != b)
        in->differ(a, b, in->user);
}

static inline void
same_dim(Infer *in, const Shape *a, size_t i, const Shape *b, size_t k)
{
    if (in->differ)
        must_be_equal(in, size_of(in, a, i), size_of(in, b, k));
}

// Factors of 8 bits each, with signs or without: what is added up is i32.
static inline bool
multiplies_bytes(const Infer *in)
{
    for (size_t i = 0; i < 2; i++) {
        MlcType element = mlc_type_element(operand_type(in, i));
        if (!mlc_type_is(element, MLC_TYPE_INTEGER) || mlc_type_bit_width(element) != 8)
            return false;
    }
    return true;
}

static inline MlcType
sum_of_bytes(const Infer *in)
{
    return mlc_integer_type_get(in->ctx, 32, MLC_SIGNLESS);
}

// Factors of 16 bits whose products the op says are added up in f32, by its result.
static inline bool
sums_wide(const Infer *in)
{
    MlcType element = mlc_type_element(operand_type(in, 0));
    MlcType result = in->op ? mlc_type_element(mlc_value_type(mlc_op_result(in->op, 0))) : NULL;
    return result && mlc_type_is_float(element) && mlc_type_bit_width(element) == 16 &&
           mlc_type_is_float(result) && mlc_float_type_kind(result) == MLC_FLOAT_F32;
}

// The elements of sums of products of operands 0 and 1, to which operand 2 is added where there is
// one.
bool mlc_infer_sums(Infer *in);
// Of what windows run over (shapes_windows.c).
bool mlc_infer_conv(Infer *in, Shape *result);
bool mlc_infer_pool(Infer *in, Shape *result);
bool mlc_infer_global_pool(Infer *in, Shape *result);
bool mlc_infer_batch_norm(Infer *in, Shape *result);

#endif
