// onnx_reader.c -- the wire reader on hand-made bytes: what it finds, and what each kind of broken
// file is told.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tensor.h"

#define BYTES(text) (text), sizeof(text) - 1

static MlcArena arena;
static MlcOnnxReader reader;

static const MlcOnnxModel *
read_model(const char *data, size_t size)
{
    return mlc_onnx_read(&reader, "m.onnx", &arena, data, size);
}

static void
assert_refused(const char *data, size_t size, const char *message)
{
    assert_null(read_model(data, size));
    assert_string_equal(reader.error, message);
}

static void
model_with_a_node(void **state)
{
    (void)state;
    // ir_version 8; graph { node { input: "x" output: "y" op_type: "Relu" } name: "g" }; opset {
    // version: 13 }
    const MlcOnnxModel *model =
        read_model(BYTES("\x08\x08\x3a\x11\x0a\x0c\x0a\x01x\x12\x01y\x22\x04Relu"
                         "\x12\x01g\x42\x02\x10\x0d"));
    assert_non_null(model);
    assert_int_equal(model->ir_version, 8);
    assert_int_equal(model->opset_import.count, 1);
    assert_int_equal(model->opset_import.items[0].version, 13);
    assert_false(model->opset_import.items[0].has_domain);
    assert_int_equal(model->graph->node.count, 1);
    const MlcOnnxNode *node = &model->graph->node.items[0];
    assert_true(mlc_str_equal(node->op_type, mlc_str("Relu")));
    assert_int_equal(node->input.count, 1);
    assert_true(mlc_str_equal(node->input.items[0], mlc_str("x")));
    assert_int_equal(node->offset, 6);
}

static void
empty_model(void **state)
{
    (void)state;
    const MlcOnnxModel *model = read_model(BYTES(""));
    assert_non_null(model);
    assert_null(model->graph);
}

static void
unknown_fields_are_skipped(void **state)
{
    (void)state;
    // fields 100 to 103 of every wire type, a group in a group among them, then ir_version 7
    const MlcOnnxModel *model =
        read_model(BYTES("\xa0\x06\x01\xa9\x06"
                         "12345678\xb2\x06\x02hi\xbd\x06"
                         "1234\xa3\x06\xab\x06\x08\x01\xac\x06\xa4\x06\x08\x07"));
    assert_non_null(model);
    assert_int_equal(model->ir_version, 7);
}

static void
packed_and_unpacked_lists(void **state)
{
    (void)state;
    // attribute: ints 1 unpacked, [300, -1] packed, 2 unpacked; floats packed in one run
    const MlcOnnxModel *model = read_model(BYTES(
        "\x3a\x23\x0a\x21\x2a\x1f\x40\x01\x42\x0c\xac\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
        "\x40\x02\x3a\x08\x00\x00\x80\x3f\x00\x00\x00\x40\xa0\x01\x07"));
    assert_non_null(model);
    const MlcOnnxAttribute *attribute = &model->graph->node.items[0].attribute.items[0];
    assert_int_equal(attribute->ints.count, 4);
    assert_int_equal(attribute->ints.items[1], 300);
    assert_int_equal(attribute->ints.items[2], -1);
    assert_int_equal(attribute->ints.items[3], 2);
    assert_int_equal(attribute->floats.count, 2);
    assert_true(mlc_onnx_float_at(attribute->floats, 1) == 2.0f);
    assert_true(attribute->floats.items > reader.data &&
                attribute->floats.items < reader.data + reader.size); // borrowed
    assert_int_equal(attribute->type, MLC_ONNX_ATTRIBUTE_INTS);
}

static void
broken_bytes_are_located(void **state)
{
    (void)state;
    assert_refused(
        BYTES("\x3a\x06\x0a\x04\x0a\x05xy"),
        "m.onnx: at byte 5: field graph.node[0].input[0]: truncated: 5 bytes announced, 2 left");
    assert_refused(
        BYTES("\x3a\x09\x0a\x02\x0a\x00\x0a\x03\x0d\x01\x02"),
        "m.onnx: at byte 9: field graph.node[1].input[0]: truncated: 4 bytes wanted, 2 left");
    assert_refused(
        BYTES("\x08\xff"),
        "m.onnx: at byte 1: field ir_version: truncated: the message ends inside a number");
    assert_refused(
        BYTES("\x3a\x02\x08\x01"),
        "m.onnx: at byte 2: field graph.node[0]: malformed: expected wire type 2, got 0");
    assert_refused(BYTES("\x3a\x00\x3a\x00"),
                   "m.onnx: at byte 2: field graph: malformed: given twice");
    assert_refused(BYTES("\x00"), "m.onnx: at byte 0: malformed: field number 0");
    assert_refused(BYTES("\x0f"), "m.onnx: at byte 0: malformed: wire type 7");
    assert_refused(BYTES("\x0c"),
                   "m.onnx: at byte 0: field ir_version: malformed: a group ends that none began");
    assert_refused(
        BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
        "m.onnx: at byte 1: field ir_version: malformed: a number of more than 10 bytes");
    assert_refused(BYTES("\x3a\x08\x2a\x06\x22\x03xyz\x40"),
                   "m.onnx: at byte 6: field graph.initializer[0].float_data[0]: malformed: 3 "
                   "bytes packed, not a "
                   "multiple of 4");
}

static void
nesting_is_limited(void **state)
{
    (void)state;
    // input { type { sequence_type { elem_type { sequence_type { ... built from the inside out
    char data[4096];
    size_t at = sizeof data;
    for (int level = 0; level < 100; level++) {
        size_t size = sizeof data - at;
        data[--at] = (char)((size >> 7) & 0x7f);
        data[--at] = (char)((size & 0x7f) | 0x80);
        data[--at] =
            level % 2 ? 0x22 : 0x0a; // alternately Sequence.elem_type and Type.sequence_type
    }
    for (int i = 0; i < 3; i++) { // graph.input.type
        static const char tags[] = {0x12, 0x5a, 0x3a};
        size_t size = sizeof data - at;
        data[--at] = (char)((size >> 7) & 0x7f);
        data[--at] = (char)((size & 0x7f) | 0x80);
        data[--at] = tags[i];
    }
    assert_null(read_model(data + at, sizeof data - at));
    assert_non_null(strstr(reader.error, "messages are nested deeper than 64"));
}

static void
memory_is_limited(void **state)
{
    (void)state;
    // 4 million empty tensors of two bytes each
    size_t count = 4u << 20, size = 2 * count + 5;
    char *data = malloc(size);
    size_t body = 2 * count;
    data[0] = 0x3a;
    for (int i = 0; i < 4; i++)
        data[1 + i] = (char)(((body >> (7 * i)) & 0x7f) | (i < 3 ? 0x80 : 0));
    for (size_t i = 0; i < count; i++)
        memcpy(data + 5 + 2 * i, "\x2a\x00", 2);
    assert_null(read_model(data, size));
    assert_non_null(strstr(reader.error, "MiB of memory to read"));
    free(data);
}

static bool
tensor_bytes(const char *data, size_t size, MlcOnnxFolder *folder, MlcOnnxBytes *bytes)
{
    MlcOnnxFolder none = {0};
    const MlcOnnxTensor *tensor = mlc_onnx_read_tensor(&reader, "t.pb", &arena, data, size);
    assert_non_null(tensor);
    return mlc_onnx_tensor_bytes(&reader, folder ? folder : &none, tensor, bytes);
}

static void
tensor_forms(void **state)
{
    (void)state;
    MlcOnnxBytes bytes;
    // dims [2], float, raw_data
    const char raw[] = "\x08\x02\x10\x01\x4a\x08"
                       "abcdefgh";
    assert_true(tensor_bytes(BYTES(raw), NULL, &bytes));
    assert_int_equal(bytes.source, MLC_ONNX_SOURCE_MODEL);
    assert_int_equal(bytes.size, 8);
    assert_ptr_equal(bytes.data, raw + 6);
    // dims [3], int8, int32_data [1, -1, 127]
    assert_true(tensor_bytes(
        BYTES("\x08\x03\x10\x03\x2a\x0c\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x7f"), NULL,
        &bytes));
    assert_int_equal(bytes.size, 3);
    assert_memory_equal(bytes.data, "\x01\xff\x7f", 3);
    // dims [3], uint4, int32_data of two packed bytes
    assert_true(tensor_bytes(BYTES("\x08\x03\x10\x15\x2a\x02\x21\x03"), NULL, &bytes));
    assert_int_equal(bytes.size, 2);
    assert_memory_equal(bytes.data, "\x21\x03", 2);
    // a scalar, int64
    assert_true(tensor_bytes(BYTES("\x10\x07\x3a\x01\x05"), NULL, &bytes));
    assert_int_equal(bytes.size, 8);
    // no elements
    assert_true(tensor_bytes(BYTES("\x08\x00\x10\x01"), NULL, &bytes));
    assert_int_equal(bytes.size, 0);
}

static void
assert_tensor_refused(const char *data, size_t size, MlcOnnxFolder *folder, const char *message)
{
    MlcOnnxBytes bytes;
    assert_false(tensor_bytes(data, size, folder, &bytes));
    assert_string_equal(reader.error, message);
}

static void
broken_tensors(void **state)
{
    (void)state;
    assert_tensor_refused(BYTES("\x08\x02\x10\x01\x4a\x01x\x42\x01w"), NULL,
                          "t.pb: at byte 0: tensor 'w': raw_data has 1 bytes, the shape needs 8");
    assert_tensor_refused(
        BYTES("\x08\x02\x10\x01"), NULL,
        "t.pb: at byte 0: tensor '': float_data has 0 entries, the shape needs 2");
    assert_tensor_refused(BYTES("\x08\x02\x10\x63"), NULL,
                          "t.pb: at byte 0: tensor '': data type 99 is unknown");
    assert_tensor_refused(BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x01"), NULL,
                          "t.pb: at byte 0: tensor '': dimension 0 is -1");
    assert_tensor_refused(
        BYTES("\x0a\x12\xff\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff\xff\x7f"
              "\x10\x01"),
        NULL, "t.pb: at byte 0: tensor '': the shape has more elements than fit in 64 bits");
}

// dims [2], uint8, external at `location`, with `offset` (a one-digit string) and length 2
static size_t
external_tensor(char *out, const char *location, const char *offset)
{
    size_t n = strlen(location), at = 0;
    memcpy(out, "\x08\x02\x10\x02\x70\x01", 6);
    at = 6;
    out[at++] = 0x6a;
    out[at++] = (char)(n + 12);
    memcpy(out + at, "\x0a\x08location\x12", 11);
    at += 11;
    out[at++] = (char)n;
    memcpy(out + at, location, n);
    at += n;
    memcpy(out + at, "\x6a\x0b\x0a\x06offset\x12\x01", 12);
    at += 12;
    out[at++] = offset[0];
    memcpy(out + at, "\x6a\x0b\x0a\x06length\x12\x01\x32", 13);
    return at + 13;
}

static void
external_data(void **state)
{
    (void)state;
    char dir[] = "/tmp/mlc_onnx_XXXXXX", path[128], data[256];
    assert_non_null(mkdtemp(dir));
    MlcBuf error = {0};
    snprintf(path, sizeof path, "%s/w.bin", dir);
    assert_true(mlc_file_write_atomic(path, "abcd", 4, &error));
    snprintf(path, sizeof path, "%s/out", dir);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    snprintf(path, sizeof path, "%s/m.onnx", dir);
    MlcOnnxFolder folder;
    assert_true(mlc_onnx_folder_init(&folder, path));
    MlcOnnxBytes bytes;
    assert_tensor_refused(data, external_tensor(data, "w.bin", "1"), NULL,
                          "t.pb: at byte 0: tensor '': external data is not read here");
    assert_true(tensor_bytes(data, external_tensor(data, "w.bin", "1"), &folder, &bytes));
    assert_memory_equal(bytes.data, "bc", 2);
    assert_int_equal(bytes.source, MLC_ONNX_SOURCE_FILE);
    assert_true(tensor_bytes(data, external_tensor(data, "w.bin", "2"), &folder, &bytes));
    assert_ptr_equal(bytes.file, folder.files); // mapped once
    assert_tensor_refused(
        data, external_tensor(data, "w.bin", "3"), &folder,
        "t.pb: at byte 0: tensor '': external data: bytes 3 to 5 of 'w.bin', which has 4");
    assert_tensor_refused(
        data, external_tensor(data, "w.bin", "x"), &folder,
        "t.pb: at byte 0: tensor '': external data: 'offset' is not a number of bytes");
    assert_tensor_refused(
        data, external_tensor(data, "../w.bin", "0"), &folder,
        "t.pb: at byte 0: tensor '': external data: location '../w.bin' must be a path inside "
        "the model's folder");
    assert_tensor_refused(
        data, external_tensor(data, "/etc/passwd", "0"), &folder,
        "t.pb: at byte 0: tensor '': external data: location '/etc/passwd' must be a path "
        "inside the model's folder");
    assert_tensor_refused(data, external_tensor(data, "out", "0"), &folder,
                          "t.pb: at byte 0: tensor '': external data: 'out' is a link out of the "
                          "model's folder, to '/etc/passwd'; "
                          "--allow-external-links follows it");
    assert_tensor_refused(
        data, external_tensor(data, "none", "0"), &folder,
        "t.pb: at byte 0: tensor '': external data: cannot open 'none': No such file or directory");
    assert_tensor_refused(data, external_tensor(data, ".", "0"), &folder,
                          "t.pb: at byte 0: tensor '': external data: '.' is not a file");
    mlc_onnx_folder_release(&folder);
    mlc_buf_release(&error);
    unlink(path);
    snprintf(path, sizeof path, "%s/w.bin", dir);
    unlink(path);
    snprintf(path, sizeof path, "%s/out", dir);
    unlink(path);
    rmdir(dir);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_with_a_node),
        cmocka_unit_test(empty_model),
        cmocka_unit_test(unknown_fields_are_skipped),
        cmocka_unit_test(packed_and_unpacked_lists),
        cmocka_unit_test(broken_bytes_are_located),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(tensor_forms),
        cmocka_unit_test(broken_tensors),
        cmocka_unit_test(external_data),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mlc_arena_release(&arena);
    return failed;
}
