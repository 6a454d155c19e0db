"""Runs of a model."""
import ctypes
import os
import threading
from dataclasses import dataclass

import numpy as np

from mlc import _types
from mlc._library import CError, CSessionOptions, CTensor, check, text
from mlc._model import index_of


@dataclass(frozen=True)
class KernelTime:
    """Of all runs of a session with profile=True."""
    name: str
    calls: int
    nanoseconds: int


class Session:
    """Runs a Model. Calls from several threads come one after the other; for runs at once, take a session for each thread.

    threads: at most so many, the caller's included; 0: as many as this process may use. profile: measure each kernel. device:
    where a model with kernels for one runs them, as "cuda:0". streams: of work there, at most; 0: what the model has use for.
    What the runtime refuses is an mlc.Error."""

    def __init__(self, model, threads=0, profile=False, device=None, streams=0):
        self.model, self._lib = model, model._lib
        self._error, self._lock = CError(), threading.Lock()
        self._inputs, self._bound = {}, {}
        options = CSessionOptions(ctypes.sizeof(CSessionOptions), threads=threads, profile=profile, streams=streams,
                                  device=os.fsencode(device) if device else None)
        self._handle = self._lib.mlc_session_create(model._handle, ctypes.byref(options), ctypes.byref(self._error))
        self._check(self._handle)
        self._users = model._users
        self._users.add()

    def __del__(self):
        if hasattr(self, "_users"):
            self._lib.mlc_session_destroy(self._handle)
            self._users.remove()

    def _check(self, value):
        return check(value, self._error)

    @property
    def threads(self):
        """How many it uses, the caller's included."""
        return self._lib.mlc_session_threads(self._handle)

    def run(self, inputs=None, copy=True):
        """{name: output} of one run.

        inputs: {name: array, or what NumPy makes an array of}; an input that is not named keeps its last value. Its elements
        must be the model's: nothing is cast, except that Python's own numbers take the input's type. A sequence is a list, an
        optional its value or None, a map a dict. copy=False: outputs are views of the session's memory, until its next run."""
        with self._lock:
            for name, value in (inputs or {}).items():
                self._set(name, value)
            self._check(self._lib.mlc_session_run(self._handle, ctypes.byref(self._error)))
            return {v.name: self._value(v, copy) for v in self.model.output_values}

    def set_input(self, name, value):
        """For the runs that come. An array whose elements lie in order is not copied: it must not change during a run."""
        with self._lock:
            self._set(name, value)

    def bind_output(self, name, array):
        """Lets runs write the output `name` into `array`, whose elements lie in order; None: into the session's memory again."""
        index = index_of(self.model.outputs, name, "output")
        if array is not None:
            wanted = self.model.outputs[index].dtype
            if not isinstance(array, np.ndarray) or array.dtype != wanted or not array.flags.c_contiguous or not array.flags.writeable:
                raise TypeError(f"output '{name}' goes to an array of {wanted} that can be written and whose elements lie in order")
        with self._lock:
            data, size = (None, 0) if array is None else (array.ctypes.data, array.nbytes)
            self._check(self._lib.mlc_session_set_output(self._handle, index, data, size, ctypes.byref(self._error)))
            self._bound[name] = array

    def output(self, name, copy=True):
        """The output `name` of the last run."""
        index = index_of(self.model.outputs, name, "output")
        with self._lock:
            return self._tensor(index, copy)

    def grow(self, dim, room):
        """Keeps what grows along the dimension `dim` (the keys and values of a past) in memory of the session's own, with room for
        `room` elements: runs put there what is new, and copy nothing."""
        with self._lock:
            self._check(self._lib.mlc_session_grow(self._handle, dim.encode(), room, ctypes.byref(self._error)))

    def length(self, dim):
        """How many elements are in what grows along `dim`; None where nothing was told to grow."""
        length = self._lib.mlc_session_length(self._handle, dim.encode())
        return length if length >= 0 else None

    def set_length(self, dim, length):
        """Forgets all but the first `length` elements along `dim`."""
        with self._lock:
            self._check(self._lib.mlc_session_set_length(self._handle, dim.encode(), length, ctypes.byref(self._error)))

    @property
    def profile(self):
        """A KernelTime for each kernel, of a session with profile=True."""
        found = []
        for i, kernel in enumerate(self.model.kernels):
            p = self._lib.mlc_session_profile(self._handle, i)
            found.append(KernelTime(kernel.name, p.calls, p.nanoseconds))
        return found

    # ---- values and their tensors

    def _set(self, name, value):
        info = next((v for v in self.model.input_values if v.name == name), None)
        if info is None:
            self._set_tensor(index_of(self.model.inputs, name, "input"), value)
        else:
            self._set_value(info, value, name)

    def _set_value(self, info, value, name):
        if info.form == "tensor":
            return self._set_tensor(info.first, value)
        if info.form == "map":
            if not isinstance(value, dict):
                raise TypeError(f"input '{name}' is a map: expected a dict, got {type(value).__name__}")
            value = [list(value.keys()), list(value.values())]
        elif info.form == "optional":
            value = [] if value is None else [value]
        elif not isinstance(value, (list, tuple)):
            raise TypeError(f"input '{name}' is a sequence: expected a list, got {type(value).__name__}")
        if len(value) != len(info.items):
            raise ValueError(f"input '{name}': {len(value)} items, and the model was compiled for {len(info.items)}")
        for i, (item, v) in enumerate(zip(info.items, value)):
            self._set_value(item, v, f"{name}[{i}]")

    def _set_tensor(self, index, value):
        info = self.model.inputs[index]
        if isinstance(value, (bool, int, float, str, list, tuple)) and info.type in _types.NUMPY:
            array = _types.numbers_for(info.type, value)
        else:
            array = _types.as_array(value)
        elements = _types.elements_for(info.type, array)
        if elements is None:
            raise TypeError(f"input '{info.name}': expected elements of {info.type} ({info.dtype}), got {array.dtype}")
        kept = [elements]
        data = _types.strings_in(elements, kept) if info.type == "string" else elements.ctypes.data
        dims = (ctypes.c_int64 * max(elements.ndim, 1))(*elements.shape)
        type_ = self._lib.mlc_model_input(self.model._handle, index).contents.type
        tensor = CTensor(type_, elements.ndim, dims, data)
        self._check(self._lib.mlc_session_set_input(self._handle, index, ctypes.byref(tensor), ctypes.byref(self._error)))
        self._inputs[index] = kept

    def _tensor(self, index, copy):
        tensor = self._lib.mlc_session_output(self._handle, index)
        if not tensor:
            raise RuntimeError("there are no outputs before a run")
        view = _types.array_at(tensor.contents, self)
        return view.copy() if copy else view

    def _value(self, info, copy):
        if info.form == "tensor":
            return self._tensor(info.first, copy)
        if info.form == "table":
            keys, rows = (self._tensor(info.first + i, copy) for i in range(2))
            return [dict(zip(keys.tolist(), row)) for row in rows]
        items = [self._value(item, copy) for item in info.items]
        if info.form == "map":
            return dict(zip(items[0].tolist(), items[1]))
        if info.form == "optional":
            return items[0] if items else None
        return items
