// access.c -- what a record says of an op that reads or writes memory: `access` in YAML.
#include "mlc/ir/builder.h"
#include "mlc/ir/context.h"
#include "mlc/ir/interfaces.h"

const MlcMemoryAccess *
mlc_op_access(const MlcOp *op)
{
    return mlc_op_interface(op, MLC_INTERFACE_ACCESS);
}

const MlcMemoryAccess *
mlc_op_affine_access(const MlcOp *op)
{
    const MlcMemoryAccess *access = mlc_op_access(op);
    bool is_whole = access && access->value && !access->mask && !access->permutation;
    return is_whole && access->map ? access : NULL;
}

size_t
mlc_op_access_operand(const MlcOp *op)
{
    size_t first, count;
    mlc_op_operand_group(op, mlc_op_access(op)->memref, &first, &count);
    return first;
}

MlcValue *
mlc_op_access_memref(const MlcOp *op)
{
    return mlc_op_operand(op, mlc_op_access_operand(op));
}

void
mlc_op_access_indices(const MlcOp *op, size_t *first, size_t *count)
{
    mlc_op_operand_group(op, mlc_op_access(op)->indices, first, count);
}

MlcValue *
mlc_op_access_value(const MlcOp *op)
{
    const MlcMemoryAccess *access = mlc_op_access(op);
    size_t first, count;
    if (!access->value)
        return NULL;
    if (access->is_write) {
        mlc_op_operand_group(op, access->value - 1u, &first, &count);
        return mlc_op_operand(op, first);
    }
    mlc_op_result_group(op, access->value - 1u, &first, &count);
    return mlc_op_result(op, first);
}

MlcAffineMap
mlc_op_access_map(const MlcOp *op)
{
    const MlcMemoryAccess *access = mlc_op_access(op);
    return access->map ? mlc_affine_map_attr_value(mlc_op_slot(op, access->map - 1u)) : NULL;
}

bool
mlc_op_accesses_element(const MlcOp *op)
{
    MlcValue *value = mlc_op_access_value(op);
    return value &&
           mlc_value_type(value) == mlc_type_element(mlc_value_type(mlc_op_access_memref(op)));
}

static bool
same_groups(const MlcValueDef *a, size_t num_a, const MlcValueDef *b, size_t num_b)
{
    for (size_t i = 0; num_a == num_b && i < num_a; i++)
        if (a[i].arity != b[i].arity)
            return false;
    return num_a == num_b;
}

const MlcOpDef *
mlc_op_access_twin(const MlcOp *op)
{
    const MlcOpDef *def = mlc_op_def(op);
    const MlcMemoryAccess *access = mlc_op_access(op), *other;
    if (!access || !access->twin)
        return NULL;
    const MlcOpDef *twin = mlc_context_op(mlc_op_context(op), mlc_str(access->twin));
    other = twin ? mlc_op_def_interface(twin, MLC_INTERFACE_ACCESS) : NULL;
    bool same = other && !access->map == !!other->map && access->memref == other->memref &&
                def->num_regions + twin->num_regions == 0 &&
                def->num_successors + twin->num_successors == 0 &&
                access->indices == other->indices && access->value == other->value &&
                access->mask == other->mask && access->is_write == other->is_write &&
                same_groups(def->operands, def->num_operands, twin->operands, twin->num_operands) &&
                same_groups(def->results, def->num_results, twin->results, twin->num_results);
    return same ? twin : NULL;
}

MlcOp *
mlc_build_access_twin(MlcBuilder *b, MlcOp *op, MlcValue *const *operands, MlcValue *const *indices,
                      size_t num_indices, MlcAffineMap map)
{
    const MlcOpDef *twin = mlc_op_access_twin(op);
    const MlcMemoryAccess *access = mlc_op_def_interface(twin, MLC_INTERFACE_ACCESS);
    MLC_VEC(MlcNamedAttr) attrs = {0};
    MlcTypeVec types = {0};
    for (size_t i = 0; i < twin->num_attrs; i++) {
        const char *name = twin->attrs[i].name;
        int slot = mlc_op_def_attr_slot(mlc_op_def(op), mlc_str(name));
        MlcAttr attr = i + 1 == access->map ? mlc_affine_map_attr_get(map)
                       : slot < 0           ? NULL
                                            : mlc_op_slot(op, (size_t)slot);
        if (attr)
            mlc_vec_push(&attrs, mlc_named(b->ctx, name, attr));
    }
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&types, mlc_op_result_type(op, i));
    MlcOp *made = mlc_build_op(b, twin->name, types.data, types.size, operands,
                               mlc_op_num_operands(op), attrs.data, attrs.size, 0);
    mlc_op_set_operand_group(made, access->indices, indices, num_indices);
    mlc_vec_release(&attrs);
    mlc_vec_release(&types);
    return made;
}
