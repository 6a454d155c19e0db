"""A compiled model: what it takes, gives, and consists of."""
import ctypes
import os
from dataclasses import dataclass
from typing import Optional

from mlc import _types
from mlc._library import CError, CModelOptions, Error, check, library, text


@dataclass(frozen=True)
class TensorInfo:
    """How an input or output is declared.

    `shape` has an int for each size that is fixed, and for one that a run may choose its name, or None. `dtype` is NumPy's,
    `type` mlc's name of it. `bounds` are the most that sizes found in the data may be; None where that is not known."""
    name: str
    type: str
    shape: tuple
    bounds: tuple

    @property
    def dtype(self):
        return _types.dtype_of(self.type)


@dataclass(frozen=True)
class ValueInfo:
    """An input or output as the model's source has it. `form`: "tensor", "sequence", "optional", "map", or "table": a sequence
    of maps with the same keys. `items` are what is in a sequence, optional or map; `first` and `count` its tensors."""
    name: str
    form: str
    first: int
    count: int
    items: tuple


@dataclass(frozen=True)
class Kernel:
    """A kernel of a model: the nodes it computes, how, and of a call the floating-point operations and bytes (0: not known)."""
    name: str
    nodes: tuple
    notes: tuple
    flops: int
    bytes: int


def tensor_info(c):
    rank = range(c.rank)
    names = [text(c.dim_names[i]) if c.dim_names else "" for i in rank]
    shape = tuple(c.dims[i] if c.dims[i] >= 0 else names[i] or None for i in rank)
    bounds = tuple(c.bounds[i] if c.bounds and c.bounds[i] >= 0 else None for i in rank)
    return TensorInfo(text(c.name), _types.name_of(c.type), shape, bounds)


def value_info(c):
    items = tuple(value_info(c.items[i]) for i in range(c.num_items)) if c.items else ()
    return ValueInfo(text(c.name), text(library().mlc_rt_form_name(c.form)), c.first_tensor, c.num_tensors, items)


class Users:
    """Of a loaded model: itself and its sessions. The last one to go destroys it, in whatever order; objects that refer to each other
    in a circle end in any."""

    def __init__(self, lib, handle):
        self._lib, self._handles, self._users = lib, [handle], [None]

    def add(self):
        self._users.append(None)

    def remove(self):
        self._users.pop()  # lists, since threads and the garbage collector come in between
        if not self._users:
            try:
                handle = self._handles.pop()
            except IndexError:
                return
            self._lib.mlc_model_destroy(handle)


class Model:
    """An artefact, loaded. Any number of sessions on any number of threads share it; it lives as long as one of them.

    `inputs`, `outputs`: its tensors, as TensorInfo; `input_values`, `output_values`: the same as the model's source has them,
    which differ where a value is a sequence, an optional or a map."""

    def __init__(self, path, libraries=(), threads=1):
        lib, error = library(), CError()
        paths = [os.fsencode(p) for p in libraries]
        options = CModelOptions(ctypes.sizeof(CModelOptions), init_threads=threads, libraries=(ctypes.c_char_p * len(paths))(*paths),
                                num_libraries=len(paths))
        self._handle = lib.mlc_model_load(os.fsencode(path), ctypes.byref(options), ctypes.byref(error))
        self._lib = lib
        check(self._handle, error)
        self._users = Users(lib, self._handle)
        handle = self._handle
        self.name = text(lib.mlc_model_name(handle))
        self.inputs = [tensor_info(lib.mlc_model_input(handle, i).contents) for i in range(lib.mlc_model_num_inputs(handle))]
        self.outputs = [tensor_info(lib.mlc_model_output(handle, i).contents) for i in range(lib.mlc_model_num_outputs(handle))]
        self.input_values = [value_info(lib.mlc_model_input_value(handle, i).contents)
                             for i in range(lib.mlc_model_num_input_values(handle))]
        self.output_values = [value_info(lib.mlc_model_output_value(handle, i).contents)
                              for i in range(lib.mlc_model_num_output_values(handle))]

    def __del__(self):
        if hasattr(self, "_users"):
            self._users.remove()

    def __repr__(self):
        def told(infos):
            return ", ".join(f"{i.name}: {i.type} {list(i.shape)}" for i in infos)
        return f"<mlc.Model {self.name}({told(self.inputs)}) -> ({told(self.outputs)})>"

    def session(self, threads=0, profile=False, device=None, streams=0):
        """What runs it: see Session."""
        from mlc._session import Session
        return Session(self, threads, profile, device, streams)

    @property
    def kernels(self):
        found = (self._lib.mlc_model_kernel(self._handle, i).contents for i in range(self._lib.mlc_model_num_kernels(self._handle)))
        return [Kernel(text(k.name), tuple(text(k.nodes).splitlines()), tuple(text(k.notes).splitlines()), k.flops, k.bytes) for k in found]

    @property
    def arena_bytes(self):
        """What values between kernels take in a run."""
        return self._lib.mlc_model_arena_bytes(self._handle)

    def cache(self, name) -> Optional[tuple]:
        """(output, dimension) that the input `name` can grow to in place (Session.grow); None where it cannot."""
        output, dim = ctypes.c_int32(-1), ctypes.c_char_p()
        index = index_of(self.inputs, name, "input")
        found = self._lib.mlc_model_cache(self._handle, index, ctypes.byref(output), ctypes.byref(dim))
        return (self.outputs[output.value].name, text(dim.value)) if found else None


def index_of(infos, name, role):
    for i, info in enumerate(infos):
        if info.name == name:
            return i
    raise Error(f"there is no {role} '{name}': there are {', '.join(repr(i.name) for i in infos) or 'none'}", "argument")


def load(path, libraries=(), threads=1):
    """The Model of an artefact that `mlc.compile` or `mlc compile` wrote.

    libraries: shared objects with the functions of the model's own operators; threads: to prepare its constants with. What is
    wrong with the file is an Error."""
    return Model(path, libraries, threads)
