// type.c -- the builtin types and dialects' types, as uniqued records.
#include "mlc/ir/type.h"

#include <assert.h>

#include "context_impl.h"
#include "mlc/ir/affine.h"

MlcTypeKind
mlc_type_kind(MlcType type)
{
    return (MlcTypeKind)type->kind;
}

MlcContext *
mlc_type_context(MlcType type)
{
    return type->ctx;
}

static MlcType
intern_type(MlcContext *ctx, MlcTypeKind kind, const uint64_t *words, size_t num_words)
{
    return mlc_intern_words(ctx, MLC_CATEGORY_TYPE, kind, words, num_words);
}

// --- scalars

static MlcType
make_integer(MlcContext *ctx, unsigned width, MlcSignedness signedness)
{
    uint64_t words[] = {width, signedness};
    return intern_type(ctx, MLC_TYPE_INTEGER, words, 2);
}

MlcType
mlc_integer_type_get(MlcContext *ctx, unsigned width, MlcSignedness signedness)
{
    assert(width < MLC_WIDE_MAX_WIDTH);
    if (signedness != MLC_SIGNLESS || width > 64)
        return make_integer(ctx, width, signedness);
    MlcType type = atomic_load_explicit(&ctx->integer_types[width], memory_order_acquire);
    if (!type) {
        type = make_integer(ctx, width, signedness);
        atomic_store_explicit(&ctx->integer_types[width], type, memory_order_release);
    }
    return type;
}

unsigned
mlc_integer_type_width(MlcType type)
{
    assert(type->kind == MLC_TYPE_INTEGER);
    return (unsigned)type->integer.width;
}

MlcSignedness
mlc_integer_type_signedness(MlcType type)
{
    assert(type->kind == MLC_TYPE_INTEGER);
    return (MlcSignedness)type->integer.signedness;
}

bool
mlc_type_is_integer(MlcType type, unsigned width)
{
    return type->kind == MLC_TYPE_INTEGER && type->integer.signedness == MLC_SIGNLESS &&
           (width == 0 || type->integer.width == width);
}

bool
mlc_type_is_string(MlcType type)
{
    return type->kind == MLC_TYPE_INTEGER && type->integer.signedness == MLC_SIGNED &&
           type->integer.width == 64;
}

MlcType
mlc_index_type_get(MlcContext *ctx)
{
    MlcType type = atomic_load_explicit(&ctx->index_type, memory_order_acquire);
    if (!type) {
        type = intern_type(ctx, MLC_TYPE_INDEX, NULL, 0);
        atomic_store_explicit(&ctx->index_type, type, memory_order_release);
    }
    return type;
}

MlcType
mlc_none_type_get(MlcContext *ctx)
{
    MlcType type = atomic_load_explicit(&ctx->none_type, memory_order_acquire);
    if (!type) {
        type = intern_type(ctx, MLC_TYPE_NONE, NULL, 0);
        atomic_store_explicit(&ctx->none_type, type, memory_order_release);
    }
    return type;
}

MlcType
mlc_float_type_get(MlcContext *ctx, MlcFloatKind kind)
{
    MlcType type = atomic_load_explicit(&ctx->float_types[kind], memory_order_acquire);
    if (!type) {
        uint64_t word = kind;
        type = intern_type(ctx, MLC_TYPE_FLOAT, &word, 1);
        atomic_store_explicit(&ctx->float_types[kind], type, memory_order_release);
    }
    return type;
}

MlcFloatKind
mlc_float_type_kind(MlcType type)
{
    assert(type->kind == MLC_TYPE_FLOAT);
    return (MlcFloatKind)type->floating.kind;
}

bool
mlc_type_is_float(MlcType type)
{
    return type->kind == MLC_TYPE_FLOAT;
}

bool
mlc_type_is_int_or_index(MlcType type)
{
    return type->kind == MLC_TYPE_INTEGER || type->kind == MLC_TYPE_INDEX;
}

unsigned
mlc_type_bit_width(MlcType type)
{
    if (type->kind == MLC_TYPE_INTEGER)
        return (unsigned)type->integer.width;
    if (type->kind == MLC_TYPE_INDEX)
        return 64;
    assert(type->kind == MLC_TYPE_FLOAT);
    return mlc_float_info((MlcFloatKind)type->floating.kind)->width;
}

// --- lists

static MlcType
intern_list(MlcContext *ctx, MlcTypeKind kind, const MlcType *first, size_t num_first,
            const MlcType *second, size_t num_second)
{
    uint64_t head[] = {num_first, num_second};
    MlcPart parts[] = {{head, sizeof head},
                       {first, num_first * sizeof *first},
                       {second, num_second * sizeof *second}};
    return mlc_intern(ctx, MLC_CATEGORY_TYPE, kind, parts, 3, 0);
}

MlcType
mlc_function_type_get(MlcContext *ctx, const MlcType *inputs, size_t num_inputs,
                      const MlcType *results, size_t num_results)
{
    return intern_list(ctx, MLC_TYPE_FUNCTION, inputs, num_inputs, results, num_results);
}

size_t
mlc_function_type_num_inputs(MlcType type)
{
    assert(type->kind == MLC_TYPE_FUNCTION);
    return type->list.num_inputs;
}

size_t
mlc_function_type_num_results(MlcType type)
{
    assert(type->kind == MLC_TYPE_FUNCTION);
    return type->list.num_results;
}

const MlcType *
mlc_function_type_inputs(MlcType type)
{
    assert(type->kind == MLC_TYPE_FUNCTION);
    return type->list.types;
}

const MlcType *
mlc_function_type_results(MlcType type)
{
    assert(type->kind == MLC_TYPE_FUNCTION);
    return type->list.types + type->list.num_inputs;
}

MlcType
mlc_tuple_type_get(MlcContext *ctx, const MlcType *elements, size_t num_elements)
{
    return intern_list(ctx, MLC_TYPE_TUPLE, elements, num_elements, NULL, 0);
}

size_t
mlc_tuple_type_size(MlcType type)
{
    assert(type->kind == MLC_TYPE_TUPLE);
    return type->list.num_inputs;
}

MlcType
mlc_tuple_type_element(MlcType type, size_t i)
{
    assert(i < mlc_tuple_type_size(type));
    return type->list.types[i];
}

// --- shaped types

static MlcType
intern_shaped(MlcTypeKind kind, MlcType element, const int64_t *shape, size_t rank, MlcAttr first,
              MlcAttr memory_space, const bool *scalable)
{
    bool has_scalable = false;
    for (size_t i = 0; scalable && i < rank; i++)
        has_scalable |= scalable[i];
    uint64_t head[] = {mlc_word(element), rank, mlc_word(first), mlc_word(memory_space),
                       has_scalable};
    MlcPart parts[] = {{head, sizeof head},
                       {shape, rank * sizeof *shape},
                       {scalable, has_scalable ? rank * sizeof *scalable : 0}};
    return mlc_intern(element->ctx, MLC_CATEGORY_TYPE, kind, parts, 3, 0);
}

MlcType
mlc_complex_type_get(MlcType element)
{
    return intern_shaped(MLC_TYPE_COMPLEX, element, NULL, 0, NULL, NULL, NULL);
}

MlcType
mlc_vector_type_get(MlcType element, const int64_t *shape, size_t rank, const bool *scalable)
{
    return intern_shaped(MLC_TYPE_VECTOR, element, shape, rank, NULL, NULL, scalable);
}

MlcType
mlc_tensor_type_get(MlcType element, const int64_t *shape, size_t rank, MlcAttr encoding)
{
    return intern_shaped(MLC_TYPE_TENSOR, element, shape, rank, encoding, NULL, NULL);
}

MlcType
mlc_unranked_tensor_type_get(MlcType element)
{
    return intern_shaped(MLC_TYPE_UNRANKED_TENSOR, element, NULL, 0, NULL, NULL, NULL);
}

// An integer space of 0 is the default one, as in MLIR.
static MlcAttr
or_default(MlcAttr memory_space)
{
    int64_t space;
    bool is_zero = mlc_attr_is(memory_space, MLC_ATTR_INTEGER) &&
                   mlc_attr_try_as_int(memory_space, &space) && space == 0;
    return is_zero ? NULL : memory_space;
}

MlcType
mlc_memref_type_get(MlcType element, const int64_t *shape, size_t rank, MlcAttr layout,
                    MlcAttr memory_space)
{
    if (mlc_attr_is(layout, MLC_ATTR_AFFINE_MAP) &&
        mlc_affine_map_is_identity(mlc_affine_map_attr_value(layout)))
        layout = NULL;
    return intern_shaped(MLC_TYPE_MEMREF, element, shape, rank, layout, or_default(memory_space),
                         NULL);
}

MlcType
mlc_unranked_memref_type_get(MlcType element, MlcAttr memory_space)
{
    return intern_shaped(MLC_TYPE_UNRANKED_MEMREF, element, NULL, 0, NULL, or_default(memory_space),
                         NULL);
}

bool
mlc_type_can_hold(MlcTypeKind kind, MlcType element)
{
    bool is_memref = kind == MLC_TYPE_MEMREF || kind == MLC_TYPE_UNRANKED_MEMREF;
    switch (mlc_type_kind(element)) {
    case MLC_TYPE_INTEGER:
    case MLC_TYPE_INDEX:
    case MLC_TYPE_FLOAT:
    case MLC_TYPE_DIALECT:
        return true;
    case MLC_TYPE_FUNCTION:
    case MLC_TYPE_NONE:
    case MLC_TYPE_TUPLE:
    case MLC_TYPE_TENSOR:
    case MLC_TYPE_UNRANKED_TENSOR:
        return false;
    case MLC_TYPE_MEMREF:
    case MLC_TYPE_UNRANKED_MEMREF:
        return is_memref;
    default:
        return kind != MLC_TYPE_VECTOR;
    }
}

bool
mlc_type_is_shaped(MlcType type)
{
    return type->kind >= MLC_TYPE_VECTOR && type->kind <= MLC_TYPE_UNRANKED_MEMREF;
}

bool
mlc_type_has_rank(MlcType type)
{
    return type->kind == MLC_TYPE_VECTOR || type->kind == MLC_TYPE_TENSOR ||
           type->kind == MLC_TYPE_MEMREF;
}

size_t
mlc_type_rank(MlcType type)
{
    assert(mlc_type_has_rank(type));
    return type->shaped.rank;
}

const int64_t *
mlc_type_shape(MlcType type)
{
    assert(mlc_type_has_rank(type));
    return type->shaped.shape;
}

int64_t
mlc_type_dim(MlcType type, size_t i)
{
    assert(i < mlc_type_rank(type));
    return type->shaped.shape[i];
}

bool
mlc_type_has_shape_of(MlcType type, MlcType other)
{
    if (!mlc_type_has_rank(type) || !mlc_type_has_rank(other) ||
        type->shaped.rank != other->shaped.rank)
        return false;
    for (size_t i = 0; i < type->shaped.rank; i++)
        if (type->shaped.shape[i] != other->shaped.shape[i])
            return false;
    return true;
}

size_t
mlc_type_num_dynamic_dims(MlcType type)
{
    size_t count = 0;
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        count += type->shaped.shape[i] == MLC_DYNAMIC;
    return count;
}

bool
mlc_type_has_static_shape(MlcType type)
{
    return mlc_type_has_rank(type) && mlc_type_num_dynamic_dims(type) == 0;
}

int64_t
mlc_type_num_elements(MlcType type)
{
    assert(mlc_type_has_static_shape(type));
    int64_t count = 1;
    bool overflows = false;
    for (size_t i = 0; i < type->shaped.rank; i++) {
        if (type->shaped.shape[i] == 0)
            return 0;
        overflows |= __builtin_mul_overflow(count, type->shaped.shape[i], &count);
    }
    return overflows ? -1 : count;
}

MlcType
mlc_type_element(MlcType type)
{
    return mlc_type_is_shaped(type) || type->kind == MLC_TYPE_COMPLEX ? type->shaped.element : type;
}

MlcAttr
mlc_tensor_type_encoding(MlcType type)
{
    return type->kind == MLC_TYPE_TENSOR ? type->shaped.first : NULL;
}

MlcAttr
mlc_memref_type_layout(MlcType type)
{
    assert(type->kind == MLC_TYPE_MEMREF);
    return type->shaped.first;
}

MlcAttr
mlc_memref_type_memory_space(MlcType type)
{
    assert(type->kind == MLC_TYPE_MEMREF || type->kind == MLC_TYPE_UNRANKED_MEMREF);
    return type->shaped.memory_space;
}

bool
mlc_vector_type_has_scalable(MlcType type)
{
    return type->kind == MLC_TYPE_VECTOR && type->shaped.has_scalable;
}

static const bool *
scalable_flags(MlcType type)
{
    return type->shaped.has_scalable ? (const bool *)(type->shaped.shape + type->shaped.rank)
                                     : NULL;
}

bool
mlc_vector_type_is_scalable(MlcType type, size_t dim)
{
    assert(type->kind == MLC_TYPE_VECTOR && dim < type->shaped.rank);
    const bool *flags = scalable_flags(type);
    return flags && flags[dim];
}

// A layout or encoding belongs to the rank it was made for; it is kept where the rank stays.
MlcType
mlc_type_with_shape(MlcType type, const int64_t *shape, size_t rank, MlcType element)
{
    bool same_rank = mlc_type_has_rank(type) && rank == type->shaped.rank;
    switch (mlc_type_kind(type)) {
    case MLC_TYPE_VECTOR:
        return mlc_vector_type_get(element, shape, rank, same_rank ? scalable_flags(type) : NULL);
    case MLC_TYPE_TENSOR:
    case MLC_TYPE_UNRANKED_TENSOR:
        return mlc_tensor_type_get(element, shape, rank, same_rank ? type->shaped.first : NULL);
    case MLC_TYPE_MEMREF:
    case MLC_TYPE_UNRANKED_MEMREF:
        return mlc_memref_type_get(element, shape, rank, same_rank ? type->shaped.first : NULL,
                                   type->shaped.memory_space);
    default:
        mlc_bug("mlc_type_with_shape: not a shaped type");
    }
}

MlcType
mlc_type_with_element(MlcType type, MlcType element)
{
    switch (mlc_type_kind(type)) {
    case MLC_TYPE_COMPLEX:
        return mlc_complex_type_get(element);
    case MLC_TYPE_UNRANKED_TENSOR:
        return mlc_unranked_tensor_type_get(element);
    case MLC_TYPE_UNRANKED_MEMREF:
        return mlc_unranked_memref_type_get(element, type->shaped.memory_space);
    case MLC_TYPE_VECTOR:
    case MLC_TYPE_TENSOR:
    case MLC_TYPE_MEMREF:
        return mlc_type_with_shape(type, type->shaped.shape, type->shaped.rank, element);
    default:
        return element;
    }
}

// --- dialect types

MlcType
mlc_dialect_type_get(MlcContext *ctx, const MlcTypeDef *def, const MlcAttr *params,
                     size_t num_params)
{
    uint64_t head[] = {mlc_word(def), num_params};
    MlcPart parts[] = {{head, sizeof head}, {params, num_params * sizeof *params}};
    return mlc_intern(ctx, MLC_CATEGORY_TYPE, MLC_TYPE_DIALECT, parts, 2, sizeof(MlcAttr));
}

const MlcTypeDef *
mlc_dialect_type_def(MlcType type)
{
    return type->kind == MLC_TYPE_DIALECT ? type->dialect.def : NULL;
}

bool
mlc_type_isa(MlcType type, const char *name)
{
    return type->kind == MLC_TYPE_DIALECT && strcmp(type->dialect.def->name, name) == 0;
}

size_t
mlc_dialect_type_num_params(MlcType type)
{
    assert(type->kind == MLC_TYPE_DIALECT);
    return type->dialect.num_params;
}

MlcAttr
mlc_dialect_type_param(MlcType type, size_t i)
{
    assert(i < mlc_dialect_type_num_params(type));
    return type->dialect.params[i];
}

// The word after the parameters: no part of the key, so the type may refer to itself through it.
static _Atomic(MlcAttr) *
body_slot(MlcType type)
{
    assert(type->kind == MLC_TYPE_DIALECT);
    return (_Atomic(MlcAttr) *)(uintptr_t)(type->dialect.params + type->dialect.num_params);
}

bool
mlc_dialect_type_set_body(MlcType type, MlcAttr body)
{
    MlcAttr none = NULL;
    return atomic_compare_exchange_strong(body_slot(type), &none, body) || none == body;
}

MlcAttr
mlc_dialect_type_body(MlcType type)
{
    return atomic_load_explicit(body_slot(type), memory_order_acquire);
}

MlcType
mlc_opaque_type_get(MlcContext *ctx, MlcStr dialect, MlcStr body)
{
    uint64_t words[] = {mlc_word(mlc_string_attr_get(ctx, dialect)),
                        mlc_word(mlc_string_attr_get(ctx, body))};
    return intern_type(ctx, MLC_TYPE_OPAQUE, words, 2);
}

MlcStr
mlc_opaque_type_dialect(MlcType type)
{
    assert(type->kind == MLC_TYPE_OPAQUE);
    return mlc_string_attr_value(type->opaque.dialect);
}

MlcStr
mlc_opaque_type_body(MlcType type)
{
    assert(type->kind == MLC_TYPE_OPAQUE);
    return mlc_string_attr_value(type->opaque.body);
}
