// def.c -- questions to definitions: interfaces, attribute slots, and what an op may be taken for.
//
// What an op does to memory is said in four places: the traits, the effects of its operand and
// result groups, its effects interface, and (where the trait says so) its regions. An op of which
// none says anything may do anything.
#include "mlc/ir/def.h"

#include "mlc/ir/interfaces.h"
#include "op_impl.h"

const void *
mlc_op_def_interface(const MlcOpDef *def, MlcInterface interface)
{
    for (uint16_t i = 0; i < def->num_interfaces; i++)
        if (def->interfaces[i].id == interface)
            return def->interfaces[i].methods;
    return NULL;
}

const void *
mlc_op_interface(const MlcOp *op, uint32_t interface)
{
    return interface < MLC_INTERFACE_OTHERS
               ? mlc_op_def_interface(op->def, (MlcInterface)interface)
               : mlc_context_other_interface(op->ctx, op->def, interface);
}

int
mlc_op_def_attr_slot(const MlcOpDef *def, MlcStr name)
{
    for (int i = 0; i < def->num_attrs; i++) {
        const char *slot = def->attrs[i].name;
        if (name.size && slot[0] == name.data[0] && mlc_str_equal(mlc_str(slot), name))
            return i;
    }
    return -1;
}

bool
mlc_op_has_trait(const MlcOp *op, MlcTrait trait)
{
    return mlc_op_def_has_trait(op->def, trait);
}

// --- effects

static const uint8_t all_effects[] = {MLC_EFFECT_READ, MLC_EFFECT_WRITE, MLC_EFFECT_ALLOC,
                                      MLC_EFFECT_FREE};

static void
append_effects(MlcEffectVec *out, uint8_t effects, MlcValue *value)
{
    for (size_t i = 0; i < sizeof all_effects; i++)
        if (effects & all_effects[i])
            mlc_vec_push(out, (MlcMemoryEffect){all_effects[i], value});
}

// Effects written at operand and result groups. True if there are any.
static bool
declared_effects(MlcOp *op, MlcEffectVec *out)
{
    bool any = false;
    size_t first, size;
    for (size_t g = 0; g < op->def->num_operands; g++) {
        uint8_t effects = op->def->operands[g].effects;
        any |= effects != 0;
        if (!effects || !out)
            continue;
        mlc_op_operand_group(op, g, &first, &size);
        for (size_t i = first; i < first + size; i++)
            append_effects(out, effects, op->operands[i].value);
    }
    for (size_t g = 0; g < op->def->num_results; g++) {
        uint8_t effects = op->def->results[g].effects;
        any |= effects != 0;
        if (!effects || !out)
            continue;
        mlc_op_result_group(op, g, &first, &size);
        for (size_t i = first; i < first + size; i++)
            append_effects(out, effects, mlc_op_result(op, i));
    }
    return any;
}

// What the op itself does, its regions apart; false if nothing says.
static bool
own_effects(MlcOp *op, MlcEffectVec *out)
{
    bool is_known = declared_effects(op, out);
    const MlcMemoryEffects *methods = mlc_op_interface(op, MLC_INTERFACE_MEMORY_EFFECTS);
    if (methods)
        methods->effects(op, out);
    return is_known || methods || mlc_op_has_trait(op, MLC_TRAIT_NO_MEMORY_EFFECT);
}

// Regions of an op whose effects are not those of its regions do not run here (functions, launch
// bodies).
static MlcWalk
collect_effects(MlcOp *op, void *user)
{
    MlcEffectVec *out = user;
    bool is_recursive = mlc_op_has_trait(op, MLC_TRAIT_RECURSIVE_MEMORY_EFFECTS);
    if (!own_effects(op, out) && !is_recursive)
        return MLC_WALK_STOP;
    return is_recursive ? MLC_WALK_CONTINUE : MLC_WALK_SKIP;
}

bool
mlc_op_effects(MlcOp *op, MlcEffectVec *out)
{
    return mlc_op_walk_preorder(op, collect_effects, out);
}

static bool
has_own_effect(MlcOp *op)
{
    if (mlc_op_has_trait(op, MLC_TRAIT_NO_MEMORY_EFFECT))
        return false;
    MlcEffectVec effects = {0};
    bool is_known =
        own_effects(op, &effects) || mlc_op_has_trait(op, MLC_TRAIT_RECURSIVE_MEMORY_EFFECTS);
    bool has = !is_known || effects.size > 0;
    mlc_vec_release(&effects);
    return has;
}

static MlcWalk
find_effect(MlcOp *op, void *user)
{
    (void)user;
    if (has_own_effect(op))
        return MLC_WALK_STOP;
    return mlc_op_has_trait(op, MLC_TRAIT_RECURSIVE_MEMORY_EFFECTS) ? MLC_WALK_CONTINUE
                                                                    : MLC_WALK_SKIP;
}

bool
mlc_op_is_memory_effect_free(MlcOp *op)
{
    return op->def->facts.facts & MLC_FACT_NO_EFFECT || mlc_op_walk_preorder(op, find_effect, NULL);
}

static MlcWalk
find_not_speculatable(MlcOp *op, void *user)
{
    (void)user;
    const MlcSpeculation *methods = mlc_op_interface(op, MLC_INTERFACE_SPECULATION);
    if (methods)
        return methods->is_speculatable(op) ? MLC_WALK_CONTINUE : MLC_WALK_STOP;
    if (mlc_op_has_trait(op, MLC_TRAIT_RECURSIVELY_SPECULATABLE))
        return MLC_WALK_CONTINUE;
    return mlc_op_has_trait(op, MLC_TRAIT_SPECULATABLE) ? MLC_WALK_SKIP : MLC_WALK_STOP;
}

bool
mlc_op_is_speculatable(MlcOp *op)
{
    return mlc_op_walk_preorder(op, find_not_speculatable, NULL);
}

bool
mlc_op_is_pure(MlcOp *op)
{
    return mlc_op_is_memory_effect_free(op) && mlc_op_is_speculatable(op);
}

// Effects that nobody sees once the op is gone: reads, and whatever it does to what it allocates
// itself.
static bool
effects_die_with(MlcOp *op, const MlcEffectVec *effects)
{
    for (size_t i = 0; i < effects->size; i++) {
        if (effects->data[i].effect == MLC_EFFECT_READ)
            continue;
        MlcValue *value = effects->data[i].value;
        bool is_own = false;
        for (size_t j = 0; j < effects->size && value; j++)
            is_own |=
                effects->data[j].effect == MLC_EFFECT_ALLOC && effects->data[j].value == value;
        if (!is_own || mlc_value_def(value) != op)
            return false;
    }
    return true;
}

static MlcWalk
find_lasting_effect(MlcOp *op, void *user)
{
    uint8_t facts = op->def->facts.facts;
    if (facts & (MLC_FACT_NO_EFFECT | MLC_FACT_DEAD_IF_UNUSED))
        return MLC_WALK_SKIP;
    MlcEffectVec *effects = user;
    bool is_recursive = mlc_op_has_trait(op, MLC_TRAIT_RECURSIVE_MEMORY_EFFECTS);
    mlc_vec_clear(effects);
    if ((!own_effects(op, effects) && !is_recursive) || !effects_die_with(op, effects))
        return MLC_WALK_STOP;
    return is_recursive ? MLC_WALK_CONTINUE : MLC_WALK_SKIP;
}

bool
mlc_op_is_trivially_dead(MlcOp *op)
{
    return !mlc_op_has_uses(op) && mlc_op_would_be_trivially_dead(op);
}

bool
mlc_op_would_be_trivially_dead(MlcOp *op)
{
    if (op->def->facts.facts & (MLC_FACT_DEAD_IF_UNUSED | MLC_FACT_LASTING_EFFECT))
        return op->def->facts.facts & MLC_FACT_DEAD_IF_UNUSED;
    if (mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR) || mlc_op_has_trait(op, MLC_TRAIT_SYMBOL))
        return false;
    if (mlc_op_has_trait(op, MLC_TRAIT_NO_MEMORY_EFFECT) &&
        !mlc_op_has_trait(op, MLC_TRAIT_RECURSIVE_MEMORY_EFFECTS))
        return true;
    MlcEffectVec effects = {0};
    bool is_dead = mlc_op_walk_preorder(op, find_lasting_effect, &effects);
    mlc_vec_release(&effects);
    return is_dead;
}

// --- constants

MlcAttr
mlc_op_constant(MlcOp *op)
{
    if (!mlc_op_has_trait(op, MLC_TRAIT_CONSTANT_LIKE))
        return NULL;
    if (op->def->facts.value)
        return mlc_op_slots_(op)[op->def->facts.value - 1];
    MlcAttr value = mlc_op_attr(op, "value");
    MlcFold fold = {0};
    // One without an attribute says by its fold which constant it is.
    if (!value && op->def->fold && op->num_operands == 0 && op->num_results == 1)
        op->def->fold(op, NULL, &fold);
    return value ? value : fold.attr;
}

MlcAttr
mlc_value_constant(MlcValue *value)
{
    MlcOp *op = mlc_value_def(value);
    return op ? mlc_op_constant(op) : NULL;
}

bool
mlc_value_constant_int(MlcValue *value, int64_t *result)
{
    return mlc_attr_try_as_int(mlc_value_constant(value), result);
}
