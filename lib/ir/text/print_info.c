// print_info.c -- what printing asks of an op's definition, found once per printer: names in
// quotes, the order of its attributes.
#include "op/op_impl.h"
#include "print_impl.h"

static MlcStr
printed_key(MlcPrinter *p, const char *name)
{
    MlcBuf buf = {0};
    mlc_print_keyword_or_string(&buf, mlc_str(name));
    MlcStr copy = mlc_arena_strdup(&p->arena, mlc_buf_str(&buf));
    mlc_buf_release(&buf);
    return copy;
}

static void
sort_slots(MlcPrinter *p, MlcPrintInfo *info, const MlcOpDef *def)
{
    uint16_t *slots = MLC_NEW_ARRAY(&p->arena, uint16_t, def->num_attrs + 1u);
    MlcStr *keys = MLC_NEW_ARRAY(&p->arena, MlcStr, def->num_attrs + 1u);
    for (uint16_t i = 0; i < def->num_attrs; i++) {
        uint16_t at = i;
        for (; at > 0 && strcmp(def->attrs[slots[at - 1]].name, def->attrs[i].name) > 0; at--)
            slots[at] = slots[at - 1];
        slots[at] = i;
    }
    for (uint16_t i = 0; i < def->num_attrs; i++)
        keys[i] = printed_key(p, def->attrs[slots[i]].name);
    info->slots = slots;
    info->keys = keys;
}

static MlcPrintInfo *
make_info(MlcPrinter *p, const MlcOpDef *def)
{
    MlcPrintInfo *info = MLC_NEW(&p->arena, MlcPrintInfo);
    info->def = def;
    info->asm_names = mlc_op_def_interface(def, MLC_INTERFACE_ASM_NAMES);
    MlcBuf quoted = {0};
    mlc_buf_append_quoted(&quoted, mlc_str(def->name));
    info->quoted_name = mlc_arena_strdup(&p->arena, mlc_buf_str(&quoted));
    mlc_buf_release(&quoted);
    // A name with a second dot keeps its prefix, since it could be taken for another dialect's.
    const char *dot = strchr(def->name, '.');
    if (dot && !strchr(dot + 1, '.'))
        info->dialect = mlc_str_n(def->name, (size_t)(dot - def->name));
    if (def->dialect)
        sort_slots(p, info, def);
    return info;
}

const MlcPrintInfo *
mlc_print_info(MlcPrinter *p, const MlcOpDef *def)
{
    const MlcPrintInfo **recent = &p->recent_infos[mlc_print_slot(def)];
    if (*recent && (*recent)->def == def)
        return *recent;
    bool inserted;
    MlcMapEntry *entry = mlc_map_insert(&p->infos, mlc_word(def), &inserted);
    if (inserted)
        entry->value = mlc_word(make_info(p, def));
    return *recent = (const MlcPrintInfo *)(uintptr_t)entry->value;
}
