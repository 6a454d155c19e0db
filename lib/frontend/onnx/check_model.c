// check_model.c -- what a model must be to be one, whatever its operators compute: names,
// attributes and their values, constants, functions, versions; and of each node what its operator's
// schema says.
//
// These are the rules that onnx's checker holds models to. What it refuses and mlc takes all the
// same is in test/e2e/mutated_models.py, with the reasons.
#include "check_model.h"
#include "lists.h"
#include "schemas.h"

#include <inttypes.h>
#include <stdlib.h>

// Where a node stands.
typedef struct Place {
    MlcOnnxImport *im;
    int64_t opset; // of the default domain
    const MlcOnnxFunction *function;
} Place;

static unsigned long long
byte_of(uint64_t offset)
{
    return (unsigned long long)offset;
}

// ---- attributes

// How many of its fields an attribute has, and whether the one of its type is among them.
static size_t
count_values(const MlcOnnxAttribute *a, bool *has_typed)
{
    const bool has[] = {
        [MLC_ONNX_ATTRIBUTE_FLOAT] = a->has_f,
        [MLC_ONNX_ATTRIBUTE_INT] = a->has_i,
        [MLC_ONNX_ATTRIBUTE_STRING] = a->has_s,
        [MLC_ONNX_ATTRIBUTE_TENSOR] = a->t != NULL,
        [MLC_ONNX_ATTRIBUTE_GRAPH] = a->g != NULL,
        [MLC_ONNX_ATTRIBUTE_FLOATS] = a->floats.count > 0,
        [MLC_ONNX_ATTRIBUTE_INTS] = a->ints.count > 0,
        [MLC_ONNX_ATTRIBUTE_STRINGS] = a->strings.count > 0,
        [MLC_ONNX_ATTRIBUTE_TENSORS] = a->tensors.count > 0,
        [MLC_ONNX_ATTRIBUTE_GRAPHS] = a->graphs.count > 0,
        [MLC_ONNX_ATTRIBUTE_SPARSE_TENSOR] = a->sparse_tensor != NULL,
        [MLC_ONNX_ATTRIBUTE_SPARSE_TENSORS] = a->sparse_tensors.count > 0,
        [MLC_ONNX_ATTRIBUTE_TYPE_PROTO] = a->tp != NULL,
        [MLC_ONNX_ATTRIBUTE_TYPE_PROTOS] = a->type_protos.count > 0,
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof has / sizeof *has; i++)
        count += has[i];
    *has_typed = a->type >= 0 && a->type < (int64_t)(sizeof has / sizeof *has) && has[a->type];
    return count;
}

// An empty list has no field. Files before IR version 2 give no type.
static bool
check_attribute(const Place *at, const MlcOnnxNode *node, size_t i)
{
    const MlcOnnxAttribute *a = &node->attribute.items[i];
    MlcOnnxImport *im = at->im;
    if (a->name.size == 0)
        return mlc_onnx_fail(im, "at byte %llu: an attribute of a node (%.*s) has no name",
                             byte_of(a->offset), MLC_STR_FMT(node->op_type));
    for (size_t k = 0; k < i; k++)
        if (mlc_str_equal(node->attribute.items[k].name, a->name))
            return mlc_onnx_fail(im, "at byte %llu: attribute '%.*s' is given twice",
                                 byte_of(a->offset), MLC_STR_FMT(a->name));
    bool has_typed, is_list = a->type >= MLC_ONNX_ATTRIBUTE_FLOATS &&
                              a->type != MLC_ONNX_ATTRIBUTE_SPARSE_TENSOR &&
                              a->type != MLC_ONNX_ATTRIBUTE_TYPE_PROTO;
    size_t count = count_values(a, &has_typed);
    bool is_typed = a->has_type && a->type != MLC_ONNX_ATTRIBUTE_UNDEFINED;
    if (!is_typed && im->model->ir_version >= 2 && count > 0)
        return mlc_onnx_fail(im, "at byte %llu: attribute '%.*s' has no type", byte_of(a->offset),
                             MLC_STR_FMT(a->name));
    if (count > 1 || (is_typed && count == 1 && !has_typed))
        return mlc_onnx_fail(im, "at byte %llu: attribute '%.*s' has values of several types",
                             byte_of(a->offset), MLC_STR_FMT(a->name));
    if (is_typed && count == 0 && !is_list && a->ref_attr_name.size == 0)
        return mlc_onnx_fail(im, "at byte %llu: attribute '%.*s' has no value", byte_of(a->offset),
                             MLC_STR_FMT(a->name));
    return true;
}

// ---- schemas

static int
compare(MlcStr a, const char *b)
{
    size_t size = strlen(b), least = a.size < size ? a.size : size;
    int order = least ? memcmp(a.data, b, least) : 0;
    return order ? order : (a.size > size) - (a.size < size);
}

// The last row of the operator that is no newer than the opset; NULL: there is none.
static const MlcOnnxSchema *
find_schema(MlcStr domain, MlcStr name, int64_t opset)
{
    size_t low = 0, high = mlc_onnx_num_schemas();
    if (mlc_str_equal(domain, mlc_str("ai.onnx")))
        domain = mlc_str("");
    while (low < high) { // the first row behind it
        size_t middle = low + (high - low) / 2;
        const MlcOnnxSchema *row = mlc_onnx_schema(middle);
        int order = compare(domain, row->domain);
        order = order ? order : compare(name, row->name);
        if (order < 0 || (order == 0 && opset < row->since))
            high = middle;
        else
            low = middle + 1;
    }
    const MlcOnnxSchema *row = low ? mlc_onnx_schema(low - 1) : NULL;
    bool is_it = row && compare(domain, row->domain) == 0 && compare(name, row->name) == 0;
    return is_it ? row : NULL;
}

// The opset that a node's domain has, where nodes of the default domain are of `opset`.
static int64_t
opset_of_domain(const MlcOnnxImport *im, MlcStr domain, int64_t opset)
{
    if (domain.size == 0 || mlc_str_equal(domain, mlc_str("ai.onnx")))
        return opset;
    bool is_ml = mlc_str_equal(domain, mlc_str("ai.onnx.ml"));
    return is_ml && im->ml_opset ? im->ml_opset : INT16_MAX;
}

// Whether the model says itself what the operator is.
static bool
is_own_function(const MlcOnnxImport *im, const MlcOnnxNode *node)
{
    for (size_t i = 0; i < im->model->functions.count; i++)
        if (mlc_str_equal(im->model->functions.items[i].name, node->op_type) &&
            mlc_str_equal(im->model->functions.items[i].domain, node->domain))
            return true;
    return false;
}

// The next word of a list, without the blank behind it; empty at the end.
static MlcStr
next_word(const char **text)
{
    const char *start = *text;
    size_t size = strcspn(start, " ");
    *text = start + size + (start[size] == ' ');
    return mlc_str_n(start, size);
}

// The kind of an attribute as the schema says it; 0: it has none of that name.
static char
kind_of(const MlcOnnxSchema *schema, MlcStr name)
{
    const char *text = schema->attributes;
    for (MlcStr word = next_word(&text); word.size; word = next_word(&text))
        if (word.size > name.size + 1 && word.data[name.size] == ':' &&
            memcmp(word.data, name.data, name.size) == 0)
            return word.data[name.size + 1];
    return 0;
}

static bool
has_attribute(const MlcOnnxNode *node, MlcStr name)
{
    for (size_t i = 0; i < node->attribute.count; i++)
        if (mlc_str_equal(node->attribute.items[i].name, name))
            return true;
    return false;
}

static bool
check_known_attributes(MlcOnnxNodeImport *n, const MlcOnnxSchema *schema)
{
    static const char kinds[] = " fistgFISTGzZpP"; // by MlcOnnxAttributeType
    for (size_t i = 0; i < n->node->attribute.count; i++) {
        const MlcOnnxAttribute *a = &n->node->attribute.items[i];
        char kind = kind_of(schema, a->name);
        if (!kind)
            return mlc_onnx_invalid(n, "the operator has no attribute '%.*s'",
                                    MLC_STR_FMT(a->name));
        if (a->has_type && a->type > 0 && a->type < (int64_t)sizeof kinds - 1 &&
            kinds[a->type] != kind)
            return mlc_onnx_invalid(n, "attribute '%.*s' has type %" PRId64 ", expected %d",
                                    MLC_STR_FMT(a->name), a->type,
                                    (int)(strchr(kinds, kind) - kinds));
    }
    const char *text = schema->attributes;
    for (MlcStr word = next_word(&text); word.size; word = next_word(&text)) {
        MlcStr name = mlc_str_n(word.data, (size_t)(strchr(word.data, ':') - word.data));
        if (word.data[word.size - 1] == '!' && !has_attribute(n->node, name))
            return mlc_onnx_invalid(n, "attribute '%.*s' is required", MLC_STR_FMT(name));
    }
    return true;
}

static bool
check_schema(const Place *at, const MlcOnnxNode *node)
{
    MlcOnnxNodeImport n = {.import = at->im, .node = node};
    int64_t opset = opset_of_domain(at->im, node->domain, at->opset);
    const MlcOnnxSchema *schema = find_schema(node->domain, node->op_type, opset);
    if (!schema || schema->is_deprecated || is_own_function(at->im, node))
        return true; // what it is, the operators' tables say
    size_t outputs = node->output.count, inputs = node->input.count;
    if (inputs < schema->min_inputs ||
        (inputs > schema->max_inputs && schema->max_inputs != MLC_ONNX_SCHEMA_MANY))
        return mlc_onnx_invalid(&n, "expected %d to %d inputs, got %zu", schema->min_inputs,
                                schema->max_inputs, inputs);
    if (outputs < schema->min_outputs ||
        (outputs > schema->max_outputs && schema->max_outputs != MLC_ONNX_SCHEMA_MANY))
        return mlc_onnx_invalid(&n, "expected %d to %d outputs, got %zu", schema->min_outputs,
                                schema->max_outputs, outputs);
    return check_known_attributes(&n, schema);
}

// ---- types of inputs

// The data type of elements; 0: mlc has it from nowhere.
static int64_t
data_type_of(MlcOnnxImport *im, MlcType element)
{
    for (int64_t type = 1; type < MLC_ONNX_NUM_DATA_TYPES; type++)
        if (mlc_onnx_element_type(im->ctx, type) == element)
            return type;
    return 0;
}

static bool
check_one_type(MlcOnnxNodeImport *n)
{
    int64_t same = 0;
    for (size_t i = 0; i < n->num_inputs && i < 16; i++) {
        if (!(n->row->one_type >> i & 1) || !n->inputs[i] || mlc_onnx_list(n->import, n->inputs[i]))
            continue;
        int64_t type = data_type_of(n->import, mlc_type_element(mlc_value_type(n->inputs[i])));
        if (same && type != same)
            return mlc_onnx_invalid(n, "input %zu is of %s, and another one of %s", i,
                                    mlc_onnx_data_type_name(type), mlc_onnx_data_type_name(same));
        same = type;
    }
    return true;
}

bool
mlc_onnx_check_types(MlcOnnxNodeImport *n)
{
    MlcOnnxImport *im = n->import;
    int64_t opset = opset_of_domain(im, n->node->domain, im->opset);
    const MlcOnnxSchema *schema = find_schema(n->node->domain, n->node->op_type, opset);
    if (!schema)
        return check_one_type(n);
    const char *text = schema->inputs;
    int64_t types[26] = {0};
    MlcStr word = next_word(&text);
    for (size_t i = 0; word.size && i < n->num_inputs; i++) {
        bool is_free = word.data[word.size - 1] == '*';
        uint64_t mask = strtoull(word.data + 1, NULL, 16);
        int64_t *same = &types[(word.data[0] - 'a') % 26], type = 0;
        if (n->inputs[i] && mask && !mlc_onnx_list(im, n->inputs[i]))
            type = data_type_of(im, mlc_type_element(mlc_value_type(n->inputs[i])));
        if (type && !(mask >> type & 1))
            return mlc_onnx_invalid(n, "input %zu is of %s, which the operator does not take", i,
                                    mlc_onnx_data_type_name(type));
        if (type && *same && *same != type && !is_free)
            return mlc_onnx_invalid(n, "input %zu is of %s, and another one of %s", i,
                                    mlc_onnx_data_type_name(type), mlc_onnx_data_type_name(*same));
        *same = type ? type : *same;
        if (*text)
            word = next_word(&text);
    }
    return true;
}

// ---- tensors

static bool
check_tensor(MlcOnnxImport *im, const MlcOnnxTensor *tensor)
{
    const bool has[] = {tensor->has_raw_data,          tensor->float_data.count > 0,
                        tensor->int32_data.count > 0,  tensor->int64_data.count > 0,
                        tensor->double_data.count > 0, tensor->uint64_data.count > 0,
                        tensor->string_data.count > 0};
    size_t count = 0;
    for (size_t i = 0; i < sizeof has / sizeof *has; i++)
        count += has[i];
    if (count > 1)
        return mlc_onnx_fail(im, "at byte %llu: tensor '%.*s' has values in several fields",
                             byte_of(tensor->offset), MLC_STR_FMT(tensor->name));
    return true;
}

// ---- graphs

static bool check_graph(const Place *at, const MlcOnnxGraph *graph);

static bool
has_domain(const MlcOnnxOpset *imports, size_t count, MlcStr domain)
{
    for (size_t i = 0; i < count; i++)
        if (mlc_str_equal(imports[i].domain, domain))
            return true;
    return false;
}

// Whether the function around the node, or the model, imports its domain. What ONNX's own domain
// lacks is told where its operators are looked for.
static bool
check_domain(const Place *at, const MlcOnnxNode *node)
{
    const MlcOnnxFunction *function = at->function;
    const MlcOnnxModel *model = at->im->model;
    if (node->domain.size == 0 || mlc_str_equal(node->domain, mlc_str("ai.onnx")) ||
        (function &&
         has_domain(function->opset_import.items, function->opset_import.count, node->domain)) ||
        has_domain(model->opset_import.items, model->opset_import.count, node->domain))
        return true;
    MlcOnnxNodeImport n = {.import = at->im, .node = node};
    return mlc_onnx_invalid(&n, "the model imports no opset of the domain '%.*s'",
                            MLC_STR_FMT(node->domain));
}

static bool
check_node(const Place *at, const MlcOnnxNode *node)
{
    bool ok = check_domain(at, node);
    if (node->op_type.size == 0)
        return mlc_onnx_fail(at->im, "at byte %llu: a node has no operator", byte_of(node->offset));
    for (size_t i = 0; i < node->attribute.count; i++) {
        const MlcOnnxAttribute *a = &node->attribute.items[i];
        ok &= check_attribute(at, node, i) && (!a->t || check_tensor(at->im, a->t)) &&
              (!a->g || check_graph(at, a->g));
        for (size_t k = 0; k < a->graphs.count; k++)
            ok &= check_graph(at, &a->graphs.items[k]);
    }
    return ok && check_schema(at, node);
}

// Before IR version 4 each constant is an input's default.
static bool
check_constant(MlcOnnxImport *im, const MlcOnnxGraph *graph, const MlcOnnxTensor *tensor)
{
    if (tensor->name.size == 0)
        return mlc_onnx_fail(im, "at byte %llu: an initialiser has no name",
                             byte_of(tensor->offset));
    bool is_input = im->model->ir_version >= 4;
    for (size_t i = 0; !is_input && i < graph->input.count; i++)
        is_input = mlc_str_equal(graph->input.items[i].name, tensor->name);
    return is_input ||
           mlc_onnx_fail(
               im, "at byte %llu: initialiser '%.*s' is no input, as IR version %lld wants it",
               byte_of(tensor->offset), MLC_STR_FMT(tensor->name),
               (long long)im->model->ir_version);
}

static bool
check_graph(const Place *at, const MlcOnnxGraph *graph)
{
    bool ok = true;
    if (graph->name.size == 0)
        ok = mlc_onnx_fail(at->im, "at byte %llu: a graph has no name", byte_of(graph->offset));
    for (size_t i = 0; i < graph->initializer.count; i++)
        ok &= check_tensor(at->im, &graph->initializer.items[i]) &&
              check_constant(at->im, graph, &graph->initializer.items[i]);
    for (size_t i = 0; i < graph->value_info.count; i++)
        if (graph->value_info.items[i].name.size == 0)
            ok = mlc_onnx_fail(at->im, "at byte %llu: a value has no name",
                               byte_of(graph->value_info.items[i].offset));
    for (size_t i = 0; i < graph->node.count; i++)
        ok &= check_node(at, &graph->node.items[i]);
    return ok;
}

// An input or output of the model's graph has a type, though its shape may be anything.
static bool
check_value(MlcOnnxImport *im, const char *what, const MlcOnnxValueInfo *info)
{
    const MlcOnnxType *type = info->type;
    if (info->name.size == 0)
        return mlc_onnx_fail(im, "at byte %llu: an %s has no name", byte_of(info->offset), what);
    bool has_type = type && (type->tensor_type || type->sequence_type || type->map_type ||
                             type->opaque_type || type->sparse_tensor_type || type->optional_type);
    return has_type || im->options.infers_outputs || mlc_onnx_fail(im, "at byte %llu: %s '%.*s' has no type",
                                     byte_of(info->offset), what, MLC_STR_FMT(info->name));
}

// ---- functions

static bool
is_name_twice(MlcStrMap *names, MlcStr name)
{
    bool fresh = true;
    if (name.size)
        mlc_str_map_insert(names, name, &fresh);
    return !fresh;
}

// Names are defined once, and before they are used or at least somewhere in the function.
static bool
check_function_names(MlcOnnxImport *im, const MlcOnnxFunction *function, MlcStrMap *names)
{
    for (size_t i = 0; i < function->input.count; i++)
        if (is_name_twice(names, function->input.items[i]))
            return mlc_onnx_fail(im, "at byte %llu: function '%.*s' has two inputs '%.*s'",
                                 byte_of(function->offset), MLC_STR_FMT(function->name),
                                 MLC_STR_FMT(function->input.items[i]));
    for (size_t i = 0; i < function->node.count; i++) {
        const MlcOnnxNode *node = &function->node.items[i];
        for (size_t k = 0; k < node->output.count; k++)
            if (is_name_twice(names, node->output.items[k]))
                return mlc_onnx_fail(im,
                                     "at byte %llu: function '%.*s' defines the name '%.*s' twice",
                                     byte_of(node->offset), MLC_STR_FMT(function->name),
                                     MLC_STR_FMT(node->output.items[k]));
    }
    for (size_t i = 0; i < function->node.count; i++) {
        const MlcOnnxNode *node = &function->node.items[i];
        for (size_t k = 0; k < node->input.count; k++)
            if (node->input.items[k].size && !mlc_str_map_has(names, node->input.items[k]))
                return mlc_onnx_fail(im, "at byte %llu: function '%.*s' defines no '%.*s'",
                                     byte_of(node->offset), MLC_STR_FMT(function->name),
                                     MLC_STR_FMT(node->input.items[k]));
    }
    return true;
}

static int64_t
opset_of(const MlcOnnxFunction *function, int64_t otherwise)
{
    for (size_t i = 0; i < function->opset_import.count; i++)
        if (function->opset_import.items[i].domain.size == 0)
            return function->opset_import.items[i].version;
    return otherwise;
}

static bool
check_function(MlcOnnxImport *im, const MlcOnnxFunction *function)
{
    Place at = {im, opset_of(function, im->opset), function};
    MlcStrMap names;
    if (function->name.size == 0)
        return mlc_onnx_fail(im, "at byte %llu: a function has no name", byte_of(function->offset));
    mlc_str_map_init(&names, NULL);
    bool ok = check_function_names(im, function, &names);
    mlc_str_map_release(&names);
    for (size_t i = 0; i < function->node.count; i++)
        ok &= check_node(&at, &function->node.items[i]);
    return ok;
}

// ---- the model

static bool
check_entries(MlcOnnxImport *im, const MlcOnnxModel *model)
{
    MlcStrMap keys;
    bool ok = true;
    mlc_str_map_init(&keys, NULL);
    for (size_t i = 0; ok && i < model->metadata_props.count; i++)
        if (is_name_twice(&keys, model->metadata_props.items[i].key))
            ok = mlc_onnx_fail(im, "at byte %llu: the model's property '%.*s' is given twice",
                               byte_of(model->metadata_props.items[i].offset),
                               MLC_STR_FMT(model->metadata_props.items[i].key));
    mlc_str_map_release(&keys);
    return ok;
}

bool
mlc_onnx_check_model(MlcOnnxImport *im)
{
    const MlcOnnxModel *model = im->model;
    const MlcOnnxGraph *graph = model->graph;
    Place at = {im, im->opset, NULL};
    bool ok = check_entries(im, model);
    if (model->ir_version < 3 && model->opset_import.count)
        ok = mlc_onnx_fail(im, "a model of IR version %lld cannot import opsets",
                           (long long)model->ir_version);
    for (size_t i = 0; i < graph->input.count; i++)
        ok &= check_value(im, "input", &graph->input.items[i]);
    for (size_t i = 0; i < graph->output.count; i++)
        ok &= check_value(im, "output", &graph->output.items[i]);
    for (size_t i = 0; i < model->functions.count; i++)
        ok &= check_function(im, &model->functions.items[i]);
    return check_graph(&at, graph) && ok;
}
