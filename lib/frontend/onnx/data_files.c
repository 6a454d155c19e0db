// data_files.c -- which files a model is made of beside its own: the locations of external data.
#include "mlc/frontend/onnx.h"

#include "mlc/support/map.h"

#include "proto.h"

typedef struct Collector {
    MlcArena *arena;
    MlcStrVec *locations;
    MlcStrMap seen;
} Collector;

static void
collect_tensor(Collector *c, const MlcOnnxTensor *tensor)
{
    for (size_t i = 0; tensor && i < tensor->external_data.count; i++) {
        const MlcOnnxEntry *entry = &tensor->external_data.items[i];
        bool inserted = false;
        if (mlc_str_equal(entry->key, mlc_str("location")))
            mlc_str_map_insert(&c->seen, entry->value, &inserted);
        if (inserted)
            mlc_vec_push(c->locations, mlc_arena_strdup(c->arena, entry->value));
    }
}

static void collect_graph(Collector *c, const MlcOnnxGraph *graph);

static void
collect_sparse(Collector *c, const MlcOnnxSparseTensor *sparse)
{
    if (!sparse)
        return;
    collect_tensor(c, sparse->values);
    collect_tensor(c, sparse->indices);
}

static void
collect_attribute(Collector *c, const MlcOnnxAttribute *attribute)
{
    collect_tensor(c, attribute->t);
    for (size_t i = 0; i < attribute->tensors.count; i++)
        collect_tensor(c, &attribute->tensors.items[i]);
    collect_sparse(c, attribute->sparse_tensor);
    for (size_t i = 0; i < attribute->sparse_tensors.count; i++)
        collect_sparse(c, &attribute->sparse_tensors.items[i]);
    if (attribute->g)
        collect_graph(c, attribute->g);
    for (size_t i = 0; i < attribute->graphs.count; i++)
        collect_graph(c, &attribute->graphs.items[i]);
}

static void
collect_node(Collector *c, const MlcOnnxNode *node)
{
    for (size_t i = 0; i < node->attribute.count; i++)
        collect_attribute(c, &node->attribute.items[i]);
}

// Recursion is bounded by the reader's limit on nested messages.
static void
collect_graph(Collector *c, const MlcOnnxGraph *graph)
{
    for (size_t i = 0; i < graph->initializer.count; i++)
        collect_tensor(c, &graph->initializer.items[i]);
    for (size_t i = 0; i < graph->sparse_initializer.count; i++)
        collect_sparse(c, &graph->sparse_initializer.items[i]);
    for (size_t i = 0; i < graph->node.count; i++)
        collect_node(c, &graph->node.items[i]);
}

static void
collect_function(Collector *c, const MlcOnnxFunction *function)
{
    for (size_t i = 0; i < function->node.count; i++)
        collect_node(c, &function->node.items[i]);
    for (size_t i = 0; i < function->attribute_proto.count; i++)
        collect_attribute(c, &function->attribute_proto.items[i]);
}

bool
mlc_onnx_data_files(const void *data, size_t size, MlcArena *arena, MlcStrVec *locations)
{
    MlcOnnxReader reader = {0};
    const MlcOnnxModel *model = mlc_onnx_read(&reader, "model", arena, data, size);
    if (!model)
        return false;
    Collector c = {.arena = arena, .locations = locations};
    mlc_str_map_init(&c.seen, NULL);
    if (model->graph)
        collect_graph(&c, model->graph);
    for (size_t i = 0; i < model->functions.count; i++)
        collect_function(&c, &model->functions.items[i]);
    mlc_str_map_release(&c.seen);
    return true;
}
