// lower_semantics.c -- ops whose records say what they mean in a word (`semantics` in YAML) become
// the ops of scf and func that do the same: same groups, attributes of the same names, the same
// regions. A repeat becomes a loop from 0 by 1; the end of a region is that of the op around it.
#include "conversion_impl.h"

#include "mlc/ir/interfaces.h"
#include "mlc/support/alloc.h"

static const char *const targets[MLC_MEANING_COUNT] = {
    [MLC_MEANING_REPEAT] = "scf.for",     [MLC_MEANING_FOR] = "scf.for",
    [MLC_MEANING_IF] = "scf.if",          [MLC_MEANING_CALL] = "func.call",
    [MLC_MEANING_FUNCTION] = "func.func",
};

// The end of a region of that op; NULL: nobody knows.
static const char *
end_in(const MlcOp *parent)
{
    static const struct {
        const char *parents, *end;
    } ends[] = {{"scf.", "scf.yield"}, {"linalg.", "linalg.yield"}, {"func.", "func.return"}};
    for (size_t i = 0; parent && i < sizeof ends / sizeof *ends; i++)
        if (strncmp(mlc_op_def(parent)->name, ends[i].parents, strlen(ends[i].parents)) == 0)
            return ends[i].end;
    return NULL;
}

static const MlcOpDef *
target_of(MlcContext *ctx, const MlcOp *op)
{
    const MlcSemantics *s = mlc_op_interface(op, MLC_INTERFACE_SEMANTICS);
    const char *name =
        s->meaning == MLC_MEANING_YIELD ? end_in(mlc_op_parent(op)) : targets[s->meaning];
    return name ? mlc_context_op(ctx, mlc_str(name)) : NULL;
}

bool
mlc_is_foreign_end(const MlcOp *op)
{
    const MlcSemantics *s = mlc_op_interface(op, MLC_INTERFACE_SEMANTICS);
    const MlcOp *parent = mlc_op_parent(op);
    return s->meaning == MLC_MEANING_YIELD && parent && !end_in(parent) &&
           !mlc_op_interface(parent, MLC_INTERFACE_SEMANTICS);
}

static bool
is_repeat(const MlcOp *op)
{
    const MlcSemantics *s = mlc_op_interface(op, MLC_INTERFACE_SEMANTICS);
    return s->meaning == MLC_MEANING_REPEAT;
}

// What it is made of.
typedef struct Lowered {
    MlcValueVec operands;
    MlcTypeVec types;
    MLC_VEC(MlcNamedAttr) attrs;
    MLC_VEC(uint32_t) counts; // of `types`, for each result
} Lowered;

static void
collect_operands(MlcConversion *c, MlcOp *op, const MlcValueRange *operands, Lowered *out)
{
    MlcType count = is_repeat(op) ? mlc_value_type(operands[0].values[0]) : NULL;
    if (count)
        mlc_vec_push(&out->operands, mlc_build_int(&c->builder, count, 0));
    for (uint32_t i = 0; i < op->num_operands; i++) {
        for (size_t k = 0; k < operands[i].size; k++)
            mlc_vec_push(&out->operands, operands[i].values[k]);
        if (count && i == 0)
            mlc_vec_push(&out->operands, mlc_build_int(&c->builder, count, 1));
    }
}

static bool
collect_types(MlcConversion *c, MlcOp *op, Lowered *out)
{
    for (uint32_t i = 0; i < op->num_results; i++) {
        size_t before = out->types.size;
        if (!mlc_type_converter_convert(c->types, mlc_op_result_type(op, i), &out->types))
            return mlc_conversion_no_match(c, op, "type %s cannot be converted",
                                           mlc_type_text(mlc_op_result_type(op, i)));
        mlc_vec_push(&out->counts, (uint32_t)(out->types.size - before));
    }
    return true;
}

static void
collect_attrs(MlcOp *op, const MlcOpDef *to, Lowered *out)
{
    for (uint16_t i = 0; i < to->num_attrs; i++) {
        MlcAttr attr = mlc_op_attr(op, to->attrs[i].name);
        if (attr)
            mlc_vec_push(&out->attrs, mlc_named(op->ctx, to->attrs[i].name, attr));
    }
}

// The body's arguments, behind an index where the op had none.
static bool
take_region(MlcConversion *c, MlcOp *made, MlcOp *op, size_t i)
{
    if (!is_repeat(op))
        return mlc_conversion_take_region(c, mlc_op_region(made, i), mlc_op_region(op, i));
    MlcSignatureConversion signature = {0};
    mlc_conversion_move_region(c, mlc_op_region(made, i), mlc_op_region(op, i));
    MlcBlock *block = mlc_region_first(mlc_op_region(made, i));
    mlc_signature_conversion_add_extra(&signature, mlc_op_operand_type(made, 0));
    bool ok = true;
    for (uint32_t k = 0; ok && k < block->num_args; k++)
        ok = mlc_signature_conversion_add_converted(&signature, c->types,
                                                    mlc_value_type(mlc_block_arg(block, k)));
    if (ok)
        mlc_conversion_convert_signature(c, block, &signature);
    mlc_signature_conversion_release(&signature);
    return ok;
}

static void
replace(MlcConversion *c, MlcOp *op, MlcOp *made, const Lowered *lowered)
{
    MlcValueVec results = {0};
    for (uint32_t i = 0; i < made->num_results; i++)
        mlc_vec_push(&results, mlc_op_result(made, i));
    MlcValueRange *ranges = mlc_malloc((op->num_results + 1) * sizeof *ranges);
    for (size_t i = 0, at = 0; i < op->num_results; at += lowered->counts.data[i++])
        ranges[i] = (MlcValueRange){results.data + at, lowered->counts.data[i]};
    mlc_conversion_replace_ranges(c, op, ranges);
    mlc_free(ranges);
    mlc_vec_release(&results);
}

// The number of single operands in front is what the definition says, whatever types became.
static bool
is_one_each(MlcConversion *c, MlcOp *op, const MlcValueRange *operands)
{
    for (size_t i = 0; i < op->def->num_operands && op->def->operands[i].arity == MLC_ONE; i++)
        if (operands[i].size != 1)
            return mlc_conversion_no_match(c, op, "'%s' must stay one value",
                                           op->def->operands[i].name);
    return true;
}

bool
mlc_lower_semantics_op(MlcConversion *c, MlcOp *op, const MlcValueRange *operands, void *user)
{
    (void)user;
    const MlcOpDef *to = target_of(op->ctx, op);
    if (!to || !is_one_each(c, op, operands))
        return false;
    Lowered lowered = {0};
    collect_operands(c, op, operands, &lowered);
    collect_attrs(op, to, &lowered);
    bool ok = collect_types(c, op, &lowered);
    MlcOp *made =
        ok ? mlc_builder_create(&c->builder, &(MlcOpState){.loc = op->loc,
                                                           .def = to,
                                                           .operands = lowered.operands.data,
                                                           .num_operands = lowered.operands.size,
                                                           .result_types = lowered.types.data,
                                                           .num_results = lowered.types.size,
                                                           .attrs = lowered.attrs.data,
                                                           .num_attrs = lowered.attrs.size,
                                                           .num_regions = to->num_regions})
           : NULL;
    ok = ok && mlc_conversion_retype_function(c, op, made);
    for (uint32_t i = 0; ok && i < op->num_regions; i++)
        ok = take_region(c, made, op, i);
    if (ok)
        replace(c, op, made, &lowered);
    mlc_vec_release(&lowered.operands);
    mlc_vec_release(&lowered.types);
    mlc_vec_release(&lowered.attrs);
    mlc_vec_release(&lowered.counts);
    return ok;
}
