// op_facts.c -- what an op's record alone says, found once: by mlc-gen, or when a dialect is
// loaded.
#include "mlc/ir/def.h"
#include "mlc/ir/interfaces.h"

static uint8_t
slot_of(const MlcOpDef *def, MlcTrait trait, const char *name)
{
    for (uint8_t i = 0; mlc_op_def_has_trait(def, trait) && i < def->num_attrs && i < UINT8_MAX;
         i++)
        if (strcmp(def->attrs[i].name, name) == 0)
            return i + 1;
    return 0;
}

static bool
has_interface(const MlcOpDef *def, MlcInterface interface)
{
    for (uint16_t i = 0; i < def->num_interfaces; i++)
        if (def->interfaces[i].id == interface)
            return true;
    return false;
}

// Whether ops of the definition can go when nobody uses them (def.c has the question); 0: it
// depends on the op.
static uint8_t
lasting_facts(const MlcOpDef *def)
{
    bool is_recursive = mlc_op_def_has_trait(def, MLC_TRAIT_RECURSIVE_MEMORY_EFFECTS);
    bool any = has_interface(def, MLC_INTERFACE_MEMORY_EFFECTS) || is_recursive, may_last = any;
    if (mlc_op_def_has_trait(def, MLC_TRAIT_TERMINATOR) ||
        mlc_op_def_has_trait(def, MLC_TRAIT_SYMBOL))
        return MLC_FACT_LASTING_EFFECT;
    if (mlc_op_def_has_trait(def, MLC_TRAIT_NO_MEMORY_EFFECT) && !is_recursive)
        return MLC_FACT_DEAD_IF_UNUSED;
    for (size_t i = 0; i < def->num_operands; i++) {
        const MlcValueDef *group = &def->operands[i];
        bool lasts = group->effects & ~MLC_EFFECT_READ;
        if (lasts && group->arity == MLC_ONE)
            return MLC_FACT_LASTING_EFFECT;
        any |= group->effects != 0;
        may_last |= lasts;
    }
    for (size_t i = 0; i < def->num_results; i++) {
        uint8_t effects = def->results[i].effects;
        any |= effects != 0;
        may_last |= effects & ~MLC_EFFECT_READ && !(effects & MLC_EFFECT_ALLOC);
    }
    return !any ? MLC_FACT_LASTING_EFFECT : may_last ? 0 : MLC_FACT_DEAD_IF_UNUSED;
}

void
mlc_op_def_find_facts(MlcOpDef *def)
{
    bool is_free = mlc_op_def_has_trait(def, MLC_TRAIT_NO_MEMORY_EFFECT) &&
                   !mlc_op_def_has_trait(def, MLC_TRAIT_RECURSIVE_MEMORY_EFFECTS);
    def->facts = (MlcOpFacts){
        .operand_sizes = slot_of(def, MLC_TRAIT_ATTR_SIZED_OPERANDS, "operandSegmentSizes"),
        .result_sizes = slot_of(def, MLC_TRAIT_ATTR_SIZED_RESULTS, "resultSegmentSizes"),
        .value = slot_of(def, MLC_TRAIT_CONSTANT_LIKE, "value"),
    };
    def->facts.facts = lasting_facts(def) | (is_free ? MLC_FACT_NO_EFFECT : 0) |
                       (has_interface(def, MLC_INTERFACE_ACCESS) ? MLC_FACT_ACCESS : 0) |
                       (has_interface(def, MLC_INTERFACE_REQUIREMENTS) ? MLC_FACT_REQUIREMENTS : 0);
}
