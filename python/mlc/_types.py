"""Elements of tensors: what they are to NumPy.

NumPy has no floats of 8 and fewer bits and no bf16. They are ml_dtypes' where that package is installed, and else the bytes
("V2", "V1"). Integers of 2 and 4 bits are a byte each, int8 or uint8; ml_dtypes' are taken too. Strings are `str` objects.
"""
import ctypes
from functools import lru_cache

import numpy as np

from mlc._library import CString, library

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

NUMPY = {"f32": "float32", "f64": "float64", "f16": "float16", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8",
         "u16": "uint16", "u32": "uint32", "u64": "uint64", "bool": "bool", "i4": "int8", "u4": "uint8", "i2": "int8", "u2": "uint8",
         "string": "object"}
ML_DTYPES = {"bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E4M3FNUZ": "float8_e4m3fnuz", "f8E5M2": "float8_e5m2",
             "f8E5M2FNUZ": "float8_e5m2fnuz", "f8E8M0FNU": "float8_e8m0fnu", "f4E2M1FN": "float4_e2m1fn", "f6E2M3FN": "float6_e2m3fn",
             "f6E3M2FN": "float6_e3m2fn"}
NARROW = {"i4": "int4", "u4": "uint4", "i2": "int2", "u2": "uint2"}


@lru_cache(maxsize=None)
def name_of(type_):
    return library().mlc_rt_type_name(type_).decode()


@lru_cache(maxsize=None)
def dtype_of(name):
    """NumPy's dtype of the elements that the runtime calls `name`."""
    if name in NUMPY:
        return np.dtype(NUMPY[name])
    known = getattr(ml_dtypes, ML_DTYPES[name], None)
    return np.dtype(known) if known else np.dtype("V2" if name == "bf16" else "V1")


def as_array(value):
    """An array of what has elements: NumPy's own, of lists, and of what tells its memory by DLPack (torch's tensors)."""
    if not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
        return np.from_dlpack(value)
    return np.asarray(value)


def numbers_for(name, value):
    """An array of Python's own numbers as elements that the runtime calls `name`. Integers must be in its range, and floats
    are for floats alone; what is otherwise stays what NumPy makes of it, for `elements_for` to refuse."""
    array, wanted = np.array(value), dtype_of(name)
    if array.size == 0:
        return array.astype(wanted)
    if array.dtype.kind in "iu" and wanted.kind in "iu":
        bits = int(name[1:])
        low, high = (0, 2 ** bits - 1) if name[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        outside = array[(array < low) | (array > high)]
        if outside.size:
            raise ValueError(f"{outside.flat[0]} is outside of {name}, which is {low} to {high}")
        return array.astype(wanted)
    return array.astype(wanted) if array.dtype.kind in "iuf" and wanted.kind == "f" else array


def elements_for(name, array):
    """`array` as the elements that the runtime calls `name`; None where its elements are others. Nothing is rounded: what
    changes is only the name of the same values, and the order of bytes."""
    wanted = dtype_of(name)
    array = np.ascontiguousarray(array).reshape(array.shape)
    if name == "string":
        return array.astype(object) if array.dtype.kind in "OU" else None
    if array.dtype.newbyteorder("=") == wanted:
        return array.astype(wanted, copy=False)
    narrow = getattr(ml_dtypes, NARROW[name], None) if name in NARROW else None
    if narrow and array.dtype == np.dtype(narrow):
        return array.astype(wanted)
    is_bytes = array.dtype.kind == "V" and array.dtype.names is None and array.dtype.itemsize == wanted.itemsize
    return array.view(wanted) if is_bytes and name in ML_DTYPES else None


def strings_in(array, kept):
    """Strings as the runtime has them, of an array of str; what holds their bytes goes into `kept`."""
    strings = (CString * max(array.size, 1))()
    for i, item in enumerate(array.reshape(-1)):
        if not isinstance(item, str):
            raise TypeError(f"element {i} is no str: {item!r}")
        data = item.encode()
        kept.append(ctypes.create_string_buffer(data, len(data) + 1))
        strings[i] = CString(ctypes.addressof(kept[-1]), len(data))
    kept.append(strings)
    return ctypes.addressof(strings)


def strings_out(address, shape):
    count = int(np.prod(shape, dtype=np.int64))
    array = np.empty(count, object)
    for i, s in enumerate((CString * count).from_address(address) if count else ()):
        array[i] = ctypes.string_at(s.data, s.size).decode() if s.size else ""
    return array.reshape(shape)


def array_at(tensor, owner):
    """A view of the runtime's memory, which keeps its owner alive; of strings a copy."""
    name, shape = name_of(tensor.type), [tensor.dims[i] for i in range(tensor.rank)]
    if name == "string":
        return strings_out(tensor.data, shape)
    dtype = dtype_of(name)
    num_bytes = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if num_bytes == 0:
        return np.empty(shape, dtype)
    memory = (ctypes.c_char * num_bytes).from_address(tensor.data)
    memory.owner = owner
    return np.frombuffer(memory, dtype).reshape(shape)
