// verify_signatures.c -- whether regions take and give back what the op's record says: `args` and
// `yields` in YAML.
#include "mlc/ir/diag.h"
#include "record/relation.h"
#include "verify_impl.h"

typedef struct Wanted {
    MlcTypeVec types;
    MLC_VEC(const MlcRelation *) from; // of each
} Wanted;

static void
want(Wanted *wanted, MlcType type, const MlcRelation *from)
{
    mlc_vec_push(&wanted->types, type); // NULL: any
    mlc_vec_push(&wanted->from, from);
}

static void
wanted_release(Wanted *wanted)
{
    mlc_vec_release(&wanted->types);
    mlc_vec_release(&wanted->from);
}

static void
want_of_group(MlcOp *op, const MlcRelation *r, Wanted *wanted)
{
    MlcTypeVec from = {0};
    mlc_types_at(op, r->from, &from);
    for (size_t i = 0; i < from.size; i++)
        want(wanted, mlc_relation_derive(mlc_op_context(op), r, from.data[i]), r);
    mlc_vec_release(&from);
}

// False if a function type that says it is not there: then anything may be.
static bool
want_of_function(MlcOp *op, const MlcRelation *r, Wanted *wanted)
{
    MlcTypeVec from = {0};
    const MlcType *types;
    size_t n = 0;
    mlc_types_at(op, r->from, &from);
    bool ok = from.size == 1 && mlc_type_steps.list(r, from.data[0], &types, &n);
    for (size_t i = 0; i < n; i++)
        want(wanted, types[i], r);
    mlc_vec_release(&from);
    return ok;
}

static bool
find_wanted(MlcOp *op, const MlcRelation *list, size_t num, Wanted *wanted)
{
    for (size_t i = 0; i < num; i++) {
        const MlcRelation *r = &list[i];
        if (r->kind == MLC_RELATION_EXACTLY)
            want(wanted, mlc_relation_derive(mlc_op_context(op), r, NULL), r);
        else if (r->kind != MLC_RELATION_INPUTS && r->kind != MLC_RELATION_RESULTS)
            want_of_group(op, r, wanted);
        else if (!want_of_function(op, r, wanted))
            return false;
    }
    return true;
}

static const char *
region_name(const MlcOp *op, size_t i)
{
    const MlcOpDef *def = mlc_op_def(op);
    return def->regions[i < def->num_regions ? i : def->num_regions - 1u].name;
}

static bool
verify_args(MlcOp *op, size_t region, const Wanted *wanted)
{
    const MlcBlock *block = mlc_region_first(mlc_op_region(op, region));
    size_t n = block ? mlc_block_num_args(block) : wanted->types.size;
    const char *name = region_name(op, region);
    if (n != wanted->types.size)
        return mlc_op_error(op, "region '%s' takes %zu values, but has %zu arguments", name,
                            wanted->types.size, n);
    for (size_t i = 0; block && i < n; i++) {
        MlcType have = mlc_value_type(mlc_block_arg(block, i)), type = wanted->types.data[i];
        MlcBuf text = {0};
        if (type && have != type) {
            mlc_relation_describe(&text, mlc_op_def(op), wanted->from.data[i]);
            mlc_op_error(op, "argument #%zu of region '%s' must be '%s', as %s is, but is '%s'", i,
                         name, mlc_type_text(type), mlc_buf_c_str(&text), mlc_type_text(have));
            mlc_buf_release(&text);
            return false;
        }
    }
    return true;
}

static bool
verify_yield(MlcOp *op, size_t region, MlcOp *last, const Wanted *wanted)
{
    const char *name = region_name(op, region);
    size_t n = mlc_op_num_operands(last);
    if (n != wanted->types.size)
        return mlc_op_error(last, "gives %zu values, but region '%s' of '%s' yields %zu", n, name,
                            mlc_op_def(op)->name, wanted->types.size);
    for (size_t i = 0; i < n; i++) {
        MlcType have = mlc_value_type(mlc_op_operand(last, i)), type = wanted->types.data[i];
        MlcBuf text = {0};
        if (type && have != type) {
            mlc_relation_describe(&text, mlc_op_def(op), wanted->from.data[i]);
            mlc_op_error(last,
                         "gives '%s' as value #%zu, but region '%s' of '%s' yields '%s', as %s is",
                         mlc_type_text(have), i, name, mlc_op_def(op)->name, mlc_type_text(type),
                         mlc_buf_c_str(&text));
            mlc_buf_release(&text);
            return false;
        }
    }
    return true;
}

static bool
verify_region(MlcOp *op, size_t region, const MlcRegionSignature *s)
{
    Wanted args = {0}, yields = {0};
    bool ok = true;
    if (s->tells_args && find_wanted(op, s->args, s->num_args, &args))
        ok = verify_args(op, region, &args);
    if (ok && s->tells_yields && find_wanted(op, s->yields, s->num_yields, &yields))
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, region)) {
            MlcOp *last = mlc_block_last(block);
            if (ok && last && mlc_op_num_successors(last) == 0)
                ok = verify_yield(op, region, last, &yields);
        }
    wanted_release(&args);
    wanted_release(&yields);
    return ok;
}

bool
mlc_verify_signatures(MlcOp *op, const MlcRegionSignature *signatures)
{
    size_t num_defs = mlc_op_def(op)->num_regions;
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        if (!verify_region(op, i, &signatures[i < num_defs ? i : num_defs - 1]))
            return false;
    return true;
}
