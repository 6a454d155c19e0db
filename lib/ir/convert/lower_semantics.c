// lower_semantics.c -- ops whose records say what they mean in a word (`semantics` in YAML) become
// the ops of scf and func that do the same: same groups, attributes of the same names, the same
// regions. A repeat or for-each becomes a loop from 0 by 1; the end of a region is that of the op
// around it.
#include "conversion_impl.h"

#include "mlc/ir/interfaces.h"
#include "mlc/support/alloc.h"

static const char *const targets[MLC_MEANING_COUNT] = {
    [MLC_MEANING_REPEAT] = "scf.for",     [MLC_MEANING_FOR] = "scf.for",
    [MLC_MEANING_IF] = "scf.if",          [MLC_MEANING_CALL] = "func.call",
    [MLC_MEANING_FUNCTION] = "func.func", [MLC_MEANING_FOR_EACH] = "scf.for",
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

static MlcMeaning
meaning_of(const MlcOp *op)
{
    const MlcSemantics *s = mlc_op_interface(op, MLC_INTERFACE_SEMANTICS);
    return s->meaning;
}

// What it is made of.
typedef struct Lowered {
    MlcValueVec operands;
    MlcTypeVec types;
    MLC_VEC(MlcNamedAttr) attrs;
    MLC_VEC(uint32_t) counts; // of `types`, for each result
} Lowered;

static bool
is_tensor(const MlcValue *value)
{
    return mlc_type_is(mlc_value_type(value), MLC_TYPE_TENSOR);
}

// How many elements a for-each goes through; NULL: nobody knows.
static MlcValue *
build_size(MlcBuilder *b, MlcValue *elements)
{
    MlcType type = mlc_value_type(elements);
    bool is_memref = mlc_type_is(type, MLC_TYPE_MEMREF);
    if ((!is_memref && !is_tensor(elements)) || mlc_type_rank(type) != 1)
        return NULL;
    if (mlc_type_dim(type, 0) != MLC_DYNAMIC)
        return mlc_build_index(b, mlc_type_dim(type, 0));
    return mlc_build(b, is_memref ? "memref.dim" : "tensor.dim", mlc_index_type_get(b->ctx),
                     elements, mlc_build_index(b, 0));
}

// Bounds and step of a loop from 0 by 1, if the op is one.
static bool
collect_bounds(MlcConversion *c, MlcOp *op, const MlcValueRange *operands, MlcValueVec *out)
{
    MlcMeaning meaning = meaning_of(op);
    if (meaning != MLC_MEANING_REPEAT && meaning != MLC_MEANING_FOR_EACH)
        return true;
    MlcValue *first = operands[0].values[0];
    MlcValue *count = meaning == MLC_MEANING_REPEAT ? first : build_size(&c->builder, first);
    if (!count)
        return mlc_conversion_no_match(c, op,
                                       "it goes through '%s', no tensor or memref of one dimension",
                                       mlc_type_text(mlc_value_type(first)));
    mlc_vec_push(out, mlc_build_int(&c->builder, mlc_value_type(count), 0));
    mlc_vec_push(out, count);
    mlc_vec_push(out, mlc_build_int(&c->builder, mlc_value_type(count), 1));
    return true;
}

static bool
collect_operands(MlcConversion *c, MlcOp *op, const MlcValueRange *operands, MlcValueVec *out)
{
    bool ok = collect_bounds(c, op, operands, out);
    for (uint32_t i = out->size ? 1 : 0; i < op->num_operands; i++)
        for (size_t k = 0; k < operands[i].size; k++)
            mlc_vec_push(out, operands[i].values[k]);
    return ok;
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

// What stands for the element that the body took.
static void
replace_element(MlcConversion *c, MlcValue *element, MlcValue *elements, MlcBlock *block)
{
    MlcBuilder before = c->builder;
    mlc_builder_at_start(&c->builder, block);
    MlcType type = mlc_type_element(mlc_value_type(elements));
    const char *name = is_tensor(elements) ? "tensor.extract" : "memref.load";
    MlcValue *made = mlc_build(&c->builder, name, type, elements, mlc_block_arg(block, 0));
    mlc_conversion_replace_arg(c, element, made);
    c->builder = before;
}

// The body's arguments, behind an index where the op had none; an element is read there.
static bool
take_body(MlcConversion *c, MlcOp *made, MlcOp *op, MlcValue *elements)
{
    MlcSignatureConversion signature = {0};
    mlc_conversion_move_region(c, mlc_op_region(made, 0), mlc_op_region(op, 0));
    MlcBlock *block = mlc_region_first(mlc_op_region(made, 0));
    MlcValue *element = elements ? mlc_block_arg(block, 0) : NULL;
    mlc_signature_conversion_add_extra(&signature, mlc_op_operand_type(made, 0));
    if (element)
        mlc_signature_conversion_add_input(&signature, NULL, 0);
    bool ok = true;
    for (uint32_t k = element ? 1 : 0; ok && k < block->num_args; k++)
        ok = mlc_signature_conversion_add_converted(&signature, c->types,
                                                    mlc_value_type(mlc_block_arg(block, k)));
    if (ok)
        mlc_conversion_convert_signature(c, block, &signature);
    if (ok && element)
        replace_element(c, element, elements, block);
    mlc_signature_conversion_release(&signature);
    return ok;
}

static bool
take_regions(MlcConversion *c, MlcOp *made, MlcOp *op, const MlcValueRange *operands)
{
    MlcMeaning meaning = meaning_of(op);
    if (meaning == MLC_MEANING_REPEAT)
        return take_body(c, made, op, NULL);
    if (meaning == MLC_MEANING_FOR_EACH)
        return take_body(c, made, op, operands[0].values[0]);
    for (uint32_t i = 0; i < op->num_regions; i++)
        if (!mlc_conversion_take_region(c, mlc_op_region(made, i), mlc_op_region(op, i)))
            return false;
    return true;
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
    collect_attrs(op, to, &lowered);
    bool ok =
        collect_operands(c, op, operands, &lowered.operands) && collect_types(c, op, &lowered);
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
    ok = ok && mlc_conversion_retype_function(c, op, made) && take_regions(c, made, op, operands);
    if (ok)
        replace(c, op, made, &lowered);
    mlc_vec_release(&lowered.operands);
    mlc_vec_release(&lowered.types);
    mlc_vec_release(&lowered.attrs);
    mlc_vec_release(&lowered.counts);
    return ok;
}
