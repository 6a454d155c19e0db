// type_converter.c -- which types become which; rules are tried last added first, answers are
// remembered.
#include "conversion_impl.h"

#include "mlc/support/alloc.h"

MlcTypeConverter *
mlc_type_converter_create(MlcContext *ctx)
{
    MlcTypeConverter *tc = mlc_calloc(1, sizeof *tc);
    tc->ctx = ctx;
    return tc;
}

void
mlc_type_converter_destroy(MlcTypeConverter *tc)
{
    if (!tc)
        return;
    mlc_vec_release(&tc->rules);
    mlc_vec_release(&tc->sources);
    mlc_vec_release(&tc->targets);
    mlc_map_release(&tc->known);
    mlc_free(tc);
}

void
mlc_type_converter_add(MlcTypeConverter *tc, MlcTypeRule rule, void *user)
{
    mlc_vec_push(&tc->rules, (MlcTypeRuleEntry){rule, user});
    mlc_map_clear(&tc->known);
}

void
mlc_type_converter_add_source(MlcTypeConverter *tc, MlcMaterialize fn, void *user)
{
    mlc_vec_push(&tc->sources, (MlcMaterializeEntry){fn, user});
}

void
mlc_type_converter_add_target(MlcTypeConverter *tc, MlcMaterialize fn, void *user)
{
    mlc_vec_push(&tc->targets, (MlcMaterializeEntry){fn, user});
}

bool
mlc_type_converter_convert(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out)
{
    for (size_t i = tc->rules.size; i-- > 0;) {
        size_t before = out->size;
        int answer = tc->rules.data[i].rule(tc, type, out, tc->rules.data[i].user);
        if (answer > 0)
            return true;
        out->size = before;
        if (answer < 0)
            return false;
    }
    return false;
}

MlcType
mlc_type_converter_convert_one(MlcTypeConverter *tc, MlcType type)
{
    const MlcMapEntry *known = mlc_map_find(&tc->known, mlc_word(type));
    if (known)
        return mlc_map_entry_value(known);
    MlcTypeVec types = {0};
    bool ok = mlc_type_converter_convert(tc, type, &types) && types.size == 1;
    MlcType converted = ok ? types.data[0] : NULL;
    mlc_vec_release(&types);
    mlc_map_set(&tc->known, type, converted);
    return converted;
}

bool
mlc_type_converter_is_legal(MlcTypeConverter *tc, MlcType type)
{
    return mlc_type_converter_convert_one(tc, type) == type;
}

bool
mlc_type_converter_is_legal_op(MlcTypeConverter *tc, MlcOp *op)
{
    for (uint32_t i = 0; i < op->num_operands; i++)
        if (!mlc_type_converter_is_legal(tc, mlc_value_type(op->operands[i].value)))
            return false;
    for (uint32_t i = 0; i < op->num_results; i++)
        if (!mlc_type_converter_is_legal(tc, mlc_value_type(mlc_op_result(op, i))))
            return false;
    return true;
}

// --- targets

MlcConversionTarget *
mlc_conversion_target_create(MlcContext *ctx)
{
    MlcConversionTarget *t = mlc_calloc(1, sizeof *t);
    t->ctx = ctx;
    mlc_arena_init(&t->arena);
    mlc_str_map_init(&t->ops, &t->arena);
    mlc_str_map_init(&t->dialects, &t->arena);
    return t;
}

void
mlc_conversion_target_destroy(MlcConversionTarget *t)
{
    if (!t)
        return;
    mlc_str_map_release(&t->ops);
    mlc_str_map_release(&t->dialects);
    mlc_vec_release(&t->dynamics);
    mlc_arena_release(&t->arena);
    mlc_free(t);
}

void
mlc_conversion_target_legal_dialect(MlcConversionTarget *t, const char *dialect)
{
    mlc_str_map_set_u64(&t->dialects, mlc_str(dialect), MLC_LEGALITY_LEGAL);
}

void
mlc_conversion_target_illegal_dialect(MlcConversionTarget *t, const char *dialect)
{
    mlc_str_map_set_u64(&t->dialects, mlc_str(dialect), MLC_LEGALITY_ILLEGAL);
}

void
mlc_conversion_target_legal_op(MlcConversionTarget *t, const char *op)
{
    mlc_str_map_set_u64(&t->ops, mlc_str(op), MLC_LEGALITY_LEGAL);
}

void
mlc_conversion_target_illegal_op(MlcConversionTarget *t, const char *op)
{
    mlc_str_map_set_u64(&t->ops, mlc_str(op), MLC_LEGALITY_ILLEGAL);
}

static void
add_dynamic(MlcConversionTarget *t, MlcStrMap *map, const char *name, MlcLegalFn fn, void *user)
{
    mlc_str_map_set_u64(map, mlc_str(name), MLC_LEGALITY_DYNAMIC + t->dynamics.size);
    mlc_vec_push(&t->dynamics, (MlcDynamicEntry){fn, user});
}

void
mlc_conversion_target_dynamic_op(MlcConversionTarget *t, const char *op, MlcLegalFn fn, void *user)
{
    add_dynamic(t, &t->ops, op, fn, user);
}

void
mlc_conversion_target_dynamic_dialect(MlcConversionTarget *t, const char *d, MlcLegalFn fn,
                                      void *user)
{
    add_dynamic(t, &t->dialects, d, fn, user);
}

// An entry for the op counts before one for its dialect.
MlcLegality
mlc_conversion_target_legality(MlcConversionTarget *t, MlcOp *op)
{
    MlcStr name = mlc_op_name(op);
    const char *dot = memchr(name.data, '.', name.size);
    uint64_t legality = MLC_LEGALITY_UNKNOWN;
    if (!mlc_str_map_get_u64(&t->ops, name, &legality))
        mlc_str_map_get_u64(&t->dialects, mlc_str_n(name.data, dot ? (size_t)(dot - name.data) : 0),
                            &legality);
    if (legality < MLC_LEGALITY_DYNAMIC)
        return (MlcLegality)legality;
    MlcDynamicEntry entry = t->dynamics.data[legality - MLC_LEGALITY_DYNAMIC];
    return entry.fn(op, entry.user) ? MLC_LEGALITY_LEGAL : MLC_LEGALITY_ILLEGAL;
}
