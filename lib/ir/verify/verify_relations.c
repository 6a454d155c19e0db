// verify_relations.c -- whether the types of an op relate as its record says.
#include "record/relation.h"
#include "verify_impl.h"

#include "mlc/ir/diag.h"

#include <stdlib.h>

void
mlc_types_at(MlcOp *op, MlcPlaceRef place, MlcTypeVec *out)
{
    size_t first = 0, count = 0;
    MlcAttr attr;
    switch (place.place) {
    case MLC_PLACE_OPERAND:
        mlc_op_operand_group(op, place.index, &first, &count);
        break;
    case MLC_PLACE_ALL_OPERANDS:
        count = mlc_op_num_operands(op);
        break;
    case MLC_PLACE_RESULT:
        mlc_op_result_group(op, place.index, &first, &count);
        break;
    case MLC_PLACE_ALL_RESULTS:
        count = mlc_op_num_results(op);
        break;
    case MLC_PLACE_ATTR:
        attr = mlc_op_slot(op, place.index);
        if (attr && mlc_attr_is(attr, MLC_ATTR_TYPE))
            mlc_vec_push(out, mlc_type_attr_value(attr));
        else if (attr && mlc_attr_type(attr))
            mlc_vec_push(out, mlc_attr_type(attr));
        else if (mlc_attr_is(attr, MLC_ATTR_STRING))
            mlc_vec_push(out, mlc_none_type_get(mlc_op_context(op)));
        return;
    default:
        return;
    }
    bool is_operand = place.place == MLC_PLACE_OPERAND || place.place == MLC_PLACE_ALL_OPERANDS;
    for (size_t i = first; i < first + count; i++)
        mlc_vec_push(out,
                     mlc_value_type(is_operand ? mlc_op_operand(op, i) : mlc_op_result(op, i)));
}

static MlcType
element_or_self(MlcType type)
{
    return mlc_type_is_shaped(type) ? mlc_type_element(type) : type;
}

static bool
tensor_shapes_agree(MlcType a, MlcType b)
{
    size_t rank_a = mlc_type_is(a, MLC_TYPE_TENSOR) ? mlc_type_rank(a) : 0;
    size_t rank_b = mlc_type_is(b, MLC_TYPE_TENSOR) ? mlc_type_rank(b) : 0;
    return rank_a == rank_b && (rank_a == 0 || memcmp(mlc_type_shape(a), mlc_type_shape(b),
                                                      rank_a * sizeof(int64_t)) == 0);
}

static bool
agree(uint8_t kind, MlcType a, MlcType b)
{
    bool shaped = mlc_type_is_shaped(a) && mlc_type_is_shaped(b);
    bool ranked = shaped && mlc_type_has_rank(a) && mlc_type_has_rank(b);
    switch (kind) {
    case MLC_RELATION_SAME_TYPE:
        return a == b;
    case MLC_RELATION_SAME_ELEMENT:
        return element_or_self(a) == element_or_self(b);
    case MLC_RELATION_SAME_RANK:
        return !ranked ? mlc_type_is_shaped(a) == mlc_type_is_shaped(b)
                       : mlc_type_rank(a) == mlc_type_rank(b);
    case MLC_RELATION_SAME_TENSOR_SHAPE:
        return tensor_shapes_agree(a, b);
    case MLC_RELATION_SCALAR_OR_SHAPE:
        if (!mlc_type_is_shaped(a))
            return true;
        // fall through
    default:
        if (!ranked)
            return mlc_type_is_shaped(a) == mlc_type_is_shaped(b);
        return mlc_type_rank(a) == mlc_type_rank(b) &&
               memcmp(mlc_type_shape(a), mlc_type_shape(b), mlc_type_rank(a) * sizeof(int64_t)) ==
                   0;
    }
}

static bool
members_agree(MlcOp *op, const MlcRelation *r)
{
    MlcTypeVec types = {0};
    for (size_t i = 0; i < r->num_members; i++)
        mlc_types_at(op, r->members[i], &types);
    bool ok = true;
    for (size_t i = 1; ok && i < types.size; i++)
        ok = agree(r->kind, types.data[0], types.data[i]);
    mlc_vec_release(&types);
    return ok;
}

// Part of a type that SAME_PART compares: a number where it is one.
typedef struct Part {
    MlcAttr attr; // NULL: a number
    int64_t number;
} Part;

// False if the type has no such part, or one that is not known before the program runs.
static bool
part_of(MlcType type, MlcStr name, Part *part)
{
    const MlcTypeDef *def = mlc_dialect_type_def(type);
    *part = (Part){0};
    for (size_t i = 0; def && i < def->num_params; i++)
        if (mlc_str_equal(name, mlc_str(def->params[i].name)))
            part->attr = mlc_dialect_type_param(type, i);
    if (part->attr && mlc_attr_is(part->attr, MLC_ATTR_INTEGER) &&
        mlc_attr_try_as_int(part->attr, &part->number))
        return part->attr = NULL, true;
    if (def || !mlc_type_is_shaped(type) || !mlc_type_has_rank(type))
        return part->attr != NULL;
    char *end;
    size_t dim = strtoul(name.data, &end, 10);
    if (end != name.data + name.size || dim >= mlc_type_rank(type))
        return false;
    part->number = mlc_type_shape(type)[dim];
    return part->number != MLC_DYNAMIC;
}

// Whether the parts are equal, as far as they are known; appends them to `got`.
static bool
parts_agree(MlcOp *op, const MlcRelation *r, MlcBuf *got)
{
    MLC_VEC(Part) parts = {0};
    const char *at = r->text;
    bool ok = true;
    for (size_t i = 0; i < r->num_members; i++) {
        MlcStr name = mlc_str_n(at, strcspn(at, " "));
        at += name.size + (i + 1 < r->num_members);
        MlcTypeVec types = {0};
        mlc_types_at(op, r->members[i], &types);
        Part part;
        for (size_t k = 0; k < types.size; k++) {
            if (!part_of(types.data[k], name, &part))
                continue;
            mlc_vec_push(&parts, part);
            ok = ok && part.attr == parts.data[0].attr && part.number == parts.data[0].number;
            mlc_buf_append_c(got, parts.size > 1 ? ", " : "");
            if (part.attr)
                mlc_buf_append_c(got, mlc_attr_text(part.attr));
            else
                mlc_buf_append_int(got, part.number);
        }
        mlc_vec_release(&types);
    }
    mlc_vec_release(&parts);
    return ok;
}

static bool
follows(MlcOp *op, const MlcRelation *r)
{
    MlcTypeVec from = {0}, to = {0};
    MlcContext *ctx = mlc_op_context(op);
    mlc_types_at(op, r->to, &to);
    if (r->kind != MLC_RELATION_EXACTLY)
        mlc_types_at(op, r->from, &from);
    bool ok = true;
    if (r->kind == MLC_RELATION_INPUTS || r->kind == MLC_RELATION_RESULTS) {
        MlcType f = from.size ? from.data[0] : NULL;
        bool inputs = r->kind == MLC_RELATION_INPUTS;
        if (f && mlc_type_is(f, MLC_TYPE_FUNCTION)) {
            const MlcType *want =
                inputs ? mlc_function_type_inputs(f) : mlc_function_type_results(f);
            size_t count =
                inputs ? mlc_function_type_num_inputs(f) : mlc_function_type_num_results(f);
            ok = count == to.size &&
                 (count == 0 || memcmp(want, to.data, count * sizeof *want) == 0);
        }
    } else if (from.size || r->kind == MLC_RELATION_EXACTLY) {
        bool pairwise = from.size > 1 && from.size == to.size;
        if (r->kind == MLC_RELATION_REPEAT_ELEMENT && mlc_type_is_shaped(from.data[0]) &&
            mlc_type_has_rank(from.data[0]) && mlc_type_has_static_shape(from.data[0]))
            ok = (int64_t)to.size == mlc_type_num_elements(from.data[0]);
        for (size_t i = 0; ok && i < to.size; i++) {
            MlcType want =
                mlc_relation_derive(ctx, r, from.size ? from.data[pairwise ? i : 0] : NULL);
            ok = want == to.data[i] || (!want && r->kind != MLC_RELATION_PARAMETER);
        }
    }
    mlc_vec_release(&from);
    mlc_vec_release(&to);
    return ok;
}

static const char *
place_name(const MlcOpDef *def, MlcPlaceRef place)
{
    switch (place.place) {
    case MLC_PLACE_OPERAND:
        return def->operands[place.index].name;
    case MLC_PLACE_RESULT:
        return def->results[place.index].name;
    case MLC_PLACE_ATTR:
        return def->attrs[place.index].name;
    case MLC_PLACE_ALL_OPERANDS:
        return "operands";
    default:
        return "results";
    }
}

static void
describe(MlcBuf *buf, const MlcOpDef *def, const MlcRelation *r)
{
    static const char *const same[] = {"same type", "same element type", "same shape",
                                       "same rank", "same tensor shape", "same shape"};
    if (r->kind == MLC_RELATION_SAME_PART) {
        const char *at = r->text;
        for (size_t i = 0; i < r->num_members; i++) {
            int size = (int)strcspn(at, " ");
            mlc_buf_printf(buf, "%s%s.%.*s", i ? ", " : "all of {", place_name(def, r->members[i]),
                           size, at);
            at += size + (i + 1 < r->num_members);
        }
        mlc_buf_append_c(buf, "} are equal");
        return;
    }
    if (mlc_relation_is_among(r)) {
        mlc_buf_append_c(buf, "all of {");
        for (size_t i = 0; i < r->num_members; i++)
            mlc_buf_printf(buf, "%s%s", i ? ", " : "", place_name(def, r->members[i]));
        mlc_buf_printf(buf, "} have %s", same[r->kind - MLC_RELATION_SAME_TYPE]);
        return;
    }
    const char *to = place_name(def, r->to),
               *from = r->kind == MLC_RELATION_EXACTLY ? "" : place_name(def, r->from);
    switch (r->kind) {
    case MLC_RELATION_TYPE_OF:
        mlc_buf_printf(buf, "all of {%s, %s} have same type", to, from);
        break;
    case MLC_RELATION_EXACTLY:
        mlc_buf_printf(buf, "type of '%s' is %s", to, r->text);
        break;
    case MLC_RELATION_LIKE:
        mlc_buf_printf(buf, "type of '%s' is %s with the shape of '%s'", to, r->text, from);
        break;
    case MLC_RELATION_ELEMENT:
    case MLC_RELATION_REPEAT_ELEMENT:
        mlc_buf_printf(buf, "type of '%s' matches element type of '%s'", to, from);
        break;
    case MLC_RELATION_PARAMETER:
        mlc_buf_printf(buf, "type of '%s' is parameter '%s' of '%s'", to, r->text, from);
        break;
    case MLC_RELATION_TENSOR_OF:
        mlc_buf_printf(buf, "type of '%s' is the tensor equivalent of '%s'", to, from);
        break;
    case MLC_RELATION_MEMREF_OF:
        mlc_buf_printf(buf, "type of '%s' is the memref equivalent of '%s'", to, from);
        break;
    default:
        mlc_buf_printf(buf, "types of '%s' are the %s of '%s'", to,
                       r->kind == MLC_RELATION_INPUTS ? "inputs" : "results", from);
    }
}

bool
mlc_relation_verify(MlcOp *op, const MlcRelation *relation)
{
    MlcBuf text = {0}, got = {0};
    bool ok = relation->kind == MLC_RELATION_SAME_PART ? parts_agree(op, relation, &got)
              : mlc_relation_is_among(relation)        ? members_agree(op, relation)
                                                       : follows(op, relation);
    if (!ok) {
        if (relation->message)
            mlc_buf_append_c(&text, relation->message);
        else
            describe(&text, mlc_op_def(op), relation);
        mlc_op_error(op, got.size ? "failed to verify that %s: %s" : "failed to verify that %s",
                     mlc_buf_c_str(&text), mlc_buf_c_str(&got));
    }
    mlc_buf_release(&text);
    mlc_buf_release(&got);
    return ok;
}
