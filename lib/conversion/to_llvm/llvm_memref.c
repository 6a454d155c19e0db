// llvm_memref.c -- memrefs in the llvm dialect: descriptors and bare pointers, read and made by the
// same code.
//
// What the type tells (sizes, strides, offset) is never read from a descriptor. The ops are those
// that MLIR makes, in its order.
#include "to_llvm.h"

void
llvm_memref_read(LlvmMemref *m, MlcConversion *c, MlcType type, MlcValue *value)
{
    m->type = type;
    m->element = mlc_type_converter_convert_one(mlc_conversion_types(c), mlc_type_element(type));
    m->value = value;
    m->is_bare = llvm_is_ptr(mlc_value_type(value));
    m->rank = mlc_type_is(type, MLC_TYPE_MEMREF) ? mlc_type_rank(type) : SIZE_MAX;
    if (!m->element || m->rank > 64 || !mlc_memref_type_strides(type, &m->offset, m->strides))
        mlc_bug("%s was converted and has no strided layout", mlc_type_text(type));
}

static MlcValue *
field(MlcBuilder *b, const LlvmMemref *m, int64_t number)
{
    return m->is_bare ? m->value : llvm_extract(b, m->value, &number, 1);
}

MlcValue *
llvm_memref_allocated(MlcBuilder *b, const LlvmMemref *m)
{
    return field(b, m, 0);
}

MlcValue *
llvm_memref_aligned(MlcBuilder *b, const LlvmMemref *m)
{
    return field(b, m, 1);
}

MlcValue *
llvm_memref_offset(MlcBuilder *b, const LlvmMemref *m)
{
    if (m->is_bare)
        return llvm_i64(b, 0);
    return m->offset == MLC_DYNAMIC ? field(b, m, 2) : llvm_i64(b, m->offset);
}

MlcValue *
llvm_memref_size(MlcBuilder *b, const LlvmMemref *m, size_t i)
{
    int64_t size = mlc_type_dim(m->type, i), position[2] = {3, (int64_t)i};
    return size == MLC_DYNAMIC && !m->is_bare ? llvm_extract(b, m->value, position, 2)
                                              : llvm_i64(b, size);
}

MlcValue *
llvm_memref_stride(MlcBuilder *b, const LlvmMemref *m, size_t i)
{
    int64_t position[2] = {4, (int64_t)i};
    return m->strides[i] == MLC_DYNAMIC ? llvm_extract(b, m->value, position, 2)
                                        : llvm_i64(b, m->strides[i]);
}

// llvm.getelementptr with the index as an operand, where llvm_element_ptr folds.
static MlcValue *
offset_ptr(MlcBuilder *b, MlcValue *base, MlcType element, MlcValue *index)
{
    int32_t raw = INT32_MIN;
    return mlc_llvm_getelementptr(b, mlc_value_type(base), base, &index, 1, &raw, 1, element);
}

MlcValue *
llvm_memref_start(MlcBuilder *b, const LlvmMemref *m)
{
    MlcValue *aligned = llvm_memref_aligned(b, m);
    if (m->is_bare || m->offset == 0)
        return aligned;
    return offset_ptr(b, aligned, m->element, llvm_memref_offset(b, m));
}

// Bare pointers belong to code whose indices are mostly known: constants are folded on the way.
static MlcValue *
bare_element_ptr(MlcBuilder *b, const LlvmMemref *m, MlcValue *const *indices)
{
    MlcValue *position = NULL;
    for (size_t i = 0; i < m->rank; i++) {
        MlcValue *term = llvm_mul_constant(b, indices[i], m->strides[i]);
        position = position ? llvm_add(b, position, term) : term;
    }
    return llvm_element_ptr(b, m->value, m->element, position);
}

MlcValue *
llvm_memref_element_ptr(MlcConversion *c, MlcType memref, MlcValue *base, MlcValue *const *indices)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    LlvmMemref m;
    llvm_memref_read(&m, c, memref, base);
    if (m.is_bare)
        return bare_element_ptr(b, &m, indices);
    MlcValue *start = llvm_memref_start(b, &m), *position = NULL;
    for (size_t i = 0; i < m.rank; i++) {
        MlcValue *term = indices[i];
        if (m.strides[i] != 1)
            term = mlc_llvm_mul(b, term, llvm_memref_stride(b, &m, i));
        position = position ? mlc_llvm_add(b, position, term) : term;
    }
    return position ? offset_ptr(b, start, m.element, position) : start;
}

MlcValue *
llvm_memref_pack(MlcBuilder *b, MlcType element, size_t rank, MlcType to,
                 const LlvmMemrefParts *parts)
{
    if (llvm_is_ptr(to))
        return llvm_element_ptr(b, parts->aligned, element, parts->offset);
    MlcValue *d = mlc_llvm_mlir_undef(b, to),
             *fields[3] = {parts->allocated, parts->aligned, parts->offset};
    for (int64_t i = 0; i < 3; i++)
        d = mlc_llvm_insertvalue(b, d, fields[i] ? fields[i] : llvm_i64(b, 0), &i, 1);
    for (size_t i = 0; i < rank; i++) {
        d = mlc_llvm_insertvalue(b, d, parts->sizes[i], (int64_t[]){3, (int64_t)i}, 2);
        d = mlc_llvm_insertvalue(b, d, parts->strides[i], (int64_t[]){4, (int64_t)i}, 2);
    }
    return d;
}

// --- in calls

static size_t
rank_of(MlcType descriptor)
{
    if (llvm_struct_size(descriptor) < 5)
        return 0;
    return (size_t)mlc_attr_as_int(mlc_dialect_type_param(llvm_struct_member(descriptor, 3), 1));
}

// The fields that are no lists: rank and address of one whose rank is not known.
static int64_t
num_words_of(MlcType descriptor)
{
    size_t n = llvm_struct_size(descriptor);
    return n < 3 ? (int64_t)n : 3;
}

void
llvm_memref_unpack(MlcBuilder *b, MlcValue *descriptor, MlcValueVec *fields)
{
    size_t rank = rank_of(mlc_value_type(descriptor));
    int64_t num_words = num_words_of(mlc_value_type(descriptor));
    for (int64_t i = 0; i < num_words; i++)
        mlc_vec_push(fields, llvm_extract(b, descriptor, &i, 1));
    for (int64_t list = 3; list < 5; list++)
        for (size_t i = 0; i < rank; i++)
            mlc_vec_push(fields, llvm_extract(b, descriptor, (int64_t[]){list, (int64_t)i}, 2));
}

MlcValue *
llvm_memref_from_fields(MlcBuilder *b, MlcType descriptor, MlcValue *const *fields)
{
    size_t rank = rank_of(descriptor);
    MlcValue *d = mlc_llvm_mlir_undef(b, descriptor);
    for (int64_t i = 0; i < num_words_of(descriptor); i++)
        d = mlc_llvm_insertvalue(b, d, fields[i], &i, 1);
    for (size_t i = 0; i < rank; i++) {
        d = mlc_llvm_insertvalue(b, d, fields[3 + i], (int64_t[]){3, (int64_t)i}, 2);
        d = mlc_llvm_insertvalue(b, d, fields[3 + rank + i], (int64_t[]){4, (int64_t)i}, 2);
    }
    return d;
}

// --- of unknown rank

MlcValue *
llvm_on_stack(MlcBuilder *b, MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    MlcValue *place = mlc_llvm_alloca(b, llvm_ptr(b->ctx, 0), llvm_i64(b, 1), type);
    llvm_store(b, value, place, 0);
    return place;
}

MlcValue *
llvm_unranked_pack(MlcBuilder *b, MlcType to, MlcValue *rank, MlcValue *descriptor)
{
    return llvm_memref_from_fields(b, to, (MlcValue *const[]){rank, descriptor});
}

MlcValue *
llvm_unranked_rank(MlcBuilder *b, MlcValue *memref)
{
    return llvm_extract(b, memref, (int64_t[]){0}, 1);
}

MlcValue *
llvm_unranked_descriptor(MlcBuilder *b, MlcValue *memref)
{
    return llvm_extract(b, memref, (int64_t[]){1}, 1);
}

MlcValue *
llvm_unranked_size(MlcBuilder *b, MlcValue *memref, MlcValue *i)
{
    MlcType ptr = llvm_ptr(b->ctx, 0), index = mlc_value_type(i), members[3] = {ptr, ptr, index};
    MlcValue *sizes = llvm_element_ptr(b, llvm_unranked_descriptor(b, memref),
                                       llvm_struct(b->ctx, members, 3), llvm_i64(b, 1));
    return llvm_load(b, index, llvm_element_ptr(b, sizes, index, i), 0);
}

MlcValue *
llvm_unranked_bytes(MlcBuilder *b, MlcValue *memref)
{
    enum { WORDS = 3, WORDS_OF_DIMENSION = 2, WORD = 8 };
    MlcValue *rank = llvm_unranked_rank(b, memref);
    MlcValue *lists = mlc_llvm_mul(b, rank, llvm_i64(b, WORDS_OF_DIMENSION * WORD));
    return mlc_llvm_add(b, lists, llvm_i64(b, WORDS * WORD));
}
