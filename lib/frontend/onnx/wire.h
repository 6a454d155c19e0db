// wire.h -- protobuf's wire format, written: fields one after the other.
#ifndef MLC_FRONTEND_ONNX_WIRE_H
#define MLC_FRONTEND_ONNX_WIRE_H

#include "mlc/support/buf.h"

// A field that is a number; bytes, a string or a message; the head of one whose `size` bytes come
// next.
void mlc_onnx_write_number(MlcBuf *out, unsigned field, uint64_t number);
void mlc_onnx_write_bytes(MlcBuf *out, unsigned field, MlcStr bytes);
void mlc_onnx_write_head(MlcBuf *out, unsigned field, size_t size);

// What onnx.proto calls the fields that are written.
enum {
    MLC_ONNX_MODEL_IR_VERSION = 1,
    MLC_ONNX_MODEL_GRAPH = 7,
    MLC_ONNX_MODEL_OPSET_IMPORT = 8,
    MLC_ONNX_MODEL_FUNCTIONS = 25,
    MLC_ONNX_GRAPH_NODE = 1,
    MLC_ONNX_GRAPH_NAME = 2,
    MLC_ONNX_GRAPH_INITIALIZER = 5,
    MLC_ONNX_GRAPH_INPUT = 11,
    MLC_ONNX_GRAPH_OUTPUT = 12,
    MLC_ONNX_NODE_INPUT = 1,
    MLC_ONNX_NODE_OUTPUT = 2,
    MLC_ONNX_NODE_OP_TYPE = 4,
    MLC_ONNX_VALUE_INFO_NAME = 1,
    MLC_ONNX_VALUE_INFO_TYPE = 2,
    MLC_ONNX_TYPE_TENSOR = 1,
    MLC_ONNX_TYPE_SEQUENCE = 4,
    MLC_ONNX_TYPE_OPTIONAL = 9,
    MLC_ONNX_TYPE_ELEMENT = 1,
    MLC_ONNX_TYPE_SHAPE = 2,
    MLC_ONNX_SHAPE_DIM = 1,
    MLC_ONNX_DIM_VALUE = 1,
};

#endif
