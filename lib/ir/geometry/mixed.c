// mixed.c -- lists that are partly constants, as ops keep them.
#include "mlc/ir/mixed.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/interfaces.h"

// --- one entry

MlcMixed
mlc_mixed_of(MlcValue *value)
{
    int64_t constant;
    if (value && mlc_value_constant_int(value, &constant))
        return mlc_mixed(constant);
    return (MlcMixed){.value = value};
}

bool
mlc_mixed_constant(MlcMixed m, int64_t *constant)
{
    if (m.value)
        return mlc_value_constant_int(m.value, constant);
    *constant = m.constant;
    return true;
}

bool
mlc_mixed_is(MlcMixed m, int64_t constant)
{
    int64_t value;
    return mlc_mixed_constant(m, &value) && value == constant;
}

bool
mlc_mixed_equal(MlcMixed a, MlcMixed b)
{
    int64_t x;
    if (a.value && a.value == b.value)
        return true;
    return mlc_mixed_constant(a, &x) && mlc_mixed_is(b, x);
}

int64_t
mlc_mixed_static(MlcMixed m)
{
    return m.value ? MLC_DYNAMIC : m.constant;
}

MlcValue *
mlc_mixed_value(MlcBuilder *b, MlcMixed m)
{
    return m.value ? m.value : mlc_build_index(b, m.constant);
}

MlcMixed
mlc_mixed_dim(MlcBuilder *b, MlcValue *shaped, size_t dim)
{
    MlcType type = mlc_value_type(shaped);
    if (mlc_type_has_rank(type) && mlc_type_dim(type, dim) != MLC_DYNAMIC)
        return mlc_mixed(mlc_type_dim(type, dim));
    bool is_memref =
        mlc_type_is(type, MLC_TYPE_MEMREF) || mlc_type_is(type, MLC_TYPE_UNRANKED_MEMREF);
    MlcValue *index = mlc_build_index(b, (int64_t)dim);
    return (MlcMixed){.value = mlc_build(b, is_memref ? "memref.dim" : "tensor.dim",
                                         mlc_index_type_get(b->ctx), shaped, index)};
}

MlcType
mlc_static_result_type(const MlcOp *op, size_t first, MlcValueVec *rest)
{
    MlcType type = mlc_op_result_type(op, 0);
    size_t rank = mlc_type_rank(type);
    int64_t shape[MLC_RANK_LIMIT], size;
    if (rank > MLC_RANK_LIMIT)
        return type;
    for (size_t i = 0; i < rank; i++) {
        shape[i] = mlc_type_dim(type, i);
        if (shape[i] != MLC_DYNAMIC)
            continue;
        MlcValue *value = mlc_op_operand(op, first++);
        if (mlc_value_constant_int(value, &size) && size >= 0)
            shape[i] = size;
        else
            mlc_vec_push(rest, value);
    }
    return mlc_type_with_shape(type, shape, rank, mlc_type_element(type));
}

// --- lists

static int
group_named(const MlcOpDef *def, const char *name)
{
    for (size_t i = 0; i < def->num_operands; i++)
        if (strcmp(def->operands[i].name, name) == 0)
            return (int)i;
    return -1;
}

static int
static_slot(const MlcOpDef *def, const char *name)
{
    bool is_camel = strncmp(name, "dynamic", 7) == 0; // dynamicStep, staticStep
    const char *prefix = is_camel ? "static" : "static_", *rest = is_camel ? name + 7 : name;
    size_t length = strlen(prefix);
    for (size_t i = 0; i < def->num_attrs; i++)
        if (strncmp(def->attrs[i].name, prefix, length) == 0 &&
            strcmp(def->attrs[i].name + length, rest) == 0)
            return (int)i;
    return -1;
}

bool
mlc_mixed_list_read(const MlcOp *op, const char *name, MlcMixedList *list)
{
    const MlcOpDef *def = mlc_op_def(op);
    int group = group_named(def, name), slot = static_slot(def, name);
    MlcAttr constants = slot < 0 ? NULL : mlc_op_slot(op, (size_t)slot);
    size_t first, count, n = constants ? mlc_dense_array_attr_size(constants) : 0;
    if (group < 0 || !constants || n > MLC_RANK_LIMIT)
        return false;
    mlc_op_operand_group(op, (size_t)group, &first, &count);
    list->size = n;
    for (size_t i = 0; i < n; i++) {
        list->items[i] = mlc_mixed(mlc_dense_array_attr_int(constants, i));
        if (list->items[i].constant != MLC_DYNAMIC)
            continue;
        if (count-- == 0)
            return false;
        list->items[i].value = mlc_op_operand(op, first++);
    }
    return count == 0;
}

void
mlc_mixed_list_static(const MlcMixedList *list, int64_t *values)
{
    for (size_t i = 0; i < list->size; i++)
        values[i] = mlc_mixed_static(list->items[i]);
}

static size_t
dynamic_values(const MlcMixedList *list, MlcValue **values)
{
    size_t n = 0;
    for (size_t i = 0; i < list->size; i++)
        if (list->items[i].value)
            values[n++] = list->items[i].value;
    return n;
}

static MlcAttr
static_attr(MlcContext *ctx, const MlcMixedList *list)
{
    int64_t constants[MLC_RANK_LIMIT];
    mlc_mixed_list_static(list, constants);
    return mlc_i64_array_attr_get(ctx, constants, list->size);
}

void
mlc_mixed_list_write(MlcOp *op, const char *name, const MlcMixedList *list)
{
    const MlcOpDef *def = mlc_op_def(op);
    MlcValue *values[MLC_RANK_LIMIT];
    mlc_op_set_operand_group(op, (size_t)group_named(def, name), values,
                             dynamic_values(list, values));
    mlc_op_set_slot(op, (size_t)static_slot(def, name), static_attr(mlc_op_context(op), list));
}

bool
mlc_mixed_list_equal(const MlcMixedList *a, const MlcMixedList *b)
{
    for (size_t i = 0; i < a->size && a->size == b->size; i++)
        if (!mlc_mixed_equal(a->items[i], b->items[i]))
            return false;
    return a->size == b->size;
}

bool
mlc_mixed_list_all(const MlcMixedList *list, int64_t constant)
{
    for (size_t i = 0; i < list->size; i++)
        if (!mlc_mixed_is(list->items[i], constant))
            return false;
    return true;
}

static bool
fold_list(MlcMixedList *list, bool strides)
{
    bool any = false;
    int64_t constant;
    for (size_t i = 0; i < list->size; i++) {
        MlcMixed *m = &list->items[i];
        if (!m->value || !mlc_value_constant_int(m->value, &constant) ||
            (strides ? constant == 0 : constant < 0))
            continue;
        *m = mlc_mixed(constant);
        any = true;
    }
    return any;
}

bool
mlc_mixed_list_fold_sizes(MlcMixedList *list)
{
    return fold_list(list, false);
}

bool
mlc_mixed_list_fold_strides(MlcMixedList *list)
{
    return fold_list(list, true);
}

// --- slices

bool
mlc_slice_read(const MlcOp *op, MlcSlice *slice)
{
    return mlc_mixed_list_read(op, "offsets", &slice->offsets) &&
           mlc_mixed_list_read(op, "sizes", &slice->sizes) &&
           mlc_mixed_list_read(op, "strides", &slice->strides);
}

void
mlc_slice_write(MlcOp *op, const MlcSlice *slice)
{
    mlc_mixed_list_write(op, "offsets", &slice->offsets);
    mlc_mixed_list_write(op, "sizes", &slice->sizes);
    mlc_mixed_list_write(op, "strides", &slice->strides);
}

bool
mlc_slice_fold(MlcSlice *slice)
{
    bool offsets = fold_list(&slice->offsets, false), sizes = fold_list(&slice->sizes, false),
         strides = fold_list(&slice->strides, true);
    return offsets || sizes || strides;
}

bool
mlc_slice_equal(const MlcSlice *a, const MlcSlice *b)
{
    return mlc_mixed_list_equal(&a->offsets, &b->offsets) &&
           mlc_mixed_list_equal(&a->sizes, &b->sizes) &&
           mlc_mixed_list_equal(&a->strides, &b->strides);
}

// --- building

MlcOp *
mlc_build_op_mixed(MlcBuilder *b, const MlcOpDef *def, MlcType result, MlcValue *const *operands,
                   size_t num_operands, const MlcNamedMixed *lists, size_t num_lists,
                   MlcNamedAttr attr, size_t num_regions)
{
    MlcValueVec values = {0};
    MlcNamedAttr attrs[6];
    int32_t segments[8];
    size_t num_attrs = 0, num_segments = 0;
    assert(num_lists <= 3 && num_operands + num_lists <= 8);
    for (size_t i = 0; i < num_operands; i++) {
        mlc_vec_push(&values, operands[i]);
        segments[num_segments++] = 1;
    }
    for (size_t i = 0; i < num_lists; i++) {
        MlcValue *dynamic[MLC_RANK_LIMIT];
        size_t n = dynamic_values(lists[i].list, dynamic);
        for (size_t k = 0; k < n; k++)
            mlc_vec_push(&values, dynamic[k]);
        segments[num_segments++] = (int32_t)n;
        char name[64];
        snprintf(name, sizeof name, "static_%s", lists[i].name);
        attrs[num_attrs++] = mlc_named(b->ctx, name, static_attr(b->ctx, lists[i].list));
    }
    if (attr.name)
        attrs[num_attrs++] = attr;
    if (mlc_op_def_has_trait(def, MLC_TRAIT_ATTR_SIZED_OPERANDS))
        attrs[num_attrs++] = mlc_named(b->ctx, "operandSegmentSizes",
                                       mlc_i32_array_attr_get(b->ctx, segments, num_segments));
    MlcOp *op = mlc_build_op(b, def->name, &result, result ? 1 : 0, values.data, values.size, attrs,
                             num_attrs, num_regions);
    mlc_vec_release(&values);
    return op;
}

MlcOp *
mlc_build_slice(MlcBuilder *b, const MlcOpDef *def, MlcType result, MlcValue *const *operands,
                size_t num_operands, const MlcSlice *slice)
{
    MlcNamedMixed lists[] = {
        {"offsets", &slice->offsets}, {"sizes", &slice->sizes}, {"strides", &slice->strides}};
    return mlc_build_op_mixed(b, def, result, operands, num_operands, lists, 3, (MlcNamedAttr){0},
                              0);
}

// --- shapes

bool
mlc_shape_dropped_dims(const int64_t *shape, size_t rank, const int64_t *reduced,
                       size_t reduced_rank, bool *dropped)
{
    size_t at = 0;
    for (size_t i = 0; i < rank; i++) {
        dropped[i] = at == reduced_rank || shape[i] != reduced[at];
        if (dropped[i] && shape[i] != 1)
            return false;
        at += !dropped[i];
    }
    return at == reduced_rank;
}

// --- verification

static size_t
list_size(const MlcOp *op, const char *name)
{
    return mlc_dense_array_attr_size(mlc_op_slot(op, (size_t)static_slot(mlc_op_def(op), name)));
}

#define ERROR_AT(op, ...) mlc_error(mlc_op_context(op), mlc_op_loc(op), __VA_ARGS__)

static bool
verify_list(MlcOp *op, const char *name, const char *what, size_t expected)
{
    const MlcOpDef *def = mlc_op_def(op);
    MlcAttr constants = mlc_op_slot(op, (size_t)static_slot(def, name));
    size_t num_dynamic = 0, first, count, n = mlc_dense_array_attr_size(constants);
    if (n != expected)
        return ERROR_AT(op, "expected %zu %s values, got %zu", expected, what, n);
    for (size_t i = 0; i < n; i++)
        num_dynamic += mlc_dense_array_attr_int(constants, i) == MLC_DYNAMIC;
    mlc_op_operand_group(op, (size_t)group_named(def, name), &first, &count);
    if (count != num_dynamic)
        return ERROR_AT(op, "expected %zu dynamic %s values", num_dynamic, what);
    return true;
}

static bool
verify_not_negative(MlcOp *op, const char *name)
{
    MlcAttr constants = mlc_op_slot(op, (size_t)static_slot(mlc_op_def(op), name));
    for (size_t i = 0; i < mlc_dense_array_attr_size(constants); i++) {
        int64_t value = mlc_dense_array_attr_int(constants, i);
        if (value < 0 && value != MLC_DYNAMIC)
            return ERROR_AT(op, "expected %s to be non-negative, but got %lld", name,
                            (long long)value);
    }
    return true;
}

bool
mlc_slice_verify(MlcOp *op, size_t num_offsets, size_t rank)
{
    size_t offsets = list_size(op, "offsets"), sizes = list_size(op, "sizes"),
           strides = list_size(op, "strides");
    if (offsets != sizes && !(num_offsets == 1 && offsets == 1))
        return ERROR_AT(op,
                        "expected mixed offsets rank to match mixed sizes rank (%zu vs %zu) so the "
                        "rank of the result type is well-formed.",
                        offsets, sizes);
    if (sizes != strides)
        return ERROR_AT(op,
                        "expected mixed sizes rank to match mixed strides rank (%zu vs %zu) so the "
                        "rank of the result type is well-formed.",
                        sizes, strides);
    return verify_list(op, "offsets", "offset", num_offsets) &&
           verify_list(op, "sizes", "size", rank) && verify_list(op, "strides", "stride", rank) &&
           verify_not_negative(op, "offsets") && verify_not_negative(op, "sizes");
}
