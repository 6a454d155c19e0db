// type.h -- types: MLIR's builtin ones, and any dialect's as a definition with attributes as
// parameters.
//
// The builtin types are the language of the IR and live in lib/ir; every other type
// (`!llvm.ptr<3>`, `!gpu.async.token`) is (definition, parameters), so that dialects made at run
// time have types like compiled ones. Types are owned by their context and never freed alone.
//
// Ownership: types live as long as their context; what is given is copied, what comes out is
// theirs.
// Threads: any.
#ifndef MLC_IR_TYPE_H
#define MLC_IR_TYPE_H

#include "mlc/ir/fwd.h"
#include "mlc/ir/limits.h"
#include "mlc/support/softfloat.h" // MlcFloatKind

MLC_BEGIN_DECLS

typedef enum MlcTypeKind {
    MLC_TYPE_INTEGER,
    MLC_TYPE_INDEX,
    MLC_TYPE_FLOAT,
    MLC_TYPE_NONE,
    MLC_TYPE_COMPLEX,
    MLC_TYPE_VECTOR,
    MLC_TYPE_TENSOR, // ranked
    MLC_TYPE_UNRANKED_TENSOR,
    MLC_TYPE_MEMREF, // ranked
    MLC_TYPE_UNRANKED_MEMREF,
    MLC_TYPE_FUNCTION,
    MLC_TYPE_TUPLE,
    MLC_TYPE_DIALECT, // (definition, parameters)
    MLC_TYPE_OPAQUE,  // of an unregistered dialect: namespace and the raw text of its body
} MlcTypeKind;

typedef enum MlcSignedness { MLC_SIGNLESS, MLC_SIGNED, MLC_UNSIGNED } MlcSignedness;

#define MLC_DYNAMIC INT64_MIN // a dimension, stride or offset that is not known when compiling: `?`

// What it is, and the context it is uniqued in.
MLC_API MlcTypeKind mlc_type_kind(MlcType type);
MLC_API MlcContext *mlc_type_context(MlcType type);
// Whether it is of the kind; false for NULL.
static inline bool
mlc_type_is(MlcType type, MlcTypeKind kind)
{
    return mlc_type_kind(type) == kind;
}

// Integers: 1 <= width <= 2^24 - 1.
MLC_API MlcType mlc_integer_type_get(MlcContext *ctx, unsigned width, MlcSignedness signedness);
MLC_API unsigned mlc_integer_type_width(MlcType type);
MLC_API MlcSignedness mlc_integer_type_signedness(MlcType type);
// Signless of that width; 0: any signless.
MLC_API bool mlc_type_is_integer(MlcType type, unsigned width);
// si64, which no number of a model is: a string, by its number (mlc/runtime/abi.h, `text`).
MLC_API bool mlc_type_is_string(MlcType type);

// Types are uniqued: equal ones are the same pointer, and live as long as the context.
MLC_API MlcType mlc_index_type_get(MlcContext *ctx);
// The type `none`.
MLC_API MlcType mlc_none_type_get(MlcContext *ctx);
// One of the formats of mlc/support/softfloat.h.
MLC_API MlcType mlc_float_type_get(MlcContext *ctx, MlcFloatKind kind);
// Of a float type, which it must be.
MLC_API MlcFloatKind mlc_float_type_kind(MlcType type);
// complex<element>, of an integer or float type.
MLC_API MlcType mlc_complex_type_get(MlcType element);
// (inputs) -> results; both arrays are copied.
MLC_API MlcType mlc_function_type_get(MlcContext *ctx, const MlcType *inputs, size_t num_inputs,
                                      const MlcType *results, size_t num_results);
// Its parts; the arrays live as long as the context.
MLC_API size_t mlc_function_type_num_inputs(MlcType type);
MLC_API size_t mlc_function_type_num_results(MlcType type);
MLC_API const MlcType *mlc_function_type_inputs(MlcType type);
MLC_API const MlcType *mlc_function_type_results(MlcType type);
// tuple<...>; the array is copied. Then its parts.
MLC_API MlcType mlc_tuple_type_get(MlcContext *ctx, const MlcType *elements, size_t num_elements);
MLC_API size_t mlc_tuple_type_size(MlcType type);
MLC_API MlcType mlc_tuple_type_element(MlcType type, size_t i);

// Shaped types. Dimensions are >= 0 or MLC_DYNAMIC. `scalable` may be NULL (none), else one flag
// per dimension. `encoding`, `layout` and `memory_space` may be NULL; an identity layout is stored
// as NULL.
MLC_API MlcType mlc_vector_type_get(MlcType element, const int64_t *shape, size_t rank,
                                    const bool *scalable);
// tensor<shape x element, encoding>; `encoding` may be NULL, `shape` is copied and may have
// MLC_DYNAMIC.
MLC_API MlcType mlc_tensor_type_get(MlcType element, const int64_t *shape, size_t rank,
                                    MlcAttr encoding);
// tensor<*xelement>.
MLC_API MlcType mlc_unranked_tensor_type_get(MlcType element);
// memref<shape x element, layout, memory space>; both attributes may be NULL, `shape` is copied.
MLC_API MlcType mlc_memref_type_get(MlcType element, const int64_t *shape, size_t rank,
                                    MlcAttr layout, MlcAttr memory_space);
// memref<*xelement, memory space>.
MLC_API MlcType mlc_unranked_memref_type_get(MlcType element, MlcAttr memory_space);
// Whether a vector, tensor or memref (ranked or not) may have such elements.
MLC_API bool mlc_type_can_hold(MlcTypeKind kind, MlcType element);
MLC_API bool mlc_type_is_shaped(MlcType type); // vector, tensor, memref, ranked or not
MLC_API bool mlc_type_has_rank(MlcType type);
MLC_API size_t mlc_type_rank(MlcType type);
// Ranked, and not of more dimensions than MLC_SMALL_RANK.
static inline bool
mlc_type_has_small_rank(MlcType type)
{
    return mlc_type_has_rank(type) && mlc_type_rank(type) <= MLC_SMALL_RANK;
}
MLC_API const int64_t *mlc_type_shape(MlcType type);
MLC_API int64_t mlc_type_dim(MlcType type, size_t i);
MLC_API bool mlc_type_has_static_shape(MlcType type);
MLC_API bool mlc_type_has_shape_of(MlcType type, MlcType other); // both ranked, and the same sizes
// Of a static shape; -1 where it overflows int64.
MLC_API int64_t mlc_type_num_elements(MlcType type);
// Dimensions of a ranked type that are MLC_DYNAMIC.
MLC_API size_t mlc_type_num_dynamic_dims(MlcType type);
MLC_API MlcType mlc_type_element(MlcType type); // of shaped and complex types; else the type itself
// NULL if it has none.
MLC_API MlcAttr mlc_tensor_type_encoding(MlcType type);
MLC_API MlcAttr mlc_memref_type_layout(MlcType type); // NULL: identity
// NULL if it has none; unranked memrefs may have one, too.
MLC_API MlcAttr mlc_memref_type_memory_space(MlcType type);
// Whether dimension `dim`, or any of them, is [n]: a multiple of n that the machine knows.
MLC_API bool mlc_vector_type_is_scalable(MlcType type, size_t dim);
MLC_API bool mlc_vector_type_has_scalable(MlcType type);
// The same container with another shape and element type (the rank may differ).
MLC_API MlcType mlc_type_with_shape(MlcType type, const int64_t *shape, size_t rank,
                                    MlcType element);
// The same with another element type; `element` itself of a type that has none.
MLC_API MlcType mlc_type_with_element(MlcType type, MlcType element);
// Offset and strides (elements, MLC_DYNAMIC where unknown) of a memref with a strided layout; false
// if it has none.
MLC_API bool mlc_memref_type_strides(MlcType type, int64_t *offset, int64_t *strides);
// How many of the last dimensions lie in memory as if there were no others, one run: dimensions of
// known size.
MLC_API size_t mlc_memref_type_run(MlcType type);

// Symbols of the layout seen as a map: each `?` of a strided layout is one.
MLC_API size_t mlc_memref_type_num_symbols(MlcType type);
// Without a layout, if it is the one that would be there anyway.
MLC_API MlcType mlc_memref_type_canonical(MlcType type);
// With its strides as an affine map.
MLC_API MlcType mlc_memref_type_with_map(MlcType type);

// The type of a window into a strided memref: offsets, sizes, strides (elements of the source's
// dimensions, MLC_DYNAMIC where unknown); `dropped` dimensions (of size 1) leave the result, NULL:
// none. `slice` always has a strided layout (MLIR's SubViewOp::inferResultType), `subview` is
// canonical. NULL if the source has no strides.
MLC_API MlcType mlc_memref_type_slice(MlcType source, const int64_t *offsets, const int64_t *sizes,
                                      const int64_t *strides, const bool *dropped);
MLC_API MlcType mlc_memref_type_subview(MlcType source, const int64_t *offsets,
                                        const int64_t *sizes, const int64_t *strides,
                                        const bool *dropped);
MLC_API MlcType mlc_memref_type_transpose(MlcType source, MlcAffineMap permutation);

// Of any format.
MLC_API bool mlc_type_is_float(MlcType type);
// Integers of any width and sign, and index.
MLC_API bool mlc_type_is_int_or_index(MlcType type);
// Of integers and floats; 64 for index; asserts on others.
MLC_API unsigned mlc_type_bit_width(MlcType type);

// Dialect types.
MLC_API MlcType mlc_dialect_type_get(MlcContext *ctx, const MlcTypeDef *def, const MlcAttr *params,
                                     size_t num_params);
MLC_API const MlcTypeDef *mlc_dialect_type_def(MlcType type); // NULL if not a dialect's type
MLC_API bool mlc_type_isa(MlcType type, const char *name);    // "llvm.ptr"
MLC_API size_t mlc_dialect_type_num_params(MlcType type);
// NULL where an optional one is absent.
MLC_API MlcAttr mlc_dialect_type_param(MlcType type, size_t i);
// An identified type (`!llvm.struct<"node", ...>`) is uniqued by its parameters; its body is set
// once (true), or found to be the one given (true), or another (false).
MLC_API bool mlc_dialect_type_set_body(MlcType type, MlcAttr body);
MLC_API MlcAttr mlc_dialect_type_body(MlcType type);

// !dialect<body> of a dialect that is not registered, kept as text; both are copied.
MLC_API MlcType mlc_opaque_type_get(MlcContext *ctx, MlcStr dialect, MlcStr body);
// Its parts.
MLC_API MlcStr mlc_opaque_type_dialect(MlcType type);
MLC_API MlcStr mlc_opaque_type_body(MlcType type);

MLC_END_DECLS

#endif
