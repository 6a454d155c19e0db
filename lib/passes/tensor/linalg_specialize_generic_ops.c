// linalg_specialize_generic_ops.c -- linalg.generic that does what a named op does, as that op.
//
// A candidate is made of the same operands, so that its record says what it would do: the maps must
// be the generic op's but for the order of loops, and the bodies equal but for the order of what
// commutes and for fast-math flags, which named ops have none of.
#include "mlc/analysis/structured.h"
#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"
#include "mlc/pass.h"

#include "mlc/dialects/linalg.h"
#include "mlc/dialects/linalg_body.h"

// Those that MLIR looks for; others could be added.
static const struct {
    const char *name;
    bool takes_scalar; // and nothing else
} candidates[] = {
    {"linalg.copy", false},
    {"linalg.fill", true},
    {"linalg.exp", false},
    {"linalg.add", false},
    {"linalg.sub", false},
    {"linalg.mul", false},
    {"linalg.div", false},
    {"linalg.matmul", false},
    {"linalg.matmul_transpose_a", false},
    {"linalg.matmul_transpose_b", false},
    {"linalg.batch_matmul", false},
    {"linalg.batch_matmul_transpose_a", false},
    {"linalg.batch_matmul_transpose_b", false},
};

// A named op beside the generic one.
typedef struct Match {
    MlcOp *named, *generic;
    bool swapped;              // it has the two inputs the other way round
    int loops[MLC_SMALL_RANK]; // which loop of the generic op each of its loops is; -1: not known
                               // yet
} Match;

// The generic op's operand that is operand `i` of the named one.
static size_t
operand_of(const Match *m, size_t i)
{
    return m->swapped && i < 2 ? 1 - i : i;
}

static bool
match_map(Match *m, MlcAffineMap named, MlcAffineMap generic)
{
    size_t n = mlc_affine_map_num_results(named);
    if (mlc_affine_map_num_results(generic) != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        int mine = mlc_map_result_dim(named, i), other = mlc_map_result_dim(generic, i);
        if (mine < 0 || other < 0 || (m->loops[mine] >= 0 && m->loops[mine] != other))
            return false;
        m->loops[mine] = other;
    }
    return true;
}

static bool
match_loops(Match *m)
{
    size_t n = mlc_structured_num_loops(m->named);
    bool taken[MLC_SMALL_RANK] = {false};
    if (n != mlc_structured_num_loops(m->generic) || !mlc_structured_is_small(m->named))
        return false;
    for (size_t i = 0; i < n; i++)
        m->loops[i] = -1;
    for (size_t i = 0; i < mlc_op_num_operands(m->generic); i++)
        if (!match_map(m, mlc_structured_map(m->named, i),
                       mlc_structured_map(m->generic, operand_of(m, i))))
            return false;
    for (size_t i = 0; i < n; i++) {
        int other = m->loops[i];
        if (other < 0 || taken[other] ||
            mlc_structured_iterator(m->named, i) !=
                mlc_structured_iterator(m->generic, (size_t)other))
            return false;
        taken[other] = true;
    }
    return true;
}

static bool equal_values(MlcValue *a, MlcValue *b, const Match *m, int depth);

static bool
equal_operands(MlcOp *a, MlcOp *b, bool swapped, const Match *m, int depth)
{
    size_t n = mlc_op_num_operands(a);
    for (size_t i = 0; i < n; i++)
        if (!equal_values(mlc_op_operand(a, i), mlc_op_operand(b, swapped ? n - 1 - i : i), m,
                          depth))
            return false;
    return true;
}

static bool
equal_attrs(MlcOp *a, MlcOp *b)
{
    const MlcOpDef *def = mlc_op_def(a);
    for (size_t i = 0; i < def->num_attrs; i++)
        if (strcmp(def->attrs[i].name, "fastmath") != 0 &&
            mlc_op_attr(a, def->attrs[i].name) != mlc_op_attr(b, def->attrs[i].name))
            return false;
    return true;
}

// Whether `a`, of the named op's body, is what `b` of the generic op's body is. A named op's body
// is a few ops, so trying both orders of what commutes costs nothing.
static bool
equal_values(MlcValue *a, MlcValue *b, const Match *m, int depth)
{
    enum { MAX_DEPTH = 8 };
    MlcBlock *body = mlc_structured_body(m->generic);
    MlcOp *def = mlc_value_def(a), *other = mlc_value_def(b);
    if (!def || !other)
        return !def && !other && mlc_value_block(b) == body &&
               operand_of(m, mlc_value_index(a)) == mlc_value_index(b);
    if (depth > MAX_DEPTH || mlc_op_block(other) != body || mlc_op_def(def) != mlc_op_def(other) ||
        mlc_value_type(a) != mlc_value_type(b) || mlc_op_num_regions(def) > 0 ||
        mlc_op_num_operands(def) != mlc_op_num_operands(other) || !equal_attrs(def, other))
        return false;
    return equal_operands(def, other, false, m, depth + 1) ||
           (mlc_op_has_trait(def, MLC_TRAIT_COMMUTATIVE) && mlc_op_num_operands(def) == 2 &&
            equal_operands(def, other, true, m, depth + 1));
}

static size_t
num_ops(MlcBlock *block)
{
    size_t n = 0;
    MLC_FOR_EACH_OP (op, block)
        n++;
    return n;
}

static bool
does_the_same(MlcOp *named, MlcOp *generic, bool swapped)
{
    Match m = {.named = named, .generic = generic, .swapped = swapped};
    MlcBlock *body = mlc_structured_body(named), *other = mlc_structured_body(generic);
    return match_loops(&m) && num_ops(body) == num_ops(other) &&
           equal_operands(mlc_block_terminator(body), mlc_block_terminator(other), false, &m, 0);
}

// The op called `name` with the generic op's operands, inputs the other way round if `swapped`.
static MlcOp *
make_candidate(MlcOp *generic, const MlcOpDef *def, bool swapped)
{
    MlcContext *ctx = mlc_op_context(generic);
    MlcValue *operands[3];
    MlcType types[1];
    size_t n = mlc_op_num_operands(generic), num_results = mlc_op_num_results(generic);
    for (size_t i = 0; i < n; i++)
        operands[i] = mlc_op_operand(generic, swapped && i < n - 1 ? n - 2 - i : i);
    for (size_t i = 0; i < num_results; i++)
        types[i] = mlc_value_type(mlc_op_result(generic, i));
    MlcNamedAttr sizes =
        mlc_named(ctx, "operandSegmentSizes",
                  mlc_i32_array_attr_get(
                      ctx, (int32_t[]){(int32_t)mlc_structured_num_inputs(generic), 1}, 2));
    MlcOp *op = mlc_op_create(ctx, &(MlcOpState){.def = def,
                                                 .loc = mlc_op_loc(generic),
                                                 .operands = operands,
                                                 .num_operands = n,
                                                 .result_types = types,
                                                 .num_results = num_results,
                                                 .attrs = &sizes,
                                                 .num_attrs = 1,
                                                 .num_regions = 1});
    if (!mlc_structured_build_body(op))
        mlc_bug("a body of '%s' that cannot be made", def->name);
    return op;
}

// Numbers that any body works on; what one tensor element gives to all iterations stays generic.
static bool
has_plain_operands(MlcOp *op)
{
    MLC_FOR_EACH_OPERAND (value, op) {
        MlcType type = mlc_value_type(value), element = mlc_type_element(type);
        if ((!mlc_type_is_float(element) && !mlc_type_is(element, MLC_TYPE_INTEGER)) ||
            (mlc_type_is_shaped(type) && mlc_type_rank(type) == 0))
            return false;
    }
    return true;
}

static bool
specialize(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)
{
    (void)pattern;
    size_t num_inputs = mlc_structured_num_inputs(op);
    if (mlc_structured_num_outputs(op) != 1 || num_inputs < 1 || num_inputs > 2 ||
        !has_plain_operands(op))
        return mlc_rewriter_no_match(rw, op, "no named op is looked for that has its operands");
    size_t num_scalars = 0;
    for (size_t i = 0; i < num_inputs; i++)
        num_scalars += !mlc_type_is_shaped(mlc_value_type(mlc_op_operand(op, i)));
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        const MlcOpDef *def = mlc_context_op(mlc_op_context(op), mlc_str(candidates[i].name));
        if (!def || def->structured->num_ins != num_inputs ||
            candidates[i].takes_scalar != num_scalars)
            continue;
        for (int swapped = 0; swapped < (int)num_inputs; swapped++) {
            MlcOp *named = make_candidate(op, def, swapped);
            if (does_the_same(named, op, swapped)) {
                mlc_builder_insert(mlc_rewriter_builder(rw), named);
                mlc_rewriter_replace_with(rw, op, named);
                return true;
            }
            mlc_op_destroy(named);
        }
    }
    return mlc_rewriter_no_match(rw, op, "does what no named op does that is looked for");
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcPatternSet *patterns = mlc_pattern_set_create(mlc_pass_context(pass));
    mlc_pattern_set_add_op(patterns, "linalg.generic", "linalg.generic as a named op", specialize);
    mlc_apply_patterns_greedily(root, patterns, NULL);
    mlc_pattern_set_destroy(patterns);
    return true;
}

static const char *const dialects[] = {"linalg", NULL};

MLC_PASS(linalg_specialize_generic_ops, .flag = "linalg-specialize-generic-ops",
         .summary = "Turn linalg.generic into named ops", .dependent_dialects = dialects,
         .run = run)
