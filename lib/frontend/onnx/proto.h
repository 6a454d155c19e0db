// proto.h -- ONNX's messages as plain structs over the mapped file, and the reader that fills them.
//
// Each message is one list of fields (MLC_ONNX_<MESSAGE>); the struct and the reader's table both
// come from it. Strings and bytes are slices of the file, so the file must outlive the model; lists
// and nested messages live in the reader's arena. Field numbers and names are those of onnx.proto,
// IR version 14; what is not listed here is skipped by its wire type.
#ifndef MLC_FRONTEND_ONNX_PROTO_H
#define MLC_FRONTEND_ONNX_PROTO_H

#include "mlc/support/arena.h"
#include "mlc/support/base.h"

// How a field's value is encoded and what the struct holds for it. The lists of FLOAT and DOUBLE
// are little-endian bytes that may lie unaligned in the file: read them with mlc_onnx_float_at and
// mlc_onnx_double_at.
typedef enum MlcOnnxKind {
    MLC_ONNX_KIND_INT64,
    MLC_ONNX_KIND_INT32,
    MLC_ONNX_KIND_FLOAT,
    MLC_ONNX_KIND_DOUBLE,
    MLC_ONNX_KIND_STR, // string or bytes
    MLC_ONNX_KIND_MESSAGE,
} MlcOnnxKind;

typedef struct MlcOnnxInts {
    const int64_t *items;
    size_t count;
} MlcOnnxInts;
typedef struct MlcOnnxInt32s {
    const int32_t *items;
    size_t count;
} MlcOnnxInt32s;
typedef struct MlcOnnxFloats {
    const char *items; // 4 * count bytes
    size_t count;
} MlcOnnxFloats;
typedef struct MlcOnnxDoubles {
    const char *items; // 8 * count bytes
    size_t count;
} MlcOnnxDoubles;
typedef struct MlcOnnxStrs {
    const MlcStr *items;
    size_t count;
} MlcOnnxStrs;

#define MLC_ONNX_MESSAGES(M)                                                                       \
    M(MODEL, Model, model)                                                                         \
    M(GRAPH, Graph, graph)                                                                         \
    M(NODE, Node, node)                                                                            \
    M(ATTRIBUTE, Attribute, attribute)                                                             \
    M(TENSOR, Tensor, tensor)                                                                      \
    M(SEGMENT, Segment, segment)                                                                   \
    M(SPARSE_TENSOR, SparseTensor, sparse_tensor)                                                  \
    M(VALUE_INFO, ValueInfo, value_info)                                                           \
    M(TYPE, Type, type)                                                                            \
    M(TENSOR_TYPE, TensorType, tensor_type)                                                        \
    M(SEQUENCE_TYPE, SequenceType, sequence_type)                                                  \
    M(MAP_TYPE, MapType, map_type)                                                                 \
    M(OPAQUE_TYPE, OpaqueType, opaque_type)                                                        \
    M(SHAPE, Shape, shape)                                                                         \
    M(DIM, Dim, dim)                                                                               \
    M(OPSET, Opset, opset)                                                                         \
    M(FUNCTION, Function, function)                                                                \
    M(ENTRY, Entry, entry)                                                                         \
    M(ANNOTATION, Annotation, annotation)                                                          \
    M(SEQUENCE_VALUE, Sequence, sequence)                                                          \
    M(OPTIONAL_VALUE, Optional, optional)                                                          \
    M(MAP_VALUE, Map, map)

#define MLC_ONNX_FORWARD(UPPER, Camel, lower) typedef struct MlcOnnx##Camel MlcOnnx##Camel;
MLC_ONNX_MESSAGES(MLC_ONNX_FORWARD)

// ONE(number, name, KIND)  MANY(number, name, List, KIND)  SUB(number, name, Message, lower)
// SUBS(number, name, Message, lower)
#define MLC_ONNX_MODEL(ONE, MANY, SUB, SUBS)                                                       \
    ONE(1, ir_version, INT64)                                                                      \
    ONE(2, producer_name, STR)                                                                     \
    ONE(3, producer_version, STR)                                                                  \
    ONE(4, domain, STR)                                                                            \
    ONE(5, model_version, INT64)                                                                   \
    ONE(6, doc_string, STR)                                                                        \
    SUB(7, graph, Graph, graph)                                                                    \
    SUBS(8, opset_import, Opset, opset)                                                            \
    SUBS(14, metadata_props, Entry, entry)                                                         \
    SUBS(25, functions, Function, function)

#define MLC_ONNX_GRAPH(ONE, MANY, SUB, SUBS)                                                       \
    SUBS(1, node, Node, node)                                                                      \
    ONE(2, name, STR)                                                                              \
    SUBS(5, initializer, Tensor, tensor)                                                           \
    ONE(10, doc_string, STR)                                                                       \
    SUBS(11, input, ValueInfo, value_info)                                                         \
    SUBS(12, output, ValueInfo, value_info)                                                        \
    SUBS(13, value_info, ValueInfo, value_info)                                                    \
    SUBS(14, quantization_annotation, Annotation, annotation)                                      \
    SUBS(15, sparse_initializer, SparseTensor, sparse_tensor)                                      \
    SUBS(16, metadata_props, Entry, entry)

#define MLC_ONNX_NODE(ONE, MANY, SUB, SUBS)                                                        \
    MANY(1, input, Strs, STR)                                                                      \
    MANY(2, output, Strs, STR)                                                                     \
    ONE(3, name, STR)                                                                              \
    ONE(4, op_type, STR)                                                                           \
    SUBS(5, attribute, Attribute, attribute)                                                       \
    ONE(6, doc_string, STR)                                                                        \
    ONE(7, domain, STR)                                                                            \
    ONE(8, overload, STR)                                                                          \
    SUBS(9, metadata_props, Entry, entry)

#define MLC_ONNX_ATTRIBUTE(ONE, MANY, SUB, SUBS)                                                   \
    ONE(1, name, STR)                                                                              \
    ONE(2, f, FLOAT)                                                                               \
    ONE(3, i, INT64)                                                                               \
    ONE(4, s, STR)                                                                                 \
    SUB(5, t, Tensor, tensor)                                                                      \
    SUB(6, g, Graph, graph)                                                                        \
    MANY(7, floats, Floats, FLOAT)                                                                 \
    MANY(8, ints, Ints, INT64)                                                                     \
    MANY(9, strings, Strs, STR)                                                                    \
    SUBS(10, tensors, Tensor, tensor)                                                              \
    SUBS(11, graphs, Graph, graph)                                                                 \
    ONE(13, doc_string, STR)                                                                       \
    SUB(14, tp, Type, type)                                                                        \
    SUBS(15, type_protos, Type, type)                                                              \
    ONE(20, type, INT64)                                                                           \
    ONE(21, ref_attr_name, STR)                                                                    \
    SUB(22, sparse_tensor, SparseTensor, sparse_tensor)                                            \
    SUBS(23, sparse_tensors, SparseTensor, sparse_tensor)

#define MLC_ONNX_TENSOR(ONE, MANY, SUB, SUBS)                                                      \
    MANY(1, dims, Ints, INT64)                                                                     \
    ONE(2, data_type, INT64)                                                                       \
    SUB(3, segment, Segment, segment)                                                              \
    MANY(4, float_data, Floats, FLOAT)                                                             \
    MANY(5, int32_data, Int32s, INT32)                                                             \
    MANY(6, string_data, Strs, STR)                                                                \
    MANY(7, int64_data, Ints, INT64)                                                               \
    ONE(8, name, STR)                                                                              \
    ONE(9, raw_data, STR)                                                                          \
    MANY(10, double_data, Doubles, DOUBLE)                                                         \
    MANY(11, uint64_data, Ints, INT64)                                                             \
    ONE(12, doc_string, STR)                                                                       \
    SUBS(13, external_data, Entry, entry)                                                          \
    ONE(14, data_location, INT64)                                                                  \
    SUBS(16, metadata_props, Entry, entry)

#define MLC_ONNX_SEGMENT(ONE, MANY, SUB, SUBS)                                                     \
    ONE(1, begin, INT64)                                                                           \
    ONE(2, end, INT64)

#define MLC_ONNX_SPARSE_TENSOR(ONE, MANY, SUB, SUBS)                                               \
    SUB(1, values, Tensor, tensor)                                                                 \
    SUB(2, indices, Tensor, tensor)                                                                \
    MANY(3, dims, Ints, INT64)

#define MLC_ONNX_VALUE_INFO(ONE, MANY, SUB, SUBS)                                                  \
    ONE(1, name, STR)                                                                              \
    SUB(2, type, Type, type)                                                                       \
    ONE(3, doc_string, STR)                                                                        \
    SUBS(4, metadata_props, Entry, entry)

#define MLC_ONNX_TYPE(ONE, MANY, SUB, SUBS)                                                        \
    SUB(1, tensor_type, TensorType, tensor_type)                                                   \
    SUB(4, sequence_type, SequenceType, sequence_type)                                             \
    SUB(5, map_type, MapType, map_type)                                                            \
    ONE(6, denotation, STR)                                                                        \
    SUB(7, opaque_type, OpaqueType, opaque_type)                                                   \
    SUB(8, sparse_tensor_type, TensorType, tensor_type)                                            \
    SUB(9, optional_type, SequenceType, sequence_type)

#define MLC_ONNX_TENSOR_TYPE(ONE, MANY, SUB, SUBS)                                                 \
    ONE(1, elem_type, INT64)                                                                       \
    SUB(2, shape, Shape, shape)

#define MLC_ONNX_SEQUENCE_TYPE(ONE, MANY, SUB, SUBS) SUB(1, elem_type, Type, type)

#define MLC_ONNX_MAP_TYPE(ONE, MANY, SUB, SUBS)                                                    \
    ONE(1, key_type, INT64)                                                                        \
    SUB(2, value_type, Type, type)

#define MLC_ONNX_OPAQUE_TYPE(ONE, MANY, SUB, SUBS)                                                 \
    ONE(1, domain, STR)                                                                            \
    ONE(2, name, STR)

#define MLC_ONNX_SHAPE(ONE, MANY, SUB, SUBS) SUBS(1, dim, Dim, dim)

#define MLC_ONNX_DIM(ONE, MANY, SUB, SUBS)                                                         \
    ONE(1, dim_value, INT64)                                                                       \
    ONE(2, dim_param, STR)                                                                         \
    ONE(3, denotation, STR)

#define MLC_ONNX_OPSET(ONE, MANY, SUB, SUBS)                                                       \
    ONE(1, domain, STR)                                                                            \
    ONE(2, version, INT64)

#define MLC_ONNX_FUNCTION(ONE, MANY, SUB, SUBS)                                                    \
    ONE(1, name, STR)                                                                              \
    MANY(4, input, Strs, STR)                                                                      \
    MANY(5, output, Strs, STR)                                                                     \
    MANY(6, attribute, Strs, STR)                                                                  \
    SUBS(7, node, Node, node)                                                                      \
    ONE(8, doc_string, STR)                                                                        \
    SUBS(9, opset_import, Opset, opset)                                                            \
    ONE(10, domain, STR)                                                                           \
    SUBS(11, attribute_proto, Attribute, attribute)                                                \
    SUBS(12, value_info, ValueInfo, value_info)                                                    \
    ONE(13, overload, STR)                                                                         \
    SUBS(14, metadata_props, Entry, entry)

#define MLC_ONNX_ENTRY(ONE, MANY, SUB, SUBS)                                                       \
    ONE(1, key, STR)                                                                               \
    ONE(2, value, STR)

#define MLC_ONNX_ANNOTATION(ONE, MANY, SUB, SUBS)                                                  \
    ONE(1, tensor_name, STR)                                                                       \
    SUBS(2, quant_parameter_tensor_names, Entry, entry)

// onnx-data.proto: what files beside a model hold.
#define MLC_ONNX_SEQUENCE_VALUE(ONE, MANY, SUB, SUBS)                                              \
    ONE(1, name, STR)                                                                              \
    ONE(2, elem_type, INT64)                                                                       \
    SUBS(3, tensor_values, Tensor, tensor)                                                         \
    SUBS(4, sparse_tensor_values, SparseTensor, sparse_tensor)                                     \
    SUBS(5, sequence_values, Sequence, sequence)                                                   \
    SUBS(6, map_values, Map, map)                                                                  \
    SUBS(7, optional_values, Optional, optional)

#define MLC_ONNX_OPTIONAL_VALUE(ONE, MANY, SUB, SUBS)                                              \
    ONE(1, name, STR)                                                                              \
    ONE(2, elem_type, INT64)                                                                       \
    SUB(3, tensor_value, Tensor, tensor)                                                           \
    SUB(4, sparse_tensor_value, SparseTensor, sparse_tensor)                                       \
    SUB(5, sequence_value, Sequence, sequence)                                                     \
    SUB(6, map_value, Map, map)                                                                    \
    SUB(7, optional_value, Optional, optional)

#define MLC_ONNX_MAP_VALUE(ONE, MANY, SUB, SUBS)                                                   \
    ONE(1, name, STR)                                                                              \
    ONE(2, key_type, INT64)                                                                        \
    MANY(3, keys, Ints, INT64)                                                                     \
    MANY(4, string_keys, Strs, STR)                                                                \
    SUB(5, values, Sequence, sequence)

#define MLC_ONNX_C_INT64 int64_t
#define MLC_ONNX_C_FLOAT float
#define MLC_ONNX_C_STR MlcStr
#define MLC_ONNX_DECLARE_ONE(number, name, KIND)                                                   \
    MLC_ONNX_C_##KIND name;                                                                        \
    bool has_##name;
#define MLC_ONNX_DECLARE_MANY(number, name, List, KIND) MlcOnnx##List name;
#define MLC_ONNX_DECLARE_SUB(number, name, Message, lower) const MlcOnnx##Message *name;
#define MLC_ONNX_DECLARE_SUBS(number, name, Message, lower)                                        \
    struct {                                                                                       \
        const MlcOnnx##Message *items;                                                             \
        size_t count;                                                                              \
    } name;
#define MLC_ONNX_DECLARE(UPPER, Camel, lower)                                                      \
    struct MlcOnnx##Camel {                                                                        \
        uint64_t offset; /* of the message's first byte in the file */                             \
        uint64_t size;   /* bytes from there */                                                    \
        MLC_ONNX_##UPPER(MLC_ONNX_DECLARE_ONE, MLC_ONNX_DECLARE_MANY, MLC_ONNX_DECLARE_SUB,        \
                         MLC_ONNX_DECLARE_SUBS)                                                    \
    };
MLC_ONNX_MESSAGES(MLC_ONNX_DECLARE)

// TensorProto.DataType
typedef enum MlcOnnxDataType {
    MLC_ONNX_UNDEFINED = 0,
    MLC_ONNX_FLOAT = 1,
    MLC_ONNX_UINT8 = 2,
    MLC_ONNX_INT8 = 3,
    MLC_ONNX_UINT16 = 4,
    MLC_ONNX_INT16 = 5,
    MLC_ONNX_INT32 = 6,
    MLC_ONNX_INT64 = 7,
    MLC_ONNX_STRING = 8,
    MLC_ONNX_BOOL = 9,
    MLC_ONNX_FLOAT16 = 10,
    MLC_ONNX_DOUBLE = 11,
    MLC_ONNX_UINT32 = 12,
    MLC_ONNX_UINT64 = 13,
    MLC_ONNX_COMPLEX64 = 14,
    MLC_ONNX_COMPLEX128 = 15,
    MLC_ONNX_BFLOAT16 = 16,
    MLC_ONNX_FLOAT8E4M3FN = 17,
    MLC_ONNX_FLOAT8E4M3FNUZ = 18,
    MLC_ONNX_FLOAT8E5M2 = 19,
    MLC_ONNX_FLOAT8E5M2FNUZ = 20,
    MLC_ONNX_UINT4 = 21,
    MLC_ONNX_INT4 = 22,
    MLC_ONNX_FLOAT4E2M1 = 23,
    MLC_ONNX_FLOAT8E8M0 = 24,
    MLC_ONNX_UINT2 = 25,
    MLC_ONNX_INT2 = 26,
    MLC_ONNX_FLOAT6E2M3 = 27,
    MLC_ONNX_FLOAT6E3M2 = 28,
    MLC_ONNX_NUM_DATA_TYPES = 29,
} MlcOnnxDataType;

// AttributeProto.AttributeType
typedef enum MlcOnnxAttributeType {
    MLC_ONNX_ATTRIBUTE_UNDEFINED = 0,
    MLC_ONNX_ATTRIBUTE_FLOAT = 1,
    MLC_ONNX_ATTRIBUTE_INT = 2,
    MLC_ONNX_ATTRIBUTE_STRING = 3,
    MLC_ONNX_ATTRIBUTE_TENSOR = 4,
    MLC_ONNX_ATTRIBUTE_GRAPH = 5,
    MLC_ONNX_ATTRIBUTE_FLOATS = 6,
    MLC_ONNX_ATTRIBUTE_INTS = 7,
    MLC_ONNX_ATTRIBUTE_STRINGS = 8,
    MLC_ONNX_ATTRIBUTE_TENSORS = 9,
    MLC_ONNX_ATTRIBUTE_GRAPHS = 10,
    MLC_ONNX_ATTRIBUTE_SPARSE_TENSOR = 11,
    MLC_ONNX_ATTRIBUTE_SPARSE_TENSORS = 12,
    MLC_ONNX_ATTRIBUTE_TYPE_PROTO = 13,
    MLC_ONNX_ATTRIBUTE_TYPE_PROTOS = 14,
} MlcOnnxAttributeType;

// Caller's storage; zero it, then mlc_onnx_read. `error` is a whole message, "model.onnx: at byte
// 17: field graph.node[3].input: ...".
typedef struct MlcOnnxReader {
    const char *file_name; // for messages only; borrowed
    MlcArena *arena;       // holds every message and list
    const char *data;
    size_t size;
    char error[768];
    struct { // the path of the field being read, outermost first
        const char *field;
        int64_t index; // in a list; -1 if the field is none
    } path[64];
    unsigned depth;
    size_t allocated; // bytes, of messages and lists
} MlcOnnxReader;

// Reads a whole ModelProto from `size` bytes at `data`, which the result points into. NULL with
// `reader->error` on any fault: truncated or malformed bytes, wrong wire types, nesting deeper than
// 64 messages, more than 2^24 messages.
MLC_NODISCARD const MlcOnnxModel *mlc_onnx_read(MlcOnnxReader *reader, const char *file_name,
                                                MlcArena *arena, const void *data, size_t size);

// The same for a lone TensorProto, as in the .pb files of ONNX's test suites.
MLC_NODISCARD const MlcOnnxTensor *mlc_onnx_read_tensor(MlcOnnxReader *reader,
                                                        const char *file_name, MlcArena *arena,
                                                        const void *data, size_t size);

// Or a lone SequenceProto or OptionalProto.
MLC_NODISCARD const MlcOnnxSequence *mlc_onnx_read_sequence(MlcOnnxReader *reader,
                                                            const char *file_name, MlcArena *arena,
                                                            const void *data, size_t size);
MLC_NODISCARD const MlcOnnxOptional *mlc_onnx_read_optional(MlcOnnxReader *reader,
                                                            const char *file_name, MlcArena *arena,
                                                            const void *data, size_t size);
MLC_NODISCARD const MlcOnnxMap *mlc_onnx_read_map(MlcOnnxReader *reader, const char *file_name,
                                                  MlcArena *arena, const void *data, size_t size);

static inline float
mlc_onnx_float_at(MlcOnnxFloats list, size_t i)
{
    float value;
    memcpy(&value, list.items + 4 * i, sizeof value);
    return value;
}

static inline double
mlc_onnx_double_at(MlcOnnxDoubles list, size_t i)
{
    double value;
    memcpy(&value, list.items + 8 * i, sizeof value);
    return value;
}

#endif
