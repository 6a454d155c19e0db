// graph_lower.c -- graph ops that go element by element, and what all lowerings share.
#include "graph_lower.h"

#include "mlc/dialects/graph_sizes.h"
#include "mlc/support/map.h"

#include <math.h>
#include <stdio.h>

MlcValue *
mlc_graph_lower_size(const MlcGraphLower *l, MlcAttr size)
{
    bool is_known = mlc_attr_is(size, MLC_ATTR_STRING) && mlc_string_attr_value(size).size > 0;
    return is_known ? mlc_size_in_function(l->function, size) : NULL;
}

MlcAttr
mlc_graph_lower_dim_text(const MlcGraphLower *l, size_t i, size_t dim)
{
    MlcAttr list = mlc_map_get(l->names, operand(l, i));
    int64_t size = mlc_type_dim(mlc_value_type(operand(l, i)), dim);
    if (size != MLC_DYNAMIC)
        return mlc_size_number(l->b.ctx, size);
    MlcAttr text = list ? mlc_array_attr_element(list, dim) : NULL;
    return text && mlc_string_attr_value(text).size ? text : NULL;
}

MlcMixed
mlc_graph_lower_mixed(const MlcGraphLower *l, MlcAttr size)
{
    int64_t number;
    if (mlc_size_is_number(size, &number))
        return mlc_mixed(number);
    MlcMixed mixed = {mlc_graph_lower_size(l, size), 0};
    if (!mixed.value)
        mlc_bug("a size that does not follow from the function's arguments");
    return mixed;
}

// What the result's type said.
static void
shape_by_name(MlcGraphLower *l, MlcTensorShape *shape)
{
    *shape = (MlcTensorShape){.rank = mlc_type_rank(l->type)};
    for (size_t i = 0; i < shape->rank; i++) {
        shape->dims[i] = mlc_type_dim(l->type, i);
        if (shape->dims[i] == MLC_DYNAMIC && l->sizes)
            shape->values[i] = mlc_graph_lower_size(l, mlc_array_attr_element(l->sizes, i));
    }
}

void
mlc_graph_lower_shape(MlcGraphLower *l, MlcTensorShape *shape)
{
    shape_by_name(l, shape);
    for (size_t i = 0; i < shape->rank; i++)
        for (size_t k = 0;
             shape->dims[i] == MLC_DYNAMIC && !shape->values[i] && k < num_operands(l); k++) {
            size_t rank = rank_of(operand(l, k)), at = i + rank - shape->rank;
            if (i + rank >= shape->rank &&
                mlc_type_dim(mlc_value_type(operand(l, k)), at) == MLC_DYNAMIC)
                shape->values[i] = mlc_build_dim(&l->b, operand(l, k), at);
        }
}

void
mlc_graph_lower_batch_shape(MlcGraphLower *l, MlcTensorShape *shape)
{
    shape_by_name(l, shape);
    if (shape->rank && shape->dims[0] == MLC_DYNAMIC && !shape->values[0])
        shape->values[0] = mlc_build_dim(&l->b, operand(l, 0), 0);
}

MlcValue *
mlc_graph_lower_broadcast(MlcGraphLower *l, MlcValue *value, const MlcTensorShape *shape,
                          MlcAffineMap *map)
{
    MlcTensorShape old, kept = {0};
    unsigned loops[MLC_BUILD_RANK];
    size_t group[MLC_BUILD_RANK];
    bool drops = false;
    mlc_build_shape_of(&l->b, value, &old);
    for (size_t i = 0; i < old.rank; i++) {
        size_t loop = i + shape->rank - old.rank;
        bool drop = old.dims[i] == 1 && shape->dims[loop] != 1;
        drops |= drop;
        if (!drop) {
            loops[kept.rank] = (unsigned)loop;
            kept.dims[kept.rank] = old.dims[i];
            kept.values[kept.rank++] = old.values[i];
        }
        group[i] = kept.rank ? kept.rank - 1
                             : 0; // a dropped dim joins the one before, at the start the one after
    }
    *map = mlc_map_of_loops(l->b.ctx, (unsigned)shape->rank, loops, kept.rank);
    return drops ? mlc_build_collapse_to(&l->b, value, group, &kept) : value;
}

static bool
is_unsigned(MlcType element)
{
    return mlc_integer_type_signedness(element) == MLC_UNSIGNED;
}

double
mlc_graph_lower_lowest(const MlcGraphLower *l)
{
    if (mlc_type_is_float(l->element))
        return -__builtin_inf();
    unsigned bits = mlc_type_bit_width(l->element);
    return bits == 1 || is_unsigned(l->element) ? 0 : -(double)(UINT64_C(1) << (bits - 1));
}

double
mlc_graph_lower_highest(const MlcGraphLower *l)
{
    if (mlc_type_is_integer(l->element, 1))
        return 1;
    if (mlc_type_is(l->element, MLC_TYPE_INTEGER) && is_unsigned(l->element))
        return ldexp(1, (int)mlc_type_bit_width(l->element)) - 1; // of ui64 one too many
    // Of i64 one too many, which is cut off.
    return -mlc_graph_lower_lowest(l) - !mlc_type_is_float(l->element);
}

MlcAttr
mlc_graph_lower_number(const MlcGraphLower *l, double value)
{
    return mlc_type_is_float(l->element) ? mlc_float_attr_get(l->element, value)
                                         : mlc_integer_attr_get(l->element, (int64_t)value);
}

MlcValue *
mlc_graph_lower_map(MlcGraphLower *l, MlcValue *x, MlcAffineMap map, const MlcTensorShape *shape,
                    const char *body)
{
    static const char *const names[] = {"x", "out"};
    MlcGeneric g = {.inputs = {x},
                    .num_inputs = 1,
                    .maps = {map, identity_map(l, shape->rank)},
                    .output = mlc_build_empty_shape(&l->b, shape, l->element),
                    .num_loops = shape->rank,
                    .body = body,
                    .names = names,
                    .attrs = l->op};
    return build_generic(l, &g);
}

MlcValue *
mlc_graph_lower_each(MlcGraphLower *l, MlcValue *x, const char *body)
{
    MlcTensorShape shape;
    mlc_build_shape_of(&l->b, x, &shape);
    return mlc_graph_lower_map(l, x, identity_map(l, shape.rank), &shape, body);
}

MlcValue *
mlc_graph_lower_scale(MlcGraphLower *l, MlcValue *x, double factor)
{
    char body[64];
    snprintf(body, sizeof body, "x * %.17g", factor);
    return mlc_graph_lower_each(l, x, body);
}

MlcValue *
mlc_graph_lower_make_each(MlcGraphLower *l, MlcValue *x, MlcElementMaker *make,
                          void *user)
{
    MlcTensorShape shape;
    mlc_build_shape_of(&l->b, x, &shape);
    MlcAffineMap map = identity_map(l, shape.rank);
    MlcGeneric g = {.inputs = {x},
                    .num_inputs = 1,
                    .maps = {map, map},
                    .output = mlc_build_empty_shape(&l->b, &shape, l->element),
                    .num_loops = shape.rank,
                    .make = make,
                    .user = user};
    return build_generic(l, &g);
}

MlcValue *
mlc_graph_lower_elementwise(MlcGraphLower *l)
{
    const MlcOpDef *def = mlc_op_def(l->op);
    const char *names[MLC_BUILD_MAX_INPUTS + 1];
    MlcTensorShape shape;
    mlc_graph_lower_shape(l, &shape);
    MlcGeneric g = {.num_inputs = num_operands(l),
                    .num_loops = shape.rank,
                    .body = def->body,
                    .names = names,
                    .attrs = l->op};
    for (size_t i = 0; i < g.num_inputs; i++) {
        names[i] = def->operands[i].name;
        g.inputs[i] = mlc_graph_lower_broadcast(l, operand(l, i), &shape, &g.maps[i]);
    }
    names[g.num_inputs] = "(result)"; // no name that a body can say
    g.maps[g.num_inputs] = identity_map(l, shape.rank);
    g.output = mlc_build_empty_shape(&l->b, &shape, l->element);
    MlcValue *result = build_generic(l, &g);
    if (result)
        mlc_graph_lower_check_divisors(l, mlc_value_def(result), &g);
    return result;
}

// Integers of one width are one type here, whatever their sign.
MlcValue *
mlc_graph_lower_bitcast(MlcGraphLower *l)
{
    bool is_same = mlc_type_element(mlc_value_type(operand(l, 0))) == l->element;
    return is_same ? operand(l, 0) : mlc_graph_lower_elementwise(l);
}
