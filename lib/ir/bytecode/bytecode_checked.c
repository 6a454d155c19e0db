// bytecode_checked.c -- makes types and attributes of what a file says they are made of.
//
// The constructors take for granted that their arguments fit; here they are checked, for our format
// and MLIR's alike. A fault is reported where the cursor stands, and NULL returned.
#include "bytecode_read.h"

#include "mlc/ir/affine.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/type.h"

MlcType
bytecode_make_integer_type(BytecodeCursor *c, uint64_t width, uint64_t signedness)
{
    uint64_t limit = mlc_context_limits(c->file->ctx)->integer_width;
    limit = limit < (1u << 24) - 1 ? limit : (1u << 24) - 1;
    if (width > limit)
        return bytecode_fail(c, "an integer type of width %llu", (unsigned long long)width), NULL;
    if (signedness > MLC_UNSIGNED)
        return bytecode_fail(c, "signedness %llu is out of range", (unsigned long long)signedness),
               NULL;
    return mlc_integer_type_get(c->file->ctx, (unsigned)width, (MlcSignedness)signedness);
}

MlcType
bytecode_make_complex(BytecodeCursor *c, MlcType element)
{
    if (!mlc_type_is_float(element) && !mlc_type_is(element, MLC_TYPE_INTEGER))
        return bytecode_fail(c, "invalid element type for complex"), NULL;
    return mlc_complex_type_get(element);
}

static bool
is_layout_of_rank(MlcAttr layout, size_t rank)
{
    if (mlc_attr_is(layout, MLC_ATTR_AFFINE_MAP))
        return mlc_affine_map_num_dims(mlc_affine_map_attr_value(layout)) == rank;
    return mlc_attr_is(layout, MLC_ATTR_STRIDED_LAYOUT) &&
           mlc_strided_layout_attr_size(layout) == rank;
}

MlcType
bytecode_make_shaped(BytecodeCursor *c, MlcTypeKind kind, MlcType element,
                     const BytecodeShape *shape, MlcAttr first, MlcAttr space)
{
    if (!mlc_type_can_hold(kind, element))
        return bytecode_fail(c, "invalid element type '%s'", mlc_type_text(element)), NULL;
    switch (kind) {
    case MLC_TYPE_VECTOR:
        return mlc_vector_type_get(element, shape->dims, shape->rank,
                                   shape->has_scalable ? shape->scalable : NULL);
    case MLC_TYPE_TENSOR:
        return mlc_tensor_type_get(element, shape->dims, shape->rank, first);
    case MLC_TYPE_MEMREF:
        if (first && !is_layout_of_rank(first, shape->rank))
            return bytecode_fail(c, "a memref's layout is not of its rank"), NULL;
        return mlc_memref_type_get(element, shape->dims, shape->rank, first, space);
    case MLC_TYPE_UNRANKED_TENSOR:
        return mlc_unranked_tensor_type_get(element);
    default:
        return mlc_unranked_memref_type_get(element, space);
    }
}

bool
bytecode_is_enum_case(const MlcAttrDef *def, int64_t value)
{
    for (size_t i = 0; i < def->num_cases; i++)
        if (def->is_bit_enum || def->cases[i].value == value)
            return true;
    return false;
}

MlcAttr
bytecode_make_dict(BytecodeCursor *c, const MlcNamedAttr *entries, size_t n)
{
    MlcStr twice;
    if (mlc_dict_attr_find_duplicate(entries, n, &twice))
        return bytecode_fail(c, "'%.*s' stands twice in a dictionary", MLC_STR_FMT(twice)), NULL;
    return mlc_dict_attr_get(c->file->ctx, entries, n);
}

// ---- elements

static bool
fail_elements(BytecodeCursor *c, MlcType type)
{
    return bytecode_fail(c, "elements of type '%s'", mlc_type_text(type));
}

// Of a static shape, of numbers if `is_number`.
static bool
check_elements(BytecodeCursor *c, MlcType type, bool is_number)
{
    if ((!mlc_type_is(type, MLC_TYPE_TENSOR) && !mlc_type_is(type, MLC_TYPE_VECTOR)) ||
        !mlc_type_has_static_shape(type) || mlc_type_num_elements(type) < 0)
        return fail_elements(c, type);
    MlcType element = mlc_type_element(type);
    if (mlc_type_is(element, MLC_TYPE_COMPLEX))
        element = mlc_type_element(element);
    return !is_number || mlc_type_is_int_or_index(element) || mlc_type_is_float(element) ||
           fail_elements(c, type);
}

static bool
are_bools(const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] > 1)
            return false;
    return true;
}

MlcAttr
bytecode_make_dense(BytecodeCursor *c, MlcType type, const void *data, size_t size, bool splat)
{
    size_t expected;
    if (!check_elements(c, type, true))
        return NULL;
    size_t bytes = mlc_elements_attr_element_bytes(mlc_type_element(type));
    if (__builtin_mul_overflow(splat ? 1 : (size_t)mlc_type_num_elements(type), bytes, &expected) ||
        expected != size)
        return bytecode_fail(c, "%zu bytes for elements of type '%s'", size, mlc_type_text(type)),
               NULL;
    if (mlc_type_is_integer(mlc_type_element(type), 1) && !are_bools(data, size))
        return bytecode_fail(c, "an element of type 'i1' is neither 0 nor 1"), NULL;
    return mlc_dense_attr_get(type, data, size, splat);
}

MlcAttr
bytecode_make_dense_string(BytecodeCursor *c, MlcType type, const MlcStr *strings, size_t n)
{
    if (!check_elements(c, type, false))
        return NULL;
    if (n != 1 && (int64_t)n != mlc_type_num_elements(type))
        return bytecode_fail(c, "%zu strings for '%s'", n, mlc_type_text(type)), NULL;
    return mlc_dense_string_attr_get(type, strings, n);
}

MlcAttr
bytecode_make_sparse(BytecodeCursor *c, MlcType type, MlcAttr indices, MlcAttr values)
{
    if (!check_elements(c, type, false))
        return NULL;
    bool ok = mlc_attr_is(indices, MLC_ATTR_DENSE) &&
              (mlc_attr_is(values, MLC_ATTR_DENSE) || mlc_attr_is(values, MLC_ATTR_DENSE_STRING)) &&
              mlc_type_is_integer(mlc_type_element(mlc_attr_type(indices)), 64) &&
              mlc_type_element(mlc_attr_type(values)) == mlc_type_element(type);
    if (!ok)
        return bytecode_fail(c, "sparse elements of the wrong types"), NULL;
    return mlc_sparse_attr_get(type, indices, values);
}

MlcAttr
bytecode_make_resource(BytecodeCursor *c, MlcType type, MlcStr key)
{
    if (!mlc_type_is_shaped(type))
        return fail_elements(c, type), NULL;
    return mlc_dense_resource_attr_get(type, key, mlc_str_map_get(&c->file->blobs, key));
}

MlcAttr
bytecode_make_dense_array(BytecodeCursor *c, MlcType element, size_t n, const void *data,
                          size_t size)
{
    bool is_number = mlc_type_is(element, MLC_TYPE_INTEGER) || mlc_type_is_float(element);
    unsigned width = is_number ? mlc_type_bit_width(element) : 0;
    if (width != 1 && width != 8 && width != 16 && width != 32 && width != 64)
        return bytecode_fail(c, "an array of '%s'", mlc_type_text(element)), NULL;
    size_t bytes = width == 1 ? 1 : width / 8;
    if (size % bytes || size / bytes != n || (width == 1 && !are_bools(data, size)))
        return bytecode_fail(c, "the bytes of an array do not fit its elements"), NULL;
    return mlc_dense_array_attr_get(element, data, n);
}
