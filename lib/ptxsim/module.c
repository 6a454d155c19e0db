// module.c -- a text loaded: its variables get memory, its kernels are decoded.
#include "decode.h"
#include "memory.h"

static uint64_t
element_bytes(const PtxVariable *v)
{
    PtxType type;
    return find_type(v->type, &type) ? ptx_types[type].bytes : 1;
}

static ModuleVariable *
find_variable(const MlcPtxModule *module, MlcStr name)
{
    for (size_t i = 0; i < module->num_variables; i++)
        if (mlc_str_equal(module->variables[i].name, name))
            return &module->variables[i];
    return NULL;
}

static void
initialize(MlcPtxModule *module, const PtxVariable *v, Region *region, PtxReporter *reporter)
{
    uint64_t at = 0, bytes = element_bytes(v);
    region->is_written = true; // the rest is 0
    for (const PtxOperand *o = v->init; o; o = o->next, at += bytes) {
        uint64_t value = o->bits;
        if (at + bytes > region->size) {
            ptx_error(reporter, o->at, "'%s' has more values than elements", v->name.data);
            return;
        }
        if (o->kind == PTX_NAME) {
            const ModuleVariable *other = find_variable(module, o->name);
            if (!other) {
                ptx_error(reporter, o->at, "there is no variable '%s'", o->name.data);
                return;
            }
            value = other->address + o->bits;
        }
        memcpy(region->data + at, &value, bytes < 8 ? bytes : 8);
    }
}

static void
add_variable(MlcPtxModule *module, const PtxVariable *v, ModuleVariable *out, PtxReporter *reporter)
{
    *out = (ModuleVariable){.name = v->name, .space = v->space};
    out->num_bytes = element_bytes(v) * v->vector * v->count;
    if (mlc_str_equal(v->space, mlc_str("shared"))) {
        out->is_dynamic = v->is_extern;
        return;
    }
    Region *region = ptx_add_region(module->device, out->num_bytes);
    if (!region) {
        ptx_error(reporter, v->at, "'%s' has more than 2^36 bytes", v->name.data);
        return;
    }
    out->address = region->base;
    initialize(module, v, region, reporter);
    region->read_only = mlc_str_equal(v->space, mlc_str("const"));
}

static void
add_variables(MlcPtxModule *module, PtxReporter *reporter)
{
    size_t count = 0;
    for (const PtxVariable *v = module->text.variables.first; v; v = v->next)
        count++;
    module->variables = MLC_NEW_ARRAY(&module->arena, ModuleVariable, count + 1);
    for (const PtxVariable *v = module->text.variables.first; v; v = v->next) {
        if (find_variable(module, v->name))
            ptx_error(reporter, v->at, "variable '%s' is there already", v->name.data);
        ModuleVariable *out = &module->variables[module->num_variables];
        add_variable(module, v, out, reporter);
        module->num_variables++;
    }
}

MlcPtxModule *
mlc_ptx_load(MlcPtxDevice *device, MlcStr text, MlcStr name)
{
    MlcPtxModule *module = mlc_calloc(1, sizeof *module);
    mlc_arena_init(&module->arena);
    mlc_vec_push(&device->modules, module);
    module->device = device;
    module->file = mlc_arena_strdup(&module->arena, name).data;
    PtxReporter reporter = {module->file, ptx_tell, device, 0};
    module->text = (PtxText){.arena = &module->arena, .reporter = &reporter};
    bool ok = ptx_parse(&module->text, text);
    if (ok)
        add_variables(module, &reporter);
    ok &= reporter.num_faults == 0;
    for (const PtxFunction *f = ok ? module->text.functions : NULL; f; f = f->next) {
        if (!f->is_entry || !f->has_body)
            continue;
        if (mlc_ptx_find_entry(module, f->name))
            ptx_error(&reporter, f->at, "kernel '%s' is there already", f->name.data);
        ok &= ptx_decode(module, f, &reporter);
    }
    module->text.reporter = NULL;
    return ok && reporter.num_faults == 0 ? module : NULL;
}

MlcPtxEntry *
mlc_ptx_find_entry(MlcPtxModule *module, MlcStr name)
{
    for (size_t i = 0; i < module->entries.size; i++)
        if (mlc_str_equal(module->entries.data[i]->name, name))
            return module->entries.data[i];
    return NULL;
}

size_t
mlc_ptx_num_entries(const MlcPtxModule *module)
{
    return module->entries.size;
}

MlcPtxEntry *
mlc_ptx_entry(MlcPtxModule *module, size_t i)
{
    return module->entries.data[i];
}

MlcStr
mlc_ptx_entry_name(const MlcPtxEntry *entry)
{
    return entry->name;
}

size_t
mlc_ptx_num_params(const MlcPtxEntry *entry)
{
    return entry->num_params;
}

uint32_t
mlc_ptx_param_bytes(const MlcPtxEntry *entry, size_t i)
{
    return entry->params[i].bytes;
}

bool
mlc_ptx_find_variable(MlcPtxModule *module, MlcStr name, uint64_t *address, uint64_t *num_bytes)
{
    const ModuleVariable *found = find_variable(module, name);
    if (!found || found->address == 0)
        return false;
    *address = found->address;
    *num_bytes = found->num_bytes;
    return true;
}
