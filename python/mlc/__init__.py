"""Compiles ONNX models to machine code, and runs them.

    import mlc
    model = mlc.compile("model.onnx", dims={"batch": 4})   # or mlc.load("model.so")
    outputs = model.session(threads=2).run({"x": array})    # {"y": array}

Compiling is done by the program `mlc`, in a process of its own; running by libmlc_runtime, in this one. Both are looked for
in the folder that the environment's MLC_PREFIX names (what `cmake --install` was given), then around this package, around
the `mlc` of PATH, and where the system has libraries.
"""
from mlc._compile import CompileError, UnsupportedError, compile
from mlc._library import Error
from mlc._model import Model, TensorInfo, ValueInfo, load
from mlc._session import KernelTime, Session

__all__ = ["CompileError", "Error", "KernelTime", "Model", "Session", "TensorInfo", "UnsupportedError", "ValueInfo", "compile", "load"]
