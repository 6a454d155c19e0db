"""A model of libmlc_runtime as an object: an artefact, inputs and outputs by name. For tests, and for what bench/ times."""
import ctypes
import math

import numpy as np


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("message", ctypes.c_char * 508)]


class Tensor(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("rank", ctypes.c_int32), ("dims", ctypes.POINTER(ctypes.c_int64)), ("data", ctypes.c_void_p)]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("threads", ctypes.c_int32), ("profile", ctypes.c_bool), ("memory", ctypes.c_void_p),
                ("memory_bytes", ctypes.c_size_t), ("device", ctypes.c_char_p)]


def runtime(path):
    """The library, its functions' results declared."""
    lib = ctypes.CDLL(str(path))
    for name, restype in (("mlc_model_load", ctypes.c_void_p), ("mlc_session_create", ctypes.c_void_p), ("mlc_session_length", ctypes.c_int64),
                          ("mlc_session_output", ctypes.POINTER(Tensor)), ("mlc_rt_type_name", ctypes.c_char_p)):
        getattr(lib, name).restype = restype
    for name in ("mlc_session_set_input", "mlc_session_set_output", "mlc_session_run", "mlc_session_grow", "mlc_session_set_length", "mlc_model_cache"):
        getattr(lib, name).restype = ctypes.c_bool
    return lib


class Model:
    """May have several sessions, and lives until nobody holds it."""

    def __init__(self, library, artefact):
        self.lib, error = runtime(library), Error()
        self.handle = ctypes.c_void_p(self.lib.mlc_model_load(str(artefact).encode(), None, ctypes.byref(error)))
        if not self.handle:
            raise RuntimeError(error.message.decode())

    def __del__(self):
        self.lib.mlc_model_destroy(self.handle)

    def cache(self, i):
        """(output, dimension) that input `i` grows to, or None."""
        output, dim = ctypes.c_int32(-1), ctypes.c_char_p()
        found = self.lib.mlc_model_cache(self.handle, i, ctypes.byref(output), ctypes.byref(dim))
        return (output.value, dim.value.decode()) if found else None


class Session:
    """What the runtime refuses is a RuntimeError with its message."""

    def __init__(self, library, model, threads=0, device=None):
        """`model`: a Model, or an artefact's path; threads: 0 is one for each core; device: "cpu", "cuda:0"."""
        self.model = model if isinstance(model, Model) else Model(library, model)
        self.lib, self.error, self.kept = self.model.lib, Error(), {}
        names = {self.lib.mlc_rt_type_name(i): i for i in range(1, 40)}
        self.types = {np.dtype(np.float32): names[b"f32"], np.dtype(np.int32): names[b"i32"], np.dtype(np.int64): names[b"i64"]}
        options = Options(size=ctypes.sizeof(Options), threads=threads, device=device and device.encode())
        self.handle = ctypes.c_void_p(
            self.check(self.lib.mlc_session_create(self.model.handle, ctypes.byref(options), ctypes.byref(self.error))))

    def __del__(self):
        if hasattr(self, "handle"):
            self.lib.mlc_session_destroy(self.handle)

    def check(self, value):
        if not value:
            raise RuntimeError(self.error.message.decode())
        return value

    def set_input(self, name, array):
        array = np.ascontiguousarray(array)
        dims = (ctypes.c_int64 * array.ndim)(*array.shape)
        tensor = Tensor(self.types[array.dtype], array.ndim, dims, array.ctypes.data)
        index = self.lib.mlc_model_find_input(self.model.handle, name.encode())
        self.check(self.lib.mlc_session_set_input(self.handle, index, ctypes.byref(tensor), ctypes.byref(self.error)))
        self.kept[name] = array

    def set_output(self, name, array):
        index = self.lib.mlc_model_find_output(self.model.handle, name.encode())
        self.check(self.lib.mlc_session_set_output(self.handle, index, ctypes.c_void_p(array.ctypes.data),
                                                   ctypes.c_size_t(array.nbytes), ctypes.byref(self.error)))
        self.kept[name] = array

    def grow(self, dim, room):
        self.check(self.lib.mlc_session_grow(self.handle, dim.encode(), ctypes.c_int64(room), ctypes.byref(self.error)))

    def set_length(self, dim, length):
        self.check(self.lib.mlc_session_set_length(self.handle, dim.encode(), ctypes.c_int64(length), ctypes.byref(self.error)))

    def length(self, dim="past"):
        return self.lib.mlc_session_length(self.handle, dim.encode())

    def run(self):
        self.check(self.lib.mlc_session_run(self.handle, ctypes.byref(self.error)))

    def output(self, name):
        """A view of its memory, of f32."""
        tensor = self.lib.mlc_session_output(self.handle, self.lib.mlc_model_find_output(self.model.handle, name.encode())).contents
        shape = [tensor.dims[i] for i in range(tensor.rank)]
        return np.frombuffer((ctypes.c_float * math.prod(shape)).from_address(tensor.data), np.float32).reshape(shape)
