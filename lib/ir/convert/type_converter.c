// type_converter.c -- which types become which; rules are tried last added first, answers are
// remembered.
#include "conversion_impl.h"

#include "mlc/support/alloc.h"

MlcTypeConverter *
mlc_type_converter_create(MlcContext *ctx)
{
    MlcTypeConverter *tc = mlc_calloc(1, sizeof *tc);
    tc->ctx = ctx;
    mlc_arena_init(&tc->arena);
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
    mlc_arena_release(&tc->arena);
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
    mlc_vec_push(&tc->sources, (MlcMaterializeEntry){.one = fn, .user = user});
}

void
mlc_type_converter_add_target(MlcTypeConverter *tc, MlcMaterialize fn, void *user)
{
    mlc_vec_push(&tc->targets, (MlcMaterializeEntry){.one = fn, .user = user});
}

void
mlc_type_converter_add_target_many(MlcTypeConverter *tc, MlcMaterializeMany fn, void *user)
{
    mlc_vec_push(&tc->targets, (MlcMaterializeEntry){.many = fn, .user = user});
}

static bool
ask_rules(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out)
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

const MlcConvertedTypes *
mlc_type_converter_lookup(MlcTypeConverter *tc, MlcType type)
{
    MlcConvertedTypes *known = mlc_map_get(&tc->known, type);
    if (known)
        return known;
    MlcTypeVec types = {0};
    bool ok = ask_rules(tc, type, &types);
    known = mlc_arena_alloc(&tc->arena, sizeof *known + types.size * sizeof(MlcType),
                            MLC_ALIGNOF(MlcConvertedTypes));
    known->ok = ok;
    known->size = types.size;
    for (size_t i = 0; i < types.size; i++)
        known->types[i] = types.data[i];
    mlc_vec_release(&types);
    mlc_map_set(&tc->known, type, known);
    return known;
}

bool
mlc_type_converter_convert(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out)
{
    const MlcConvertedTypes *known = mlc_type_converter_lookup(tc, type);
    for (size_t i = 0; known->ok && i < known->size; i++)
        mlc_vec_push(out, known->types[i]);
    return known->ok;
}

MlcType
mlc_type_converter_convert_one(MlcTypeConverter *tc, MlcType type)
{
    const MlcConvertedTypes *known = mlc_type_converter_lookup(tc, type);
    return known->ok && known->size == 1 ? known->types[0] : NULL;
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

bool
mlc_type_converter_is_legal_signature(MlcTypeConverter *tc, MlcOp *op)
{
    const MlcFunction *function = mlc_op_interface(op, MLC_INTERFACE_FUNCTION);
    MlcType type = function ? function->type(op) : NULL;
    if (type && mlc_type_is(type, MLC_TYPE_FUNCTION)) {
        for (size_t i = 0; i < mlc_function_type_num_inputs(type); i++)
            if (!mlc_type_converter_is_legal(tc, mlc_function_type_inputs(type)[i]))
                return false;
        for (size_t i = 0; i < mlc_function_type_num_results(type); i++)
            if (!mlc_type_converter_is_legal(tc, mlc_function_type_results(type)[i]))
                return false;
    }
    MLC_FOR_EACH_BLOCK_IN_OP (block, op)
        for (uint32_t i = 0; i < block->num_args; i++)
            if (!mlc_type_converter_is_legal(tc, mlc_value_type(mlc_block_arg(block, i))))
                return false;
    return mlc_type_converter_is_legal_op(tc, op);
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
uint64_t
mlc_conversion_target_legality_of_name(const MlcConversionTarget *t, MlcStr name)
{
    const char *dot = memchr(name.data, '.', name.size);
    uint64_t legality = MLC_LEGALITY_UNKNOWN;
    if (!mlc_str_map_get_u64(&t->ops, name, &legality))
        mlc_str_map_get_u64(&t->dialects, mlc_str_n(name.data, dot ? (size_t)(dot - name.data) : 0),
                            &legality);
    return legality;
}

MlcLegality
mlc_conversion_target_legality(const MlcConversionTarget *t, uint64_t by_name, MlcOp *op)
{
    if (by_name < MLC_LEGALITY_DYNAMIC)
        return (MlcLegality)by_name;
    MlcDynamicEntry entry = t->dynamics.data[by_name - MLC_LEGALITY_DYNAMIC];
    return entry.fn(op, entry.user) ? MLC_LEGALITY_LEGAL : MLC_LEGALITY_ILLEGAL;
}
