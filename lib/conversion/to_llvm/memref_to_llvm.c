// memref_to_llvm.c -- memrefs as descriptors or bare pointers (llvm_memref.c): windows move the
// offset or the pointer, buffers come from malloc, the stack and globals. Where pointers are bare,
// code is for the runtime, whose allocator aligns: what is freed is what a bare pointer knows.
#include "to_llvm.h"

#include "mlc/analysis/alias.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/memref.h"
#include "mlc/ir/mixed.h"
#include "mlc/ir/symbol.h"
#include "mlc/runtime/abi.h"

static bool
replace(MlcConversion *c, MlcOp *op, MlcValue *value)
{
    mlc_conversion_replace(c, op, &value, 1);
    return true;
}

static void
read_source(LlvmMemref *m, MlcConversion *c, MlcOp *op, MlcValue *const *operands)
{
    llvm_memref_read(m, c, mlc_value_type(mlc_op_operand(op, 0)), operands[0]);
}

static MlcValue *
pack(MlcConversion *c, MlcType type, MlcType to, const LlvmMemrefParts *parts)
{
    MlcType element =
        mlc_type_converter_convert_one(mlc_conversion_types(c), mlc_type_element(type));
    return llvm_memref_pack(mlc_conversion_builder(c), element, mlc_type_rank(type), to, parts);
}

// The same memory, of another type: `parts` but for what the types say.
static LlvmMemrefParts
pointers_of(MlcBuilder *b, const LlvmMemref *m)
{
    LlvmMemrefParts parts = {0};
    parts.allocated = llvm_memref_allocated(b, m);
    parts.aligned = llvm_memref_aligned(b, m);
    return parts;
}

static bool
replace_by_view(MlcConversion *c, MlcOp *op, const LlvmMemrefParts *parts)
{
    MlcType to = llvm_result_type(c, op);
    if (!to)
        return llvm_no_type(c, op);
    return replace(c, op, pack(c, mlc_value_type(mlc_op_result(op, 0)), to, parts));
}

// --- views

static bool
is_unranked(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_UNRANKED_MEMREF);
}

// From and to memrefs of unknown rank: the descriptor goes to the stack, or is read from where it
// lies.
static bool
lower_cast_of_unranked(MlcConversion *c, MlcOp *op, MlcValue *memref, MlcType to)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType from_type = mlc_value_type(mlc_op_operand(op, 0)),
            to_type = mlc_value_type(mlc_op_result(op, 0));
    if (is_unranked(from_type) && is_unranked(to_type))
        return replace(c, op, memref);
    if (is_unranked(from_type))
        return replace(c, op, llvm_load(b, to, llvm_unranked_descriptor(b, memref), 0));
    MlcValue *rank = llvm_i64(b, (int64_t)mlc_type_rank(from_type));
    return replace(c, op, llvm_unranked_pack(b, to, rank, llvm_on_stack(b, memref)));
}

static bool
lower_cast(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType to = llvm_result_type(c, op);
    LlvmMemref m;
    if (!to)
        return llvm_no_type(c, op);
    if (to == mlc_value_type(operands[0]))
        return replace(c, op, operands[0]);
    if (is_unranked(mlc_value_type(mlc_op_operand(op, 0))) ||
        is_unranked(mlc_value_type(mlc_op_result(op, 0))))
        return lower_cast_of_unranked(c, op, operands[0], to);
    read_source(&m, c, op, operands);
    LlvmMemrefParts parts = pointers_of(b, &m);
    parts.offset = llvm_memref_offset(b, &m);
    for (size_t i = 0; i < m.rank && !llvm_is_ptr(to); i++) {
        parts.sizes[i] = llvm_memref_size(b, &m, i);
        parts.strides[i] = llvm_memref_stride(b, &m, i);
    }
    return replace_by_view(c, op, &parts);
}

// The sizes of a reshape's result that are not known: operands, or products of those it joins.
static bool
reshaped_sizes(MlcBuilder *b, MlcOp *op, const LlvmMemref *source, MlcValue *const *operands,
               MlcValue **sizes)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcGroups groups;
    size_t n = 0;
    if (mlc_memref_expand_shape_isa(op)) {
        for (size_t i = 1; i < mlc_op_num_operands(op); i++)
            sizes[n++] = operands[i];
        return true;
    }
    if (!mlc_groups_read(mlc_op_attr(op, "reassociation"), &groups))
        return false;
    for (size_t g = 0; g < mlc_type_rank(type); g++) {
        size_t first = mlc_groups_first(&groups, g), end = mlc_groups_first(&groups, g + 1);
        if (mlc_type_dim(type, g) != MLC_DYNAMIC)
            continue;
        MlcValue *product = llvm_memref_size(b, source, first);
        for (size_t i = first + 1; i < end; i++)
            product = mlc_llvm_mul(b, product, llvm_memref_size(b, source, i));
        sizes[n++] = product;
    }
    return true;
}

static MlcValue *describe(MlcBuilder *b, MlcType type, MlcValue *const *dynamic,
                          LlvmMemrefParts *parts);

// memref.collapse_shape and expand_shape, where the result's type says all, or it has no gaps.
static bool
lower_reshape(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), to = llvm_result_type(c, op);
    LlvmMemref m;
    int64_t offset, strides[MLC_RANK_LIMIT];
    if (!to || !mlc_memref_type_strides(type, &offset, strides))
        return false;
    read_source(&m, c, op, operands);
    if (m.is_bare && llvm_is_ptr(to))
        return replace(c, op, operands[0]);
    LlvmMemrefParts parts = pointers_of(b, &m);
    parts.offset = llvm_memref_offset(b, &m);
    MlcValue *sizes[MLC_RANK_LIMIT];
    bool is_asked = m.is_bare && !mlc_memref_expand_shape_isa(op); // for sizes it does not know
    if (!mlc_memref_type_layout(type) && llvm_is_ptr(to))
        return replace_by_view(c, op, &parts);
    if (!mlc_memref_type_layout(type) && !mlc_type_has_static_shape(type) && !is_asked &&
        reshaped_sizes(b, op, &m, operands, sizes)) {
        describe(b, type, sizes, &parts);
        return replace_by_view(c, op, &parts);
    }
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        if (mlc_type_dim(type, i) == MLC_DYNAMIC || strides[i] == MLC_DYNAMIC)
            return mlc_conversion_no_match(c, op, "sizes and strides of its result are not static");
        parts.sizes[i] = llvm_i64(b, mlc_type_dim(type, i));
        parts.strides[i] = llvm_i64(b, strides[i]);
    }
    return replace_by_view(c, op, &parts);
}

static MlcValue *
mixed_value(MlcConversion *c, MlcMixed m)
{
    return m.value ? mlc_conversion_remap(c, m.value)
                   : llvm_i64(mlc_conversion_builder(c), m.constant);
}

static MlcValue *
multiply(MlcBuilder *b, MlcValue *x, MlcValue *y)
{
    return mlc_llvm_mul(b, x, y);
}

// offset + sum of offsets[i] * stride i
static MlcValue *
window_offset(MlcConversion *c, const LlvmMemref *m, const MlcMixedList *offsets)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *offset = llvm_memref_offset(b, m);
    for (size_t i = 0; i < m->rank; i++) {
        if (mlc_mixed_is(offsets->items[i], 0))
            continue;
        MlcValue *start = mixed_value(c, offsets->items[i]);
        MlcValue *term = m->strides[i] == MLC_DYNAMIC
                             ? multiply(b, start, llvm_memref_stride(b, m, i))
                             : llvm_mul_constant(b, start, m->strides[i]);
        offset = llvm_add(b, offset, term);
    }
    return offset;
}

static bool
lower_subview(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), to = llvm_result_type(c, op);
    LlvmMemref m;
    MlcSlice slice;
    if (!to)
        return llvm_no_type(c, op);
    if (!mlc_slice_read(op, &slice))
        return false;
    read_source(&m, c, op, operands);
    LlvmMemrefParts parts = pointers_of(b, &m);
    parts.offset = window_offset(c, &m, &slice.offsets);
    int64_t sizes[MLC_RANK_LIMIT], reduced[MLC_RANK_LIMIT];
    bool dropped[MLC_RANK_LIMIT];
    mlc_mixed_list_static(&slice.sizes, sizes);
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        reduced[i] = mlc_type_dim(type, i);
    if (!mlc_shape_dropped_dims(sizes, m.rank, reduced, mlc_type_rank(type), dropped))
        mlc_bug("the result of a verified subview is none of its window");
    for (size_t i = 0, j = 0; i < m.rank && !llvm_is_ptr(to); i++) {
        if (dropped[i])
            continue;
        parts.sizes[j] = mixed_value(c, slice.sizes.items[i]);
        MlcValue *stride = llvm_memref_stride(b, &m, i);
        if (!mlc_mixed_is(slice.strides.items[i], 1))
            stride = multiply(b, stride, mixed_value(c, slice.strides.items[i]));
        parts.strides[j++] = stride;
    }
    return replace_by_view(c, op, &parts);
}

static bool
lower_reinterpret_cast(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    LlvmMemref m;
    MlcSlice slice;
    if (!mlc_slice_read(op, &slice))
        return false;
    read_source(&m, c, op, operands);
    // Offsets are counted from the aligned pointer, which a bare one does not know.
    if (m.is_bare && m.offset != 0)
        return mlc_conversion_no_match(c, op, "the start of its buffer is not known");
    LlvmMemrefParts parts = pointers_of(b, &m);
    parts.offset = mixed_value(c, slice.offsets.items[0]);
    for (size_t i = 0; i < slice.sizes.size; i++) {
        parts.sizes[i] = mixed_value(c, slice.sizes.items[i]);
        parts.strides[i] = mixed_value(c, slice.strides.items[i]);
    }
    return replace_by_view(c, op, &parts);
}

// The buffer, its offset, sizes and strides.
static bool
lower_metadata(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), to = llvm_result_type(c, op);
    LlvmMemref m;
    if (!to)
        return llvm_no_type(c, op);
    read_source(&m, c, op, operands);
    if (m.is_bare && m.offset != 0)
        return mlc_conversion_no_match(c, op, "the start of its buffer is not known");
    LlvmMemrefParts parts = pointers_of(b, &m);
    MlcValueVec results = {0};
    mlc_vec_push(&results, pack(c, type, to, &parts));
    mlc_vec_push(&results, llvm_memref_offset(b, &m));
    for (size_t i = 0; i < m.rank; i++)
        mlc_vec_push(&results, llvm_memref_size(b, &m, i));
    for (size_t i = 0; i < m.rank; i++)
        mlc_vec_push(&results, llvm_memref_stride(b, &m, i));
    mlc_conversion_replace(c, op, results.data, results.size);
    mlc_vec_release(&results);
    return true;
}

// Sizes of a buffer without gaps, of which `dynamic` are the unknown ones, and the strides that
// follow. Returns the number of elements.
static MlcValue *
describe(MlcBuilder *b, MlcType type, MlcValue *const *dynamic, LlvmMemrefParts *parts)
{
    size_t rank = mlc_type_rank(type);
    for (size_t i = 0; i < rank; i++)
        parts->sizes[i] =
            mlc_type_dim(type, i) == MLC_DYNAMIC ? *dynamic++ : llvm_i64(b, mlc_type_dim(type, i));
    MlcValue *stride = llvm_i64(b, 1);
    int64_t known = 1;
    for (size_t i = rank; i-- > 0;) {
        parts->strides[i] = stride;
        int64_t size = mlc_type_dim(type, i);
        if (known == MLC_DYNAMIC || size == MLC_DYNAMIC ||
            __builtin_mul_overflow(known, size, &known)) {
            stride = known == 1 ? parts->sizes[i] : multiply(b, stride, parts->sizes[i]);
            known = MLC_DYNAMIC;
        } else {
            stride = known == size && i + 1 == rank ? parts->sizes[i] : llvm_i64(b, known);
        }
    }
    return stride;
}

// memref.view: a byte offset.
static bool
lower_view(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), to = llvm_result_type(c, op);
    LlvmMemref m;
    if (!to)
        return llvm_no_type(c, op);
    read_source(&m, c, op, operands);
    // Who gets a bare pointer, and may free it, takes it for the start.
    int64_t shift;
    if (llvm_is_ptr(to) && !mlc_buffer_stays(mlc_op_result(op, 0)) &&
        !(mlc_value_constant_int(mlc_op_operand(op, 1), &shift) && shift == 0))
        return mlc_conversion_no_match(c, op, "the start of its buffer is not known");
    MlcType byte = mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS);
    LlvmMemrefParts parts = {llvm_memref_allocated(b, &m),
                             llvm_element_ptr(b, llvm_memref_start(b, &m), byte, operands[1]),
                             NULL,
                             {NULL},
                             {NULL}};
    if (!llvm_is_ptr(to))
        describe(b, type, operands + 2, &parts);
    return replace_by_view(c, op, &parts);
}

static bool
lower_pointer_index(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    LlvmMemref m;
    read_source(&m, c, op, operands);
    MlcType index = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    return replace(c, op, mlc_llvm_ptrtoint(b, index, llvm_memref_aligned(b, &m)));
}

// --- sizes

// The i-th of the descriptor's sizes: they go to the stack, for llvm.extractvalue takes constants.
static MlcValue *
size_at(MlcBuilder *b, const LlvmMemref *m, MlcValue *i)
{
    int64_t position = 3;
    MlcType index = mlc_value_type(i), array = llvm_array(index, (int64_t)m->rank);
    MlcType ptr = llvm_ptr(b->ctx, 0);
    MlcValue *one = llvm_i64(b, 1), *sizes = llvm_extract(b, m->value, &position, 1);
    MlcValue *place = mlc_llvm_alloca(b, ptr, one, array);
    llvm_store(b, sizes, place, 0);
    int32_t raw[2] = {0, INT32_MIN};
    return llvm_load(b, index, mlc_llvm_getelementptr(b, ptr, place, &i, 1, raw, 2, array), 0);
}

static bool
lower_dim(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    int64_t i;
    LlvmMemref m;
    if (is_unranked(mlc_value_type(mlc_op_operand(op, 0))))
        return replace(c, op, llvm_unranked_size(b, operands[0], operands[1]));
    read_source(&m, c, op, operands);
    bool is_known = mlc_value_constant_int(mlc_op_operand(op, 1), &i);
    if (is_known && (i < 0 || (size_t)i >= m.rank))
        return mlc_conversion_no_match(c, op, "it asks for a dimension that is not there");
    if (m.is_bare && (!is_known || mlc_type_dim(m.type, (size_t)i) == MLC_DYNAMIC))
        return mlc_conversion_no_match(c, op, "the size is not static");
    return replace(c, op,
                   is_known ? llvm_memref_size(b, &m, (size_t)i) : size_at(b, &m, operands[1]));
}

static bool
lower_rank(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    if (is_unranked(mlc_value_type(mlc_op_operand(op, 0))))
        return replace(c, op, llvm_unranked_rank(mlc_conversion_builder(c), operands[0]));
    LlvmMemref m;
    read_source(&m, c, op, operands);
    return replace(c, op, llvm_i64(mlc_conversion_builder(c), (int64_t)m.rank));
}

// --- buffers

// Bytes of `count` elements, as the data layout has it: the address of element `count` behind 0.
static MlcValue *
bytes_of(MlcBuilder *b, MlcType element, MlcValue *count)
{
    MlcType ptr = llvm_ptr(b->ctx, 0);
    MlcValue *null = mlc_llvm_mlir_zero(b, ptr);
    int32_t raw = INT32_MIN;
    MlcValue *end = mlc_llvm_getelementptr(b, ptr, null, &count, 1, &raw, 1, element);
    return mlc_llvm_ptrtoint(b, mlc_value_type(count), end);
}

// Are memrefs of static shape bare pointers here?
static bool
is_for_runtime(MlcConversion *c)
{
    MlcContext *ctx = mlc_conversion_builder(c)->ctx;
    MlcType byte = mlc_integer_type_get(ctx, 8, MLC_SIGNLESS),
            scalar = mlc_memref_type_get(byte, NULL, 0, NULL, NULL),
            type = mlc_type_converter_convert_one(mlc_conversion_types(c), scalar);
    return type && llvm_is_ptr(type);
}

static MlcValue *
allocate_from_runtime(MlcConversion *c, MlcOp *op, MlcValue *bytes)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType ptr = llvm_ptr(b->ctx, 0), i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS),
            types[2] = {i64, i64};
    if (!llvm_declare(c, op, MLC_RT_SYMBOL_ALLOC, llvm_function_type(b->ctx, ptr, types, 2)))
        return NULL;
    MlcAttr attr = mlc_memref_alloc_alignment(op);
    MlcValue *operands[2] = {bytes, llvm_i64(b, attr ? mlc_attr_as_int(attr) : 1)};
    return mlc_op_result(llvm_call_function(b, MLC_RT_SYMBOL_ALLOC, ptr, operands, 2), 0);
}

// (address + alignment - 1) rounded down to a multiple.
static MlcValue *
align(MlcBuilder *b, MlcValue *ptr, MlcValue *alignment)
{
    MlcType index = mlc_value_type(alignment);
    MlcValue *address = mlc_llvm_ptrtoint(b, index, ptr);
    MlcValue *less = mlc_llvm_sub(b, alignment, llvm_i64(b, 1));
    MlcValue *bumped = mlc_llvm_add(b, address, less);
    MlcValue *rest = mlc_llvm_urem(b, bumped, alignment);
    return mlc_llvm_inttoptr(b, mlc_value_type(ptr), mlc_llvm_sub(b, bumped, rest));
}

// Buffers that ops make have no gaps and lie in the default address space.
static bool
is_plain(MlcConversion *c, MlcOp *op, MlcType type)
{
    if (mlc_memref_type_layout(type))
        return mlc_conversion_no_match(c, op, "its layout is not the identity");
    if (llvm_address_space(type) != 0)
        return mlc_conversion_no_match(c, op, "it is in an address space of its own");
    return true;
}

static bool
lower_alloc(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    MlcType element =
                mlc_type_converter_convert_one(mlc_conversion_types(c), mlc_type_element(type)),
            ptr = llvm_ptr(b->ctx, 0), index = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    bool for_runtime = is_for_runtime(c);
    if (!element || !is_plain(c, op, type) ||
        (!for_runtime &&
         !llvm_declare(c, op, "malloc", llvm_function_type(b->ctx, ptr, &index, 1))))
        return false;
    LlvmMemrefParts parts = {0};
    MlcValue *bytes = bytes_of(b, element, describe(b, type, operands, &parts));
    if (for_runtime) {
        parts.allocated = parts.aligned = allocate_from_runtime(c, op, bytes);
        return parts.allocated && replace_by_view(c, op, &parts);
    }
    MlcAttr attr = mlc_memref_alloc_alignment(op);
    MlcValue *alignment = attr ? llvm_i64(b, mlc_attr_as_int(attr)) : NULL;
    if (alignment)
        bytes = mlc_llvm_add(b, bytes, alignment);
    parts.allocated = mlc_op_result(llvm_call_function(b, "malloc", ptr, &bytes, 1), 0);
    parts.aligned = alignment ? align(b, parts.allocated, alignment) : parts.allocated;
    return replace_by_view(c, op, &parts);
}

// Is it given to the function? Then it is not the function's to free.
static bool
is_argument(MlcValue *value)
{
    MlcBlock *block = mlc_value_block(value);
    return block && !mlc_block_prev(block) &&
           mlc_op_interface(mlc_block_parent(block), MLC_INTERFACE_FUNCTION);
}

static bool
lower_dealloc(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType ptr = llvm_ptr(b->ctx, 0);
    MlcType type = mlc_value_type(mlc_op_operand(op, 0));
    MlcValue *allocated;
    if (is_unranked(type) && llvm_is_ptr(mlc_value_type(operands[0])))
        return mlc_conversion_no_match(c, op, "the pointer that was allocated is not known");
    const char *name = is_for_runtime(c) ? MLC_RT_SYMBOL_FREE : "free";
    if (is_unranked(type)) {
        allocated = llvm_load(b, ptr, llvm_unranked_descriptor(b, operands[0]), 0);
    } else {
        LlvmMemref m;
        read_source(&m, c, op, operands);
        if (m.is_bare && (m.offset != 0 || is_argument(mlc_op_operand(op, 0))))
            return mlc_conversion_no_match(c, op, "the pointer that was allocated is not known");
        allocated = llvm_memref_allocated(b, &m);
    }
    if (!llvm_declare(c, op, name, llvm_function_type(b->ctx, NULL, &ptr, 1)))
        return false;
    llvm_call_function(b, name, NULL, &allocated, 1);
    mlc_conversion_erase(c, op);
    return true;
}

static bool
lower_alloca(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), to = llvm_result_type(c, op);
    MlcType element =
        mlc_type_converter_convert_one(mlc_conversion_types(c), mlc_type_element(type));
    if (!to || !element || !is_plain(c, op, type))
        return !to ? llvm_no_type(c, op) : false;
    LlvmMemrefParts parts = {0};
    bool is_bare = llvm_is_ptr(to);
    if (is_bare && !mlc_type_has_static_shape(type))
        return mlc_conversion_no_match(c, op, "its size is not static");
    MlcValue *count =
        is_bare ? llvm_i64(b, mlc_type_num_elements(type)) : describe(b, type, operands, &parts);
    MlcAttr alignment = mlc_memref_alloca_alignment(op);
    if (!alignment && is_bare)
        alignment = mlc_i64_attr_get(b->ctx, 64); // vectors of any machine
    parts.allocated = parts.aligned = mlc_llvm_alloca(b, llvm_ptr(b->ctx, 0), count, element);
    if (alignment)
        mlc_llvm_alloca_set_alignment(mlc_value_def(parts.allocated), alignment);
    return replace_by_view(c, op, &parts);
}

// !llvm.array<2 x array<3 x f32>> of memref<2x3xf32>; NULL if its element has no llvm form.
static MlcType
storage_type(MlcConversion *c, MlcType memref)
{
    MlcType type =
        mlc_type_converter_convert_one(mlc_conversion_types(c), mlc_type_element(memref));
    for (size_t i = mlc_type_rank(memref); type && i-- > 0;)
        type = llvm_array(type, mlc_type_dim(memref, i));
    return type;
}

static bool
lower_global(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_type_attr_value(mlc_memref_global_type(op)), storage = storage_type(c, type);
    MlcAttr value = mlc_memref_global_initial_value(op);
    if (!storage || !is_plain(c, op, type))
        return mlc_conversion_no_match(c, op, "its type %s has no llvm form", mlc_type_text(type));
    if (value && mlc_attr_is(value, MLC_ATTR_UNIT))
        value = NULL;
    if (value && mlc_type_rank(type) == 0) // a scalar
        value = mlc_elements_attr_element(value, 0);
    MlcOp *made = mlc_llvm_mlir_global(b, storage, mlc_symbol_name(op),
                                       mlc_symbol_is_private(op) ? MLC_LLVM_LINKAGE_PRIVATE
                                                                 : MLC_LLVM_LINKAGE_EXTERNAL);
    mlc_llvm_mlir_global_set_value(made, value);
    if (mlc_memref_global_constant(op))
        mlc_llvm_mlir_global_set_constant(made, mlc_unit_attr_get(b->ctx));
    mlc_llvm_mlir_global_set_alignment(made, mlc_memref_global_alignment(op));
    mlc_conversion_erase(c, op);
    return true;
}

// Nobody may free it: the allocated pointer is one that is easily told.
static bool
lower_get_global(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(mlc_op_result(op, 0)), ptr = llvm_ptr(b->ctx, 0),
            storage = storage_type(c, type);
    if (!storage || !is_plain(c, op, type))
        return llvm_no_type(c, op);
    LlvmMemrefParts parts = {0};
    describe(b, type, NULL, &parts);
    MlcValue *address = mlc_llvm_mlir_addressof(b, ptr, mlc_memref_get_global_name(op));
    int32_t zeros[65] = {0};
    parts.aligned =
        mlc_llvm_getelementptr(b, ptr, address, NULL, 0, zeros, mlc_type_rank(type) + 1, storage);
    parts.allocated = mlc_llvm_inttoptr(b, ptr, llvm_i64(b, 0xdeadbeef));
    return replace_by_view(c, op, &parts);
}

// Its elements are not one run in memory.
static bool
has_gap(MlcType memref)
{
    return mlc_memref_type_run(memref) < mlc_type_rank(memref);
}

// A memref as struct<(rank, descriptor)>, and that on the stack.
static MlcValue *
unranked_on_stack(MlcBuilder *b, MlcType type, MlcValue *memref)
{
    if (is_unranked(type))
        return llvm_on_stack(b, memref);
    MlcType index = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS),
            members[2] = {index, llvm_ptr(b->ctx, 0)};
    MlcValue *rank = llvm_i64(b, (int64_t)mlc_type_rank(type));
    return llvm_on_stack(
        b, llvm_unranked_pack(b, llvm_struct(b->ctx, members, 2), rank, llvm_on_stack(b, memref)));
}

// With gaps, or of unknown rank: memrefCopy of the program's libraries (mlc/runner_utils.h).
static bool
call_copy(MlcConversion *c, MlcOp *op, MlcValue *const *operands)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = mlc_value_type(mlc_op_operand(op, 0)), ptr = llvm_ptr(b->ctx, 0),
            index = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS), params[3] = {index, ptr, ptr},
            element =
                mlc_type_converter_convert_one(mlc_conversion_types(c), mlc_type_element(type));
    if (!llvm_declare(c, op, "memrefCopy", llvm_function_type(b->ctx, NULL, params, 3)))
        return false;
    MlcValue *saved = mlc_llvm_intr_stacksave(b, ptr);
    MlcValue *arguments[3] = {bytes_of(b, element, llvm_i64(b, 1))};
    for (size_t i = 0; i < 2; i++)
        arguments[1 + i] = unranked_on_stack(b, mlc_value_type(mlc_op_operand(op, i)), operands[i]);
    llvm_call_function(b, "memrefCopy", NULL, arguments, 3);
    mlc_llvm_intr_stackrestore(b, saved);
    mlc_conversion_erase(c, op);
    return true;
}

// Buffers without gaps: one memcpy. Of bare pointers others are copied by loops before
// (convert-linalg-to-affine-loops).
static bool
lower_copy(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType from_type = mlc_value_type(mlc_op_operand(op, 0)),
            to_type = mlc_value_type(mlc_op_operand(op, 1));
    LlvmMemref from, to;
    if (is_unranked(from_type) || is_unranked(to_type))
        return call_copy(c, op, operands);
    read_source(&from, c, op, operands);
    llvm_memref_read(&to, c, to_type, operands[1]);
    bool is_static = mlc_type_has_static_shape(from.type);
    bool has_gaps = is_static
                        ? has_gap(from.type) || has_gap(to_type)
                        : mlc_memref_type_layout(from.type) || mlc_memref_type_layout(to_type);
    if (has_gaps && !from.is_bare && !to.is_bare)
        return call_copy(c, op, operands);
    if (has_gaps || (from.is_bare && !is_static))
        return mlc_conversion_no_match(c, op, "copies with gaps become loops before");
    MlcValue *bytes;
    if (is_static && !mlc_type_is(from.element, MLC_TYPE_DIALECT)) { // of those llvm knows the size
        bytes = llvm_i64(b, mlc_type_num_elements(from.type) *
                                llvm_element_bytes(mlc_type_element(from.type)));
    } else {
        MlcValue *count = llvm_i64(b, 1);
        for (size_t i = 0; i < from.rank; i++)
            count = multiply(b, count, llvm_memref_size(b, &from, i));
        bytes = bytes_of(b, from.element, count);
    }
    MlcValue *source = llvm_memref_start(b, &from);
    mlc_llvm_intr_memcpy(b, llvm_memref_start(b, &to), source, bytes, false);
    mlc_conversion_erase(c, op);
    return true;
}

static bool
lower_prefetch(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType memref = mlc_value_type(mlc_op_operand(op, 0));
    MlcValue *address = llvm_memref_element_ptr(c, memref, operands[0], operands + 1);
    mlc_llvm_intr_prefetch(b, address, mlc_memref_prefetch_is_write(op),
                           mlc_memref_prefetch_locality_hint(op),
                           mlc_memref_prefetch_is_data_cache(op));
    mlc_conversion_erase(c, op);
    return true;
}

// What llvm.atomicrmw does at once; 0 (an exchange) where it has no such op.
static const MlcLlvmAtomicBinOp atomic_ops[] = {
    [MLC_ARITH_ATOMIC_RMW_KIND_ADDF] = MLC_LLVM_ATOMIC_BIN_OP_FADD,
    [MLC_ARITH_ATOMIC_RMW_KIND_ADDI] = MLC_LLVM_ATOMIC_BIN_OP_ADD,
    [MLC_ARITH_ATOMIC_RMW_KIND_MAXIMUMF] = MLC_LLVM_ATOMIC_BIN_OP_FMAX,
    [MLC_ARITH_ATOMIC_RMW_KIND_MAXS] = MLC_LLVM_ATOMIC_BIN_OP_MAX,
    [MLC_ARITH_ATOMIC_RMW_KIND_MAXU] = MLC_LLVM_ATOMIC_BIN_OP_UMAX,
    [MLC_ARITH_ATOMIC_RMW_KIND_MINIMUMF] = MLC_LLVM_ATOMIC_BIN_OP_FMIN,
    [MLC_ARITH_ATOMIC_RMW_KIND_MINS] = MLC_LLVM_ATOMIC_BIN_OP_MIN,
    [MLC_ARITH_ATOMIC_RMW_KIND_MINU] = MLC_LLVM_ATOMIC_BIN_OP_UMIN,
    [MLC_ARITH_ATOMIC_RMW_KIND_ORI] = MLC_LLVM_ATOMIC_BIN_OP__OR,
    [MLC_ARITH_ATOMIC_RMW_KIND_ANDI] = MLC_LLVM_ATOMIC_BIN_OP__AND,
    [MLC_ARITH_ATOMIC_RMW_KIND_MINNUMF] = MLC_LLVM_ATOMIC_BIN_OP_XCHG,
};

static bool
lower_atomic(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    int64_t kind = mlc_attr_as_int(mlc_memref_atomic_rmw_kind(op));
    MlcLlvmAtomicBinOp bin_op = atomic_ops[kind];
    if (bin_op == MLC_LLVM_ATOMIC_BIN_OP_XCHG && kind != MLC_ARITH_ATOMIC_RMW_KIND_ASSIGN)
        return mlc_conversion_no_match(c, op, "llvm has no such atomic op");
    MlcType memref = mlc_value_type(mlc_op_operand(op, 1));
    MlcValue *address = llvm_memref_element_ptr(c, memref, operands[1], operands + 2);
    MlcValue *before =
        mlc_llvm_atomicrmw(b, address, operands[0], bin_op, MLC_LLVM_ATOMIC_ORDERING_ACQ_REL);
    mlc_conversion_replace(c, op, &before, 1);
    return true;
}

static const MlcConversionPattern patterns[] = {
    {.root = "memref.load", .convert = llvm_lower_load},
    {.root = "memref.store", .convert = llvm_lower_store},
    {.root = "memref.cast", .convert = lower_cast},
    {.root = "memref.collapse_shape", .convert = lower_reshape},
    {.root = "memref.expand_shape", .convert = lower_reshape},
    {.root = "memref.subview", .convert = lower_subview},
    {.root = "memref.reinterpret_cast", .convert = lower_reinterpret_cast},
    {.root = "memref.extract_strided_metadata", .convert = lower_metadata},
    {.root = "memref.view", .convert = lower_view},
    {.root = "memref.dim", .convert = lower_dim},
    {.root = "memref.rank", .convert = lower_rank},
    {.root = "memref.copy", .convert = lower_copy},
    {.root = "memref.prefetch", .convert = lower_prefetch},
    {.root = "memref.atomic_rmw", .convert = lower_atomic},
    {.root = "memref.alloc", .convert = lower_alloc},
    {.root = "memref.dealloc", .convert = lower_dealloc},
    {.root = "memref.alloca", .convert = lower_alloca},
    {.root = "memref.global", .convert = lower_global},
    {.root = "memref.get_global", .convert = lower_get_global},
    {.root = "memref.extract_aligned_pointer_as_index", .convert = lower_pointer_index},
};
const LlvmPatterns memref_to_llvm_patterns = {"memref", "llvm", patterns,
                                              sizeof patterns / sizeof *patterns};

static const LlvmPatterns *const sets[] = {&memref_to_llvm_patterns, NULL};

static bool
converts(const MlcOpDef *op)
{
    return llvm_converts(sets, op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    return llvm_convert(root, LLVM_DESCRIPTORS, 64, sets, NULL);
}

MLC_PASS(memref_to_llvm, .flag = "finalize-memref-to-llvm",
         .summary = "Lower memrefs to llvm, as descriptors", .anchor = "builtin.module",
         .dependent_dialects = llvm_dialects, .converts = converts, .run = run)
