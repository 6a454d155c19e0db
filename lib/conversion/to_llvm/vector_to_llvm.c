// vector_to_llvm.c -- vectors of one dimension: loads, stores, lanes, masks, reductions.
//
// What has more dimensions is made of rows before (vector_dims.c) and becomes arrays of them;
// transfers are turned into loads and stores (loops/vector_transfers.c).
#include "to_llvm.h"
#include "vector_dims.h"
#include "loops/vector_transfers.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/vector.h"

// A mask is a constant with an element for each lane.
enum { MAX_MASK_LANES = 1 << 16 };

static MlcType
i32(MlcBuilder *b)
{
    return mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
}

static MlcType
i1_vector(MlcBuilder *b, int64_t lanes)
{
    return mlc_vector_type_get(mlc_integer_type_get(b->ctx, 1, MLC_SIGNLESS), &lanes, 1, NULL);
}

static MlcValue *
insert_lane(MlcBuilder *b, MlcValue *vector, MlcValue *element, int64_t lane)
{
    return mlc_llvm_insertelement(b, vector, element, llvm_constant(b, i32(b), lane));
}

static MlcValue *
splat(MlcBuilder *b, MlcValue *scalar, MlcType type)
{
    MlcValue *first = insert_lane(b, mlc_llvm_mlir_poison(b, type), scalar, 0);
    int64_t lanes = mlc_type_dim(type, 0);
    if (lanes == 1)
        return first;
    int32_t *zeros = mlc_calloc((size_t)lanes, sizeof *zeros);
    MlcValue *all =
        mlc_llvm_shufflevector(b, type, first, mlc_llvm_mlir_poison(b, type), zeros, (size_t)lanes);
    mlc_free(zeros);
    return all;
}

static bool
replace(MlcConversion *c, MlcOp *op, MlcValue *value)
{
    mlc_conversion_replace(c, op, &value, 1);
    return true;
}

// The vector that the result becomes; NULL: it has several dimensions, or no llvm form.
static MlcType
result_vector(MlcConversion *c, MlcOp *op)
{
    MlcType type = llvm_result_type(c, op);
    return type && mlc_type_is(type, MLC_TYPE_VECTOR) ? type : NULL;
}

static bool
lower_broadcast(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcType type = result_vector(c, op);
    if (!type)
        return llvm_no_type(c, op);
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *value = operands[0];
    if (mlc_value_type(value) == type)
        return replace(c, op, value);
    if (mlc_type_is(mlc_value_type(value), MLC_TYPE_VECTOR)) // of one lane
        value = mlc_llvm_extractelement(b, value, llvm_constant(b, i32(b), 0));
    return replace(c, op, splat(b, value, type));
}

// One row; of several the buffer may have gaps.
static bool
lower_load(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    if (mlc_type_rank(mlc_op_result_type(op, 0)) > 1)
        return mlc_conversion_no_match(c, op, "vectors of several dimensions are unrolled before");
    return llvm_lower_load(c, op, operands, user);
}

static bool
lower_store(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    if (mlc_type_rank(mlc_op_operand_type(op, 0)) > 1)
        return mlc_conversion_no_match(c, op, "vectors of several dimensions are unrolled before");
    return llvm_lower_store(c, op, operands, user);
}

// vector.maskedload: base, indices, mask, pass-through.
static bool
lower_masked_load(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType memref = mlc_value_type(mlc_op_operand(op, 0)), type = llvm_result_type(c, op);
    size_t rank = mlc_type_rank(memref);
    MlcValue *address = llvm_memref_element_ptr(c, memref, operands[0], operands + 1);
    if (!type)
        return false;
    int32_t alignment = (int32_t)llvm_element_bytes(mlc_type_element(memref));
    MlcValue *kept = llvm_to_memory(b, operands[2 + rank]);
    MlcValue *loaded = mlc_llvm_intr_masked_load(b, llvm_memory_type(type), address,
                                                 operands[1 + rank], &kept, 1, alignment);
    return replace(c, op, llvm_from_memory(b, loaded, type));
}

// vector.maskedstore: base, indices, mask, value.
static bool
lower_masked_store(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType memref = mlc_value_type(mlc_op_operand(op, 0));
    size_t rank = mlc_type_rank(memref);
    MlcValue *address = llvm_memref_element_ptr(c, memref, operands[0], operands + 1);
    int32_t alignment = (int32_t)llvm_element_bytes(mlc_type_element(memref));
    mlc_llvm_intr_masked_store(b, llvm_to_memory(b, operands[2 + rank]), address,
                               operands[1 + rank], alignment);
    mlc_conversion_erase(c, op);
    return true;
}

// Lanes below the operand: [0, 1, ..] < splat(size).
static bool
lower_create_mask(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = result_vector(c, op);
    if (!type || mlc_op_num_operands(op) != 1)
        return mlc_conversion_no_match(c, op, "masks of several dimensions are unrolled before");
    int64_t lanes = mlc_type_dim(type, 0);
    if (lanes > MAX_MASK_LANES)
        return mlc_conversion_no_match(c, op, "a mask has more than %d lanes", MAX_MASK_LANES);
    int32_t *steps = mlc_calloc((size_t)lanes, sizeof *steps);
    for (int64_t i = 0; i < lanes; i++)
        steps[i] = (int32_t)i;
    MlcType wide = mlc_vector_type_get(i32(b), &lanes, 1, NULL);
    MlcValue *lane =
        mlc_llvm_mlir_constant(b, wide, mlc_dense_attr_get(wide, steps, (size_t)lanes * 4, false));
    mlc_free(steps);
    MlcValue *size = splat(b, mlc_llvm_trunc(b, i32(b), operands[0]), wide);
    return replace(c, op, mlc_llvm_icmp(b, lane, size, MLC_LLVM_ICMP_PREDICATE_SLT));
}

static bool
lower_constant_mask(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = result_vector(c, op);
    int64_t set = 0;
    if (!type || !mlc_int_list_attr_get(mlc_vector_constant_mask_mask_dim_sizes(op), 0, &set))
        return mlc_conversion_no_match(c, op, "masks of several dimensions are unrolled before");
    int64_t lanes = mlc_type_dim(type, 0);
    if (lanes > MAX_MASK_LANES)
        return mlc_conversion_no_match(c, op, "a mask has more than %d lanes", MAX_MASK_LANES);
    uint8_t *bits = mlc_calloc((size_t)lanes, 1);
    memset(bits, 1, (size_t)(set < lanes ? set : lanes));
    MlcAttr value = mlc_dense_attr_get(i1_vector(b, lanes), bits, (size_t)lanes, false);
    mlc_free(bits);
    return replace(c, op, mlc_llvm_mlir_constant(b, type, value));
}

// A position, all of it constant but perhaps the last number, which then is a lane.
typedef struct Position {
    int64_t constants[MLC_RANK_LIMIT];
    size_t size, num_outer; // outer: those that choose a row
    MlcValue *lane;         // NULL: a whole row, or several
} Position;

// Of a vector of type `type`; `dynamic` are the numbers that are no constants.
static bool
read_position(Position *p, MlcBuilder *b, MlcOp *op, MlcType type, MlcValue *const *dynamic)
{
    MlcAttr list = mlc_op_attr(op, "static_position");
    size_t rank = mlc_type_rank(type);
    *p = (Position){.size = mlc_int_list_attr_size(list)};
    p->num_outer = p->size < rank || rank == 0 ? p->size : rank - 1;
    for (size_t i = 0; i < p->size; i++) {
        mlc_int_list_attr_get(list, i, &p->constants[i]);
        if (i < p->num_outer && p->constants[i] == MLC_DYNAMIC)
            return false;
    }
    if (rank == 0)
        p->lane = llvm_i64(b, 0);
    else if (p->size == rank)
        p->lane = p->constants[rank - 1] == MLC_DYNAMIC ? dynamic[0]
                                                        : llvm_i64(b, p->constants[rank - 1]);
    return true;
}

static bool
lower_extract(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType from = mlc_value_type(mlc_op_operand(op, 0));
    Position p;
    if (!llvm_result_type(c, op))
        return llvm_no_type(c, op);
    if (!read_position(&p, b, op, from, operands + 1))
        return mlc_conversion_no_match(c, op, "the row that it takes is not constant");
    MlcValue *part =
        p.num_outer > 0 ? llvm_extract(b, operands[0], p.constants, p.num_outer) : operands[0];
    return replace(c, op, p.lane ? mlc_llvm_extractelement(b, part, p.lane) : part);
}

static bool
lower_insert(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType to = mlc_value_type(mlc_op_operand(op, 1));
    Position p;
    if (!llvm_result_type(c, op))
        return llvm_no_type(c, op);
    if (!read_position(&p, b, op, to, operands + 2))
        return mlc_conversion_no_match(c, op, "the row that it puts in is not constant");
    MlcValue *part = operands[0];
    if (p.lane && mlc_type_is(mlc_value_type(part), MLC_TYPE_VECTOR)) // of no dimensions
        part = mlc_llvm_extractelement(b, part, llvm_i64(b, 0));
    if (p.lane) {
        MlcValue *row =
            p.num_outer > 0 ? llvm_extract(b, operands[1], p.constants, p.num_outer) : operands[1];
        part = mlc_llvm_insertelement(b, row, part, p.lane);
    }
    if (p.num_outer > 0)
        part = mlc_llvm_insertvalue(b, operands[1], part, p.constants, p.num_outer);
    return replace(c, op, part);
}

// vector.extractelement: the vector, and the lane but where there are no dimensions.
static bool
lower_extract_element(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *lane = mlc_op_num_operands(op) > 1 ? operands[1] : llvm_i64(b, 0);
    return replace(c, op, mlc_llvm_extractelement(b, operands[0], lane));
}

static bool
lower_insert_element(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *lane = mlc_op_num_operands(op) > 2 ? operands[2] : llvm_i64(b, 0);
    return replace(c, op, mlc_llvm_insertelement(b, operands[1], operands[0], lane));
}

static bool
lower_bitcast(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcType type = llvm_result_type(c, op);
    if (!type || !mlc_type_is(type, MLC_TYPE_VECTOR))
        return mlc_conversion_no_match(c, op, "vectors of several dimensions are unrolled before");
    if (type == mlc_value_type(operands[0]))
        return replace(c, op, operands[0]);
    return replace(c, op, mlc_llvm_bitcast(mlc_conversion_builder(c), type, operands[0]));
}

static bool
lower_from_elements(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = result_vector(c, op);
    if (!type)
        return llvm_no_type(c, op);
    MlcValue *vector = mlc_llvm_mlir_poison(b, type);
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        vector = insert_lane(b, vector, operands[i], (int64_t)i);
    return replace(c, op, vector);
}

static bool
lower_shuffle(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = result_vector(c, op);
    if (!type || mlc_value_type(operands[0]) != mlc_value_type(operands[1]))
        return mlc_conversion_no_match(c, op, "both vectors must have one type of one dimension");
    size_t lanes = (size_t)mlc_type_dim(type, 0);
    int32_t *mask = mlc_calloc(lanes, sizeof *mask);
    for (size_t i = 0; i < lanes; i++) {
        int64_t lane = 0;
        mlc_int_list_attr_get(mlc_vector_shuffle_mask(op), i, &lane);
        mask[i] = (int32_t)lane;
    }
    MlcValue *shuffled = mlc_llvm_shufflevector(b, type, operands[0], operands[1], mask, lanes);
    mlc_free(mask);
    return replace(c, op, shuffled);
}

// The intrinsics of vector's kinds, for integers and for floats. Sums and products of
// floats take a start value and keep the order of lanes, unless `reassoc` allows a tree.
static const struct {
    MlcVectorKind kind;
    const MlcOpDef *integer, *real;
    bool has_start;
} reductions[] = {
    {MLC_VECTOR_KIND_ADD, &mlc_llvm_intr_vector_reduce_add_def,
     &mlc_llvm_intr_vector_reduce_fadd_def, true},
    {MLC_VECTOR_KIND_MUL, &mlc_llvm_intr_vector_reduce_mul_def,
     &mlc_llvm_intr_vector_reduce_fmul_def, true},
    {MLC_VECTOR_KIND_MINSI, &mlc_llvm_intr_vector_reduce_smin_def, NULL, false},
    {MLC_VECTOR_KIND_MAXSI, &mlc_llvm_intr_vector_reduce_smax_def, NULL, false},
    {MLC_VECTOR_KIND_MINUI, &mlc_llvm_intr_vector_reduce_umin_def, NULL, false},
    {MLC_VECTOR_KIND_MAXUI, &mlc_llvm_intr_vector_reduce_umax_def, NULL, false},
    {MLC_VECTOR_KIND_AND, &mlc_llvm_intr_vector_reduce_and_def, NULL, false},
    {MLC_VECTOR_KIND_OR, &mlc_llvm_intr_vector_reduce_or_def, NULL, false},
    {MLC_VECTOR_KIND_XOR, &mlc_llvm_intr_vector_reduce_xor_def, NULL, false},
    {MLC_VECTOR_KIND_MINNUMF, NULL, &mlc_llvm_intr_vector_reduce_fmin_def, false},
    {MLC_VECTOR_KIND_MAXNUMF, NULL, &mlc_llvm_intr_vector_reduce_fmax_def, false},
    {MLC_VECTOR_KIND_MINIMUMF, NULL, &mlc_llvm_intr_vector_reduce_fminimum_def, false},
    {MLC_VECTOR_KIND_MAXIMUMF, NULL, &mlc_llvm_intr_vector_reduce_fmaximum_def, false},
};

static bool
lower_reduction(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = llvm_result_type(c, op);
    bool has_acc = mlc_op_num_operands(op) > 1;
    if (!type)
        return llvm_no_type(c, op);
    int64_t kind = mlc_vector_reduction_kind(op);
    size_t i = 0, n = sizeof reductions / sizeof *reductions;
    while (i < n && (int64_t)reductions[i].kind != kind)
        i++;
    bool is_float = mlc_type_is_float(type);
    const MlcOpDef *def = i == n ? NULL : is_float ? reductions[i].real : reductions[i].integer;
    if (!def)
        mlc_bug("no intrinsic for kind %lld of vector.reduction", (long long)kind);
    MlcValue *start = is_float && reductions[i].has_start && has_acc ? operands[1] : NULL;
    if (has_acc && !start)
        return mlc_conversion_no_match(c, op,
                                       "reductions into an accumulator are written out before");
    if (is_float && reductions[i].has_start && !start) {
        double neutral = kind == MLC_VECTOR_KIND_MUL ? 1.0 : -0.0;
        start = mlc_llvm_mlir_constant(b, type, mlc_float_attr_get(type, neutral));
    }
    const MlcTypes types[] = {{&type, 1}};
    const MlcValues with_start[] = {{&start, 1}, {operands, 1}};
    MlcOp *made =
        mlc_build_groups(b, def, types, start ? with_start : with_start + 1, NULL, NULL, 0);
    if (is_float)
        llvm_copy_fastmath(made, op);
    return replace(c, op, mlc_op_result(made, 0));
}

// --- lanes at places of their own

// Pointers to base[indices] and `index` elements behind it, lane by lane.
static MlcValue *
lane_pointers(MlcConversion *c, MlcType memref, MlcValue *const *operands, size_t first)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *base = llvm_memref_element_ptr(c, memref, operands[first], operands + first + 1),
             *index = operands[first + 1 + mlc_type_rank(memref)];
    int64_t lanes = mlc_type_dim(mlc_value_type(index), 0);
    MlcType element =
        mlc_type_converter_convert_one(mlc_conversion_types(c), mlc_type_element(memref));
    MlcAttr params[3] = {mlc_bool_attr_get(b->ctx, false), mlc_type_attr_get(mlc_value_type(base)),
                         mlc_i64_attr_get(b->ctx, lanes)};
    MlcType type =
        mlc_dialect_type_get(b->ctx, mlc_context_type(b->ctx, mlc_str("llvm.vec")), params, 3);
    int32_t raw = INT32_MIN;
    return mlc_llvm_getelementptr(b, type, base, &index, 1, &raw, 1, llvm_memory_type(element));
}

// Of one dimension, from or to a buffer whose last dimension has no gaps.
static bool
is_by_lanes(MlcConversion *c, MlcOp *op, MlcType memref, MlcType vector)
{
    int64_t offset, strides[MLC_RANK_LIMIT];
    size_t rank = mlc_type_is(memref, MLC_TYPE_MEMREF) ? mlc_type_rank(memref) : 0;
    return (rank > 0 && mlc_type_is(vector, MLC_TYPE_VECTOR) && mlc_type_rank(vector) == 1 &&
            mlc_memref_type_strides(memref, &offset, strides) && strides[rank - 1] == 1) ||
           mlc_conversion_no_match(c, op, "not between one dimension and a buffer without gaps");
}

// vector.gather: base, indices, index vector, mask, pass-through.
static bool
lower_gather(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType memref = mlc_value_type(mlc_op_operand(op, 0)), type = llvm_result_type(c, op);
    if (!is_by_lanes(c, op, memref, mlc_value_type(mlc_op_result(op, 0))))
        return false;
    size_t mask = 2 + mlc_type_rank(memref);
    MlcValue *pointers = lane_pointers(c, memref, operands, 0);
    MlcValue *kept = llvm_to_memory(b, operands[mask + 1]);
    int32_t alignment = (int32_t)llvm_element_bytes(mlc_type_element(memref));
    MlcValue *loaded = mlc_llvm_intr_masked_gather(b, llvm_memory_type(type), pointers,
                                                   operands[mask], &kept, 1, alignment);
    return replace(c, op, llvm_from_memory(b, loaded, type));
}

// vector.scatter: base, indices, index vector, mask, value.
static bool
lower_scatter(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType memref = mlc_value_type(mlc_op_operand(op, 0));
    size_t mask = 2 + mlc_type_rank(memref);
    if (!is_by_lanes(c, op, memref, mlc_value_type(mlc_op_operand(op, mask + 1))))
        return false;
    MlcValue *pointers = lane_pointers(c, memref, operands, 0);
    mlc_llvm_intr_masked_scatter(b, llvm_to_memory(b, operands[mask + 1]), pointers, operands[mask],
                                 (int32_t)llvm_element_bytes(mlc_type_element(memref)));
    mlc_conversion_erase(c, op);
    return true;
}

// vector.expandload: base, indices, mask, pass-through.
static bool
lower_expand_load(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType memref = mlc_value_type(mlc_op_operand(op, 0)), type = llvm_result_type(c, op);
    if (!is_by_lanes(c, op, memref, mlc_value_type(mlc_op_result(op, 0))))
        return false;
    size_t mask = 1 + mlc_type_rank(memref);
    MlcValue *address = llvm_memref_element_ptr(c, memref, operands[0], operands + 1);
    MlcValue *loaded = mlc_llvm_intr_masked_expandload(
        b, llvm_memory_type(type), address, operands[mask], llvm_to_memory(b, operands[mask + 1]));
    return replace(c, op, llvm_from_memory(b, loaded, type));
}

// vector.compressstore: base, indices, mask, value.
static bool
lower_compress_store(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType memref = mlc_value_type(mlc_op_operand(op, 0));
    size_t mask = 1 + mlc_type_rank(memref);
    if (!is_by_lanes(c, op, memref, mlc_value_type(mlc_op_operand(op, mask + 1))))
        return false;
    MlcValue *address = llvm_memref_element_ptr(c, memref, operands[0], operands + 1);
    mlc_llvm_intr_masked_compressstore(b, llvm_to_memory(b, operands[mask + 1]), address,
                                       operands[mask]);
    mlc_conversion_erase(c, op);
    return true;
}

static const MlcConversionPattern patterns[] = {
    {.root = "vector.broadcast", .convert = lower_broadcast},
    {.root = "vector.splat", .convert = lower_broadcast},
    {.root = "vector.load", .convert = lower_load},
    {.root = "vector.store", .convert = lower_store},
    {.root = "vector.maskedload", .convert = lower_masked_load},
    {.root = "vector.maskedstore", .convert = lower_masked_store},
    {.root = "vector.create_mask", .convert = lower_create_mask},
    {.root = "vector.constant_mask", .convert = lower_constant_mask},
    {.root = "vector.extract", .convert = lower_extract},
    {.root = "vector.insert", .convert = lower_insert},
    {.root = "vector.from_elements", .convert = lower_from_elements},
    {.root = "vector.shuffle", .convert = lower_shuffle},
    {.root = "vector.reduction", .convert = lower_reduction},
    {.root = "vector.extractelement", .convert = lower_extract_element},
    {.root = "vector.insertelement", .convert = lower_insert_element},
    {.root = "vector.bitcast", .convert = lower_bitcast},
    {.root = "vector.gather", .convert = lower_gather},
    {.root = "vector.scatter", .convert = lower_scatter},
    {.root = "vector.expandload", .convert = lower_expand_load},
    {.root = "vector.compressstore", .convert = lower_compress_store},
    {.root = "vector.print", .convert = llvm_lower_print},
};
const LlvmPatterns vector_to_llvm_patterns = {"vector", "llvm", patterns,
                                              sizeof patterns / sizeof *patterns};

static const LlvmPatterns *const sets[] = {&vector_to_llvm_patterns, NULL};

static bool
converts(const MlcOpDef *op)
{
    return llvm_converts(sets, op);
}

// Sums and products of floats may be trees.
static void
reassociate(MlcOp *root)
{
    MLC_FOR_EACH_PREORDER (op, root) {
        if (!mlc_vector_reduction_isa(op))
            continue;
        int64_t flags = mlc_enum_attr_value(mlc_vector_reduction_fastmath(op));
        mlc_vector_reduction_set_fastmath(
            op, mlc_enum_attr_get(mlc_op_context(op), &mlc_arith_fastmath_attr_def,
                                  flags | MLC_ARITH_FASTMATH_REASSOC));
    }
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    vector_lower_transfers(root);
    vector_lower_dims(root);
    if (mlc_pass_option_bool(pass, "reassociate-fp-reductions"))
        reassociate(root);
    return llvm_run_pass(pass, root, sets);
}

static const MlcPassOption options[] = {
    LLVM_INDEX_OPTION,
    {"reassociate-fp-reductions", MLC_OPTION_BOOL, NULL,
     "sums and products of floats in any order"},
};
static const char *const dialects[] = {"arith", "llvm", "memref", "vector", NULL};

MLC_PASS(vector_to_llvm, .flag = "convert-vector-to-llvm",
         .summary = "Lower vectors to llvm, those of several dimensions as arrays of rows",
         .anchor = "builtin.module", .options = options,
         .num_options = sizeof options / sizeof *options, .dependent_dialects = dialects,
         .converts = converts, .run = run)
