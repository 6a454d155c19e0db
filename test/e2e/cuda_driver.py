"""The emulator's streams, events and graphs, by the driver's functions alone.

    python cuda_driver.py --emulator build/release/lib/libmlc-cudaemu.so

What is not ordered and touches the same memory is found, whatever came first; what a capture forbids is refused, with the driver's
numbers.
"""
import argparse
import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np

PTX = b"""
.version 7.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 to, .param .u32 value)
{
    .reg .b64 %rd<4>;
    .reg .b32 %r<4>;
    ld.param.u64 %rd1, [to];
    cvta.to.global.u64 %rd1, %rd1;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd1, %rd1, %rd2;
    ld.param.u32 %r2, [value];
    ld.global.u32 %r3, [%rd1];
    add.s32 %r3, %r3, %r2;
    st.global.u32 [%rd1], %r3;
    ret;
}
\0"""
LANES, NON_BLOCKING, NO_TIME, THREAD_LOCAL = 32, 1, 2, 1
INVALID_HANDLE, LAUNCH_FAILED, UNSUPPORTED, UNMATCHED, UNJOINED, ISOLATION = 400, 719, 900, 903, 904, 905
pointer = ctypes.c_void_p


class Config(ctypes.Structure):
    _fields_ = [("grid", ctypes.c_uint32 * 3), ("block", ctypes.c_uint32 * 3), ("shared", ctypes.c_uint32), ("stream", pointer),
                ("attributes", pointer), ("count", ctypes.c_uint32)]


class Driver:
    """Functions that fail raise their number, unless it is expected."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(str(path))
        context, module, self.add = pointer(), pointer(), pointer()
        self("cuInit", 0)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self("cuCtxSetCurrent", context)
        self("cuModuleLoadDataEx", ctypes.byref(module), PTX, 0, None, None)
        self("cuModuleGetFunction", ctypes.byref(self.add), module, b"add")
        self.memory = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(self.memory), ctypes.c_size_t(4 * LANES))
        self.data = pointer()
        self("cuMemHostAlloc", ctypes.byref(self.data), ctypes.c_size_t(4 * LANES), 0)
        self.host = np.ctypeslib.as_array(ctypes.cast(self.data, ctypes.POINTER(ctypes.c_int32)), (LANES,))

    def __call__(self, name, *args, expected=0):
        result = getattr(self.lib, name)(*args)
        assert result == expected, f"{name}: {result}, not {expected}"

    def make(self, name, flags):
        made = pointer()
        self(name, ctypes.byref(made), flags)
        return made

    def stream(self):
        return self.make("cuStreamCreate", NON_BLOCKING)

    def event(self, flags=NO_TIME):
        return self.make("cuEventCreate", flags)

    def launch(self, stream, value):
        to, number = ctypes.c_uint64(self.memory.value), ctypes.c_int32(value)
        args = (pointer * 2)(ctypes.addressof(to), ctypes.addressof(number))
        config = Config((1, 1, 1), (LANES, 1, 1), 0, stream, None, 0)
        self("cuLaunchKernelEx", ctypes.byref(config), self.add, args, None)

    def upload(self, stream):
        self("cuMemcpyHtoDAsync_v2", self.memory, self.data, ctypes.c_size_t(4 * LANES), stream)

    def download(self, stream):
        self("cuMemcpyDtoHAsync_v2", self.data, self.memory, ctypes.c_size_t(4 * LANES), stream)

    def order(self, first, then):
        event = self.event()
        self("cuEventRecord", event, first)
        self("cuStreamWaitEvent", then, event, 0)

    def expect_fault(self, *streams):
        """Which wait tells it depends on what came first."""
        results = [self.lib.cuStreamSynchronize(stream) for stream in streams]
        assert LAUNCH_FAILED in results, f"cuStreamSynchronize: {results}, not {LAUNCH_FAILED}"

    def capture(self, stream):
        self("cuStreamBeginCapture_v2", stream, THREAD_LOCAL)

    def captured(self, stream):
        graph, exec_ = pointer(), pointer()
        self("cuStreamEndCapture", stream, ctypes.byref(graph))
        self("cuGraphInstantiateWithFlags", ctypes.byref(exec_), graph, ctypes.c_ulonglong(0))
        self("cuGraphDestroy", graph)
        return exec_


def ordered(d):
    """Two streams that an event orders, and one that the host waits for."""
    a, b = d.stream(), d.stream()
    d.host[:] = range(LANES)
    d.upload(a)
    d.launch(a, 1)
    d.order(a, b)
    d.launch(b, 2)
    d("cuStreamSynchronize", b)
    d.download(a)
    d("cuStreamSynchronize", a)
    assert (d.host == np.arange(LANES) + 3).all(), d.host


def unordered(d):
    a, b = d.stream(), d.stream()
    d.upload(a)
    d("cuStreamSynchronize", a)
    d.launch(a, 1)
    d.launch(b, 2)
    d.expect_fault(b, a)


def copied_too_early(d):
    a, b = d.stream(), d.stream()
    d.upload(a)
    d.launch(a, 1)
    d.download(b)
    d.expect_fault(a, b)


def graph(d):
    """Replayed, it reads what is there then."""
    a, b = d.stream(), d.stream()
    d.capture(a)
    d.upload(a)
    d.launch(a, 1)
    d.order(a, b)
    d.launch(b, 2)
    d.order(b, a)
    d.download(a)
    replay = d.captured(a)
    for begin in (0, 100):
        d.host[:] = begin
        d("cuGraphLaunch", replay, a)
        d("cuStreamSynchronize", a)
        assert (d.host == begin + 3).all(), d.host
    d("cuGraphLaunch", replay, a)
    d("cuGraphExecDestroy", replay)  # its launch is to come
    d("cuStreamSynchronize", a)
    d("cuGraphLaunch", replay, a, expected=INVALID_HANDLE)


def unordered_graph(d):
    a, b = d.stream(), d.stream()
    d.upload(a)
    d.capture(a)
    d.order(a, b)
    d.launch(a, 1)
    d.launch(b, 2)
    d.order(b, a)
    d("cuGraphLaunch", d.captured(a), a)
    d("cuStreamSynchronize", a, expected=LAUNCH_FAILED)


def rules(d):
    """What cannot be captured."""
    a, b, graph, other = d.stream(), d.stream(), pointer(), ctypes.c_uint64()
    d("cuStreamEndCapture", a, ctypes.byref(graph), expected=UNMATCHED)
    d.capture(a)
    d("cuStreamSynchronize", a, expected=UNSUPPORTED)
    d("cuMemAlloc_v2", ctypes.byref(other), ctypes.c_size_t(4), expected=UNSUPPORTED)
    event = d.event()
    d("cuEventRecord", event, b)
    d("cuStreamWaitEvent", a, event, 0, expected=ISOLATION)
    d.order(a, b)
    d.launch(b, 1)
    d("cuStreamEndCapture", a, ctypes.byref(graph), expected=UNJOINED)


def times(d):
    a, begin, end, untimed, milliseconds = d.stream(), d.event(0), d.event(0), d.event(), ctypes.c_float()
    for event in (begin, end, untimed):
        d.upload(a)
        d.launch(a, 1)
        d("cuEventRecord", event, a)
    d("cuStreamSynchronize", a)
    d("cuEventElapsedTime", ctypes.byref(milliseconds), begin, end)
    assert milliseconds.value > 0, milliseconds
    d("cuEventElapsedTime", ctypes.byref(milliseconds), begin, untimed, expected=INVALID_HANDLE)


TESTS = (ordered, unordered, copied_too_early, graph, unordered_graph, rules, times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--emulator", type=Path, required=True)
    parser.add_argument("--only", help="this test, in this process")
    args = parser.parse_args()
    if args.only:
        next(test for test in TESTS if test.__name__ == args.only)(Driver(args.emulator))
        return
    failed = 0
    for test in TESTS:  # a process each: after a fault the device takes no more work
        for seed in range(4):
            done = subprocess.run([sys.executable, __file__, "--emulator", args.emulator, "--only", test.__name__], text=True,
                                  stderr=subprocess.PIPE, env={"MLC_CUDAEMU_CAPABILITY": "8.0", "MLC_CUDAEMU_SEED": str(seed)})
            if done.returncode:
                print(f"{test.__name__}, seed {seed}: {done.stderr[-600:]}")
                failed += 1
    print(f"{4 * len(TESTS) - failed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
