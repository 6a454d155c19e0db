// onnx_reader.c -- libFuzzer target: any bytes as a model, and every tensor found in it.
//
// clang-19 -g -O1 -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -Iinclude -Ilib/frontend/onnx
// test/fuzz/onnx_reader.c
//   lib/frontend/onnx/{proto,tensor}.c lib/support/{alloc,arena,base,buf,file}.c -o
//   onnx_reader_fuzz
#include "tensor.h"

// Folder without a path: external data is refused, so that the fuzzer touches no files.
static void
read_tensor(MlcOnnxReader *reader, const MlcOnnxTensor *tensor)
{
    MlcOnnxFolder folder = {0};
    MlcOnnxBytes bytes;
    if (!mlc_onnx_tensor_bytes(reader, &folder, tensor, &bytes))
        return;
    volatile unsigned sum = 0;
    for (size_t i = 0; i < bytes.size; i++)
        sum += ((const unsigned char *)bytes.data)[i];
}

static void read_graph(MlcOnnxReader *reader, const MlcOnnxGraph *graph);

static void
read_attribute(MlcOnnxReader *reader, const MlcOnnxAttribute *attribute)
{
    volatile float sum = 0;
    for (size_t i = 0; i < attribute->floats.count; i++)
        sum += mlc_onnx_float_at(attribute->floats, i);
    if (attribute->t)
        read_tensor(reader, attribute->t);
    if (attribute->g)
        read_graph(reader, attribute->g);
    for (size_t i = 0; i < attribute->tensors.count; i++)
        read_tensor(reader, &attribute->tensors.items[i]);
    for (size_t i = 0; i < attribute->graphs.count; i++)
        read_graph(reader, &attribute->graphs.items[i]);
}

static void
read_graph(MlcOnnxReader *reader, const MlcOnnxGraph *graph)
{
    for (size_t i = 0; i < graph->initializer.count; i++)
        read_tensor(reader, &graph->initializer.items[i]);
    for (size_t i = 0; i < graph->node.count; i++)
        for (size_t k = 0; k < graph->node.items[i].attribute.count; k++)
            read_attribute(reader, &graph->node.items[i].attribute.items[k]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MlcOnnxReader reader;
    MlcArena arena;
    mlc_arena_init(&arena);
    const MlcOnnxModel *model = mlc_onnx_read(&reader, "fuzz.onnx", &arena, data, size);
    if (model && model->graph)
        read_graph(&reader, model->graph);
    mlc_arena_reset(&arena);
    const MlcOnnxTensor *tensor = mlc_onnx_read_tensor(&reader, "fuzz.pb", &arena, data, size);
    if (tensor)
        read_tensor(&reader, tensor);
    mlc_arena_release(&arena);
    return 0;
}
