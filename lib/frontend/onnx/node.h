// node.h -- what the importers of operators share: attributes and inputs of a node read, graph ops
// made from them.
//
// What fails returns false or NULL after mlc_onnx_invalid or mlc_onnx_unsupported.
#ifndef MLC_FRONTEND_ONNX_NODE_H
#define MLC_FRONTEND_ONNX_NODE_H

#include "import.h"

#include "mlc/dialects/graph.h"

enum { MLC_ONNX_MAX_ATTRS = 10 };

// The attributes of the graph op being made; those never added are left to their defaults.
typedef struct MlcOnnxAttrs {
    MlcNamedAttr items[MLC_ONNX_MAX_ATTRS];
    size_t count;
} MlcOnnxAttrs;

// The attribute, or NULL. `*ok` becomes false, after an error, if it has another type.
const MlcOnnxAttribute *mlc_onnx_find_attribute(MlcOnnxNodeImport *n, const char *name,
                                                MlcOnnxAttributeType type, bool *ok);
bool mlc_onnx_read_int(MlcOnnxNodeImport *n, const char *name, int64_t *value);
bool mlc_onnx_read_float(MlcOnnxNodeImport *n, const char *name, float *value);
bool mlc_onnx_read_str(MlcOnnxNodeImport *n, const char *name, MlcStr *value);
bool mlc_onnx_read_ints(MlcOnnxNodeImport *n, const char *name, MlcOnnxInts *value);
MlcContext *mlc_onnx_context_of(MlcOnnxNodeImport *n);
MlcType mlc_onnx_i64(MlcOnnxNodeImport *n);
void mlc_onnx_add_attr(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs, const char *name, MlcAttr value);
void mlc_onnx_add_int(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs, const char *name, int64_t value);
void mlc_onnx_add_bool(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs, const char *name, bool value);
void mlc_onnx_add_float(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs, const char *name, float value);
void mlc_onnx_add_ints(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs, const char *name,
                       MlcOnnxInts value);
MlcValue *mlc_onnx_build_value(MlcOnnxNodeImport *n, MlcAttr value);
// A constant of what a tensor of the node's attributes holds.
MlcValue *mlc_onnx_build_tensor(MlcOnnxNodeImport *n, const MlcOnnxTensor *tensor);
// What must be known of the first input, or of input `i`, and is not: unsupported, with its name.
bool mlc_onnx_unknown_rank(MlcOnnxNodeImport *n);
bool mlc_onnx_unknown_size(MlcOnnxNodeImport *n, int64_t dim);
bool mlc_onnx_unknown_value(MlcOnnxNodeImport *n, size_t i);
// Has an op that was made find its shape, and checks it. False after an error at the node.
bool mlc_onnx_infer(MlcOnnxNodeImport *n, MlcOp *op);
// The same of one that has a body: its results are of the elements that the body yields from
// `first` on.
bool mlc_onnx_finish_control(MlcOnnxNodeImport *n, MlcOp *op, size_t first);
// Makes the op with one result of unknown shape, then has it find its shape; element types that it
// does not take are found here too. NULL after an error at the node, or where an operand is NULL.
MlcValue *mlc_onnx_build_typed(MlcOnnxNodeImport *n, const MlcOpDef *def, MlcType element,
                               MlcValue *const *operands, size_t num_operands,
                               const MlcOnnxAttrs *attrs);
MlcValue *mlc_onnx_build(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *const *operands,
                         size_t num_operands, const MlcOnnxAttrs *attrs);
bool mlc_onnx_set_result(MlcOnnxNodeImport *n, MlcValue *value);
bool mlc_onnx_has_output(const MlcOnnxNodeImport *n, size_t i);
// Whether so many numbers may stand in the module as a constant, or in memory while it is made.
bool mlc_onnx_can_list(MlcOnnxNodeImport *n, int64_t count);
// Integers of input `i`, which must be a constant.
bool mlc_onnx_element_int(MlcAttr element, int64_t *value); // false: beyond 64 bits with a sign
bool mlc_onnx_constant_ints(MlcOnnxNodeImport *n, size_t i, MlcOnnxInts *ints);
MlcValue *mlc_onnx_input_or_null(const MlcOnnxNodeImport *n, size_t i);
// One float of input `i`, which must be a constant of one element.
bool mlc_onnx_constant_float(MlcOnnxNodeImport *n, size_t i, double *number);
MlcValue *mlc_onnx_reshape(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxInts shape,
                           bool allow_zero);
// Ints from the attribute `name` (older opsets) or from input `i`; `*given` says whether there are
// any.
bool mlc_onnx_attribute_or_input_ints(MlcOnnxNodeImport *n, const char *name, size_t i,
                                      MlcOnnxInts *ints, bool *given);
MlcValue *mlc_onnx_build_one(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *value);
// Constants of these numbers: i64, or of a float type (else NULL, after an error). Of f16 and bf16
// it is a cast that need not round (graph.cast): the numbers are an importer's.
MlcValue *mlc_onnx_int(MlcOnnxNodeImport *n, int64_t value); // of rank 0
MlcValue *mlc_onnx_build_ints(MlcOnnxNodeImport *n, const int64_t *items, const int64_t *shape,
                              size_t rank);
MlcValue *mlc_onnx_build_floats(MlcOnnxNodeImport *n, MlcType element, const double *items,
                                const int64_t *shape, size_t rank);
MlcValue *mlc_onnx_transpose(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxInts perm);
// All axes and steps of 1 where none are given.
MlcValue *mlc_onnx_slice(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxInts starts,
                         MlcOnnxInts ends, MlcOnnxInts axes, MlcOnnxInts steps);
MlcValue *mlc_onnx_build_scalar(MlcOnnxNodeImport *n, MlcType element, double number);
// NULL where an operand is NULL: an error was reported there.
MlcValue *mlc_onnx_build_two(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *lhs,
                             MlcValue *rhs);
MlcValue *mlc_onnx_reduce_axes(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *value,
                               MlcOnnxInts axes);
// As above, of truth values; lhs where the condition holds, else rhs; elements of another type.
MlcValue *mlc_onnx_compare(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *lhs, MlcValue *rhs);
MlcValue *mlc_onnx_select(MlcOnnxNodeImport *n, MlcValue *condition, MlcValue *lhs, MlcValue *rhs);
MlcValue *mlc_onnx_cast(MlcOnnxNodeImport *n, MlcValue *value, MlcType element);
// Of a tensor of numbers, as ONNX casts to a float of at most 8 bits: `saturate`, `mode` ("up",
// "down" or "nearest") as Cast's attributes.
MlcValue *mlc_onnx_cast_to_narrow_float(MlcOnnxNodeImport *n, MlcValue *value, MlcType element,
                                        bool saturate, MlcStr mode);
// One number of the type, integer or float.
MlcValue *mlc_onnx_build_number(MlcOnnxNodeImport *n, MlcType element, double number);
// 0 to size - 1 as i64, in dimension `dim` of `rank`, all others 1.
MlcValue *mlc_onnx_build_count(MlcOnnxNodeImport *n, int64_t size, size_t dim, size_t rank);
MlcValue *mlc_onnx_concat(MlcOnnxNodeImport *n, MlcValue *const *values, size_t count,
                          int64_t axis);
// The node's integer `name` as a dimension of `type`, from 0; false after an error: out of range,
// or the rank unknown.
bool mlc_onnx_read_axis(MlcOnnxNodeImport *n, const char *name, MlcType type, int64_t *axis);
bool mlc_onnx_is_unsigned(MlcType element);
// The same bits, as elements of a type as wide.
MlcValue *mlc_onnx_bitcast(MlcOnnxNodeImport *n, MlcValue *value, MlcType element);
MlcValue *mlc_onnx_log_softmax(MlcOnnxNodeImport *n, MlcValue *value, int64_t axis);
// Size `dim` of output `i`, as the model declares it; -1: it does not.
int64_t mlc_onnx_declared_size(const MlcOnnxNodeImport *n, size_t i, size_t dim);
// `value`, if the one integer `number` is `expected`, and else an error when the model runs.
MlcValue *mlc_onnx_expect(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *number, int64_t expected,
                          const char *what);
// `value`, if the one truth value holds, and else an error of this message when the model runs.
MlcValue *mlc_onnx_assert(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *truth,
                          const char *message);
// The cache with each batch's update along `axis` from its `start` on ([batch] of i64; NULL: 0),
// and around the end where it is circular; a place outside is an error when the model runs.
MlcValue *mlc_onnx_write_cache(MlcOnnxNodeImport *n, MlcValue *cache, MlcValue *update,
                               MlcValue *start, int64_t axis, bool is_circular);
// ---- integers that are sizes known when the model runs (size_values.c)

// A text for each element (mlc/dialects/graph_sizes.h).
typedef struct MlcOnnxSizes {
    MlcAttr *items;
    size_t count;
} MlcOnnxSizes;

bool mlc_onnx_is_sizes(const MlcValue *value);
MlcOnnxSizes mlc_onnx_sizes_of_numbers(MlcOnnxNodeImport *n, MlcOnnxInts numbers);
// Elements of a value that is such sizes, or a constant of few integers. False: it is neither.
bool mlc_onnx_sizes_of(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxSizes *sizes);
// Those that are numbers, `otherwise` for the others; whether all are.
bool mlc_onnx_size_numbers(MlcOnnxNodeImport *n, const MlcOnnxSizes *sizes, int64_t otherwise,
                           MlcOnnxInts *numbers);
// The list of the others' texts, "" for numbers.
MlcAttr mlc_onnx_size_texts(MlcOnnxNodeImport *n, const MlcOnnxSizes *sizes);
// Sizes as a value: a constant, where all are numbers.
MlcValue *mlc_onnx_build_sizes(MlcOnnxNodeImport *n, const MlcOnnxSizes *sizes, MlcType type);
// 0, 1, 2... of that many integers.
MlcValue *mlc_onnx_build_iota(MlcOnnxNodeImport *n, MlcAttr count, MlcType element);
// The sizes of the value's dimensions. False, after an error: one is unknown, or the rank is.
bool mlc_onnx_dims_of(MlcOnnxNodeImport *n, MlcValue *value, MlcOnnxSizes *dims);
// Of these sizes, of which one may be -1; by broadcasting. NULL where the value is.
MlcValue *mlc_onnx_reshape_to(MlcOnnxNodeImport *n, MlcValue *value, const MlcOnnxSizes *sizes);
MlcValue *mlc_onnx_expand_to(MlcOnnxNodeImport *n, MlcValue *value, const MlcOnnxSizes *sizes);
// 0 to size - 1 as i64, in dimension `dim` of `rank`, all others 1; the size itself, of rank 0.
MlcValue *mlc_onnx_build_count_to(MlcOnnxNodeImport *n, MlcAttr size, size_t dim, size_t rank);
MlcValue *mlc_onnx_build_size(MlcOnnxNodeImport *n, MlcAttr size);
// From `start` to before `end` along an axis.
MlcValue *mlc_onnx_slice_to(MlcOnnxNodeImport *n, MlcValue *value, MlcAttr start, MlcAttr end,
                            int64_t axis);
// Rows along an axis of that size at places (i64), those outside at its ends; where there are none
// it is an error when the model runs.
MlcValue *mlc_onnx_gather_held(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *places,
                               MlcAttr size, size_t axis);
// An error when the model runs, unless they are; what is the same text, or NULL, is not asked.
void mlc_onnx_expect_equal(MlcOnnxNodeImport *n, MlcAttr a, MlcAttr b);
// What an op on sizes and constants gives, as sizes or as a constant; NULL: none is known.
MlcValue *mlc_onnx_fold_sizes(MlcOnnxNodeImport *n, MlcOp *op);

// What the attributes of the node's row say; of a convolution, whether `kernel_shape` is that of
// the filters (of type `filter`).
bool mlc_onnx_copy_attrs(MlcOnnxNodeImport *n, MlcOnnxAttrs *attrs);
bool mlc_onnx_check_kernel_shape(MlcOnnxNodeImport *n, MlcType filter);
// Operators that are several ops, each in a file of its own.
bool mlc_onnx_import_conv_transpose(MlcOnnxNodeImport *n);
bool mlc_onnx_import_einsum(MlcOnnxNodeImport *n);
bool mlc_onnx_import_expand(MlcOnnxNodeImport *n);
bool mlc_onnx_import_reshape(MlcOnnxNodeImport *n);
bool mlc_onnx_import_resize(MlcOnnxNodeImport *n);
bool mlc_onnx_import_gradient(MlcOnnxNodeImport *n);
bool mlc_onnx_import_max_pool(MlcOnnxNodeImport *n);
// Dropout with a mask that is drawn.
bool mlc_onnx_train_dropout(MlcOnnxNodeImport *n, double ratio);
bool mlc_onnx_import_upsample(MlcOnnxNodeImport *n);

// Columns of rows that are one op: MLC_ONNX_OP(gemm), MLC_ONNX_ATTRS(MLC_ONNX_COPY_INT("axis")).
#define MLC_ONNX_OP(name) .op = &mlc_graph_##name##_def
#define MLC_ONNX_ATTRS(...)                                                                        \
    .attrs = (const MlcOnnxAttrRow[])                                                              \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define MLC_ONNX_COPY_INT(...)                                                                     \
    {                                                                                              \
        .kind = MLC_ONNX_ROW_INT, .name = __VA_ARGS__                                              \
    }
#define MLC_ONNX_COPY_BOOL(...)                                                                    \
    {                                                                                              \
        .kind = MLC_ONNX_ROW_BOOL, .name = __VA_ARGS__                                             \
    }
#define MLC_ONNX_COPY_FLOAT(...)                                                                   \
    {                                                                                              \
        .kind = MLC_ONNX_ROW_FLOAT, .name = __VA_ARGS__                                            \
    }
#define MLC_ONNX_COPY_INTS(...)                                                                    \
    {                                                                                              \
        .kind = MLC_ONNX_ROW_INTS, .name = __VA_ARGS__                                             \
    }
#define MLC_ONNX_COPY_PADS                                                                         \
    {                                                                                              \
        .kind = MLC_ONNX_ROW_PADS, .name = "pads"                                                  \
    }

#endif
