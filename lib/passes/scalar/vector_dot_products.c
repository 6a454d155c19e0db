// vector_dot_products.c -- contractions of bytes by runs of four become the instruction that the
// machine has for them.
//
// A lane of the result gets the sum of four products: of bytes of its own by the four bytes that
// all lanes share. vpdpbusd (AVX-512 VNNI, AVX-VNNI) multiplies bytes without sign by bytes with
// one, sdot (Armv8.2) bytes with signs; both add to 32 bits, wrapping, and hold nothing in less on
// the way, so the sum is that of the contraction. AVX2 has neither: two vpmaddwd, of bytes widened
// to words. What has other signs, or other widths than the machine's vectors, is four products of
// i32, one for each place of a run.
#include "mlc/ir.h"
#include "mlc/machine.h"
#include "mlc/pass.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/llvm.h"
#include "mlc/dialects/vector.h"

enum { RUN = MLC_DOT_RUN };

typedef struct Dot {
    MlcValue *shared, *own, *acc; // vector<4xi8>, vector<(4 * lanes)xi8>, vector<lanesxi32>
    int64_t lanes;
    bool shared_signed, own_signed;
} Dot;

// What is widened to i32 from bytes, by its sign or not; NULL: something else.
static MlcValue *
widened_bytes(MlcValue *value, bool *is_signed)
{
    MlcOp *def = mlc_value_def(value);
    *is_signed = mlc_arith_extsi_isa(def);
    if (!*is_signed && !mlc_arith_extui_isa(def))
        return NULL;
    MlcValue *bytes = mlc_op_operand(def, 0);
    return mlc_type_bit_width(mlc_type_element(mlc_value_type(bytes))) == 8 ? bytes : NULL;
}

static bool
reads(MlcOp *op, size_t i, const unsigned *loops, size_t n)
{
    MlcAttr attr = mlc_array_attr_element(mlc_vector_contract_indexing_maps(op), i);
    MlcAffineMap map = mlc_affine_map_attr_value(attr);
    if (mlc_affine_map_num_results(map) != n || mlc_affine_map_num_dims(map) != 2)
        return false;
    for (size_t r = 0; r < n; r++)
        if (mlc_affine_map_result(map, r) != mlc_affine_dim(mlc_op_context(op), loops[r]))
            return false;
    return true;
}

// [n, 4] as it was before it was seen so.
static MlcValue *
flat(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    return mlc_vector_shape_cast_isa(def) && mlc_type_rank(mlc_op_operand_type(def, 0)) == 1
               ? mlc_op_operand(def, 0)
               : NULL;
}

static bool
is_dot(MlcOp *op, Dot *dot)
{
    static const unsigned lane[] = {0}, place[] = {1}, both[] = {0, 1};
    MlcType type = mlc_op_operand_type(op, 2);
    if (mlc_vector_contract_kind(op) != MLC_VECTOR_KIND_ADD || !reads(op, 2, lane, 1) ||
        !mlc_type_is(mlc_type_element(type), MLC_TYPE_INTEGER) ||
        mlc_type_bit_width(mlc_type_element(type)) != 32)
        return false;
    bool shares_first = reads(op, 0, place, 1) && reads(op, 1, both, 2);
    if (!shares_first && !(reads(op, 1, place, 1) && reads(op, 0, both, 2)))
        return false;
    dot->shared = widened_bytes(mlc_op_operand(op, !shares_first), &dot->shared_signed);
    dot->own = widened_bytes(mlc_op_operand(op, shares_first), &dot->own_signed);
    dot->own = dot->own ? flat(dot->own) : NULL;
    dot->acc = mlc_op_operand(op, 2);
    dot->lanes = mlc_type_dim(type, 0);
    return dot->shared && dot->own && mlc_type_num_elements(mlc_value_type(dot->shared)) == RUN;
}

// The instruction for vectors of so many i32; NULL: there is none.
static const char *
intrinsic_of(const Dot *dot, const MlcTargetDesc *target)
{
    bool is_sdot = target->dot_products == MLC_DOT_SIGNED_SIGNED;
    int64_t lanes = dot->lanes;
    bool has_bytes = is_sdot || target->dot_products == MLC_DOT_UNSIGNED_SIGNED;
    if (!has_bytes || lanes * 32 > (int64_t)target->vector_bits || !dot->own_signed ||
        dot->shared_signed != is_sdot)
        return NULL;
    if (is_sdot)
        return lanes == 4   ? "llvm.aarch64.neon.sdot.v4i32.v16i8"
               : lanes == 2 ? "llvm.aarch64.neon.sdot.v2i32.v8i8"
                            : NULL;
    return lanes == 16  ? "llvm.x86.avx512.vpdpbusd.512"
           : lanes == 8 ? "llvm.x86.avx512.vpdpbusd.256"
           : lanes == 4 ? "llvm.x86.avx512.vpdpbusd.128"
                        : NULL;
}

// The run in all lanes: one i32 of memory that is broadcast.
static MlcValue *
broadcast_run(MlcBuilder *b, MlcValue *run, MlcType lanes)
{
    int64_t one = 1, first = 0;
    MlcType i32 = mlc_type_element(lanes);
    MlcValue *word = mlc_vector_bitcast(b, mlc_vector_type_get(i32, &one, 1, NULL), run);
    return mlc_vector_broadcast(b, lanes, mlc_vector_extract(b, i32, word, NULL, 0, &first, 1));
}

static MlcValue *
build_instruction(MlcBuilder *b, const Dot *dot, const char *intrinsic, bool takes_bytes)
{
    MlcType type = mlc_value_type(dot->acc);
    MlcValue *factors[] = {dot->acc, broadcast_run(b, dot->shared, type), dot->own};
    if (takes_bytes) // as sdot does; vpdpbusd takes words
        factors[1] = mlc_vector_bitcast(b, mlc_value_type(dot->own), factors[1]);
    else
        factors[2] = mlc_vector_bitcast(b, type, factors[2]);
    return mlc_op_result(mlc_llvm_call_intrinsic(b, type, factors, 3, mlc_str(intrinsic)), 0);
}

// The first bytes of all words, or the second ones, as words.
static MlcValue *
bytes_of_words(MlcBuilder *b, MlcValue *words, bool second, bool is_signed)
{
    MlcValue *eight = mlc_build_int(b, mlc_value_type(words), 8);
    if (is_signed)
        return mlc_arith_shrsi(b, second ? words : mlc_arith_shli(b, words, eight), eight);
    return second ? mlc_arith_shrui(b, words, eight)
                  : mlc_arith_andi(b, words, mlc_build_int(b, mlc_value_type(words), 255));
}

// Bytes 0 and 2 of a run, and bytes 1 and 3, each pair by one product of words and words
// (vpmaddwd). Exact: a sum of two such products fits 32 bits.
static MlcValue *
build_words(MlcBuilder *b, const Dot *dot, const char *intrinsic)
{
    int64_t num_words = 2 * dot->lanes;
    MlcType type = mlc_value_type(dot->acc),
            words = mlc_vector_type_get(mlc_integer_type_get(b->ctx, 16, MLC_SIGNLESS), &num_words,
                                        1, NULL);
    MlcValue *shared = mlc_vector_bitcast(b, words, broadcast_run(b, dot->shared, type));
    MlcValue *own = mlc_vector_bitcast(b, words, dot->own), *sum = dot->acc;
    for (int second = 0; second < 2; second++) {
        MlcValue *factors[] = {bytes_of_words(b, shared, second, dot->shared_signed),
                               bytes_of_words(b, own, second, dot->own_signed)};
        MlcOp *pairs = mlc_llvm_call_intrinsic(b, type, factors, 2, mlc_str(intrinsic));
        sum = mlc_arith_addi(b, sum, mlc_op_result(pairs, 0));
    }
    return sum;
}

// vpmaddwd for vectors of so many i32; NULL: there is none.
static const char *
words_intrinsic_of(const Dot *dot, const MlcTargetDesc *target)
{
    if (target->dot_products != MLC_DOT_WORDS)
        return NULL;
    return dot->lanes == 8   ? "llvm.x86.avx2.pmadd.wd"
           : dot->lanes == 4 ? "llvm.x86.sse2.pmadd.wd"
                             : NULL;
}

static MlcValue *
widen(MlcBuilder *b, MlcType type, MlcValue *bytes, bool is_signed)
{
    return is_signed ? mlc_arith_extsi(b, type, bytes) : mlc_arith_extui(b, type, bytes);
}

// One product of i32 after the other: of the bytes at one place of all lanes' runs.
static MlcValue *
build_products(MlcBuilder *b, const Dot *dot)
{
    MlcType type = mlc_value_type(dot->acc), byte = mlc_type_element(mlc_value_type(dot->own));
    MlcAttr lanes[MLC_MAX_LANES];
    MlcValue *sum = dot->acc;
    for (int64_t place = 0; place < RUN; place++) {
        for (int64_t i = 0; i < dot->lanes; i++)
            lanes[i] = mlc_i64_attr_get(b->ctx, i * RUN + place);
        MlcValue *own = mlc_vector_shuffle(b, dot->own, dot->own,
                                           mlc_array_attr_get(b->ctx, lanes, (size_t)dot->lanes));
        MlcValue *shared = mlc_vector_extract(b, byte, dot->shared, NULL, 0, &place, 1);
        shared = widen(b, mlc_type_element(type), shared, dot->shared_signed);
        MlcValue *product = mlc_arith_muli(b, widen(b, type, own, dot->own_signed),
                                           mlc_vector_broadcast(b, type, shared));
        sum = mlc_arith_addi(b, sum, product);
    }
    return sum;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    const MlcTargetDesc *target = mlc_pass_target(pass);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_pass_context(pass));
    MLC_FOR_EACH_POSTORDER (op, root) {
        Dot dot;
        if (!mlc_vector_contract_isa(op) || !is_dot(op, &dot) || dot.lanes > MLC_MAX_LANES)
            continue;
        const char *intrinsic = intrinsic_of(&dot, target),
                   *of_words = words_intrinsic_of(&dot, target);
        mlc_builder_before(&b, op);
        MlcValue *result = of_words ? build_words(&b, &dot, of_words)
                           : intrinsic
                               ? build_instruction(&b, &dot, intrinsic,
                                                   target->dot_products == MLC_DOT_SIGNED_SIGNED)
                               : build_products(&b, &dot);
        mlc_op_replace(op, &result, 1);
        mlc_pass_count(pass, intrinsic || of_words ? "dot-products" : "written-out", 1);
    }
    return true;
}

static const char *const dialects[] = {"arith", "llvm", "vector", NULL};

MLC_PASS(vector_dot_products, .flag = "vector-dot-products",
         .summary = "Make contractions of bytes by runs of four the machine's dot products",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)
