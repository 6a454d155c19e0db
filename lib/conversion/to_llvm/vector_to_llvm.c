// vector_to_llvm.c -- vectors of one dimension: loads, stores, lanes, masks, reductions.
//
// What has more dimensions was unrolled before, transfers were turned into loads and stores
// (lower-vector-transfers).
#include "to_llvm.h"

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

static bool
lower_broadcast(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcType type = llvm_result_type(c, op);
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
    MlcType type = llvm_result_type(c, op);
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
    MlcType type = llvm_result_type(c, op);
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

static bool
static_lane(MlcOp *op, int64_t *lane)
{
    MlcAttr position = mlc_op_attr(op, "static_position");
    return position && mlc_int_list_attr_size(position) == 1 &&
           mlc_int_list_attr_get(position, 0, lane);
}

// The lane as a value: static, dynamic, or none (a whole vector of one lane, or rank 0).
static MlcValue *
lane_of(MlcOp *op, MlcBuilder *b, MlcValue *const *operands, size_t first_dynamic)
{
    int64_t lane;
    if (!static_lane(op, &lane))
        return NULL;
    return lane == MLC_DYNAMIC ? operands[first_dynamic] : llvm_i64(b, lane);
}

static bool
lower_extract(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = llvm_result_type(c, op);
    MlcValue *lane = lane_of(op, b, operands, 1);
    if (!type || !lane || mlc_type_is(type, MLC_TYPE_VECTOR))
        return mlc_conversion_no_match(c, op,
                                       "only lanes of one-dimensional vectors are taken out");
    return replace(c, op, mlc_llvm_extractelement(b, operands[0], lane));
}

static bool
lower_insert(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = llvm_result_type(c, op);
    MlcValue *lane = lane_of(op, b, operands, 2);
    if (!type || !lane || mlc_type_is(mlc_value_type(operands[0]), MLC_TYPE_VECTOR))
        return mlc_conversion_no_match(c, op, "only lanes of one-dimensional vectors are put in");
    return replace(c, op, mlc_llvm_insertelement(b, operands[1], operands[0], lane));
}

static bool
lower_from_elements(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType type = llvm_result_type(c, op);
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
    MlcType type = llvm_result_type(c, op);
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
    if (!type || mlc_op_num_operands(op) != 1)
        return mlc_conversion_no_match(c, op,
                                       "reductions into an accumulator are written out before");
    int64_t kind = mlc_vector_reduction_kind(op);
    size_t i = 0, n = sizeof reductions / sizeof *reductions;
    while (i < n && (int64_t)reductions[i].kind != kind)
        i++;
    bool is_float = mlc_type_is_float(type);
    const MlcOpDef *def = i == n ? NULL : is_float ? reductions[i].real : reductions[i].integer;
    if (!def)
        mlc_bug("no intrinsic for kind %lld of vector.reduction", (long long)kind);
    MlcValue *start = NULL;
    if (is_float && reductions[i].has_start) {
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

static const MlcConversionPattern patterns[] = {
    {.root = "vector.broadcast", .convert = lower_broadcast},
    {.root = "vector.splat", .convert = lower_broadcast},
    {.root = "vector.load", .convert = llvm_lower_load},
    {.root = "vector.store", .convert = llvm_lower_store},
    {.root = "vector.maskedload", .convert = lower_masked_load},
    {.root = "vector.maskedstore", .convert = lower_masked_store},
    {.root = "vector.create_mask", .convert = lower_create_mask},
    {.root = "vector.constant_mask", .convert = lower_constant_mask},
    {.root = "vector.extract", .convert = lower_extract},
    {.root = "vector.insert", .convert = lower_insert},
    {.root = "vector.from_elements", .convert = lower_from_elements},
    {.root = "vector.shuffle", .convert = lower_shuffle},
    {.root = "vector.reduction", .convert = lower_reduction},
};
const LlvmPatterns vector_to_llvm_patterns = {"vector", "llvm", patterns,
                                              sizeof patterns / sizeof *patterns};

static const LlvmPatterns *const sets[] = {&vector_to_llvm_patterns, NULL};

static bool
converts(const MlcOpDef *op)
{
    return llvm_converts(sets, op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    return llvm_run_pass(pass, root, sets);
}

MLC_PASS(vector_to_llvm, .flag = "convert-vector-to-llvm",
         .summary = "Lower vectors of one dimension to llvm", .options = &llvm_index_option,
         .num_options = 1, .dependent_dialects = llvm_dialects, .converts = converts, .run = run)
