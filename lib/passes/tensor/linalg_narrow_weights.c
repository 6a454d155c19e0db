// linalg_narrow_weights.c -- weights that f16 or bf16 hold exactly come as such to products that
// wait for memory.
//
// Where few rows are multiplied, a matrix is read from memory once and used once or twice: the time
// is that of its bytes, of which f16 has half. Widening in registers is hidden behind it. Only what
// comes out the same is narrowed, as the weights of a model of f16 do (graph-widen-floats made f32
// of them); only models that have such a type somewhere are asked, since looking at all weights
// takes time.
#include "kernel/kernel_arguments.h"
#include "kernel/kernel_notes.h"

#include "mlc/analysis/structured.h"
#include "mlc/ir.h"
#include "mlc/support/alloc.h"
#include "mlc/support/softfloat.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/linalg_build.h"

enum { MOST_USES = 4 };

// ---- numbers

// The f16 of these bits; false: there is none, as there is none of NaN.
static inline bool
to_f16(uint32_t bits, uint16_t *half)
{
    uint32_t magnitude = bits & 0x7fffffff, sign = bits >> 16 & 0x8000;
    bool is_normal = magnitude >= 0x38800000; // 2^-14
    uint32_t below = is_normal ? 0 : magnitude;
    float number;
    memcpy(&number, &below, 4);
    float steps = number * 0x1p24f;
    uint32_t small = (uint32_t)(int32_t)steps;
    uint32_t normal = (magnitude - (UINT32_C(112) << 23)) >> 13;
    *half = (uint16_t)(sign | (is_normal ? normal : small));
    return is_normal ? magnitude < 0x47800000 && (magnitude & 0x1fff) == 0
                     : steps == (float)(int32_t)small;
}

static inline bool
to_bf16(uint32_t bits, uint16_t *upper)
{
    *upper = (uint16_t)(bits >> 16);
    return (bits & 0xffff) == 0;
}

// Narrows `count` numbers; whether all come out the same.
static bool
narrow(void *to, const void *from, size_t count, MlcFloatKind kind)
{
    bool exact = true;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        uint16_t made;
        memcpy(&bits, (const char *)from + 4 * i, 4);
        exact &= kind == MLC_FLOAT_F16 ? to_f16(bits, &made) : to_bf16(bits, &made);
        memcpy((char *)to + 2 * i, &made, 2);
    }
    return exact;
}

static bool
holds_all(MlcAttr attr, MlcFloatKind kind)
{
    enum { CHUNK = 4096 };
    uint16_t made[CHUNK];
    bool is_splat, exact = true;
    void *temporary;
    const char *data = mlc_constant_borrow(attr, &is_splat, &temporary);
    size_t count = is_splat ? 1 : (size_t)mlc_type_num_elements(mlc_attr_type(attr));
    for (size_t i = 0; exact && i < count; i += CHUNK)
        exact = narrow(made, data + 4 * i, count - i < CHUNK ? count - i : CHUNK, kind);
    mlc_constant_give_back(attr, temporary);
    return exact;
}

typedef struct Narrowing {
    size_t count;
    MlcFloatKind kind;
} Narrowing;

static void
narrow_elements(void *to, const void *from, bool is_splat, const void *recipe)
{
    const Narrowing *n = recipe;
    for (size_t i = 0; is_splat && i < n->count; i++)
        (void)narrow((char *)to + 2 * i, from, 1, n->kind);
    if (!is_splat)
        (void)narrow(to, from, n->count, n->kind);
}

static MlcAttr
narrow_constant(MlcValue *constant, void *user)
{
    Narrowing *n = user;
    MlcType type = mlc_value_type(constant);
    n->count = (size_t)mlc_type_num_elements(type);
    MlcType element = mlc_float_type_get(mlc_type_context(type), n->kind);
    return mlc_kernel_constant_remade(constant, mlc_type_with_element(type, element), ".narrow",
                                      narrow_elements, n, sizeof *n);
}

// ---- which weights

// How often the product uses each element of operand `i`.
static int64_t
num_uses(MlcOp *op, size_t i)
{
    int64_t extent[MLC_SMALL_RANK], uses = 1;
    mlc_structured_loop_sizes(op, extent);
    for (size_t loop = 0; loop < mlc_structured_num_loops(op); loop++)
        if (!mlc_affine_map_uses_dim(mlc_structured_map(op, i), (unsigned)loop))
            uses *= extent[loop];
    return uses;
}

static bool
is_weight(MlcPass *pass, MlcOp *function, MlcOp *op, size_t i)
{
    MlcValue *value = mlc_op_operand(op, i);
    MlcType type = mlc_value_type(value), result = mlc_value_type(mlc_op_result(op, 0));
    return !mlc_value_def(value) && mlc_value_has_one_use(value) &&
           mlc_value_block(value) == mlc_region_first(mlc_op_region(function, 0)) &&
           mlc_type_element(type) == mlc_type_element(result) &&
           mlc_type_is_float(mlc_type_element(type)) &&
           mlc_float_type_kind(mlc_type_element(type)) == MLC_FLOAT_F32 &&
           4 * mlc_type_num_elements(type) >= mlc_pass_option_int(pass, "least-bytes") &&
           num_uses(op, i) <= MOST_USES;
}

// The type that holds the constants of all calls.
static bool
find_kind(const MlcKernelCalls *calls, size_t arg, MlcFloatKind *kind)
{
    static const MlcFloatKind kinds[] = {MLC_FLOAT_F16, MLC_FLOAT_BF16};
    for (size_t k = 0; k < 2; k++) {
        bool exact = true;
        for (size_t i = 0; exact && i < calls->size; i++) {
            const MlcKernelCall *call = &calls->data[i];
            exact = holds_all(mlc_value_constant(mlc_op_operand(call->op, call->first + arg)),
                              kinds[k]);
        }
        *kind = kinds[k];
        if (exact)
            return true;
    }
    return false;
}

// ---- the product

// The op again, operand `at` being `weight`, whose elements its body widens.
static void
rebuild(MlcOp *op, size_t at, MlcValue *weight)
{
    MlcAffineMap maps[3];
    MlcIterator iterators[MLC_SMALL_RANK];
    MlcValue *inputs[2];
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    for (size_t i = 0; i < 3; i++)
        maps[i] = mlc_structured_map(op, i);
    for (size_t i = 0; i < 2; i++)
        inputs[i] = i == at ? weight : mlc_op_operand(op, i);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        iterators[i] = mlc_structured_iterator(op, i);
    MlcOp *generic = mlc_build_open_generic(&b, inputs, 2, mlc_op_operand(op, 2), maps, iterators,
                                            mlc_structured_num_loops(op));
    MlcBlock *from = mlc_structured_body(op), *to = mlc_region_first(mlc_op_region(generic, 0));
    MlcCloneMap *map = mlc_clone_map_create();
    mlc_builder_at_end(&b, to);
    for (size_t i = 0; i < 3; i++) {
        MlcValue *element = mlc_block_arg(to, i);
        if (i == at)
            element = mlc_arith_extf(&b, mlc_value_type(mlc_block_arg(from, i)), element);
        mlc_clone_map_set(map, mlc_block_arg(from, i), element);
    }
    MLC_FOR_EACH_OP (inner, from) {
        MlcOp *clone = mlc_builder_insert(&b, mlc_op_clone(inner, map));
        for (size_t i = 0; i < mlc_op_num_results(inner); i++)
            mlc_clone_map_set(map, mlc_op_result(inner, i), mlc_op_result(clone, i));
    }
    mlc_clone_map_destroy(map);
    MlcValue *result = mlc_op_result(generic, 0);
    mlc_op_replace(op, &result, 1);
}

static void
visit(MlcPass *pass, MlcOp *module, MlcOp *function, MlcOp *op)
{
    for (size_t i = 0; i < 2; i++) {
        if (!is_weight(pass, function, op, i))
            continue;
        MlcKernelCalls calls = {0};
        Narrowing n;
        size_t arg = mlc_value_index(mlc_op_operand(op, i));
        bool found =
            mlc_kernel_calls(module, function, arg, &calls) && find_kind(&calls, arg, &n.kind);
        if (found) {
            MlcValue *weight =
                mlc_kernel_remake_argument(function, arg, &calls, narrow_constant, &n);
            rebuild(op, i, weight);
            mlc_block_erase_arg(mlc_value_block(weight), arg + 1);
            mlc_kernel_note(function, "argument %zu is %s", arg, mlc_float_info(n.kind)->name);
            mlc_pass_count(pass, "narrowed", (int64_t)calls.size);
        }
        mlc_vec_release(&calls);
        if (found)
            return;
    }
}

static bool
is_narrow(MlcType type)
{
    MlcType element = mlc_type_is(type, MLC_TYPE_TENSOR) ? mlc_type_element(type) : NULL;
    return element && mlc_type_is_float(element) && mlc_type_bit_width(element) == 16;
}

// Somewhere in the module is a tensor of such a type.
static bool
has_narrow(MlcOp *module)
{
    MLC_FOR_EACH_PREORDER (op, module) {
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            if (is_narrow(mlc_value_type(mlc_op_result(op, i))))
                return true;
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            for (size_t i = 0; i < mlc_block_num_args(block); i++)
                if (is_narrow(mlc_value_type(mlc_block_arg(block, i))))
                    return true;
    }
    return false;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    if (has_narrow(root))
        mlc_kernel_visit_contractions(pass, root, visit);
    return true;
}

static const char *const dialects[] = {"arith", "linalg", NULL};
static const MlcPassOption options[] = {
    {"least-bytes", MLC_OPTION_INT, "262144", "Of a weight in f32: smaller ones stay in a cache"},
};

MLC_PASS(linalg_narrow_weights, .flag = "linalg-narrow-weights",
         .summary = "Keep weights in f16 or bf16 where products wait for memory",
         .anchor = "builtin.module", .options = options, .num_options = 1,
         .dependent_dialects = dialects, .run = run)
