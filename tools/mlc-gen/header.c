// header.c -- mlc/dialects/<d>.h: definitions, enumerations, hooks, and per op a test, accessors
// and a builder.
//
// Everything is `static inline` over the public API, so that a header costs nothing where it is not
// used.
#include "gen.h"

#include "mlc/ir/rewrite.h"

#include <ctype.h>

typedef struct Header {
    Gen *gen;
    GenDialect *d;
    MlcBuf *out;
    MlcStrMap printed; // prototypes and names, each once
} Header;

static bool
is_first(Header *h, const char *text)
{
    bool is_new;
    mlc_str_map_insert(&h->printed, mlc_str(text), &is_new);
    return is_new;
}

static const char *
upper(Gen *gen, const char *text)
{
    char *copy = (char *)mlc_arena_strdup(&gen->arena, mlc_str(text)).data;
    for (char *c = copy; *c; c++)
        *c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
    return copy;
}

static void
print_enum(Header *h, const MlcAttrDef *def)
{
    const char *prefix = upper(h->gen, def->name);
    mlc_buf_printf(h->out, "typedef enum %s { // %s\n", gen_enum_type(h->gen, def), def->name);
    for (size_t i = 0; i < def->num_cases; i++) {
        long long value = (long long)def->cases[i].value;
        if (value <= INT32_MAX && value >= INT32_MIN)
            mlc_buf_printf(h->out, "    MLC_%s_%s = %lld,\n", prefix,
                           upper(h->gen, def->cases[i].name), value);
    }
    mlc_buf_printf(h->out, "} %s;\n", gen_enum_type(h->gen, def));
}

static void
print_prototype(Header *h, const void *slot, const char *before, const char *after)
{
    const char *symbol = gen_symbol(h->d, slot);
    if (!symbol)
        return;
    const char *line = mlc_arena_printf(&h->gen->arena, "%s%s%s;\n", before, symbol, after).data;
    if (is_first(h, line))
        mlc_buf_append_c(h->out, line);
}

static const char *const vtables[MLC_INTERFACE_COUNT] = {
    [MLC_INTERFACE_INFER_TYPES] = "MlcInferTypes",
    [MLC_INTERFACE_BRANCH] = "MlcBranch",
    [MLC_INTERFACE_REGION_BRANCH] = "MlcRegionBranch",
    [MLC_INTERFACE_REGION_TERMINATOR] = "MlcRegionTerminator",
    [MLC_INTERFACE_LOOP] = "MlcLoop",
    [MLC_INTERFACE_CALL] = "MlcCall",
    [MLC_INTERFACE_CALLABLE] = "MlcCallable",
    [MLC_INTERFACE_FUNCTION] = "MlcFunction",
    [MLC_INTERFACE_MEMORY_EFFECTS] = "MlcMemoryEffects",
    [MLC_INTERFACE_SPECULATION] = "MlcSpeculation",
    [MLC_INTERFACE_STRUCTURED] = "MlcStructured",
    [MLC_INTERFACE_TILING] = "MlcTiling",
    [MLC_INTERFACE_BUFFERIZE] = "struct MlcBufferize",
    [MLC_INTERFACE_VIEW_LIKE] = "MlcViewLike",
    [MLC_INTERFACE_INFER_SHAPES] = "MlcInferShapes",
    [MLC_INTERFACE_ROWS] = "MlcRows",
    [MLC_INTERFACE_WINDOWS] = "MlcWindows",
    [MLC_INTERFACE_ACCESS] = "MlcMemoryAccess",
    [MLC_INTERFACE_ASM_NAMES] = "MlcAsmNames",
    [MLC_INTERFACE_SYMBOL_USER] = "MlcSymbolUser",
    [MLC_INTERFACE_INT_RANGE] = "struct MlcIntRange",
    [MLC_INTERFACE_FASTMATH] = "struct MlcFastmath",
    [MLC_INTERFACE_SLOT_ALLOCATION] = "MlcSlotAllocation",
    [MLC_INTERFACE_SLOT_USE] = "MlcSlotUse",
    [MLC_INTERFACE_RUNTIME_CHECK] = "MlcRuntimeCheck",
    [MLC_INTERFACE_REQUIREMENTS] = "MlcRequirements",
    [MLC_INTERFACE_SIGNATURES] = "MlcRegionSignature",
    [MLC_INTERFACE_SEMANTICS] = "MlcSemantics",
};

static void
print_op_hooks(Header *h, const MlcOpDef *op)
{
    print_prototype(h, &op->verify, "bool ", "(MlcOp *op)");
    print_prototype(h, &op->verify_regions, "bool ", "(MlcOp *op)");
    print_prototype(h, &op->fold, "bool ",
                    "(MlcOp *op, const MlcAttr *constants, MlcFold *results)");
    print_prototype(h, &op->patterns, "void ", "(MlcPatternSet *set)");
    for (size_t i = 0; i < op->num_canonical; i++)
        print_prototype(h, &op->canonical[i].rewrite, "bool ",
                        "(struct MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern)");
    print_prototype(h, &op->parse, "bool ", "(struct MlcParser *parser, struct MlcOpBuild *op)");
    print_prototype(h, &op->print, "void ", "(struct MlcPrinter *printer, MlcOp *op)");
    print_prototype(
        h, &op->eval, "bool ",
        "(struct MlcEval *eval, MlcOp *op, const MlcDatum *operands, MlcDatum *results)");
    for (size_t i = 0; i < op->num_interfaces; i++) {
        const MlcInterfaceEntry *entry = &op->interfaces[i];
        print_prototype(
            h, &entry->methods,
            mlc_arena_printf(&h->gen->arena, "extern const %s ", vtables[entry->id]).data, "");
    }
}

static void
print_constraint_hooks(Header *h, const MlcConstraint *c)
{
    if (!c)
        return;
    print_prototype(h, &c->check, "MLC_API bool ", "(const void *type_or_attr)");
    for (size_t i = 0; i < c->num_args; i++)
        print_constraint_hooks(h, c->args[i]);
}

static void
print_hooks(Header *h)
{
    const MlcDialectDef *d = h->d->def;
    mlc_buf_append_c(h->out, "\n// Hooks and vtables that the records name.\n");
    for (size_t i = 0; i < h->d->rules.functions.size; i++)
        mlc_buf_printf(h->out,
                       "bool %s(const MlcRuleCall *call, const MlcRuleArg *args, "
                       "MlcRuleArg *result);\n",
                       h->d->rules.functions.data[i]);
    print_prototype(h, &d->materialize, "MlcOp *",
                    "(struct MlcBuilder *b, MlcAttr value, MlcType type, MlcLoc loc)");
    print_prototype(h, &d->verify_attr, "bool ", "(MlcOp *op, MlcNamedAttr attr)");
    print_prototype(h, &d->inliner, "extern const MlcInliner ", "");
    for (size_t i = 0; i < d->num_constraints; i++)
        print_constraint_hooks(h, d->constraints[i]);
    for (size_t i = 0; i < d->num_types; i++) {
        print_prototype(h, &d->types[i]->verify, "bool ",
                        "(const struct MlcErrorSink *sink, const MlcAttr *params)");
        print_prototype(h, &d->types[i]->parse, "MlcType ",
                        "(struct MlcParser *parser, const MlcTypeDef *def)");
        print_prototype(h, &d->types[i]->print, "void ",
                        "(struct MlcPrinter *printer, MlcType type)");
    }
    for (size_t i = 0; i < d->num_attrs; i++) {
        print_prototype(h, &d->attrs[i]->verify, "bool ",
                        "(const struct MlcErrorSink *sink, const MlcAttr *params)");
        print_prototype(h, &d->attrs[i]->parse, "MlcAttr ",
                        "(struct MlcParser *parser, const MlcAttrDef *def, MlcType type)");
        print_prototype(h, &d->attrs[i]->print, "void ",
                        "(struct MlcPrinter *printer, MlcAttr attr)");
    }
    for (size_t i = 0; i < d->num_ops; i++) {
        const MlcOpDef *op = d->ops[i];
        for (size_t k = 0; k < op->num_operands; k++)
            print_constraint_hooks(h, op->operands[k].type);
        for (size_t k = 0; k < op->num_results; k++)
            print_constraint_hooks(h, op->results[k].type);
        for (size_t k = 0; k < op->num_attrs; k++)
            print_constraint_hooks(h, op->attrs[k].constraint);
        print_op_hooks(h, op);
    }
}

// Accessors by the name of a group or slot. `what` is "operand" or "result".
static void
print_value_accessor(Header *h, const char *op, const char *what, const MlcValueDef *values,
                     size_t i, bool fixed)
{
    const MlcValueDef *v = &values[i];
    const char *name =
        mlc_arena_printf(&h->gen->arena, "mlc_%s_%s", op, gen_snake(h->gen, v->name)).data;
    if (!is_first(h, name))
        return;
    MlcBuf *out = h->out;
    if (fixed && v->arity == MLC_ONE) {
        mlc_buf_printf(
            out,
            "static inline MlcValue *\n%s(const MlcOp *op)\n{\n    return mlc_op_%s(op, %zu);\n}\n",
            name, what, i);
        return;
    }
    if (v->arity == MLC_ONE || v->arity == MLC_OPTIONAL) {
        mlc_buf_printf(out,
                       "static inline MlcValue * // NULL if absent\n%s(const MlcOp *op)\n{\n    "
                       "size_t first, size;\n"
                       "    mlc_op_%s_group(op, %zu, &first, &size);\n"
                       "    return size ? mlc_op_%s(op, first) : NULL;\n}\n",
                       name, what, i, what);
        return;
    }
    mlc_buf_printf(
        out,
        "static inline MlcValue *\n%s(const MlcOp *op, size_t i)\n{\n    size_t first, size;\n"
        "    mlc_op_%s_group(op, %zu, &first, &size);\n    return mlc_op_%s(op, first + i);\n}\n",
        name, what, i, what);
    const char *count =
        mlc_arena_printf(&h->gen->arena, "mlc_%s_num_%s", op, gen_snake(h->gen, v->name)).data;
    if (is_first(h, count))
        mlc_buf_printf(out,
                       "static inline size_t\n%s(const MlcOp *op)\n{\n    size_t first, size;\n"
                       "    mlc_op_%s_group(op, %zu, &first, &size);\n    return size;\n}\n",
                       count, what, i);
}

static void
print_value_accessors(Header *h, const char *op, const char *what, const MlcValueDef *values,
                      size_t n)
{
    bool fixed = true; // every group so far has one value
    for (size_t i = 0; i < n; i++) {
        print_value_accessor(h, op, what, values, i, fixed);
        fixed &= values[i].arity == MLC_ONE;
    }
}

// A getter and a setter, of a C value where the attribute is one and always there; then
// `<get>_attr` gives the attribute.
static void
print_attr_accessors(Header *h, const char *name, const MlcOpDef *op, size_t i)
{
    const MlcAttrSlot *slot = &op->attrs[i];
    const char *last = gen_snake(
        h->gen, gen_c_name(h->gen, mlc_arena_printf(&h->gen->arena, ".%s", slot->name).data));
    const char *get = mlc_arena_printf(&h->gen->arena, "mlc_%s_%s", name, last).data;
    const char *set = mlc_arena_printf(&h->gen->arena, "mlc_%s_set_%s", name, last).data;
    const char *type = slot->optional ? "MlcAttr" : gen_c_type(h->gen, h->d, slot);
    const char *from = mlc_arena_printf(&h->gen->arena, "mlc_op_slot(op, %zu)", i).data;
    bool is_pointer = strcmp(type, "MlcAttr") == 0;
    if (is_first(h, get)) {
        mlc_buf_printf(h->out, "static inline %s%s\n%s(const MlcOp *op)\n{\n    return ", type,
                       slot->optional ? " // NULL if absent" : "", get);
        if (is_pointer)
            mlc_buf_append_c(h->out, from);
        else
            gen_c_from_attr(h->gen, h->d, slot, from, h->out);
        mlc_buf_append_c(h->out, ";\n}\n");
    }
    const char *get_attr = mlc_arena_printf(&h->gen->arena, "%s_attr", get).data;
    if (!is_pointer && is_first(h, get_attr))
        mlc_buf_printf(h->out, "static inline MlcAttr\n%s(const MlcOp *op)\n{\n    return %s;\n}\n",
                       get_attr, from);
    if (is_first(h, set)) {
        mlc_buf_printf(h->out, "static inline void\n%s(MlcOp *op, %s value)\n{\n    ", set, type);
        mlc_buf_printf(h->out, "mlc_op_set_slot(op, %zu, ", i);
        if (is_pointer)
            mlc_buf_append_c(h->out, "value");
        else
            gen_c_to_attr(h->gen, h->d, slot, "mlc_op_context(op)", "value", h->out);
        mlc_buf_append_c(h->out, ");\n}\n");
    }
}

static void
print_other_accessors(Header *h, const char *name, const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_attrs; i++)
        print_attr_accessors(h, name, op, i);
    for (size_t i = 0; i < op->num_regions; i++) {
        const char *get = mlc_arena_printf(&h->gen->arena, "mlc_%s_%s", name,
                                           gen_snake(h->gen, op->regions[i].name))
                              .data;
        if (op->regions[i].arity == MLC_ONE && is_first(h, get))
            mlc_buf_printf(h->out,
                           "static inline MlcRegion *\n%s(const MlcOp *op)\n{\n    return "
                           "mlc_op_region(op, %zu);\n}\n",
                           get, i);
    }
    for (size_t i = 0; i < op->num_successors; i++) {
        const char *get = mlc_arena_printf(&h->gen->arena, "mlc_%s_%s", name,
                                           gen_snake(h->gen, op->successors[i].name))
                              .data;
        if (op->successors[i].arity == MLC_ONE && is_first(h, get))
            mlc_buf_printf(h->out,
                           "static inline MlcBlock *\n%s(const MlcOp *op)\n{\n    return "
                           "mlc_op_successor(op, %zu);\n}\n",
                           get, i);
    }
}

static void
print_op(Header *h, const MlcOpDef *op)
{
    const char *name =
        mlc_arena_printf(&h->gen->arena, "%s_%s", h->d->name, gen_c_name(h->gen, op->name)).data;
    mlc_buf_printf(h->out, "\n// %s: %s\n", op->name, op->summary ? op->summary : "");
    mlc_buf_printf(h->out,
                   "static inline bool\nmlc_%s_isa(const MlcOp *op)\n{\n    return op && "
                   "mlc_op_def(op) == &mlc_%s_def;\n}\n",
                   name, name);
    is_first(h, mlc_arena_printf(&h->gen->arena, "mlc_%s_isa", name).data);
    is_first(h, mlc_arena_printf(&h->gen->arena, "mlc_%s_def", name).data);
    print_value_accessors(h, name, "operand", op->operands, op->num_operands);
    print_value_accessors(h, name, "result", op->results, op->num_results);
    print_other_accessors(h, name, op);
    const char *builder = mlc_arena_printf(&h->gen->arena, "mlc_%s", name).data;
    if (is_first(h, builder))
        gen_builder(h->gen, h->d, op, builder, h->out);
}

// Names of the dialect, of hooks, vtables and definitions are taken before accessors are.
static void
reserve_symbols(Header *h)
{
    is_first(h, mlc_arena_printf(&h->gen->arena, "mlc_%s_dialect", h->d->name).data);
    MLC_MAP_FOR_EACH (entry, &h->d->loader.symbols)
        is_first(h, mlc_map_entry_value(entry));
    for (size_t i = 0; i < h->d->def->num_ops; i++) {
        const char *op = gen_c_name(h->gen, h->d->def->ops[i]->name);
        static const char *const suffixes[] = {"def", "isa"};
        for (size_t k = 0; k < 2; k++)
            is_first(
                h,
                mlc_arena_printf(&h->gen->arena, "mlc_%s_%s_%s", h->d->name, op, suffixes[k]).data);
    }
}

void
gen_header(Gen *gen, GenDialect *d, MlcBuf *out)
{
    Header h = {.gen = gen, .d = d, .out = out};
    const char *guard = upper(gen, d->name);
    mlc_buf_printf(
        out,
        "// %s.h -- written by mlc-gen from %s.yaml: %s\n//\n"
        "// Ownership: definitions are constant; an op that a builder makes belongs to its block.\n"
        "// Threads: as for reading and editing ops (mlc/ir/op.h).\n#ifndef "
        "MLC_DIALECTS_%s_H\n#define MLC_DIALECTS_%s_H\n\n"
        "#include \"mlc/ir/builder.h\"\n#include \"mlc/ir/interfaces.h\"\n#include \"mlc/ir/rule.h\"\n\nMLC_BEGIN_DECLS\n\n"
        "extern MLC_API const MlcDialectDef mlc_%s_dialect;\n",
        d->name, d->name, d->def->summary ? d->def->summary : "", guard, guard, d->name);
    for (size_t i = 0; i < d->def->num_types; i++)
        mlc_buf_printf(out, "extern MLC_API const MlcTypeDef mlc_%s_%s_type_def;\n", d->name,
                       gen_c_name(gen, d->def->types[i]->name));
    for (size_t i = 0; i < d->def->num_attrs; i++)
        mlc_buf_printf(out, "extern MLC_API const MlcAttrDef mlc_%s_%s_attr_def;\n", d->name,
                       gen_c_name(gen, d->def->attrs[i]->name));
    for (size_t i = 0; i < d->def->num_ops; i++)
        mlc_buf_printf(out, "extern MLC_API const MlcOpDef mlc_%s_%s_def;\n", d->name,
                       gen_c_name(gen, d->def->ops[i]->name));
    mlc_buf_append_c(out, "\n");
    for (size_t i = 0; i < d->def->num_attrs; i++)
        if (d->def->attrs[i]->num_cases)
            print_enum(&h, d->def->attrs[i]);
    print_hooks(&h);
    reserve_symbols(&h);
    for (size_t i = 0; i < d->def->num_ops; i++)
        print_op(&h, d->def->ops[i]);
    mlc_buf_append_c(out, "\nMLC_END_DECLS\n\n#endif\n");
    mlc_str_map_release(&h.printed);
}
