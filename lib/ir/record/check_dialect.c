// check_dialect.c -- what a loaded dialect's records hold as text: types, attributes, maps, bodies,
// names of ops.
//
// The loader, which mlc-gen shares, cannot read them, and whoever asks for them first has no place
// to point at. So they are read once when the dialect is there, since they may name what it
// defines.
#include <dlfcn.h>

#include "check_dialect.h"
#include "check_relations.h"
#include "context/diag_impl.h"
#include "did_you_mean.h"
#include "mlc/ir/affine.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/loc.h"
#include "relation.h"

typedef struct Check {
    MlcContext *ctx;
    MlcYamlLoader *l;
} Check;

static const MlcYaml *
node_of(const Check *c, const void *part)
{
    return mlc_map_get(&c->l->nodes, part);
}

// --- texts

bool
mlc_loader_is_type(void *user, const char *text, MlcBuf *error)
{
    MlcContext *ctx = user;
    MlcDiagList faults = {0};
    mlc_diag_capture_begin(ctx, &faults);
    MlcType type = ctx->text->parse_type(ctx, mlc_str(text));
    mlc_diag_capture_end(ctx, &faults);
    mlc_diag_take_message(ctx, &faults, error);
    return type != NULL;
}

bool
mlc_loader_is_attr(void *user, const char *text, const MlcConstraint *constraint, MlcBuf *error)
{
    MlcContext *ctx = user;
    MlcDiagList faults = {0};
    mlc_diag_capture_begin(ctx, &faults);
    MlcAttr attr = ctx->text->parse_attr(ctx, mlc_str(text));
    mlc_diag_capture_end(ctx, &faults);
    mlc_diag_take_message(ctx, &faults, error);
    if (!attr || !constraint || mlc_constraint_check_attr(constraint, attr))
        return attr != NULL;
    mlc_buf_printf(error, "it must be %s", constraint->summary);
    return false;
}

static void
check_default(Check *c, const void *part, const char *what, const char *name, const char *text,
              const MlcConstraint *constraint)
{
    const MlcYaml *node = node_of(c, part);
    MlcBuf error = {0};
    if (text && node && !mlc_loader_is_attr(c->ctx, text, constraint, &error))
        mlc_yaml_loader_fail(c->l, mlc_yaml_get(node, "default"),
                             "'%s' is no default of %s '%s': %s", text, what, name,
                             mlc_buf_c_str(&error));
    mlc_buf_release(&error);
}

static void
check_params(Check *c, const MlcParamDef *params, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check_default(c, &params[i], "parameter", params[i].name, params[i].default_text,
                      params[i].is_list ? NULL : params[i].constraint);
}

// --- types that relations and constraints name

static void
check_types(Check *c)
{
    for (size_t i = 0; i < c->l->types.size; i++) {
        MlcBuf error = {0};
        const char *text = c->l->types.data[i].text;
        if (!mlc_loader_is_type(c->ctx, text, &error))
            mlc_yaml_loader_fail(c->l, c->l->types.data[i].node, "'%s' is no type: %s", text,
                                 mlc_buf_c_str(&error));
        mlc_buf_release(&error);
    }
}

static void
check_attrs(Check *c)
{
    for (size_t i = 0; i < c->l->attrs.size; i++) {
        MlcBuf error = {0};
        const char *text = c->l->attrs.data[i].text;
        if (!mlc_loader_is_attr(c->ctx, text, NULL, &error))
            mlc_yaml_loader_fail(c->l, c->l->attrs.data[i].node, "'%s' is no attribute: %s", text,
                                 mlc_buf_c_str(&error));
        mlc_buf_release(&error);
    }
}

// As many constraints of parameters as the definition beside them has parameters.
static void
check_parameters(Check *c, const void *part, const MlcConstraint *constraint)
{
    const MlcConstraint *params = mlc_constraint_part(constraint, MLC_CONSTRAINT_PARAMETERS);
    const MlcConstraint *type = mlc_constraint_part(constraint, MLC_CONSTRAINT_DIALECT_TYPE);
    const MlcConstraint *attr = mlc_constraint_part(constraint, MLC_CONSTRAINT_DIALECT_ATTR);
    const MlcTypeDef *t = type ? mlc_context_type(c->ctx, mlc_str(type->names[0])) : NULL;
    const MlcAttrDef *a = attr ? mlc_context_attr(c->ctx, mlc_str(attr->names[0])) : NULL;
    size_t n = t ? t->num_params : a ? a->num_params : 0;
    if (params && (t || a) && params->num_args != n)
        mlc_yaml_loader_fail(c->l, mlc_yaml_get(node_of(c, part), "type"),
                             "'%s' has %zu parameters, and here are %u", t ? t->name : a->name, n,
                             params->num_args);
    bool is_list = constraint && (constraint->kind == MLC_CONSTRAINT_ANY_OF ||
                                  constraint->kind == MLC_CONSTRAINT_PARAMETERS ||
                                  constraint->kind == MLC_CONSTRAINT_ALL_OF);
    for (size_t i = 0; is_list && i < constraint->num_args; i++)
        if (constraint->kind != MLC_CONSTRAINT_ALL_OF || !params)
            check_parameters(c, part, constraint->args[i]);
}

static const MlcConstraint *
constraint_of(const MlcOpDef *op, MlcPlaceRef place)
{
    return place.place == MLC_PLACE_OPERAND  ? op->operands[place.index].type
           : place.place == MLC_PLACE_RESULT ? op->results[place.index].type
                                             : NULL;
}

static void
no_parameter(Check *c, const MlcYaml *node, const MlcTypeDef *type, MlcStr name)
{
    MlcNames names = {0};
    for (size_t i = 0; i < type->num_params; i++)
        mlc_vec_push(&names, mlc_str(type->params[i].name));
    mlc_yaml_loader_fail(c->l, node, "'%s' has no parameter '%.*s'%s", type->name,
                         MLC_STR_FMT(name), mlc_did_you_mean(c->l->arena, name, &names));
}

// `x.rows` of an x whose type has no parameter `rows`, or `y = x.rows` where it is no type.
static void
check_part(Check *c, const MlcYaml *node, const MlcConstraint *constraint, MlcStr name,
           bool must_be_type)
{
    const MlcConstraint *part =
        constraint ? mlc_constraint_part(constraint, MLC_CONSTRAINT_DIALECT_TYPE) : NULL;
    const MlcTypeDef *type = part ? mlc_context_type(c->ctx, mlc_str(part->names[0])) : NULL;
    const MlcParamDef *found = NULL;
    for (size_t n = 0; type && n < type->num_params && !found; n++)
        if (mlc_str_equal(name, mlc_str(type->params[n].name)))
            found = &type->params[n];
    if (type && !found)
        no_parameter(c, node, type, name);
    const MlcConstraint *kind =
        found && must_be_type ? mlc_constraint_part(found->constraint, MLC_CONSTRAINT_ATTR_KIND)
                              : NULL;
    if (kind && !(kind->a >> MLC_ATTR_TYPE & 1))
        mlc_yaml_loader_fail(c->l, node, "parameter '%s' of '%s' is no type", found->name,
                             type->name);
}

static void
check_parts(Check *c, const MlcOpDef *op)
{
    const MlcYaml *list = mlc_yaml_get(node_of(c, op), "relations");
    for (size_t i = 0; list && i < op->num_relations; i++) {
        const MlcRelation *r = &op->relations[i];
        const char *at = r->kind == MLC_RELATION_SAME_PART ? r->text : "";
        if (r->kind == MLC_RELATION_PARAMETER)
            check_part(c, list->items[i], constraint_of(op, r->from), mlc_str(r->text), true);
        for (size_t k = 0; *at && k < r->num_members; k++) {
            MlcStr name = mlc_str_n(at, strcspn(at, " "));
            at += name.size + (k + 1 < r->num_members);
            check_part(c, list->items[i], constraint_of(op, r->members[k]), name, false);
        }
    }
}

// Of `args` or `yields`: parameters of types are there.
static void
check_signature(Check *c, const MlcOpDef *op, const MlcYaml *list, const MlcRelation *types,
                size_t num_types)
{
    for (size_t i = 0; i < num_types; i++)
        if (types[i].kind == MLC_RELATION_PARAMETER)
            check_part(c, list->items[i], constraint_of(op, types[i].from), mlc_str(types[i].text),
                       true);
}

static void
check_signatures(Check *c, const MlcOpDef *op)
{
    const MlcRegionSignature *all = mlc_op_def_interface(op, MLC_INTERFACE_SIGNATURES);
    for (size_t i = 0; all && i < op->num_regions; i++) {
        const MlcYaml *node = mlc_map_get(&c->l->nodes, &op->regions[i]);
        check_signature(c, op, mlc_yaml_get(node, "args"), all[i].args, all[i].num_args);
        check_signature(c, op, mlc_yaml_get(node, "yields"), all[i].yields, all[i].num_yields);
    }
}

static void
check_customs(Check *c)
{
    for (size_t i = 0; i < c->l->customs.size; i++)
        if (!c->ctx->text->has_directive(mlc_str(c->l->customs.data[i].text)))
            mlc_yaml_loader_fail(c->l, c->l->customs.data[i].node,
                                 "there is no directive custom<%s>", c->l->customs.data[i].text);
}

// --- structured ops

static bool
check_map(Check *c, const MlcYaml *node, const MlcStructuredDef *def, const char *text)
{
    MlcDiagList faults = {0};
    MlcBuf error = {0};
    mlc_diag_capture_begin(c->ctx, &faults);
    MlcAffineMap map = c->ctx->text->parse_affine_map(c->ctx, mlc_str(text));
    mlc_diag_capture_end(c->ctx, &faults);
    mlc_diag_take_message(c->ctx, &faults, &error);
    if (!map)
        mlc_yaml_loader_fail(c->l, node, "'%s' is no map: %s", text, mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    if (!map)
        return false;
    if (mlc_affine_map_num_dims(map) != def->num_loops)
        return mlc_yaml_loader_fail(c->l, node, "the map is of %u loops, and there are %u",
                                    mlc_affine_map_num_dims(map), def->num_loops);
    return mlc_affine_map_num_symbols(map) <= def->num_symbols ||
           mlc_yaml_loader_fail(c->l, node, "the map has %u symbols, and 'symbols' names %zu",
                                mlc_affine_map_num_symbols(map), def->num_symbols);
}

static void
check_maps(Check *c, const MlcOpDef *op)
{
    const MlcStructuredDef *def = op->structured;
    const MlcYaml *node = mlc_yaml_get(node_of(c, op), "structured");
    for (size_t i = 0; i < (size_t)def->num_ins + def->num_outs; i++) {
        bool is_out = i >= def->num_ins;
        const MlcYaml *list = mlc_yaml_get(node, is_out ? "outs" : "ins");
        const MlcYaml *map = mlc_yaml_get(list->items[is_out ? i - def->num_ins : i], "map");
        if (map)
            check_map(c, map, def, def->maps[i]);
    }
}

// Bodies are read by linalg, as they are when an op is made of them.
static void
check_body(Check *c, const MlcOpDef *op)
{
    const MlcYaml *node = node_of(c, op);
    const MlcYaml *body =
        mlc_yaml_get(op->structured ? mlc_yaml_get(node, "structured") : node, "body");
    bool (*check)(MlcContext *, const MlcOpDef *, MlcLoc);
    void *address = dlsym(RTLD_DEFAULT, "mlc_body_check");
    memcpy(&check, &address, sizeof check);
    if (body && check &&
        !check(c->ctx, op, mlc_loc_file(c->ctx, mlc_str(body->filename), body->line, body->column)))
        c->l->num_faults++;
}

// --- names of ops

// The op; NULL after a fault, or if its dialect is not known yet.
static const MlcOpDef *
find_op(Check *c, const MlcYaml *node, const char *name)
{
    const char *dot = strchr(name, '.');
    const MlcOpDef *op = mlc_context_op(c->ctx, mlc_str(name));
    const MlcDialectDef *dialect =
        dot ? mlc_context_dialect(c->ctx, mlc_str_n(name, (size_t)(dot - name))) : c->l->dialect;
    if (!op && dialect)
        mlc_yaml_loader_fail(c->l, node, "there is no op '%s'%s", name,
                             mlc_did_you_mean_op(c->l->arena, mlc_str(name), dialect));
    return op;
}

static void
check_names(Check *c, const MlcOpDef *op)
{
    const MlcYaml *node = node_of(c, op), *parents = mlc_yaml_get(node, "parents");
    for (size_t i = 0; op->parents && op->parents[i]; i++)
        find_op(c, parents->items[i], op->parents[i]);
    const MlcYaml *last = mlc_yaml_get(node, "implicit_terminator");
    const MlcOpDef *terminator = last ? find_op(c, last, op->implicit_terminator) : NULL;
    if (terminator && !mlc_op_def_has_trait(terminator, MLC_TRAIT_TERMINATOR))
        mlc_yaml_loader_fail(c->l, last, "'%s' is no terminator", terminator->name);
    for (size_t i = 0; terminator && i < terminator->num_operands; i++)
        if (terminator->operands[i].arity == MLC_ONE) {
            mlc_yaml_loader_fail(c->l, last,
                                 "'%s' has operands, so it cannot stand where nobody wrote it",
                                 terminator->name);
            break;
        }
}

bool
mlc_check_dialect(MlcContext *ctx, MlcYamlLoader *loader, const MlcDialectDef *dialect)
{
    Check check = {ctx, loader}, *c = &check;
    check_types(c);
    check_attrs(c);
    check_customs(c);
    for (size_t i = 0; i < dialect->num_types; i++)
        check_params(c, dialect->types[i]->params, dialect->types[i]->num_params);
    for (size_t i = 0; i < dialect->num_attrs; i++)
        check_params(c, dialect->attrs[i]->params, dialect->attrs[i]->num_params);
    for (size_t i = 0; i < dialect->num_ops; i++) {
        const MlcOpDef *op = dialect->ops[i];
        for (size_t k = 0; k < op->num_attrs; k++)
            check_default(c, &op->attrs[k], "attribute", op->attrs[k].name,
                          op->attrs[k].default_text, op->attrs[k].constraint);
        for (size_t k = 0; k < op->num_operands; k++)
            check_parameters(c, &op->operands[k], op->operands[k].type);
        for (size_t k = 0; k < op->num_results; k++)
            check_parameters(c, &op->results[k], op->results[k].type);
        for (size_t k = 0; k < op->num_attrs; k++)
            check_parameters(c, &op->attrs[k], op->attrs[k].constraint);
        if (op->structured)
            check_maps(c, op);
        check_body(c, op);
        check_names(c, op);
    }
    bool can_read = !loader->num_faults; // types of relations, too
    for (size_t i = 0; i < dialect->num_ops && can_read; i++) {
        mlc_check_relations(ctx, loader, dialect->ops[i]);
        check_parts(c, dialect->ops[i]);
        check_signatures(c, dialect->ops[i]);
    }
    return loader->num_faults == 0;
}
