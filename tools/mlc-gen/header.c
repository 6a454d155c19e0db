// header.c -- mlc/dialects/<d>.h: definitions, enumerations, hooks, and per op a test, accessors
// and a builder.
//
// Everything is `static inline` over the public API, so that a header costs nothing where it is not
// used.
#include "gen.h"

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
    mlc_buf_printf(h->out, "enum { // %s\n", def->name);
    for (size_t i = 0; i < def->num_cases; i++) {
        long long value = (long long)def->cases[i].value;
        if (value <= INT32_MAX && value >= INT32_MIN)
            mlc_buf_printf(h->out, "    MLC_%s_%s = %lld,\n", prefix,
                           upper(h->gen, def->cases[i].name), value);
    }
    mlc_buf_append_c(h->out, "};\n");
}

static void
print_prototype(Header *h, const void *slot, const char *before, const char *after)
{
    const char *symbol = gen_symbol(h->d, slot);
    if (!symbol)
        return;
    const char *line =
        mlc_arena_printf(&h->gen->arena, "MLC_API %s%s%s;\n", before, symbol, after).data;
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
    [MLC_INTERFACE_AFFINE_ACCESS] = "MlcAffineAccess",
    [MLC_INTERFACE_ASM_NAMES] = "MlcAsmNames",
    [MLC_INTERFACE_SYMBOL_USER] = "MlcSymbolUser",
    [MLC_INTERFACE_INT_RANGE] = "struct MlcIntRange",
    [MLC_INTERFACE_FASTMATH] = "struct MlcFastmath",
    [MLC_INTERFACE_SLOT_ALLOCATION] = "MlcSlotAllocation",
    [MLC_INTERFACE_SLOT_USE] = "MlcSlotUse",
    [MLC_INTERFACE_RUNTIME_CHECK] = "MlcRuntimeCheck",
};

static void
print_op_hooks(Header *h, const MlcOpDef *op)
{
    print_prototype(h, &op->verify, "bool ", "(MlcOp *op)");
    print_prototype(h, &op->verify_regions, "bool ", "(MlcOp *op)");
    print_prototype(h, &op->fold, "bool ",
                    "(MlcOp *op, const MlcAttr *constants, MlcFold *results)");
    print_prototype(h, &op->patterns, "void ", "(MlcPatternSet *set)");
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
    print_prototype(h, &c->check, "bool ", "(const void *type_or_attr)");
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
                       "MLC_API bool %s(const MlcRuleCall *call, const MlcRuleArg *args, "
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
    const char *name = mlc_arena_printf(&h->gen->arena, "mlc_%s_%s", op, v->name).data;
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
    const char *count = mlc_arena_printf(&h->gen->arena, "mlc_%s_num_%s", op, v->name).data;
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

static void
print_other_accessors(Header *h, const char *name, const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_attrs; i++) {
        const char *slot =
            gen_c_name(h->gen, mlc_arena_printf(&h->gen->arena, ".%s", op->attrs[i].name).data);
        const char *get = mlc_arena_printf(&h->gen->arena, "mlc_%s_%s", name, slot).data;
        const char *set = mlc_arena_printf(&h->gen->arena, "mlc_%s_set_%s", name, slot).data;
        if (is_first(h, get))
            mlc_buf_printf(h->out,
                           "static inline MlcAttr\n%s(const MlcOp *op)\n{\n    return "
                           "mlc_op_slot(op, %zu);\n}\n",
                           get, i);
        if (is_first(h, set))
            mlc_buf_printf(h->out,
                           "static inline void\n%s(MlcOp *op, MlcAttr value)\n{\n    "
                           "mlc_op_set_slot(op, %zu, value);\n}\n",
                           set, i);
    }
    for (size_t i = 0; i < op->num_regions; i++) {
        const char *get =
            mlc_arena_printf(&h->gen->arena, "mlc_%s_%s", name, op->regions[i].name).data;
        if (op->regions[i].arity == MLC_ONE && is_first(h, get))
            mlc_buf_printf(h->out,
                           "static inline MlcRegion *\n%s(const MlcOp *op)\n{\n    return "
                           "mlc_op_region(op, %zu);\n}\n",
                           get, i);
    }
    for (size_t i = 0; i < op->num_successors; i++) {
        const char *get =
            mlc_arena_printf(&h->gen->arena, "mlc_%s_%s", name, op->successors[i].name).data;
        if (op->successors[i].arity == MLC_ONE && is_first(h, get))
            mlc_buf_printf(h->out,
                           "static inline MlcBlock *\n%s(const MlcOp *op)\n{\n    return "
                           "mlc_op_successor(op, %zu);\n}\n",
                           get, i);
    }
}

static bool
has_one_type(const MlcConstraint *c)
{
    bool one_sign = c->b == 1 || c->b == 2 || c->b == 4;
    return (c->kind == MLC_CONSTRAINT_INTEGER && c->a && one_sign) ||
           c->kind == MLC_CONSTRAINT_SAME ||
           (c->kind == MLC_CONSTRAINT_TYPE_KIND && c->a == 1 << MLC_TYPE_INDEX);
}

// Whether mlc_infer_types can say the result types.
static bool
infers_results(const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_interfaces; i++)
        if (op->interfaces[i].id == MLC_INTERFACE_INFER_TYPES)
            return true;
    if (mlc_op_def_has_trait(op, MLC_TRAIT_SAME_OPERANDS_AND_RESULT_TYPE))
        return op->num_operands > 0;
    for (size_t i = 0; i < op->num_results; i++)
        if (op->results[i].arity != MLC_ONE || !has_one_type(op->results[i].type))
            return false;
    return true;
}

static bool
is_many(const MlcValueDef *v)
{
    return v->arity == MLC_VARIADIC || v->arity == MLC_VARIADIC_OF_VARIADIC;
}

static bool
is_required(const MlcAttrSlot *slot)
{
    return !slot->optional && !slot->default_text && !strstr(slot->name, "SegmentSizes") &&
           !strchr(slot->name, '.');
}

static void
print_build_params(Header *h, const MlcOpDef *op, bool infers)
{
    MlcBuf *out = h->out;
    mlc_buf_append_c(out, "(MlcBuilder *b");
    for (size_t i = 0; !infers && i < op->num_results; i++)
        mlc_buf_printf(out,
                       is_many(&op->results[i]) ? ", const MlcType *%s_types, size_t num_%s"
                                                : ", MlcType %s_type",
                       op->results[i].name, op->results[i].name);
    for (size_t i = 0; i < op->num_operands; i++)
        mlc_buf_printf(out,
                       is_many(&op->operands[i]) ? ", MlcValue *const *%s_, size_t num_%s_"
                                                 : ", MlcValue *%s_",
                       op->operands[i].name, op->operands[i].name);
    for (size_t i = 0; i < op->num_attrs; i++)
        if (is_required(&op->attrs[i]))
            mlc_buf_printf(out, ", MlcAttr %s_", op->attrs[i].name);
    for (size_t i = 0; i < op->num_regions; i++)
        if (op->regions[i].arity != MLC_ONE)
            mlc_buf_printf(out, ", size_t num_%s_", op->regions[i].name);
    mlc_buf_append_c(out, ")\n");
}

static void
print_pushes(MlcBuf *out, const char *vec, const MlcValueDef *values, size_t n, const char *one,
             const char *many)
{
    for (size_t i = 0; i < n; i++) {
        const char *name = values[i].name;
        if (is_many(&values[i])) {
            mlc_buf_printf(out, "    for (size_t i_ = 0; i_ < num_%s%s; i_++)\n", name,
                           strcmp(one, "_") == 0 ? "_" : "");
            mlc_buf_printf(out, "        mlc_vec_push(&%s, %s%s[i_]);\n", vec, name, many);
        } else {
            if (values[i].arity == MLC_OPTIONAL)
                mlc_buf_printf(out, "    if (%s%s)\n    ", name, one);
            mlc_buf_printf(out, "    mlc_vec_push(&%s, %s%s);\n", vec, name, one);
        }
    }
}

static void
print_segments(MlcBuf *out, const char *attr, const MlcValueDef *values, size_t n, bool are_types)
{
    mlc_buf_printf(out, "    int32_t sizes_%s[%zu];\n", attr, n ? n : 1);
    for (size_t i = 0; i < n; i++)
        mlc_buf_printf(out,
                       is_many(&values[i]) ? "    sizes_%s[%zu] = (int32_t)num_%s%s;\n"
                       : values[i].arity == MLC_OPTIONAL ? "    sizes_%s[%zu] = %s%s ? 1 : 0;\n"
                                                         : "    sizes_%s[%zu] = 1;\n",
                       attr, i, values[i].name,
                       is_many(&values[i]) ? are_types ? "" : "_"
                       : are_types         ? "_type"
                                           : "_");
    mlc_buf_printf(out,
                   "    attrs[num_attrs++] = mlc_named(b->ctx, \"%s\", "
                   "mlc_i32_array_attr_get(b->ctx, sizes_%s, %zu));\n",
                   attr, attr, n);
}

static void
print_build(Header *h, const char *name, const MlcOpDef *op)
{
    if (op->num_successors)
        return;
    MlcBuf *out = h->out;
    bool infers = infers_results(op);
    size_t num_regions = 0;
    mlc_buf_printf(out, "static inline MlcOp *\nmlc_%s_build", name);
    print_build_params(h, op, infers);
    mlc_buf_printf(out, "{\n    MlcNamedAttr attrs[%u];\n    size_t num_attrs = 0;\n",
                   op->num_attrs + 1);
    mlc_buf_append_c(
        out, "    MlcTypeVec types = {NULL, 0, 0};\n    MlcValueVec values = {NULL, 0, 0};\n");
    if (!infers)
        print_pushes(out, "types", op->results, op->num_results, "_type", "_types");
    print_pushes(out, "values", op->operands, op->num_operands, "_", "_");
    for (size_t i = 0; i < op->num_attrs; i++)
        if (is_required(&op->attrs[i]))
            mlc_buf_printf(out, "    attrs[num_attrs++] = mlc_named(b->ctx, \"%s\", %s_);\n",
                           op->attrs[i].name, op->attrs[i].name);
    if (mlc_op_def_has_trait(op, MLC_TRAIT_ATTR_SIZED_OPERANDS))
        print_segments(out, "operandSegmentSizes", op->operands, op->num_operands, false);
    if (mlc_op_def_has_trait(op, MLC_TRAIT_ATTR_SIZED_RESULTS) && !infers)
        print_segments(out, "resultSegmentSizes", op->results, op->num_results, true);
    for (size_t i = 0; i < op->num_regions; i++)
        num_regions += op->regions[i].arity == MLC_ONE;
    mlc_buf_printf(out,
                   "    MlcOp *made = mlc_build_op(b, \"%s\", types.data, %s, values.data, "
                   "values.size, attrs, num_attrs, %zu",
                   op->name, infers ? "MLC_INFER_RESULTS" : "types.size", num_regions);
    for (size_t i = 0; i < op->num_regions; i++)
        if (op->regions[i].arity != MLC_ONE)
            mlc_buf_printf(out, " + num_%s_", op->regions[i].name);
    mlc_buf_append_c(
        out,
        ");\n    mlc_vec_release(&types);\n    mlc_vec_release(&values);\n    return made;\n}\n");
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
    is_first(h, mlc_arena_printf(&h->gen->arena, "mlc_%s_build", name).data);
    print_value_accessors(h, name, "operand", op->operands, op->num_operands);
    print_value_accessors(h, name, "result", op->results, op->num_results);
    print_other_accessors(h, name, op);
    print_build(h, name, op);
}

// Names of hooks, vtables and definitions are taken before accessors are.
static void
reserve_symbols(Header *h)
{
    MLC_MAP_FOR_EACH (entry, &h->d->loader.symbols)
        is_first(h, mlc_map_entry_value(entry));
    for (size_t i = 0; i < h->d->def->num_ops; i++) {
        const char *op = gen_c_name(h->gen, h->d->def->ops[i]->name);
        static const char *const suffixes[] = {"def", "isa", "build"};
        for (size_t k = 0; k < 3; k++)
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
        "// %s.h -- written by mlc-gen from %s.yaml: %s\n#ifndef "
        "MLC_DIALECTS_%s_H\n#define MLC_DIALECTS_%s_H\n\n"
        "#include \"mlc/ir/interfaces.h\"\n#include \"mlc/ir/rule.h\"\n\nMLC_BEGIN_DECLS\n\n"
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
