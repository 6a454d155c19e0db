"""libmlc_ptxsim by ctypes: a device, buffers as numpy arrays, launches, messages. What the tests of PTX share."""
import ctypes as c

import numpy as np


class _Message(c.Structure):
    _fields_ = [("file", c.c_char_p), ("line", c.c_uint), ("column", c.c_uint), ("is_note", c.c_bool), ("text", c.c_char_p)]


class _Str(c.Structure):
    _fields_ = [("data", c.c_char_p), ("size", c.c_size_t)]


COUNTERS = ["instructions", "lane_instructions", "float_ops", "matrix_macs", "branches", "divergent_branches", "barriers", "global_accesses",
            "global_sectors", "global_sectors_best", "shared_accesses", "shared_wavefronts", "bank_conflicts", "async_copies"]


class _Counters(c.Structure):
    _fields_ = [(name, c.c_uint64) for name in COUNTERS]


class _Launch(c.Structure):
    _fields_ = [("entry", c.c_void_p), ("grid", c.c_uint32 * 3), ("block", c.c_uint32 * 3), ("cluster", c.c_uint32 * 3),
                ("shared_bytes", c.c_uint32), ("args", c.POINTER(c.c_void_p)), ("num_args", c.c_size_t), ("seed", c.c_uint64),
                ("max_steps", c.c_uint64), ("num_threads", c.c_uint), ("no_races", c.c_bool), ("no_proxies", c.c_bool), ("strict_proxies", c.c_bool)]


class _TensorMap(c.Structure):
    _fields_ = [("type", c.c_int), ("rank", c.c_uint), ("address", c.c_uint64), ("dims", c.c_uint64 * 5), ("strides", c.c_uint64 * 4),
                ("box", c.c_uint32 * 5), ("steps", c.c_uint32 * 5), ("swizzle", c.c_uint), ("fills_nan", c.c_bool), ("is_im2col", c.c_bool),
                ("lower", c.c_int16 * 3), ("upper", c.c_int16 * 3)]


ELEMENTS = {"u8": 0, "u16": 1, "u32": 2, "s32": 3, "u64": 4, "s64": 5, "f16": 6, "f32": 7, "f64": 8, "bf16": 9}
BYTES = {"u8": 1, "u16": 2, "u32": 4, "s32": 4, "u64": 8, "s64": 8, "f16": 2, "f32": 4, "f64": 8, "bf16": 2}

_HANDLER = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(_Message))


class PtxError(Exception):
    """Carries the messages: (line, is_note, text) each."""

    def __init__(self, messages):
        super().__init__("\n".join(f"{line}: {'note' if note else 'error'}: {text}" for line, note, text in messages))
        self.messages = messages


class Device:
    def __init__(self, library):
        self.lib = lib = c.CDLL(str(library))
        lib.mlc_ptx_device_create.restype = lib.mlc_ptx_load.restype = lib.mlc_ptx_find_entry.restype = c.c_void_p
        lib.mlc_ptx_device_create.argtypes = [_HANDLER, c.c_void_p]
        lib.mlc_ptx_device_destroy.argtypes = [c.c_void_p]
        lib.mlc_ptx_alloc.restype = c.c_uint64
        lib.mlc_ptx_alloc.argtypes = [c.c_void_p, c.c_uint64]
        lib.mlc_ptx_free.argtypes = [c.c_void_p, c.c_uint64]
        lib.mlc_ptx_write.argtypes = lib.mlc_ptx_read.argtypes = [c.c_void_p, c.c_uint64, c.c_void_p, c.c_uint64]
        lib.mlc_ptx_write.restype = lib.mlc_ptx_read.restype = lib.mlc_ptx_launch.restype = c.c_bool
        lib.mlc_ptx_num_unwritten.restype = c.c_uint64
        lib.mlc_ptx_num_unwritten.argtypes = [c.c_void_p, c.c_uint64, c.c_uint64]
        lib.mlc_ptx_load.argtypes = [c.c_void_p, _Str, _Str]
        lib.mlc_ptx_find_entry.argtypes = [c.c_void_p, _Str]
        lib.mlc_ptx_param_bytes.argtypes = [c.c_void_p, c.c_size_t]
        lib.mlc_ptx_launch.argtypes = [c.c_void_p, c.POINTER(_Launch), c.POINTER(_Counters)]
        self.messages = []
        self.handler = _HANDLER(lambda user, m: self.messages.append((m[0].line, m[0].is_note, m[0].text.decode())))
        self.device = lib.mlc_ptx_device_create(self.handler, None)

    def close(self):
        self.lib.mlc_ptx_device_destroy(self.device)

    def _fail(self):
        messages, self.messages = self.messages, []
        raise PtxError(messages)

    def load(self, text):
        data = text.encode()
        module = self.lib.mlc_ptx_load(self.device, _Str(data, len(data)), _Str(b"k.ptx", 5))
        return module or self._fail()

    def alloc(self, num_bytes):
        return self.lib.mlc_ptx_alloc(self.device, num_bytes)

    def free(self, address):
        self.lib.mlc_ptx_free(self.device, address)

    def put(self, array):
        """A buffer with the array's values; its address."""
        array = np.ascontiguousarray(array)
        address = self.alloc(array.nbytes)
        assert self.lib.mlc_ptx_write(self.device, address, array.ctypes.data, array.nbytes)
        return address

    def get(self, address, shape, dtype):
        """The buffer's values; all of them must have been written."""
        out = np.empty(shape, dtype)
        assert self.lib.mlc_ptx_read(self.device, address, out.ctypes.data, out.nbytes)
        unwritten = self.lib.mlc_ptx_num_unwritten(self.device, address, out.nbytes)
        assert unwritten == 0, f"{unwritten} bytes were never written"
        return out

    def tensor_map(self, kind, address, dims, box, swizzle=0, strides=None, lower=None, upper=None, fills_nan=False):
        """128 bytes, a kernel's argument; dims and box from the contiguous dimension on."""
        if strides is None:
            strides = [int(np.prod(dims[:i + 1])) * BYTES[kind] for i in range(len(dims) - 1)]
        pad = lambda values, count: tuple(values) + (0,) * (count - len(values))
        out = c.create_string_buffer(128)
        m = _TensorMap(ELEMENTS[kind], len(dims), address, pad(dims, 5), pad(strides, 4), pad(box, 5), pad((), 5), swizzle, fills_nan, lower is not None,
                       pad(lower or (), 3), pad(upper or (), 3))
        self.lib.mlc_ptx_tensor_map_encode.restype = c.c_char_p
        fault = self.lib.mlc_ptx_tensor_map_encode(c.byref(m), out)
        if fault:
            raise PtxError([(0, False, fault.decode())])
        return out.raw

    def launch(self, module, name, grid, block, args, cluster=(), shared=0, seed=0, threads=1, max_steps=0, strict=False, races=True, proxies=True):
        """Arguments are numbers, or bytes. Returns the counters; raises PtxError."""
        entry = self.lib.mlc_ptx_find_entry(module, _Str(name.encode(), len(name)))
        assert entry, f"no kernel {name}"
        kept = []
        for i, arg in enumerate(args):
            size = self.lib.mlc_ptx_param_bytes(entry, i)
            if isinstance(arg, (int, np.integer)):
                arg = int(arg).to_bytes(size, "little", signed=int(arg) < 0)
            elif isinstance(arg, float):
                arg = (np.float32 if size == 4 else np.float64)(arg).tobytes()
            assert len(arg) == size, f"argument {i} has {len(arg)} bytes, the parameter {size}"
            kept.append(c.create_string_buffer(arg, size))
        values = (c.c_void_p * (len(kept) + 1))(*[c.cast(k, c.c_void_p) for k in kept])
        triple = lambda t, rest: (c.c_uint32 * 3)(*(tuple(t) + (rest,) * 3)[:3])
        launch = _Launch(entry, triple(grid, 1), triple(block, 1), triple(cluster, 1), shared, values, len(kept), seed, max_steps, threads,
                         not races, not proxies, strict)
        counters = _Counters()
        if not self.lib.mlc_ptx_launch(self.device, c.byref(launch), c.byref(counters)):
            self._fail()
        return {name: getattr(counters, name) for name in COUNTERS}
