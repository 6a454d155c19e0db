// lists.c -- see lists.h.
//
// How many items a list has is known when a model is imported: it is what nodes put together, and
// of an input the caller says it. So sequences and optionals are gone when the import is done.
// What stands for one is an op in a block beside the module, which is thrown away with the import.
#include "lists.h"
#include "strings_of.h"

#include "mlc/dialects/builtin.h"

#include <inttypes.h>

const MlcOnnxList *
mlc_onnx_list(const MlcOnnxImport *im, MlcValue *value)
{
    return value && mlc_map_size(&im->lists) > 0 ? mlc_map_get(&im->lists, value) : NULL;
}

MlcValue *
mlc_onnx_build_stand_in(MlcOnnxImport *im)
{
    MlcBuilder builder;
    mlc_builder_init(&builder, im->ctx);
    if (!im->stand_ins) {
        im->stand_ins = mlc_builtin_module(&builder);
        mlc_builder_create_block(&builder, mlc_op_region(im->stand_ins, 0), NULL, 0);
    }
    mlc_builder_at_end(&builder, mlc_region_first(mlc_op_region(im->stand_ins, 0)));
    int64_t none = 0;
    MlcType type =
        mlc_tensor_type_get(mlc_integer_type_get(im->ctx, 1, MLC_SIGNLESS), &none, 1, NULL);
    return mlc_graph_constant(&builder, mlc_dense_attr_get(type, "", 0, false));
}

MlcValue *
mlc_onnx_build_list(MlcOnnxImport *im, MlcOnnxListKind kind, MlcType element,
                    MlcValue *const *items, size_t count)
{
    MlcOnnxList *list = MLC_NEW(&im->arena, MlcOnnxList);
    MlcValue **own = MLC_NEW_ARRAY(&im->arena, MlcValue *, count + 1);
    for (size_t i = 0; i < count; i++)
        own[i] = items[i];
    *list = (MlcOnnxList){kind, element, own, count};
    MlcValue *value = mlc_onnx_build_stand_in(im);
    mlc_map_set(&im->lists, value, list);
    return value;
}

const char *
mlc_onnx_list_name(const MlcOnnxList *list)
{
    static const char *const names[] = {"sequence", "optional", "map", "table"};
    return list ? names[list->kind] : "tensor";
}

MlcType
mlc_onnx_item_element(const MlcOnnxImport *im, MlcValue *value)
{
    const MlcOnnxList *list = mlc_onnx_list(im, value);
    return list ? list->element : mlc_type_element(mlc_value_type(value));
}

bool
mlc_onnx_is_list_type(const MlcOnnxType *type)
{
    return type && (type->sequence_type || type->optional_type || type->map_type);
}

const MlcOnnxTensorType *
mlc_onnx_innermost(const MlcOnnxType *type)
{
    while (type && !type->tensor_type) // as deep as the reader allows
        type = type->sequence_type   ? type->sequence_type->elem_type
               : type->optional_type ? type->optional_type->elem_type
               : type->map_type      ? type->map_type->value_type
                                     : NULL;
    return type ? type->tensor_type : NULL;
}

// ---- inputs

bool
mlc_onnx_is_item(const MlcOnnxValueInfo *info, MlcStr name)
{
    return mlc_onnx_is_list_type(info->type) && name.size > info->name.size + 2 &&
           name.data[info->name.size] == '[' &&
           memcmp(name.data, info->name.data, info->name.size) == 0;
}

typedef struct ItemReader {
    MlcOnnxImport *im;
    const MlcOnnxValueInfo *info;
    MlcStr given; // "2x3:4x3", what is left of it
    MlcBlock *block;
    MlcType element;
} ItemReader;

static bool
fail_items(ItemReader *r, MlcStr item)
{
    return mlc_onnx_fail(r->im,
                         "the items of input '%.*s' are given as shapes ('2x3:4x3', 'scalar'), "
                         "'none' or 'empty', not with '%.*s'",
                         MLC_STR_FMT(r->info->name), MLC_STR_FMT(item));
}

// "2x3", or "scalar".
static bool
read_shape(ItemReader *r, MlcStr text, int64_t *dims, size_t *rank)
{
    *rank = 0;
    if (mlc_str_equal(text, mlc_str("scalar")))
        return true;
    for (size_t i = 0; i <= text.size;) {
        int64_t size = 0;
        size_t begin = i;
        for (; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; i++) {
            int digit = text.data[i] - '0';
            if (size > (INT64_MAX - digit) / 10)
                return fail_items(r, text);
            size = size * 10 + digit;
        }
        bool ends = i == text.size;
        if (i == begin || *rank == MLC_SMALL_RANK || (!ends && text.data[i] != 'x'))
            return fail_items(r, text);
        dims[(*rank)++] = size;
        i++;
    }
    return true;
}

static MlcValue *
add_item(ItemReader *r, MlcStr name, MlcStr text)
{
    int64_t dims[MLC_SMALL_RANK];
    size_t rank;
    if (!read_shape(r, text, dims, &rank))
        return NULL;
    MlcType type = mlc_tensor_type_get(r->element, dims, rank, NULL);
    if (mlc_type_num_elements(type) < 0)
        return mlc_onnx_fail(r->im, "'%.*s' has more elements than fit in 64 bits",
                             MLC_STR_FMT(name)),
               NULL;
    if (mlc_onnx_is_bound(r->im, name))
        return mlc_onnx_bound_value(r->im, name, type);
    return mlc_block_add_arg(r->block, type, mlc_loc_name(r->im->ctx, name, NULL));
}

static MlcValue *
read_sequence(ItemReader *r)
{
    MlcValueVec items = {0};
    MlcStr rest = r->given;
    bool ok = true, is_empty = mlc_str_equal(rest, mlc_str("empty"));
    while (ok && !is_empty) {
        const char *colon = memchr(rest.data, ':', rest.size);
        size_t size = colon ? (size_t)(colon - rest.data) : rest.size;
        if (items.size == MLC_ONNX_MAX_ITEMS) {
            ok = mlc_onnx_fail(r->im, "input '%.*s' has more than %d items",
                               MLC_STR_FMT(r->info->name), MLC_ONNX_MAX_ITEMS);
            break;
        }
        MlcStr name =
            mlc_arena_printf(&r->im->arena, "%.*s[%zu]", MLC_STR_FMT(r->info->name), items.size);
        MlcValue *item = add_item(r, name, mlc_str_n(rest.data, size));
        ok = item != NULL;
        mlc_vec_push(&items, item);
        if (!colon)
            break;
        rest = mlc_str_n(colon + 1, rest.size - size - 1);
    }
    MlcValue *value =
        ok ? mlc_onnx_build_list(r->im, MLC_ONNX_SEQUENCE, r->element, items.data, items.size)
           : NULL;
    mlc_vec_release(&items);
    return value;
}

// As many keys and values as `given` says.
static MlcValue *
read_map(ItemReader *r)
{
    MlcValue *both[2];
    MlcType element = r->element;
    for (size_t i = 0; i < 2; i++) {
        r->element =
            i ? element : mlc_onnx_any_element_type(r->im->ctx, r->info->type->map_type->key_type);
        MlcStr name = mlc_arena_printf(&r->im->arena, "%.*s[%zu]", MLC_STR_FMT(r->info->name), i);
        if (!(both[i] = add_item(r, name, r->given)))
            return NULL;
        if (mlc_type_rank(mlc_value_type(both[i])) != 1)
            return fail_items(r, r->given), NULL;
    }
    return mlc_onnx_build_list(r->im, MLC_ONNX_MAP, element, both, 2);
}

// Of the kinds that ONNX's own operators have: sequence(tensor), optional(tensor),
// optional(sequence(tensor)), map(key, tensor).
static MlcValue *
read_value(ItemReader *r)
{
    const MlcOnnxType *type = r->info->type;
    MlcStr name = mlc_arena_printf(&r->im->arena, "%.*s[0]", MLC_STR_FMT(r->info->name));
    if (type->map_type)
        return read_map(r);
    if (!type->optional_type)
        return read_sequence(r);
    if (mlc_str_equal(r->given, mlc_str("none")))
        return mlc_onnx_build_list(r->im, MLC_ONNX_OPTIONAL, r->element, NULL, 0);
    MlcValue *item = type->optional_type->elem_type->tensor_type ? add_item(r, name, r->given)
                                                                 : read_sequence(r);
    return item ? mlc_onnx_build_list(r->im, MLC_ONNX_OPTIONAL, r->element, &item, 1) : NULL;
}

// "seq=2x3:4x3": the name may hold '=' too.
static bool
split(MlcStr given, MlcStr *name, MlcStr *items)
{
    const char *equals = memrchr(given.data, '=', given.size);
    size_t length = equals ? (size_t)(equals - given.data) : 0;
    *name = mlc_str_n(given.data, length);
    *items = equals ? mlc_str_n(equals + 1, given.size - length - 1) : mlc_str("");
    return length > 0;
}

static bool
find_items(const MlcOnnxImport *im, MlcStr input, MlcStr *items)
{
    MlcStr name;
    for (size_t i = 0; i < im->options.num_items; i++)
        if (split(im->options.items[i], &name, items) && mlc_str_equal(name, input))
            return true;
    return false;
}

static bool
is_simple(const MlcOnnxType *type)
{
    const MlcOnnxMapType *map = type->map_type;
    if (map)
        return (map->key_type == MLC_ONNX_STRING || map->key_type == MLC_ONNX_INT64) &&
               map->value_type && map->value_type->tensor_type;
    const MlcOnnxSequenceType *in = type->sequence_type ? type->sequence_type : type->optional_type;
    if (!in || !in->elem_type)
        return false;
    if (in->elem_type->tensor_type)
        return true;
    return type->optional_type && in->elem_type->sequence_type &&
           in->elem_type->sequence_type->elem_type &&
           in->elem_type->sequence_type->elem_type->tensor_type;
}

static void
refuse_unknown(MlcOnnxImport *im, const MlcOnnxValueInfo *info, MlcOnnxListKind kind)
{
    im->lacks_sizes = true;
    if (kind == MLC_ONNX_MAP)
        mlc_onnx_refuse(im,
                        "at byte %" PRIu64 ": input '%.*s' is a map, and how many entries it has "
                        "must be known: give it with --items '%.*s=3'",
                        info->offset, MLC_STR_FMT(info->name), MLC_STR_FMT(info->name));
    else
        mlc_onnx_refuse(im,
                        "at byte %" PRIu64 ": input '%.*s' is %s, and what it holds must be known: "
                        "give the shapes with --items '%.*s=2x3:4x3', or 'none', or 'empty'",
                        info->offset, MLC_STR_FMT(info->name),
                        kind == MLC_ONNX_OPTIONAL ? "an optional" : "a sequence",
                        MLC_STR_FMT(info->name));
}

MlcValue *
mlc_onnx_list_input(MlcOnnxImport *im, const MlcOnnxValueInfo *info, MlcBlock *block,
                    const char **refused)
{
    ItemReader r = {.im = im, .info = info, .block = block};
    const MlcOnnxTensorType *tensor = mlc_onnx_innermost(info->type);
    r.element = tensor ? mlc_onnx_any_element_type(im->ctx, tensor->elem_type) : NULL;
    MlcOnnxListKind kind = info->type->optional_type ? MLC_ONNX_OPTIONAL
                           : info->type->map_type    ? MLC_ONNX_MAP
                                                     : MLC_ONNX_SEQUENCE;
    if (!is_simple(info->type) || !r.element)
        return *refused = "a type that inputs cannot have yet", NULL;
    if (find_items(im, info->name, &r.given))
        return read_value(&r);
    if (im->options.only_signature)
        return mlc_onnx_build_list(im, kind, r.element, NULL, 0);
    refuse_unknown(im, info, kind);
    return mlc_onnx_build_list(im, kind, r.element, NULL, 0);
}

bool
mlc_onnx_check_items(MlcOnnxImport *im, const MlcStrMap *initializers)
{
    const MlcOnnxGraph *graph = im->model->graph;
    bool ok = true;
    for (size_t i = 0; i < im->options.num_items; i++) {
        MlcStr given = im->options.items[i], name, items;
        bool is_input = false;
        if (!split(given, &name, &items)) {
            ok = mlc_onnx_fail(im, "expected NAME=SHAPES for the items of an input, got '%.*s'",
                               MLC_STR_FMT(given));
            continue;
        }
        for (size_t k = 0; k < graph->input.count; k++)
            is_input |= mlc_str_equal(graph->input.items[k].name, name) &&
                        mlc_onnx_is_list_type(graph->input.items[k].type);
        if (!is_input || mlc_str_map_has(initializers, name))
            ok = mlc_onnx_fail(im,
                               "items are given for '%.*s', which is no sequence or optional "
                               "that is an input",
                               MLC_STR_FMT(name));
    }
    return ok;
}

// ---- outputs

void
mlc_onnx_add_leaves(MlcOnnxImport *im, MlcValue *value, MlcStr name, MlcOnnxLeaves *leaves)
{
    const MlcOnnxList *list = mlc_onnx_list(im, value);
    if (!list) {
        mlc_vec_push(&leaves->values, value);
        mlc_vec_push(&leaves->names, name);
        return;
    }
    bool is_inner =
        list->kind == MLC_ONNX_OPTIONAL && list->count && mlc_onnx_list(im, list->items[0]);
    for (size_t i = 0; i < list->count; i++) // an optional sequence has the sequence's names
        mlc_onnx_add_leaves(
            im, list->items[i],
            is_inner ? name : mlc_arena_printf(&im->arena, "%.*s[%zu]", MLC_STR_FMT(name), i),
            leaves);
}

void
mlc_onnx_append_form(MlcOnnxImport *im, MlcValue *value, MlcBuf *out)
{
    const MlcOnnxList *list = mlc_onnx_list(im, value);
    mlc_buf_append_c(out, mlc_onnx_list_name(list));
    if (!list)
        return;
    mlc_buf_append_char(out, '(');
    for (size_t i = 0; i < list->count; i++) {
        mlc_buf_append_c(out, i ? ", " : "");
        mlc_onnx_append_form(im, list->items[i], out);
    }
    mlc_buf_append_char(out, ')');
}
