// graph_lower.h -- the lowerings of graph ops, by family, and what they share.
//
// A lowering makes the value that takes the place of the op's result; NULL after a diagnostic.
// What it takes for granted was checked before (graph_to_linalg.c).
#ifndef MLC_CONVERSION_GRAPH_LOWER_H
#define MLC_CONVERSION_GRAPH_LOWER_H

#include "mlc/dialects/graph_geometry.h"
#include "mlc/dialects/linalg_build.h"
#include "mlc/pass.h"

typedef struct MlcGraphLower {
    MlcBuilder b;
    MlcAttr fastmath;           // of float ops in bodies
    MlcOp *op;                  // being lowered
    MlcOp *function;            // that it is in
    MlcAttr sizes;              // of its result: a text for each dimension, or NULL
    const struct MlcMap *names; // value -> the same
    MlcType type, element;      // of its result
} MlcGraphLower;

// Which sizes a lowering takes that are known when the model runs only, and have a name.
typedef enum MlcOpenSizes {
    MLC_OPEN_ALL,
    MLC_OPEN_BATCH, // the first of each tensor
    MLC_OPEN_NONE,
} MlcOpenSizes;

typedef struct MlcGraphLowering {
    const char *name;
    MlcValue *(*lower)(MlcGraphLower *l);
    bool is_static; // sizes other than the first must be known, or have a name
    MlcOpenSizes open;
} MlcGraphLowering;

// From the dialect `graph`, or one loaded from YAML that gives its elementwise ops a body. False:
// there is none.
bool mlc_graph_find_lowering(MlcOp *op, MlcGraphLowering *found);
bool mlc_graph_is_lowered(const MlcOpDef *op); // ops of that kind, of types that can be
// False after telling what stands against lowering the op (graph_check_lowerable.c).
bool mlc_graph_check_lowerable(MlcPass *pass, MlcOp *op);
// Whether it cannot be lowered, and the interpreter can run it: `why` gets the reason.
bool mlc_graph_why_interpreted(MlcPass *pass, MlcOp *op, MlcBuf *why);

// Control flow (graph_lower_control.c): the op's bodies have been lowered. False after a
// diagnostic.
bool mlc_graph_is_control(const MlcOpDef *op);
bool mlc_graph_lower_control(MlcGraphLower *l);

static inline MlcValue *
operand(const MlcGraphLower *l, size_t i)
{
    return mlc_op_operand(l->op, i);
}

static inline size_t
num_operands(const MlcGraphLower *l)
{
    return mlc_op_num_operands(l->op);
}

static inline size_t
rank_of(MlcValue *value)
{
    return mlc_type_rank(mlc_value_type(value));
}

static inline bool
is_nhwc(const MlcGraphLower *l)
{
    return mlc_graph_layout(l->op) == MLC_GRAPH_LAYOUT_NHWC;
}

static inline bool
bool_attr(const MlcGraphLower *l, const char *name)
{
    MlcAttr attr = mlc_op_attr(l->op, name);
    return attr && mlc_attr_as_bool(attr);
}

static inline double
float_attr(const MlcGraphLower *l, const char *name)
{
    return mlc_float_attr_as_double(mlc_op_attr(l->op, name));
}

// Factors of 8 or 16 bits whose products are added up in more.
static inline bool
has_narrow_factors(const MlcGraphLower *l)
{
    return mlc_type_element(mlc_value_type(operand(l, 0))) != l->element;
}

static inline MlcValue *
size_value(MlcGraphLower *l, const MlcTensorShape *shape, size_t i)
{
    return shape->values[i] ? shape->values[i] : mlc_build_index(&l->b, shape->dims[i]);
}

static inline MlcAffineMap
identity_map(MlcGraphLower *l, size_t rank)
{
    return mlc_affine_map_identity(l->b.ctx, (unsigned)rank);
}

// mlc_build_generic, its body's float ops as this lowering's are.
static inline MlcValue *
build_generic(MlcGraphLower *l, MlcGeneric *generic)
{
    generic->fastmath = l->fastmath;
    return mlc_build_generic(&l->b, generic);
}

// The size as a value; NULL: nobody knows it.
MlcValue *mlc_graph_lower_size(const MlcGraphLower *l, MlcAttr size);
// The size of a dimension of an operand, as text; NULL: nobody knows it.
MlcAttr mlc_graph_lower_dim_text(const MlcGraphLower *l, size_t i, size_t dim);
// The number, or the value, that a text says. It must be known.
MlcMixed mlc_graph_lower_mixed(const MlcGraphLower *l, MlcAttr size);
// The result's shape where operands are aligned at their ends: size `i` is taken from one that has
// it.
void mlc_graph_lower_shape(MlcGraphLower *l, MlcTensorShape *shape);
// The result's shape where only the batch (dim 0) may be dynamic.
void mlc_graph_lower_batch_shape(MlcGraphLower *l, MlcTensorShape *shape);
// The operand and its map in loops over `shape`, dims of size 1 that are broadcast dropped from
// both.
MlcValue *mlc_graph_lower_broadcast(MlcGraphLower *l, MlcValue *value, const MlcTensorShape *shape,
                                    MlcAffineMap *map);

// The identities of max and min over the element type. Truth values are 0 and 1.
double mlc_graph_lower_lowest(const MlcGraphLower *l);
double mlc_graph_lower_highest(const MlcGraphLower *l);
// A number that the element type holds, as an attribute of it.
MlcAttr mlc_graph_lower_number(const MlcGraphLower *l, double value);

// A tensor of `shape`: in loops over it, `body` over x, the element of `x` that `map` says.
MlcValue *mlc_graph_lower_map(MlcGraphLower *l, MlcValue *x, MlcAffineMap map,
                              const MlcTensorShape *shape, const char *body);
// `body` over x, element by element.
MlcValue *mlc_graph_lower_each(MlcGraphLower *l, MlcValue *x, const char *body);
MlcValue *mlc_graph_lower_scale(MlcGraphLower *l, MlcValue *x, double factor);
typedef MlcValue *MlcElementMaker(MlcBuilder *b, MlcValue *const *args, void *user);
// What `make` makes of x, element by element.
MlcValue *mlc_graph_lower_make_each(MlcGraphLower *l, MlcValue *x, MlcElementMaker *make, void *user);

// Assertions on what is known when the model runs, made unless constants say it: operand 1 of a
// gather or scatter op holds indices of operand 0; no divisor of integers in the body of `generic`,
// made of `of`, is 0.
void mlc_graph_lower_check_indices(MlcGraphLower *l);
void mlc_graph_lower_check_divisors(MlcGraphLower *l, MlcOp *generic, const MlcGeneric *of);

// An index of dimension `dim` of operand 0 as read, which is within (it was checked): counted from
// the end where it is negative.
MlcValue *mlc_graph_lower_index_within(MlcGraphLower *l, MlcValue *raw, size_t dim);

// Any op with a scalar body in its record.
MlcValue *mlc_graph_lower_elementwise(MlcGraphLower *l);
MlcValue *mlc_graph_lower_conv(MlcGraphLower *l);
MlcValue *mlc_graph_lower_max_pool(MlcGraphLower *l);
MlcValue *mlc_graph_lower_average_pool(MlcGraphLower *l);
MlcValue *mlc_graph_lower_reduce_mean(MlcGraphLower *l);
MlcValue *mlc_graph_lower_reduce_sum(MlcGraphLower *l);
MlcValue *mlc_graph_lower_reduce_max(MlcGraphLower *l);
MlcValue *mlc_graph_lower_reduce_prod(MlcGraphLower *l);
MlcValue *mlc_graph_lower_reduce_min(MlcGraphLower *l);
MlcValue *mlc_graph_lower_global_average_pool(MlcGraphLower *l);
MlcValue *mlc_graph_lower_global_max_pool(MlcGraphLower *l);
MlcValue *mlc_graph_lower_softmax(MlcGraphLower *l);
MlcValue *mlc_graph_lower_batch_norm(MlcGraphLower *l);
MlcValue *mlc_graph_lower_gemm(MlcGraphLower *l);
MlcValue *mlc_graph_lower_matmul(MlcGraphLower *l);
MlcValue *mlc_graph_lower_block_matmul(MlcGraphLower *l);
MlcValue *mlc_graph_lower_reshape(MlcGraphLower *l);
MlcValue *mlc_graph_lower_transpose(MlcGraphLower *l);
MlcValue *mlc_graph_lower_concat(MlcGraphLower *l);
MlcValue *mlc_graph_lower_grow(MlcGraphLower *l);
MlcValue *mlc_graph_lower_pad(MlcGraphLower *l);
MlcValue *mlc_graph_lower_expand(MlcGraphLower *l);
MlcValue *mlc_graph_lower_tile(MlcGraphLower *l);
MlcValue *mlc_graph_lower_trilu(MlcGraphLower *l);
MlcValue *mlc_graph_lower_slice(MlcGraphLower *l);
MlcValue *mlc_graph_lower_gather(MlcGraphLower *l);
MlcValue *mlc_graph_lower_gather_elements(MlcGraphLower *l);
MlcValue *mlc_graph_lower_gather_nd(MlcGraphLower *l);
MlcValue *mlc_graph_lower_expect(MlcGraphLower *l);
MlcValue *mlc_graph_lower_scatter_elements(MlcGraphLower *l);
MlcValue *mlc_graph_lower_scatter_nd(MlcGraphLower *l);
MlcValue *mlc_graph_lower_top_k(MlcGraphLower *l);
MlcValue *mlc_graph_lower_runtime_text(MlcGraphLower *l);
MlcValue *mlc_graph_lower_argsort(MlcGraphLower *l);
MlcValue *mlc_graph_lower_true_places(MlcGraphLower *l);
MlcValue *mlc_graph_lower_running_sum(MlcGraphLower *l);
MlcValue *mlc_graph_lower_non_max_suppression(MlcGraphLower *l);
MlcValue *mlc_graph_lower_tree_ensemble(MlcGraphLower *l);
MlcValue *mlc_graph_lower_sizes(MlcGraphLower *l);
MlcValue *mlc_graph_lower_iota(MlcGraphLower *l);
MlcValue *mlc_graph_lower_identity(MlcGraphLower *l);
MlcValue *mlc_graph_lower_bitcast(MlcGraphLower *l);
MlcValue *mlc_graph_lower_constant(MlcGraphLower *l);

#endif
