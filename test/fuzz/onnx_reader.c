// onnx_reader.c -- libFuzzer target: any bytes as a model, and every tensor found in it.
#include "tensor.h"

#include "files.h"

// A folder with one file, `w`, of 64 bytes: the only external data there is.
static const char *
data_folder(void)
{
    if (fuzz_path[0])
        return fuzz_path;
    return fuzz_write("w", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", 64);
}

static MlcOnnxFolder folder;

static void
read_tensor(MlcOnnxReader *reader, const MlcOnnxTensor *tensor)
{
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
    if (!mlc_onnx_folder_init(&folder, data_folder()))
        abort();
    const MlcOnnxModel *model = mlc_onnx_read(&reader, "fuzz.onnx", &arena, data, size);
    if (model && model->graph)
        read_graph(&reader, model->graph);
    mlc_arena_reset(&arena);
    const MlcOnnxTensor *tensor = mlc_onnx_read_tensor(&reader, "fuzz.pb", &arena, data, size);
    if (tensor)
        read_tensor(&reader, tensor);
    mlc_arena_release(&arena);
    mlc_onnx_folder_release(&folder);
    return 0;
}
