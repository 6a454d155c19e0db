// builders.c -- the builder of each op in mlc/dialects/<d>.h.
//
//     MlcValue *mlc_arith_addf(MlcBuilder *b, MlcValue *lhs, MlcValue *rhs);
//
// Types of results come first, where they do not follow from the rest; then operands, attributes
// that must be given, as C values (c_value.c), successors, and the number of regions where that is
// free. An op of one result gives that, any other one itself. Attributes that may be left out are
// set afterwards, unless result types follow from them: then they are given, NULL for "left out".
// Where a function of the op says the types of results, it may know less than the caller:
// mlc_graph_add_as(b, type, x, y) takes them, too.
#include "gen.h"

typedef struct Builder {
    Gen *gen;
    const GenDialect *d;
    const MlcOpDef *op;
    MlcBuf *out;
    bool infers; // result types follow
} Builder;

static bool
has_own_inference(const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_interfaces; i++)
        if (op->interfaces[i].id == MLC_INTERFACE_INFER_TYPES)
            return true;
    return false;
}

// Whether builders take the attribute.
static bool
is_given(const MlcAttrSlot *slot)
{
    bool is_required = !slot->optional && !slot->default_text;
    return slot->infers || (is_required && !strchr(slot->name, '.'));
}

// --- whether result types follow: mlc_relations_complete, of what is known (KNOWN) or not (NULL)

static const char known[] = "";
#define KNOWN ((MlcType)(const void *)known)

typedef struct View {
    MlcTypeView view;
    const Gen *gen;
    MlcType operand;  // of any group of one
    MlcType *results; // one per group
} View;

// Of a dialect's types, those without parameters are one.
static bool
has_parameters(const Gen *gen, const char *type)
{
    for (size_t i = 0; i < gen->dialects.size; i++) {
        const MlcDialectDef *d = gen->dialects.data[i]->def;
        for (size_t k = 0; d && k < d->num_types; k++)
            if (strcmp(d->types[k]->name, type) == 0)
                return d->types[k]->num_params > 0;
    }
    return true;
}

static MlcType
only_type(const MlcTypeView *view, const MlcConstraint *constraint)
{
    const MlcConstraint *only = mlc_constraint_only(constraint);
    return only && !(only->kind == MLC_CONSTRAINT_DIALECT_TYPE &&
                     has_parameters(((const View *)view)->gen, only->names[0]))
               ? KNOWN
               : NULL;
}

static MlcType
derive(const MlcTypeView *view, const MlcRelation *relation, MlcType from)
{
    (void)view;
    return relation->kind == MLC_RELATION_EXACTLY ? KNOWN : from;
}

// Lists are of groups of any size, which an op cannot infer.
static bool
list(const MlcRelation *relation, MlcType from, const MlcType **types, size_t *count)
{
    (void)relation, (void)from, (void)types, (void)count;
    return false;
}

static bool
group(MlcTypeView *view, MlcPlaceRef place, MlcType **types, size_t *count)
{
    View *v = (View *)view;
    const MlcOpDef *op = view->def;
    *count = 1;
    if (place.place == MLC_PLACE_OPERAND && op->operands[place.index].arity == MLC_ONE)
        return v->operand = KNOWN, *types = &v->operand, true;
    if (place.place == MLC_PLACE_RESULT && op->results[place.index].arity == MLC_ONE)
        return *types = &v->results[place.index], true;
    return false;
}

// Relations name attributes that have a type.
static MlcType
attr_type(MlcTypeView *view, size_t slot)
{
    return is_given(&view->def->attrs[slot]) ? KNOWN : NULL;
}

static void
set_group(MlcTypeView *view, MlcPlaceRef place, const MlcType *types, size_t count)
{
    (void)view, (void)place, (void)types, (void)count;
}

// Whether mlc_infer_types can say the result types.
static bool
infers_results(Gen *gen, const MlcOpDef *op)
{
    static const MlcTypeSteps steps = {.only = only_type, .derive = derive, .list = list};
    if (has_own_inference(op))
        return true;
    View v = {.view = {.def = op,
                       .steps = &steps,
                       .group = group,
                       .attr_type = attr_type,
                       .set_group = set_group},
              .gen = gen,
              .results = MLC_NEW_ARRAY(&gen->arena, MlcType, op->num_results)};
    mlc_relations_complete(&v.view);
    for (size_t i = 0; i < op->num_results; i++)
        if (!v.results[i])
            return false;
    return true;
}

// --- printing

static bool
is_many(const MlcValueDef *v)
{
    return v->arity == MLC_VARIADIC || v->arity == MLC_VARIADIC_OF_VARIADIC;
}

static void
print_params(Builder *b)
{
    const MlcOpDef *op = b->op;
    mlc_buf_append_c(b->out, "(MlcBuilder *b");
    for (size_t i = 0; !b->infers && i < op->num_results; i++) {
        const char *name = gen_snake(b->gen, op->results[i].name);
        mlc_buf_printf(b->out,
                       is_many(&op->results[i]) ? ", const MlcType *%s_types, size_t num_%s"
                                                : ", MlcType %s_type",
                       name, name);
    }
    for (size_t i = 0; i < op->num_operands; i++) {
        const char *name = gen_param(b->gen, op->operands[i].name);
        mlc_buf_printf(b->out,
                       is_many(&op->operands[i]) ? ", MlcValue *const *%s, size_t num_%s"
                                                 : ", MlcValue *%s",
                       name, name);
    }
    for (size_t i = 0; i < op->num_attrs; i++)
        if (is_given(&op->attrs[i]))
            gen_c_param(b->gen, b->d, &op->attrs[i], b->out);
    for (size_t i = 0; i < op->num_successors; i++)
        mlc_buf_printf(b->out, ", MlcBlock *%s", gen_param(b->gen, op->successors[i].name));
    for (size_t i = 0; i < op->num_regions; i++)
        if (op->regions[i].arity != MLC_ONE)
            mlc_buf_printf(b->out, ", size_t num_%s", gen_snake(b->gen, op->regions[i].name));
    mlc_buf_append_c(b->out, ")\n");
}

// The groups of operands, or of result types, as an array; "NULL" if there are none.
static const char *
print_groups(Builder *b, const char *array, const char *type, const MlcValueDef *values, size_t n,
             const char *suffix, const char *many)
{
    if (n == 0)
        return "NULL";
    mlc_buf_printf(b->out, "    const %s %s[] = {", type, array);
    for (size_t i = 0; i < n; i++) {
        const char *name =
            *suffix ? gen_snake(b->gen, values[i].name) : gen_param(b->gen, values[i].name);
        mlc_buf_append_c(b->out, i ? ", " : "");
        if (is_many(&values[i]))
            mlc_buf_printf(b->out, "{%s%s, num_%s}", name, many, name);
        else if (values[i].arity == MLC_OPTIONAL)
            mlc_buf_printf(b->out, "{&%s%s, %s%s != NULL}", name, suffix, name, suffix);
        else
            mlc_buf_printf(b->out, "{&%s%s, 1}", name, suffix);
    }
    mlc_buf_append_c(b->out, "};\n");
    return array;
}

static const char *
print_attrs(Builder *b)
{
    const MlcOpDef *op = b->op;
    bool any = false;
    for (size_t i = 0; i < op->num_attrs; i++)
        any |= is_given(&op->attrs[i]);
    if (!any)
        return "NULL";
    mlc_buf_printf(b->out, "    MlcAttr attrs_[%u] = {NULL};\n", op->num_attrs);
    for (size_t i = 0; i < op->num_attrs; i++) {
        if (!is_given(&op->attrs[i]))
            continue;
        mlc_buf_printf(b->out, "    attrs_[%zu] = ", i);
        gen_c_to_attr(b->gen, b->d, &op->attrs[i], "b->ctx", gen_param(b->gen, op->attrs[i].name),
                      b->out);
        mlc_buf_append_c(b->out, ";\n");
    }
    return "attrs_";
}

static const char *
print_successors(Builder *b)
{
    if (b->op->num_successors == 0)
        return "NULL";
    mlc_buf_append_c(b->out, "    MlcBlock *const successors_[] = {");
    for (size_t i = 0; i < b->op->num_successors; i++)
        mlc_buf_printf(b->out, "%s%s", i ? ", " : "", gen_param(b->gen, b->op->successors[i].name));
    mlc_buf_append_c(b->out, "};\n");
    return "successors_";
}

static void
print_builder(Gen *gen, const GenDialect *d, const MlcOpDef *op, const char *name, bool infers,
              MlcBuf *out)
{
    Builder b = {gen, d, op, out, infers};
    bool is_value = op->num_results == 1 && op->results[0].arity == MLC_ONE;
    size_t num_regions = 0;
    for (size_t i = 0; i < op->num_successors; i++)
        if (op->successors[i].arity != MLC_ONE)
            return; // as many blocks as a switch has cases
    mlc_buf_printf(out, "static inline %s *\n%s", is_value ? "MlcValue" : "MlcOp", name);
    print_params(&b);
    mlc_buf_append_c(out, "{\n");
    const char *types = "NULL";
    if (!b.infers)
        types =
            print_groups(&b, "types_", "MlcTypes", op->results, op->num_results, "_type", "_types");
    const char *operands =
        print_groups(&b, "operands_", "MlcValues", op->operands, op->num_operands, "", "");
    const char *attrs = print_attrs(&b), *successors = print_successors(&b);
    for (size_t i = 0; i < op->num_regions; i++)
        num_regions += op->regions[i].arity == MLC_ONE;
    mlc_buf_printf(out, "    return %smlc_build_groups(b, &mlc_%s_%s_def, %s, %s, %s, %s, %zu",
                   is_value ? "mlc_op_result(" : "", d->name, gen_c_name(gen, op->name), types,
                   operands, attrs, successors, num_regions);
    for (size_t i = 0; i < op->num_regions; i++)
        if (op->regions[i].arity != MLC_ONE)
            mlc_buf_printf(out, " + num_%s", gen_snake(gen, op->regions[i].name));
    mlc_buf_printf(out, ")%s;\n}\n", is_value ? ", 0)" : "");
}

void
gen_builder(Gen *gen, const GenDialect *d, const MlcOpDef *op, const char *name, MlcBuf *out)
{
    print_builder(gen, d, op, name, infers_results(gen, op), out);
    if (has_own_inference(op))
        print_builder(gen, d, op, mlc_arena_printf(&gen->arena, "%s_as", name).data, false, out);
}
