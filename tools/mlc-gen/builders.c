// builders.c -- the builder of each op in mlc/dialects/<d>.h.
//
//     MlcValue *mlc_arith_addf(MlcBuilder *b, MlcValue *lhs, MlcValue *rhs);
//
// Types of results come first, where they do not follow from the rest; then operands, attributes
// that must be given, as C values (c_value.c), successors, and the number of regions where that is
// free. An op of one result gives that, any other one itself. Attributes that may be left out are
// set afterwards. Where a function of the op says the types of results, they may depend on such
// attributes, or know less than the caller: mlc_graph_cast_as(b, type, input) takes them, too.
#include "gen.h"

typedef struct Builder {
    Gen *gen;
    const GenDialect *d;
    const MlcOpDef *op;
    MlcBuf *out;
    bool infers; // result types follow
} Builder;

static bool
has_one_type(const MlcConstraint *c)
{
    bool one_sign = c->b == 1 || c->b == 2 || c->b == 4;
    return (c->kind == MLC_CONSTRAINT_INTEGER && c->a && one_sign) ||
           c->kind == MLC_CONSTRAINT_SAME ||
           (c->kind == MLC_CONSTRAINT_TYPE_KIND && c->a == 1 << MLC_TYPE_INDEX);
}

static bool
is_one_operand(const MlcOpDef *op, MlcPlaceRef place)
{
    return place.place == MLC_PLACE_OPERAND && op->operands[place.index].arity == MLC_ONE;
}

// Whether a relation of the record gives the type of result `i` from that of an operand.
static bool
follows_from_operand(const MlcOpDef *op, size_t i)
{
    for (size_t k = 0; k < op->num_relations; k++) {
        const MlcRelation *r = &op->relations[k];
        bool is_member = false, has_operand = false;
        if (r->kind < MLC_RELATION_SAME_TYPE && r->to.place == MLC_PLACE_RESULT &&
            r->to.index == i && (r->kind == MLC_RELATION_EXACTLY || is_one_operand(op, r->from)))
            return true;
        for (size_t m = 0; r->kind == MLC_RELATION_SAME_TYPE && m < r->num_members; m++) {
            is_member |= r->members[m].place == MLC_PLACE_RESULT && r->members[m].index == i;
            has_operand |= is_one_operand(op, r->members[m]);
        }
        if (is_member && has_operand)
            return true;
    }
    return false;
}

static bool
has_own_inference(const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_interfaces; i++)
        if (op->interfaces[i].id == MLC_INTERFACE_INFER_TYPES)
            return true;
    return false;
}

// Whether mlc_infer_types can say the result types.
static bool
infers_results(const MlcOpDef *op)
{
    if (has_own_inference(op))
        return true;
    if (mlc_op_def_has_trait(op, MLC_TRAIT_SAME_OPERANDS_AND_RESULT_TYPE))
        return op->num_operands > 0;
    for (size_t i = 0; i < op->num_results; i++)
        if (op->results[i].arity != MLC_ONE ||
            !(has_one_type(op->results[i].type) || follows_from_operand(op, i)))
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
        if (is_required(&op->attrs[i]))
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
        any |= is_required(&op->attrs[i]);
    if (!any)
        return "NULL";
    mlc_buf_printf(b->out, "    MlcAttr attrs_[%u] = {NULL};\n", op->num_attrs);
    for (size_t i = 0; i < op->num_attrs; i++) {
        if (!is_required(&op->attrs[i]))
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
    print_builder(gen, d, op, name, infers_results(op), out);
    if (has_own_inference(op))
        print_builder(gen, d, op, mlc_arena_printf(&gen->arena, "%s_as", name).data, false, out);
}
