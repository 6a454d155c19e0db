"""Models of f32 made models of f16 or bf16: the same graph on rounded numbers, and the f32 model of those numbers."""
import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

bfloat16 = np.dtype(ml_dtypes.bfloat16)
TYPES = {"f16": np.dtype(np.float16), "bf16": bfloat16}
# Operands that are f32 whatever the others are.
STAYS_F32 = {"Resize": (2,), "Upsample": (1,)}


def rounded(data, dtype):
    """What is f32, rounded to `dtype`; anything else as it is."""
    with np.errstate(over="ignore"):
        return data.astype(dtype) if data.dtype == np.float32 else data


def load(path, dtype):
    """An .npy as mlc writes it: bf16 is two bytes without a meaning to numpy."""
    data = np.load(path)
    return data.view(bfloat16) if data.dtype == np.dtype("V2") else data


def converted(model, dtype, keeps_type):
    """The model with its f32 numbers rounded to `dtype`, and of that type unless `keeps_type`."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    kind = TensorProto.FLOAT if keeps_type else helper.np_dtype_to_tensor_dtype(dtype)
    graph = made.graph
    fixed = {node.input[i] for node in graph.node for i in STAYS_F32.get(node.op_type, ()) if i < len(node.input)}

    def convert(tensor):
        if tensor.data_type == TensorProto.FLOAT and tensor.name not in fixed:
            data = rounded(numpy_helper.to_array(tensor), dtype)
            tensor.CopyFrom(numpy_helper.from_array(data.astype(np.float32) if keeps_type else data, tensor.name))

    for tensor in graph.initializer:
        convert(tensor)
    for value in (*graph.input, *graph.output):
        if value.type.tensor_type.elem_type == TensorProto.FLOAT:
            value.type.tensor_type.elem_type = kind
    for attribute in (a for node in graph.node for a in node.attribute):
        if attribute.type == onnx.AttributeProto.TENSOR:
            convert(attribute.t)
        elif attribute.name == "to" and attribute.i == TensorProto.FLOAT:
            attribute.i = kind
    return made


def round_trip(data, dtype):
    return rounded(data, dtype).astype(data.dtype)


def half_steps(data, dtype):
    """Half the distance to the next number of `dtype`, for each number."""
    info = ml_dtypes.finfo(dtype)
    exponents = np.floor(np.log2(np.maximum(np.abs(data), float(info.tiny))))
    return 2.0 ** (exponents - info.nmant - 1)
