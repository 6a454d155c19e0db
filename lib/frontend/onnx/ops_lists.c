// ops_lists.c -- ONNX operators: sequences and optionals.
//
// All are done when a model is imported: what they take and give are lists (lists.h). Positions and
// splits must be known then. A position that is computed is a Gather where all items have one
// shape.
#include "found_sizes.h"
#include "lists.h"
#include "strings_of.h"

#include <inttypes.h>

static MlcValue *
truth(MlcOnnxNodeImport *n, bool holds)
{
    MlcType i1 = mlc_integer_type_get(mlc_onnx_context_of(n), 1, MLC_SIGNLESS);
    return mlc_onnx_build_number(n, i1, holds);
}

static bool
set_list(MlcOnnxNodeImport *n, MlcOnnxListKind kind, MlcType element, MlcValue *const *items,
         size_t count)
{
    if (count > MLC_ONNX_MAX_ITEMS)
        return mlc_onnx_unsupported(n, "a sequence of %zu items, of which there may be %d", count,
                                    MLC_ONNX_MAX_ITEMS);
    n->outputs[0] = mlc_onnx_build_list(n->import, kind, element, items, count);
    return true;
}

// Input `i` as a sequence; NULL after an error.
static const MlcOnnxList *
sequence_input(MlcOnnxNodeImport *n, size_t i)
{
    const MlcOnnxList *list = mlc_onnx_list(n->import, n->inputs[i]);
    if (list && list->kind == MLC_ONNX_SEQUENCE)
        return list;
    mlc_onnx_invalid(n, "its input '%.*s' is a %s, expected a sequence",
                     MLC_STR_FMT(n->node->input.items[i]), mlc_onnx_list_name(list));
    return NULL;
}

static bool
tensor_input(MlcOnnxNodeImport *n, size_t i)
{
    const MlcOnnxList *list = mlc_onnx_list(n->import, n->inputs[i]);
    return !list ||
           mlc_onnx_invalid(n, "its input '%.*s' is a %s, expected a tensor",
                            MLC_STR_FMT(n->node->input.items[i]), mlc_onnx_list_name(list));
}

static bool
check_element(MlcOnnxNodeImport *n, MlcType expected, MlcValue *item)
{
    MlcType element = mlc_onnx_item_element(n->import, item);
    return !expected || element == expected ||
           mlc_onnx_invalid(n, "an item has elements of type %s, expected %s",
                            mlc_type_text(element), mlc_type_text(expected));
}

// Input `i`, where it is given, as a position among `count`, from the end where it is negative.
static bool
read_position(MlcOnnxNodeImport *n, size_t i, size_t count, bool or_behind, size_t *position)
{
    MlcOnnxInts given = {0};
    int64_t last = (int64_t)count - (or_behind ? 0 : 1);
    if (!mlc_onnx_input_or_null(n, i))
        return true;
    if (!tensor_input(n, i) || !mlc_onnx_constant_ints(n, i, &given))
        return false;
    if (given.count != 1)
        return mlc_onnx_invalid(n, "the position has %zu elements, expected one", given.count);
    int64_t at = given.items[0];
    if (at < -(int64_t)count || at > last)
        return mlc_onnx_invalid(n, "position %" PRId64 " in a sequence of %zu items", at, count);
    *position = (size_t)(at + (at < 0 ? (int64_t)count : 0));
    return true;
}

static bool
import_sequence_empty(MlcOnnxNodeImport *n)
{
    int64_t type = MLC_ONNX_FLOAT;
    if (!mlc_onnx_read_int(n, "dtype", &type))
        return false;
    MlcType element = mlc_onnx_any_element_type(mlc_onnx_context_of(n), type);
    if (!element)
        return mlc_onnx_unsupported(n, "'dtype' is %" PRId64, type);
    return set_list(n, MLC_ONNX_SEQUENCE, element, NULL, 0);
}

static bool
import_sequence_construct(MlcOnnxNodeImport *n)
{
    MlcType element = mlc_onnx_item_element(n->import, n->inputs[0]);
    for (size_t i = 0; i < n->num_inputs; i++)
        if (!n->inputs[i])
            return mlc_onnx_invalid(n, "input %zu is required", i);
        else if (!tensor_input(n, i) || !check_element(n, element, n->inputs[i]))
            return false;
    return set_list(n, MLC_ONNX_SEQUENCE, element, n->inputs, n->num_inputs);
}

static bool
import_sequence_insert(MlcOnnxNodeImport *n)
{
    const MlcOnnxList *list = sequence_input(n, 0);
    size_t position = list ? list->count : 0;
    if (!list || !tensor_input(n, 1) || !check_element(n, list->element, n->inputs[1]) ||
        !read_position(n, 2, list->count, true, &position))
        return false;
    MlcValue **items = MLC_NEW_ARRAY(&n->import->arena, MlcValue *, list->count + 1);
    for (size_t i = 0; i <= list->count; i++)
        items[i] = i == position ? n->inputs[1] : list->items[i - (i > position)];
    return set_list(n, MLC_ONNX_SEQUENCE, mlc_onnx_item_element(n->import, n->inputs[1]), items,
                    list->count + 1);
}

static bool
import_sequence_erase(MlcOnnxNodeImport *n)
{
    const MlcOnnxList *list = sequence_input(n, 0);
    if (!list)
        return false;
    if (list->count == 0)
        return mlc_onnx_invalid(n, "the sequence is empty");
    size_t position = list->count - 1;
    if (!read_position(n, 1, list->count, false, &position))
        return false;
    MlcValue **items = MLC_NEW_ARRAY(&n->import->arena, MlcValue *, list->count);
    for (size_t i = 0; i + 1 < list->count; i++)
        items[i] = list->items[i + (i >= position)];
    return set_list(n, MLC_ONNX_SEQUENCE, list->element, items, list->count - 1);
}

// ---- items as one tensor

// With a dimension of 1 more, at `axis`.
static MlcValue *
widen(MlcOnnxNodeImport *n, MlcValue *value, size_t axis)
{
    int64_t dims[MLC_SMALL_RANK + 1];
    MlcType type = mlc_value_type(value);
    size_t rank = mlc_type_rank(type);
    for (size_t i = 0; i <= rank; i++)
        dims[i] = i == axis ? 1 : mlc_type_dim(type, i - (i > axis));
    return mlc_onnx_reshape(n, value, (MlcOnnxInts){dims, rank + 1}, true);
}

// Whether the shapes of all items, which are tensors, are known, and not found in the data.
static bool
check_shapes(MlcOnnxNodeImport *n, const MlcOnnxList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        MlcType type = mlc_value_type(list->items[i]);
        if (mlc_onnx_has_found_size(n->import, list->items[i]))
            return mlc_onnx_unsupported(n, "item %zu has a size that is found in the data", i);
        if (!mlc_type_has_rank(type) || !mlc_type_has_small_rank(type) ||
            !mlc_type_has_static_shape(type))
            return mlc_onnx_unsupported(n, "item %zu has type %s, its shape must be known", i,
                                        mlc_type_text(type));
    }
    return true;
}

// Items side by side along a new dimension, or along one that they have.
static MlcValue *
put_together(MlcOnnxNodeImport *n, const MlcOnnxList *list, size_t axis, bool is_new)
{
    MlcValue **parts = MLC_NEW_ARRAY(&n->import->arena, MlcValue *, list->count + 1);
    for (size_t i = 0; i < list->count; i++)
        if (!(parts[i] = is_new ? widen(n, list->items[i], axis) : list->items[i]))
            return NULL;
    return mlc_onnx_concat(n, parts, list->count, (int64_t)axis);
}

static bool
have_one_type(const MlcOnnxList *list)
{
    for (size_t i = 1; i < list->count; i++)
        if (mlc_value_type(list->items[i]) != mlc_value_type(list->items[0]))
            return false;
    return true;
}

// The position is computed when the model runs; a Gather checks it.
static bool
gather_item(MlcOnnxNodeImport *n, const MlcOnnxList *list)
{
    int64_t none = 0;
    if (!check_shapes(n, list))
        return false;
    MlcValue *all = put_together(n, list, 0, true);
    MlcValue *at = mlc_onnx_reshape(n, n->inputs[1], (MlcOnnxInts){&none, 0}, true);
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_int(n, &attrs, "axis", 0);
    MlcValue *operands[] = {all, at};
    return all && at &&
           mlc_onnx_set_result(n, mlc_onnx_build(n, &mlc_graph_gather_def, operands, 2, &attrs));
}

static bool
import_sequence_at(MlcOnnxNodeImport *n)
{
    size_t position = 0;
    const MlcOnnxList *list = sequence_input(n, 0);
    if (!list || !tensor_input(n, 1))
        return false;
    if (list->count > 0 && !mlc_value_constant(n->inputs[1]) && have_one_type(list) &&
        mlc_type_has_static_shape(mlc_value_type(n->inputs[1])))
        return gather_item(n, list);
    if (!read_position(n, 1, list->count, false, &position))
        return false;
    n->outputs[0] = list->items[position];
    return true;
}

static bool
import_sequence_length(MlcOnnxNodeImport *n)
{
    const MlcOnnxList *list = sequence_input(n, 0);
    return list && mlc_onnx_set_result(n, mlc_onnx_int(n, (int64_t)list->count));
}

static bool
import_concat_from_sequence(MlcOnnxNodeImport *n)
{
    const MlcOnnxList *list = sequence_input(n, 0);
    int64_t axis = INT64_MIN, is_new = 0;
    if (!list || !mlc_onnx_read_int(n, "axis", &axis) || !mlc_onnx_read_int(n, "new_axis", &is_new))
        return false;
    if (list->count == 0)
        return mlc_onnx_invalid(n, "the sequence is empty");
    if (!check_shapes(n, list))
        return false;
    int64_t rank = (int64_t)mlc_type_rank(mlc_value_type(list->items[0])) + (is_new != 0);
    if (axis == INT64_MIN)
        return mlc_onnx_invalid(n, "attribute 'axis' is required");
    if (axis < -rank || axis >= rank)
        return mlc_onnx_invalid(n, "axis %" PRId64 " is out of range for rank %" PRId64, axis,
                                rank);
    for (size_t i = 1; i < list->count; i++)
        if (mlc_type_rank(mlc_value_type(list->items[i])) !=
            mlc_type_rank(mlc_value_type(list->items[0])))
            return mlc_onnx_invalid(n, "items of different ranks");
    return mlc_onnx_set_result(
        n, put_together(n, list, (size_t)(axis + (axis < 0 ? rank : 0)), is_new != 0));
}

// ---- SplitToSequence

typedef struct Parts {
    int64_t *sizes; // along the axis
    size_t count;
    bool keep_axis;
} Parts;

// What `split` says: one size for all parts but a smaller last one, or a size for each.
static bool
read_parts(MlcOnnxNodeImport *n, int64_t size, Parts *parts)
{
    MlcOnnxInts split = {0};
    int64_t keep = 1, each = 1, sum = 0;
    MlcValue *given = mlc_onnx_input_or_null(n, 1);
    if (!mlc_onnx_read_int(n, "keepdims", &keep) ||
        (given && !mlc_onnx_constant_ints(n, 1, &split)))
        return false;
    parts->keep_axis = keep || given;
    if (!given || mlc_type_rank(mlc_value_type(given)) == 0) {
        each = given ? split.items[0] : 1;
        if (each < 1)
            return mlc_onnx_invalid(n, "parts of size %" PRId64, each);
        int64_t count = size / each + (size % each != 0);
        if (count > MLC_ONNX_MAX_ITEMS)
            return mlc_onnx_unsupported(n, "%" PRId64 " parts, of which there may be %d", count,
                                        MLC_ONNX_MAX_ITEMS);
        parts->count = (size_t)count;
        parts->sizes = MLC_NEW_ARRAY(&n->import->arena, int64_t, parts->count + 1);
        for (size_t i = 0; i < parts->count; i++)
            parts->sizes[i] = i + 1 < parts->count ? each : size - (count - 1) * each;
        return true;
    }
    parts->count = split.count;
    parts->sizes = MLC_NEW_ARRAY(&n->import->arena, int64_t, split.count + 1);
    for (size_t i = 0; i < split.count; i++) {
        if (split.items[i] < 0 || split.items[i] > size - sum)
            return mlc_onnx_invalid(n, "the sizes of the parts are not those of %" PRId64, size);
        sum += parts->sizes[i] = split.items[i];
    }
    return sum == size ||
           mlc_onnx_invalid(n, "the sizes of the parts are not those of %" PRId64, size);
}

// A part, without the axis (of size 1) where it is not kept.
static MlcValue *
slice_part(MlcOnnxNodeImport *n, size_t axis, int64_t begin, int64_t end, bool keep_axis)
{
    int64_t along = (int64_t)axis, dims[MLC_SMALL_RANK];
    MlcValue *part =
        mlc_onnx_slice(n, n->inputs[0], (MlcOnnxInts){&begin, 1}, (MlcOnnxInts){&end, 1},
                       (MlcOnnxInts){&along, 1}, (MlcOnnxInts){0});
    if (!part || keep_axis)
        return part;
    MlcType type = mlc_value_type(part);
    for (size_t i = 0; i + 1 < mlc_type_rank(type); i++)
        dims[i] = mlc_type_dim(type, i + (i >= axis));
    return mlc_onnx_reshape(n, part, (MlcOnnxInts){dims, mlc_type_rank(type) - 1}, true);
}

static bool
import_split_to_sequence(MlcOnnxNodeImport *n)
{
    int64_t axis = 0, begin = 0;
    Parts parts = {0};
    if (!tensor_input(n, 0) || !mlc_onnx_read_axis(n, "axis", mlc_value_type(n->inputs[0]), &axis))
        return false;
    MlcType type = mlc_value_type(n->inputs[0]);
    if (!mlc_type_has_static_shape(type))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(type));
    if (!read_parts(n, mlc_type_dim(type, (size_t)axis), &parts))
        return false;
    MlcValue **items = MLC_NEW_ARRAY(&n->import->arena, MlcValue *, parts.count + 1);
    for (size_t i = 0; i < parts.count; begin += parts.sizes[i++])
        if (!(items[i] =
                  slice_part(n, (size_t)axis, begin, begin + parts.sizes[i], parts.keep_axis)))
            return false;
    return set_list(n, MLC_ONNX_SEQUENCE, mlc_type_element(type), items, parts.count);
}

// ---- SequenceMap

// The body's arguments for item `i`: items of sequences, tensors as they are.
static bool
args_of_item(MlcOnnxNodeImport *n, size_t i, size_t count, MlcValue **args)
{
    for (size_t k = 0; k < n->num_inputs; k++) {
        const MlcOnnxList *list = mlc_onnx_list(n->import, n->inputs[k]);
        args[k] = n->inputs[k];
        if (list && list->kind == MLC_ONNX_SEQUENCE && list->count != count)
            return mlc_onnx_invalid(n, "its sequences have %zu and %zu items", count, list->count);
        if (list && list->kind == MLC_ONNX_SEQUENCE)
            args[k] = list->items[i];
    }
    return true;
}

static bool
import_sequence_map(MlcOnnxNodeImport *n)
{
    bool ok = true;
    MlcOnnxImport *im = n->import;
    const MlcOnnxList *list = sequence_input(n, 0);
    const MlcOnnxAttribute *body =
        mlc_onnx_find_attribute(n, "body", MLC_ONNX_ATTRIBUTE_GRAPH, &ok);
    if (!list || !ok)
        return false;
    if (!body || !body->g)
        return mlc_onnx_invalid(n, "attribute 'body' is required");
    size_t num_outputs = n->node->output.count;
    if (body->g->output.count != num_outputs)
        return mlc_onnx_invalid(n, "'body' has %zu outputs, expected %zu", body->g->output.count,
                                num_outputs);
    for (size_t k = 0; k < n->num_inputs; k++)
        if (!n->inputs[k])
            return mlc_onnx_invalid(n, "input %zu is required", k);
    MlcValue **args = MLC_NEW_ARRAY(&im->arena, MlcValue *, n->num_inputs);
    MlcValue **items = MLC_NEW_ARRAY(&im->arena, MlcValue *, num_outputs * list->count + 1);
    for (size_t i = 0; ok && i < list->count; i++) {
        MlcValueVec results = {0};
        ok = args_of_item(n, i, list->count, args) &&
             mlc_onnx_import_subgraph(n, "body", body->g, args, n->num_inputs, &results);
        for (size_t k = 0; ok && k < num_outputs; k++)
            if (mlc_onnx_list(im, items[k * list->count + i] = results.data[k]))
                ok = mlc_onnx_invalid(n, "output %zu of 'body' is no tensor", k);
        mlc_vec_release(&results);
    }
    for (size_t k = 0; ok && k < num_outputs; k++)
        n->outputs[k] = mlc_onnx_build_list(
            im, MLC_ONNX_SEQUENCE,
            list->count ? mlc_onnx_item_element(im, items[k * list->count]) : NULL,
            items + k * list->count, list->count);
    return ok;
}

// ---- optionals

static bool
import_optional(MlcOnnxNodeImport *n)
{
    MlcValue *value = mlc_onnx_input_or_null(n, 0);
    const MlcOnnxList *list = mlc_onnx_list(n->import, value);
    if (list && list->kind == MLC_ONNX_OPTIONAL)
        return mlc_onnx_invalid(n, "its input is an optional already");
    if (value)
        return set_list(n, MLC_ONNX_OPTIONAL, mlc_onnx_item_element(n->import, value), &value, 1);
    const MlcOnnxAttribute *type = NULL;
    for (size_t i = 0; i < n->node->attribute.count; i++)
        if (mlc_str_equal(n->node->attribute.items[i].name, mlc_str("type")))
            type = &n->node->attribute.items[i];
    const MlcOnnxTensorType *tensor = type ? mlc_onnx_innermost(type->tp) : NULL;
    if (!tensor)
        return mlc_onnx_invalid(n, "it has neither an input nor a 'type'");
    return set_list(n, MLC_ONNX_OPTIONAL,
                    mlc_onnx_any_element_type(mlc_onnx_context_of(n), tensor->elem_type), NULL, 0);
}

static bool
import_optional_has_element(MlcOnnxNodeImport *n)
{
    MlcValue *value = mlc_onnx_input_or_null(n, 0);
    const MlcOnnxList *list = mlc_onnx_list(n->import, value);
    bool has = list && list->kind == MLC_ONNX_OPTIONAL ? list->count > 0 : value != NULL;
    return mlc_onnx_set_result(n, truth(n, has));
}

static bool
import_optional_get_element(MlcOnnxNodeImport *n)
{
    const MlcOnnxList *list = mlc_onnx_list(n->import, n->inputs[0]);
    if (list && list->kind == MLC_ONNX_OPTIONAL && list->count == 0)
        return mlc_onnx_invalid(n, "the optional '%.*s' holds nothing",
                                MLC_STR_FMT(n->node->input.items[0]));
    n->outputs[0] = list && list->kind == MLC_ONNX_OPTIONAL ? list->items[0] : n->inputs[0];
    return true;
}

// ---- Loop

enum { MAX_ITERATIONS = 1 << 14 };

// A truth value that must be known.
static bool
read_truth(MlcOnnxNodeImport *n, MlcValue *value, bool *holds)
{
    MlcAttr known = mlc_value_constant(value);
    *holds = known && mlc_type_num_elements(mlc_attr_type(known)) == 1 &&
             mlc_attr_as_bool(mlc_elements_attr_element(known, 0));
    if (known)
        return true;
    if (mlc_onnx_want_value(n->import, value))
        return false; // and again
    return mlc_onnx_unsupported(n, "it carries a sequence, and whether it goes on is computed");
}

static bool
read_loop(MlcOnnxNodeImport *n, int64_t *count, bool *goes_on)
{
    MlcOnnxInts given = {0};
    MlcValue *condition = mlc_onnx_input_or_null(n, 1);
    *count = INT64_MAX;
    *goes_on = true;
    if (mlc_onnx_input_or_null(n, 0)) {
        if (!mlc_onnx_constant_ints(n, 0, &given))
            return false;
        if (given.count != 1)
            return mlc_onnx_invalid(n, "input 0 has %zu elements, expected one", given.count);
        *count = given.items[0];
    }
    return !condition || read_truth(n, condition, goes_on);
}

// What iterations gave, put together along a new first dimension; NULL after an error.
static MlcValue *
stack(MlcOnnxNodeImport *n, const MlcValueVec *all, size_t first, size_t step)
{
    MlcValueVec items = {0};
    for (size_t i = first; i < all->size; i += step)
        mlc_vec_push(&items, all->data[i]);
    MlcOnnxList list = {.items = items.data, .count = items.size};
    MlcValue *result = NULL;
    if (items.size == 0)
        mlc_onnx_unsupported(n, "it puts results together of no iteration");
    else if (!have_one_type(&list))
        mlc_onnx_invalid(n, "results of its iterations have different types");
    else if (check_shapes(n, &list))
        result = put_together(n, &list, 0, true);
    mlc_vec_release(&items);
    return result;
}

static bool
set_loop_outputs(MlcOnnxNodeImport *n, const MlcValueVec *args, const MlcValueVec *all,
                 size_t num_stacked)
{
    size_t num_carried = args->size - 2;
    for (size_t i = 0; i < n->node->output.count; i++) {
        if (i < num_carried)
            n->outputs[i] = args->data[2 + i];
        else if (mlc_onnx_has_output(n, i) &&
                 !(n->outputs[i] = stack(n, all, i - num_carried, num_stacked)))
            return false;
    }
    return true;
}

// `args`: the number, the condition and what is carried. False after an error.
static bool
iterate(MlcOnnxNodeImport *n, const MlcOnnxGraph *body, MlcValueVec *args, MlcValueVec *all)
{
    MlcValueVec results = {0};
    size_t num_carried = args->size - 2;
    bool ok = mlc_onnx_import_subgraph(n, "body", body, args->data, args->size, &results);
    for (size_t i = 0; ok && i < results.size; i++)
        if (i <= num_carried)
            args->data[1 + i] = results.data[i];
        else
            mlc_vec_push(all, results.data[i]);
    mlc_vec_release(&results);
    return ok;
}

bool
mlc_onnx_unroll_loop(MlcOnnxNodeImport *n, const MlcOnnxGraph *body)
{
    int64_t count;
    bool goes_on, ok = read_loop(n, &count, &goes_on);
    size_t num_carried = n->num_inputs - 2, num_stacked = body->output.count - 1 - num_carried;
    MlcValueVec args = {0}, all = {0};
    if (n->node->output.count > num_carried + num_stacked)
        return mlc_onnx_invalid(n, "has %zu outputs, but its body gives %zu", n->node->output.count,
                                num_carried + num_stacked);
    mlc_vec_push(&args, NULL);
    mlc_vec_push(&args, ok ? truth(n, goes_on) : NULL);
    for (size_t i = 2; ok && i < n->num_inputs; i++) {
        mlc_vec_push(&args, n->inputs[i]);
        ok = n->inputs[i] || mlc_onnx_invalid(n, "input %zu is required", i);
    }
    for (int64_t i = 0; ok && goes_on && i < count; i++) {
        if (i == MAX_ITERATIONS)
            ok = mlc_onnx_unsupported(n, "it carries a sequence through more than %d iterations",
                                      MAX_ITERATIONS);
        args.data[0] = mlc_onnx_int(n, i);
        ok = ok && iterate(n, body, &args, &all) &&
             (i + 1 >= count || read_truth(n, args.data[1], &goes_on));
    }
    ok = ok && set_loop_outputs(n, &args, &all, num_stacked);
    mlc_vec_release(&args);
    mlc_vec_release(&all);
    return ok;
}

static const MlcOnnxOperator rows[] = {
    {"ConcatFromSequence", 11, MLC_ONNX_NEWEST, 1, 1, .import = import_concat_from_sequence,
     .takes_lists = true},
    {"Optional", 15, MLC_ONNX_NEWEST, 0, 1, .import = import_optional, .takes_lists = true,
     .found = mlc_onnx_rule_hold},
    {"OptionalGetElement", 15, MLC_ONNX_NEWEST, 1, 1, .import = import_optional_get_element,
     .takes_lists = true, .found = mlc_onnx_rule_hold},
    {"OptionalHasElement", 15, MLC_ONNX_NEWEST, 0, 1, .import = import_optional_has_element,
     .takes_lists = true, .found = mlc_onnx_rule_hold},
    {"SequenceAt", 11, MLC_ONNX_NEWEST, 2, 2, .import = import_sequence_at, .takes_lists = true},
    {"SequenceConstruct", 11, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, .import = import_sequence_construct,
     .takes_lists = true, .found = mlc_onnx_rule_hold},
    {"SequenceEmpty", 11, MLC_ONNX_NEWEST, 0, 0, .import = import_sequence_empty},
    {"SequenceErase", 11, MLC_ONNX_NEWEST, 1, 2, .import = import_sequence_erase,
     .takes_lists = true},
    {"SequenceInsert", 11, MLC_ONNX_NEWEST, 2, 3, .import = import_sequence_insert,
     .takes_lists = true, .found = mlc_onnx_rule_hold},
    {"SequenceLength", 11, MLC_ONNX_NEWEST, 1, 1, .import = import_sequence_length,
     .takes_lists = true},
    {"SequenceMap", 17, MLC_ONNX_NEWEST, 1, MLC_ONNX_ANY, .import = import_sequence_map,
     .takes_lists = true, .found = mlc_onnx_rule_hold},
    {"SplitToSequence", 11, MLC_ONNX_NEWEST, 1, 2, .import = import_split_to_sequence,
     .takes_lists = true},
};
const MlcOnnxOperators mlc_onnx_lists = MLC_ONNX_OPERATORS(rows);
