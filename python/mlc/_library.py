"""libmlc_runtime as ctypes sees it: the types and functions of mlc/runtime.h that the package calls."""
import ctypes
import os
import shutil
from ctypes import POINTER, c_bool, c_char, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from functools import lru_cache
from pathlib import Path

SONAME = "libmlc_runtime.so.0"
STATUS = ("ok", "file", "corrupt", "version", "isa", "memory", "argument", "run", "device")


class Error(RuntimeError):
    """What the runtime refuses. `status`: "file", "corrupt", "version", "isa", "memory", "argument", "run" or "device"
    (MlcRtStatus)."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


class CError(ctypes.Structure):
    _fields_ = [("status", c_int), ("message", c_char * 508)]


class CTensor(ctypes.Structure):
    _fields_ = [("type", c_int), ("rank", c_int32), ("dims", POINTER(c_int64)), ("data", c_void_p)]


class CString(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t)]


class CTensorInfo(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("type", c_int), ("rank", c_int32), ("dims", POINTER(c_int64)), ("dim_names", POINTER(c_char_p)),
                ("bounds", POINTER(c_int64))]


class CValueInfo(ctypes.Structure):
    pass


CValueInfo._fields_ = [("name", c_char_p), ("form", c_int), ("type", c_int), ("first_tensor", c_int32), ("num_tensors", c_int32),
                       ("num_items", c_int32), ("items", POINTER(CValueInfo))]


class CKernelInfo(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("nodes", c_char_p), ("notes", c_char_p), ("flops", c_uint64), ("bytes", c_uint64)]


class CModelOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("init_threads", c_int32), ("trust_constants", c_bool), ("perf_map", c_bool), ("resolve", c_void_p),
                ("user", c_void_p), ("libraries", POINTER(c_char_p)), ("num_libraries", c_size_t)]


class CSessionOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("threads", c_int32), ("profile", c_bool), ("memory", c_void_p), ("memory_bytes", c_size_t),
                ("device", c_char_p), ("streams", c_int32)]


class CProfile(ctypes.Structure):
    _fields_ = [("calls", c_int64), ("nanoseconds", c_int64), ("last_start", c_int64), ("last_nanoseconds", c_int64)]


MODEL = SESSION = c_void_p
ERROR = POINTER(CError)
FUNCTIONS = {
    "mlc_rt_type_name": (c_char_p, c_int),
    "mlc_rt_form_name": (c_char_p, c_int),
    "mlc_model_load": (MODEL, c_char_p, POINTER(CModelOptions), ERROR),
    "mlc_model_destroy": (None, MODEL),
    "mlc_model_name": (c_char_p, MODEL),
    "mlc_model_num_inputs": (c_int32, MODEL),
    "mlc_model_num_outputs": (c_int32, MODEL),
    "mlc_model_input": (POINTER(CTensorInfo), MODEL, c_int32),
    "mlc_model_output": (POINTER(CTensorInfo), MODEL, c_int32),
    "mlc_model_num_input_values": (c_int32, MODEL),
    "mlc_model_num_output_values": (c_int32, MODEL),
    "mlc_model_input_value": (POINTER(CValueInfo), MODEL, c_int32),
    "mlc_model_output_value": (POINTER(CValueInfo), MODEL, c_int32),
    "mlc_model_num_kernels": (c_int32, MODEL),
    "mlc_model_kernel": (POINTER(CKernelInfo), MODEL, c_int32),
    "mlc_model_arena_bytes": (c_size_t, MODEL),
    "mlc_model_cache": (c_bool, MODEL, c_int32, POINTER(c_int32), POINTER(c_char_p)),
    "mlc_session_create": (SESSION, MODEL, POINTER(CSessionOptions), ERROR),
    "mlc_session_destroy": (None, SESSION),
    "mlc_session_threads": (c_int32, SESSION),
    "mlc_session_set_input": (c_bool, SESSION, c_int32, POINTER(CTensor), ERROR),
    "mlc_session_set_output": (c_bool, SESSION, c_int32, c_void_p, c_size_t, ERROR),
    "mlc_session_run": (c_bool, SESSION, ERROR),
    "mlc_session_output": (POINTER(CTensor), SESSION, c_int32),
    "mlc_session_grow": (c_bool, SESSION, c_char_p, c_int64, ERROR),
    "mlc_session_length": (c_int64, SESSION, c_char_p),
    "mlc_session_set_length": (c_bool, SESSION, c_char_p, c_int64, ERROR),
    "mlc_session_profile": (CProfile, SESSION, c_int32),
}


def prefixes():
    """Folders that may have bin/mlc and the libraries, the one that was asked for first, and alone."""
    asked = os.environ.get("MLC_PREFIX")
    if asked:
        return [Path(asked)]
    program = shutil.which("mlc")
    here = Path(__file__).resolve()
    around = [here.parents[4]] if here.parent.parent.parts[-3:] == ("share", "mlc", "python") else []
    return around + ([Path(program).resolve().parent.parent] if program else [])


def program():
    """The program `mlc`; None where there is none."""
    return next((p / "bin/mlc" for p in prefixes() if (p / "bin/mlc").is_file()), None)


@lru_cache(maxsize=None)
def library():
    """libmlc_runtime, opened once."""
    found = [path for p in prefixes() for path in sorted(p.glob(f"lib*/{SONAME}")) + sorted(p.glob(f"lib/*/{SONAME}"))]
    path = str(found[0]) if found else SONAME
    try:
        lib = ctypes.CDLL(path)
    except OSError as e:
        raise ImportError(f"{SONAME} cannot be opened ({e}): install mlc, or let MLC_PREFIX name the folder that has its bin and lib") from None
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


def check(value, error):
    """`value`, what a function returned; an Error where that says that it failed."""
    if not value:
        status = STATUS[error.status] if 0 <= error.status < len(STATUS) else "run"
        raise Error(error.message.decode(errors="replace"), status)
    return value


def text(data):
    return (data or b"").decode(errors="replace")
