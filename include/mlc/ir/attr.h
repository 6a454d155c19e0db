// attr.h -- attributes: constant data attached to ops, and parameters of types. Uniqued, owned by
// their context.
//
// Ownership: attributes live as long as their context; what is given is copied, what comes out is
// theirs.
// Threads: any.
#ifndef MLC_IR_ATTR_H
#define MLC_IR_ATTR_H

#include "mlc/ir/fwd.h"
#include "mlc/support/wide.h"

MLC_BEGIN_DECLS

typedef enum MlcAttrKind {
    MLC_ATTR_UNIT,
    MLC_ATTR_INTEGER, // of an integer type or index; i1 1/0 is true/false
    MLC_ATTR_FLOAT,
    MLC_ATTR_STRING, // may have a type: "x" : i32
    MLC_ATTR_ARRAY,
    MLC_ATTR_DICT, // sorted by name, names unique
    MLC_ATTR_TYPE,
    MLC_ATTR_SYMBOL_REF, // @root::@nested...
    MLC_ATTR_AFFINE_MAP,
    MLC_ATTR_INTEGER_SET,
    MLC_ATTR_DENSE,          // dense<...> : elements of int, index, float or complex, in line
    MLC_ATTR_DENSE_STRING,   // dense<"..."> : tensor<2x!foo.string>
    MLC_ATTR_DENSE_RESOURCE, // dense_resource<key> : a blob handle
    MLC_ATTR_SPARSE,         // sparse<indices, values>
    MLC_ATTR_DENSE_ARRAY,    // array<i64: 1, 2>
    MLC_ATTR_STRIDED_LAYOUT, // strided<[?, 1], offset: ?>
    MLC_ATTR_DISTINCT,       // distinct[0]<...>: never equal to another
    MLC_ATTR_LOC,
    MLC_ATTR_DIALECT, // (definition, parameters), enumerations included
    MLC_ATTR_OPAQUE,  // of an unregistered dialect: namespace, raw body, optional type
} MlcAttrKind;

typedef struct MlcNamedAttr {
    MlcAttr name; // a string attribute without type
    MlcAttr value;
} MlcNamedAttr;

// What it is, and the context it is uniqued in.
MLC_API MlcAttrKind mlc_attr_kind(MlcAttr attr);
MLC_API MlcContext *mlc_attr_context(MlcAttr attr);
// Of typed attributes (integer, float, elements, ...); else NULL.
MLC_API MlcType mlc_attr_type(MlcAttr attr);
// Whether it is of the kind; false for NULL.
static inline bool
mlc_attr_is(MlcAttr attr, MlcAttrKind kind)
{
    return attr && mlc_attr_kind(attr) == kind;
}

// Attributes are uniqued: equal ones are the same pointer, and live as long as the context.
MLC_API MlcAttr mlc_unit_attr_get(MlcContext *ctx);
// true or false, of type i1.
MLC_API MlcAttr mlc_bool_attr_get(MlcContext *ctx, bool value);

// Integers. `value` is taken modulo 2^width; index counts as 64 bits.
MLC_API MlcAttr mlc_integer_attr_get(MlcType type, int64_t value);
MLC_API MlcAttr mlc_integer_attr_get_wide(MlcType type, const MlcWide *value);
// A number of type index.
MLC_API MlcAttr mlc_index_attr_get(MlcContext *ctx, int64_t value);
// A number of type i64.
MLC_API MlcAttr mlc_i64_attr_get(MlcContext *ctx, int64_t value);
// A number of type i32.
MLC_API MlcAttr mlc_i32_attr_get(MlcContext *ctx, int32_t value);
MLC_API MlcWide mlc_attr_wide(MlcAttr attr);   // borrowed words
MLC_API int64_t mlc_attr_as_int(MlcAttr attr); // sign-extended; asserts that it fits
// False: no integer, or wider than int64.
MLC_API bool mlc_attr_try_as_int(MlcAttr attr, int64_t *value);
// Of a bool attribute, which it must be.
MLC_API bool mlc_attr_as_bool(MlcAttr attr);

// Floats: `bits` as the type's format has them, in the low bits (lo, hi for widths above 64).
MLC_API MlcAttr mlc_float_attr_get(MlcType type, double value); // rounded to nearest even
MLC_API MlcAttr mlc_float_attr_get_bits(MlcType type, uint64_t lo, uint64_t hi);
MLC_API void mlc_float_attr_bits(MlcAttr attr, uint64_t *lo, uint64_t *hi);
MLC_API double mlc_float_attr_as_double(MlcAttr attr); // exact up to f64

// The bytes are copied. Typed: with a type behind, "a" : i32.
MLC_API MlcAttr mlc_string_attr_get(MlcContext *ctx, MlcStr value);
MLC_API MlcAttr mlc_string_attr_get_typed(MlcStr value, MlcType type);
MLC_API MlcStr mlc_string_attr_value(MlcAttr attr); // NUL-terminated

// The elements are copied into the context.
MLC_API MlcAttr mlc_array_attr_get(MlcContext *ctx, const MlcAttr *elements, size_t num_elements);
// Of an array attribute, which it must be; `i` is below its size.
MLC_API size_t mlc_array_attr_size(MlcAttr attr);
MLC_API MlcAttr mlc_array_attr_element(MlcAttr attr, size_t i);

// Sorts; names must be unique (asserted; use mlc_dict_attr_find_duplicate on input from users).
MLC_API MlcAttr mlc_dict_attr_get(MlcContext *ctx, const MlcNamedAttr *entries, size_t num_entries);
MLC_API bool mlc_dict_attr_find_duplicate(const MlcNamedAttr *entries, size_t num_entries,
                                          MlcStr *name);
MLC_API size_t mlc_dict_attr_size(MlcAttr attr);
MLC_API MlcNamedAttr mlc_dict_attr_entry(MlcAttr attr, size_t i);
MLC_API MlcAttr mlc_dict_attr_find(MlcAttr attr, MlcStr name); // NULL if absent; `attr` may be NULL
// Value NULL: without.
MLC_API MlcAttr mlc_dict_attr_with(MlcContext *ctx, MlcAttr dict, MlcStr name, MlcAttr value);

// A type as an attribute, and back.
MLC_API MlcAttr mlc_type_attr_get(MlcType type);
MLC_API MlcType mlc_type_attr_value(MlcAttr attr);

// @root, or @a::@b::@c; names are copied.
MLC_API MlcAttr mlc_symbol_ref_attr_get(MlcContext *ctx, MlcStr root);
MLC_API MlcAttr mlc_symbol_ref_attr_get_nested(MlcContext *ctx, const MlcStr *path,
                                               size_t num_names);
MLC_API size_t mlc_symbol_ref_attr_size(MlcAttr attr); // names, root first
// Name `i` of the path, 0 the root.
MLC_API MlcStr mlc_symbol_ref_attr_name(MlcAttr attr, size_t i);

// A map as an attribute, and back; the kind must be right.
MLC_API MlcAttr mlc_affine_map_attr_get(MlcAffineMap map);
MLC_API MlcAffineMap mlc_affine_map_attr_value(MlcAttr attr);
// A set as an attribute, and back.
MLC_API MlcAttr mlc_integer_set_attr_get(MlcIntegerSet set);
MLC_API MlcIntegerSet mlc_integer_set_attr_value(MlcAttr attr);
// strided<[...], offset: ...>, with MLC_DYNAMIC for what is unknown; `strides` is copied.
MLC_API MlcAttr mlc_strided_layout_attr_get(MlcContext *ctx, int64_t offset, const int64_t *strides,
                                            size_t num_strides);
// Its parts.
MLC_API int64_t mlc_strided_layout_attr_offset(MlcAttr attr);
MLC_API size_t mlc_strided_layout_attr_size(MlcAttr attr);
MLC_API const int64_t *mlc_strided_layout_attr_strides(MlcAttr attr);

// Elements. Storage is little-endian, each element in its width rounded up to 8, 16, 32, 64 or n*64
// bits (i1: one byte per element; index: 8 bytes; complex: two in a row); a splat stores one
// element.
MLC_API MlcAttr mlc_dense_attr_get(MlcType shaped, const void *data, size_t num_bytes,
                                   bool is_splat);
MLC_API MlcAttr mlc_dense_attr_splat(MlcType shaped, MlcAttr element);
MLC_API MlcAttr mlc_dense_attr_from_elements(MlcType shaped, const MlcAttr *elements,
                                             size_t num_elements);
MLC_API MlcAttr mlc_dense_string_attr_get(MlcType shaped, const MlcStr *strings,
                                          size_t num_strings);
// Retains the blob.
MLC_API MlcAttr mlc_dense_resource_attr_get(MlcType shaped, MlcStr key, MlcBlob *blob);
// Elements of `shaped` that are zero but at `indices` (i64, [n, rank]), where they are `values` (n
// of them); both are dense attributes.
MLC_API MlcAttr mlc_sparse_attr_get(MlcType shaped, MlcAttr indices, MlcAttr values);
// Of dense and dense_resource alike: the bytes (one element if splat), without copying. NULL: no
// blob was given.
MLC_API const void *mlc_elements_attr_data(MlcAttr attr, size_t *num_bytes);
// Whether that would give bytes, without making those that are deferred.
MLC_API bool mlc_elements_attr_has_data(MlcAttr attr);
MLC_API bool mlc_elements_attr_is_splat(MlcAttr attr);
// As an integer, float or array attribute.
MLC_API MlcAttr mlc_elements_attr_element(MlcAttr attr, size_t i);

MLC_API size_t mlc_elements_attr_element_bytes(MlcType element); // of the storage above
// String `i` in row-major order; of a splat the only one.
MLC_API MlcStr mlc_dense_string_attr_element(MlcAttr attr, size_t i);
// The name that the resource has in text.
MLC_API MlcStr mlc_dense_resource_attr_key(MlcAttr attr);
MLC_API MlcBlob *mlc_dense_resource_attr_blob(MlcAttr attr); // borrowed; NULL: declared only
// Declares key -> blob for a resource read after its uses (`{-# dialect_resources ... #-}`).
MLC_API bool mlc_dense_resource_set_blob(MlcContext *ctx, MlcStr key, MlcBlob *blob);
// The two parts that it was made of.
MLC_API MlcAttr mlc_sparse_attr_indices(MlcAttr attr);
MLC_API MlcAttr mlc_sparse_attr_values(MlcAttr attr);

// array<T: ...>, T an integer type, f32 or f64; i1 is one byte per element.
MLC_API MlcAttr mlc_dense_array_attr_get(MlcType element, const void *data, size_t num_elements);
// array<i64: ...>.
MLC_API MlcAttr mlc_i64_array_attr_get(MlcContext *ctx, const int64_t *values, size_t num_values);
// array<i32: ...>; values are copied.
MLC_API MlcAttr mlc_i32_array_attr_get(MlcContext *ctx, const int32_t *values, size_t num_values);
// Of array<...>: the element type, how many, the packed elements (bools a byte each), and integer
// `i`, sign-extended.
MLC_API MlcType mlc_dense_array_attr_element_type(MlcAttr attr);
MLC_API size_t mlc_dense_array_attr_size(MlcAttr attr);
MLC_API const void *mlc_dense_array_attr_data(MlcAttr attr);
MLC_API int64_t mlc_dense_array_attr_int(MlcAttr attr, size_t i);
// The integers of array<iN: ...>, [1 : i64, ...] or dense<...> : one reader for the three
// spellings; false if `i` is out of range or the element is no integer.
MLC_API bool mlc_int_list_attr_get(MlcAttr attr, size_t i, int64_t *value);
MLC_API size_t mlc_int_list_attr_size(MlcAttr attr);
MLC_API bool mlc_int_list_attr_has(MlcAttr attr, int64_t value);

MLC_API MlcAttr mlc_distinct_attr_create(MlcContext *ctx, MlcAttr referenced); // fresh each time
// The attribute that distinct[n]<attr> is of.
MLC_API MlcAttr mlc_distinct_attr_referenced(MlcAttr attr);

// Dialect attributes: (definition, parameters); a parameter may be NULL where the definition says
// optional. An enumeration has one integer parameter (i32 or i64), or a bit set.
MLC_API MlcAttr mlc_dialect_attr_get(MlcContext *ctx, const MlcAttrDef *def, const MlcAttr *params,
                                     size_t num_params);
MLC_API const MlcAttrDef *mlc_dialect_attr_def(MlcAttr attr); // NULL if not a dialect's attribute
MLC_API bool mlc_attr_isa(MlcAttr attr, const char *name);    // "gpu.dim"
MLC_API size_t mlc_dialect_attr_num_params(MlcAttr attr);
MLC_API MlcAttr mlc_dialect_attr_param(MlcAttr attr, size_t i);
// A case of the enumeration `def`, whose value it must be.
MLC_API MlcAttr mlc_enum_attr_get(MlcContext *ctx, const MlcAttrDef *def, int64_t value);
MLC_API int64_t mlc_enum_attr_value(MlcAttr attr); // also of a plain integer attribute

// #dialect<body> of a dialect that is not registered, kept as text; `type` may be NULL.
MLC_API MlcAttr mlc_opaque_attr_get(MlcContext *ctx, MlcStr dialect, MlcStr body, MlcType type);
// Its parts.
MLC_API MlcStr mlc_opaque_attr_dialect(MlcAttr attr);
MLC_API MlcStr mlc_opaque_attr_body(MlcAttr attr);

MLC_END_DECLS

#endif
