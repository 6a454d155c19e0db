"""What a user meets around a model: signals, memory, links, names of files, element types, what is told and when.

    python command_line.py --mlc build/release/bin/mlc [--moments N]
"""
import argparse
import os
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from harness import UNSUPPORTED_EXIT, Failure, call, environment, file_name, run_in_folders

ROOT = Path(__file__).resolve().parent.parent.parent
DIGITS = ROOT / "examples/digits/digits.onnx"
PICTURE = ROOT / "examples/digits/pictures/digit-2.png"
MLC = None
MOMENTS = 6
ENTRY = re.compile(r"[0-9a-f]{16}-[0-9a-f]{16}\.mlcm|[0-9a-f]{32}\.o")  # what a cache keeps


def expect(condition, what):
    if not condition:
        raise Failure(what)


def value(name, shape, dtype=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, dtype, shape)


def model(nodes, inputs, outputs, consts=(), **more):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(consts), **more)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def products(folder, count, size):
    """y = x W0 W1 ..., with the matrices in a file of their own."""
    base = np.random.default_rng(0).standard_normal((size, size), np.float32) / np.float32(size**.5)
    weights = [numpy_helper.from_array(np.roll(base, 7 * i + 1), f"w{i}") for i in range(count)]
    nodes = [helper.make_node("MatMul", [f"t{i}" if i else "x", f"w{i}"], [f"t{i + 1}" if i + 1 < count else "y"]) for i in range(count)]
    np.save(folder / "x.npy", np.ones((1, size), np.float32))
    onnx.save(model(nodes, [value("x", [1, size])], [value("y", [1, size])], weights), folder / "m.onnx",
              save_as_external_data=True, location="m.data", size_threshold=0)
    return folder / "m.onnx"


def good(*args, **more):
    result = call(*args, **more)
    expect(result.code == 0, f"exit {result.code}: {result.first_line()}")
    return result


def refused(result, *words, code=1):
    expect(result.code == code, f"expected exit {code}, got {result.code}: {result.first_line()}")
    for word in words:
        expect(word in result.err, f"expected {word!r} in the message: {result.err.strip()[:400]}")


# ---- signals

class Place:
    """A folder to write into, another for temporary files, a cache."""

    def __init__(self, folder):
        self.out, self.temp, self.cache = (folder / name for name in ("out", "temp", "cache"))
        self.whole = {}  # results by name
        self.out.mkdir()
        self.temp.mkdir()

    def files(self):
        return {str(p.relative_to(self.out)): p.read_bytes() for p in self.out.rglob("*") if p.is_file()}

    def environment(self):
        return {**environment(), "TMPDIR": str(self.temp)}

    def check(self, what):
        left = [p.name for p in self.temp.iterdir()]
        left += [p.name for p in self.cache.glob("*") if not ENTRY.fullmatch(p.name)]
        if self.files() != self.whole:  # done, and then hit
            left += [str(p) for p in self.out.rglob("*")]
        expect(not left, f"{what} leaves {', '.join(left)}")

    def clear(self):
        for p in (*self.out.rglob("*"), *self.cache.glob("*")):
            if p.is_file():
                p.unlink()


def start(place, args):
    return subprocess.Popen([str(a) for a in args], env=place.environment(), stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def interrupt(place, args, number, share, whole_time):
    """Sends a signal when `share` of the time has passed; returns how long the process still took, or None if it was done."""
    process = start(place, args)
    time.sleep(share * whole_time)
    sent = time.monotonic()
    process.send_signal(number)
    process.wait(60)
    took = time.monotonic() - sent
    expect(process.returncode in (-number, 0), f"exit {process.returncode} after signal {number}")
    if process.returncode == 0:
        place.clear()
        return None
    place.check(f"signal {number} after {share:.2f} of {args[1]}")
    return took


def signals_leave_nothing(folder):
    place, path = Place(folder), products(folder, 3, 1024)
    run = ["--input", f"x={folder}/x.npy", "--threads", "2"]
    commands = [[MLC, "compile", path, "-o", place.out / "m.so"],
                [MLC, "compile", path, "-o", place.out / "m.so", "--cache-dir", place.cache],
                [MLC, "run", path, *run],
                [MLC, "run", path, *run, "--cache-dir", place.cache],
                [MLC, "run", path, *run, "--output-dir", place.out / "o"],
                [MLC, "split", path, place.out / "split", "--threads", "2"]]
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    rng, longest, hits = np.random.default_rng(), 0.0, 0
    for command in commands:
        begin = time.monotonic()
        expect(start(place, command).wait(120) == 0, f"{command[1]} fails")
        whole_time = time.monotonic() - begin
        place.whole = place.files()
        for i in range(MOMENTS):
            remove(place.out)
            place.clear()
            took = interrupt(place, command, numbers[i % 3], rng.random(), whole_time)
            hits += took is not None
            longest = max(longest, took or 0)
    expect(hits > len(commands), f"only {hits} processes were hit")
    expect(longest < 10, f"a process lived on for {longest:.1f} s")
    print(f"{hits} processes interrupted, the last one gone after {longest:.3f} s")


def remove(folder):
    for p in sorted(folder.rglob("*"), reverse=True):
        p.rmdir() if p.is_dir() else p.unlink()


def kill_leaves_nothing(folder):
    """Not even SIGKILL, where the file system has files without names; one that comes after the end finds the whole file."""
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR))
    except OSError:
        print("skipped: this file system has no O_TMPFILE")
        return
    place, path = Place(folder), products(folder, 3, 1024)
    command = [MLC, "compile", path, "-o", place.out / "m.so"]
    expect(start(place, command).wait(120) == 0, "compile fails")
    place.whole = place.files()
    place.clear()
    for i in range(MOMENTS):
        process = start(place, command)
        time.sleep(0.05 * (i + 1))
        process.kill()
        if process.wait(60) == -signal.SIGKILL:
            place.check("SIGKILL")
        place.clear()


def ignored_signals_stay_ignored(folder):
    """As under nohup, or behind an & in a shell."""
    path = products(folder, 2, 1024)
    process = subprocess.Popen([str(a) for a in (MLC, "compile", path, "-o", folder / "m.so")], stderr=subprocess.PIPE,
                               env=environment(), preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    time.sleep(0.1)
    process.send_signal(signal.SIGHUP)
    expect(process.wait(60) == 0 and (folder / "m.so").exists(), f"exit {process.returncode}")


# ---- memory

def anonymous_peak(args, folder):
    process = subprocess.Popen([str(a) for a in args], stdout=subprocess.DEVNULL, env={**environment(), "TMPDIR": str(folder)})
    peak = 0
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
            peak = max(peak, *map(int, re.findall(r"RssAnon:\s*(\d+) kB", status)), 0)
        except OSError:
            pass
        time.sleep(0.002)
    expect(process.returncode == 0, f"{args[1]}: exit {process.returncode}")
    return peak / 1024


def weights_stay_in_files(folder):
    """256 MiB of weights, in many or in one: as pages of files, not in memory that only swapping frees."""
    if "detect_leaks" in os.environ.get("ASAN_OPTIONS", "") or "asan" in str(MLC):
        print("skipped: memory of a sanitizer")
        return
    given = ["--input", f"x={folder}/x.npy", "--threads", "2"]
    for count, size in ((16, 2048), (1, 8192)):
        path = products(folder, count, size)
        for command in ([MLC, "run", path, *given], [MLC, "run", path, *given, "--cache-dir", folder / "cache"],
                        [MLC, "compile", path, "-o", folder / "m.so"], [MLC, "run", folder / "m.so", *given]):
            peak = anonymous_peak(command, folder)
            expect(peak < 160, f"{command[1]} of {count} weights takes {peak:.0f} MiB of anonymous memory")


# ---- external data behind links

def hub(folder, sub=""):
    """A repository as the cache of Hugging Face keeps it; returns the link to its model."""
    repository = folder / "models--somebody--something"
    snapshot, blobs = repository / "snapshots/0123abcd" / sub, repository / "blobs"
    snapshot.mkdir(parents=True)
    blobs.mkdir()
    products(folder, 1, 64)
    for name in ("m.onnx", "m.data"):
        blob = blobs / f"{'aa' if name == 'm.data' else 'bb'}0123456789abcdef"
        (folder / name).rename(blob)
        (snapshot / name).symlink_to(os.path.relpath(blob, snapshot))
    return snapshot / "m.onnx"


def hub_is_read(folder):
    for sub in ("", "onnx"):
        place = folder / (sub or "top")
        place.mkdir()
        path = hub(place, sub)
        for more in ([], ["--cache-dir", folder / "cache"]):
            good(MLC, "run", path, "--input", f"x={place}/x.npy", *more)
        good(MLC, "compile", path, "-o", place / "m.so")
        good(MLC, "inspect", path, "--level", "import")
        good(MLC, "run", path.name, "--input", f"x={place}/x.npy", cwd=path.parent)


def other_links_are_refused(folder):
    """A link out of the model's folder, and everything that looks a little like that cache."""
    flag = "--allow-external-links"

    def check(path, *words):
        run = [MLC, "run", path, "--input", f"x={folder}/x.npy", "--cache-dir", folder / "cache"]
        refused(call(*run), flag, "m.data", *words)
        good(*run, flag)
        refused(call(*run), flag)  # also when the cache has it

    (folder / "elsewhere").mkdir()
    path = products(folder, 1, 64)
    (folder / "m.data").rename(folder / "elsewhere/data")
    (folder / "plain").mkdir()
    path = path.rename(folder / "plain/m.onnx")
    (folder / "plain/m.data").symlink_to(folder / "elsewhere/data")
    check(path, str(folder / "elsewhere/data"))

    # The model a plain file, its data a link into a folder of that name; and blobs of two folders.
    (folder / "hub").mkdir()
    link = hub(folder / "hub")
    blob = link.resolve()
    link.unlink()
    link.write_bytes(blob.read_bytes())
    check(link)
    (folder / "other/blobs").mkdir(parents=True)
    other = folder / "other/blobs/m"
    other.write_bytes(blob.read_bytes())
    link.unlink()
    link.symlink_to(other)
    check(link)


def links_inside_are_followed(folder):
    path = products(folder, 1, 64)
    (folder / "deep").mkdir()
    (folder / "m.data").rename(folder / "deep/data")
    (folder / "m.data").symlink_to("deep/data")
    good(MLC, "run", path, "--input", f"x={folder}/x.npy")
    (folder / "m.data").unlink()
    (folder / "m.data").symlink_to("deep")
    refused(call(MLC, "run", path, "--input", f"x={folder}/x.npy"), "m.data", "is not a file")


def names_never_leave_the_folder(folder):
    """The flag is about links; what the model itself says is refused with it too."""
    path = products(folder, 1, 64)
    (folder / "inner").mkdir()
    proto = onnx.load(path, load_external_data=False)
    for entry in proto.graph.initializer[0].external_data:
        if entry.key == "location":
            entry.value = "../m.data"
    onnx.save(proto, folder / "inner/m.onnx")
    refused(call(MLC, "compile", folder / "inner/m.onnx", "-o", folder / "m.so", "--allow-external-links"), "../m.data", "inside")


def endless_data_ends(folder):
    """A location that is a device is refused, and not read for the cache's key either."""
    path = products(folder, 1, 64)
    (folder / "m.data").unlink()
    (folder / "m.data").symlink_to("/dev/zero")
    for more in ([], ["--cache-dir", folder / "cache"], ["--cache-dir", folder / "cache", "--allow-external-links"]):
        refused(call(MLC, "compile", path, "-o", folder / "m.so", *more, timeout=60), "m.data")


# ---- what is told, and when

def inputs_are_checked_first(folder):
    """Before anything is compiled, which could not work here."""
    os.environ["MLC_TARGET_LIBRARY"] = "/nowhere"
    try:
        np.save(folder / "f64.npy", np.zeros((1, 1, 8, 8)))
        np.save(folder / "small.npy", np.zeros((1, 1, 7, 8), np.float32))
        np.save(folder / "out.npy", np.zeros((1, 10), np.float32))
        for flags, words in (([], ["'image' is missing"]),
                             ([f"--input=picture={PICTURE}"], ["no input 'picture'", "'image'"]),
                             ([f"--input=image={folder}/f64.npy"], ["'image'", "expected type f32"]),
                             ([f"--input=image={folder}/small.npy"], ["'image'", "[1, 1, 8, 8]", "[1, 1, 7, 8]"]),
                             ([f"--input=image={folder}/none.npy"], ["none.npy"]),
                             ([f"--input=image={PICTURE}", f"--expect=log={folder}/out.npy"], ["no output 'log'", "'logits'"]),
                             ([f"--input=image={PICTURE}"], ["cannot generate code"])):
            for verb in ("run", "bench"):
                refused(call(MLC, verb, DIGITS, *flags), *words)
    finally:
        del os.environ["MLC_TARGET_LIBRARY"]
    good(MLC, "run", DIGITS, f"--input=image={PICTURE}", f"--expect=logits={folder}/out.npy", "--tolerance=1e9")


def outputs_have_their_own_files(folder):
    names = ["a/b", "a:b", "a_b", "a%2Fb", "a b", "A b", ".", "..", "a\nb", "ä"]
    nodes = [helper.make_node("Add", ["x", f"c{i}"], [name]) for i, name in enumerate(names)]
    consts = [numpy_helper.from_array(np.float32(i).reshape(1), f"c{i}") for i in range(len(names))]
    onnx.save(model(nodes, [value("x", [1])], [value(name, [1]) for name in names], consts), folder / "m.onnx")
    np.save(folder / "x.npy", np.zeros(1, np.float32))
    good(MLC, "run", folder / "m.onnx", "--input", f"x={folder}/x.npy", "--output-dir", folder / "o")
    expect(len(list((folder / "o").iterdir())) == len(names), f"{sorted(p.name for p in (folder / 'o').iterdir())}")
    for i, name in enumerate(names):
        expect(np.load(folder / "o" / file_name(name))[0] == i, f"output {name!r} is that of another")
    good(MLC, "run", folder / "m.onnx", "--input", f"x={folder}/x.npy", "--output-dir", folder / "p", "--output-format=pb")
    for i, name in enumerate(names):
        tensor = TensorProto.FromString((folder / "p" / file_name(name)).with_suffix(".pb").read_bytes())
        expect(tensor.name == name and numpy_helper.to_array(tensor).tolist() == [i], f"output {name!r} as .pb: {tensor}")
    refused(call(MLC, "run", folder / "m.onnx", "--input", f"x={folder}/x.npy", "--output-format=onnx"),
            "mlc: --output-format expects npy or pb, got 'onnx'")
    # Two names that the file system takes for one: a link stands for that.
    (folder / "o2").mkdir()
    (folder / "o2/a_b.npy").write_bytes(b"")
    os.link(folder / "o2/a_b.npy", folder / "o2/a b.npy")
    os.chmod(folder / "o2/a_b.npy", 0o644)
    written = good(MLC, "run", folder / "m.onnx", "--input", f"x={folder}/x.npy", "--output-dir", folder / "o2")
    expect(written.code == 0 and np.load(folder / "o2/a_b.npy")[0] == 2 and np.load(folder / "o2/a b.npy")[0] == 4, "links")


def tensors_of_files_of_their_own(folder):
    onnx.save(model([helper.make_node("Add", ["x", "x"], ["y"])], [value("x", [3, 2])], [value("y", [3, 2])]), folder / "m.onnx")
    data = np.arange(6, dtype=np.float32).reshape(3, 2)
    run = [MLC, "run", folder / "m.onnx", f"--input=x={folder}/x.pb"]

    def given(tensor):
        (folder / "x.pb").write_bytes(tensor if isinstance(tensor, bytes) else tensor.SerializeToString())

    given(numpy_helper.from_array(data))
    (folder / "y.pb").write_bytes(numpy_helper.from_array(2 * data).SerializeToString())
    good(*run, f"--expect=y={folder}/y.pb")
    given(helper.make_tensor("x", TensorProto.FLOAT, [3, 2], data.ravel()))  # typed, not raw
    good(*run, f"--expect=y={folder}/y.pb")
    for tensor, message in ((numpy_helper.from_array(data.astype(np.int32)), "expected type f32 (ONNX's 1), got 6"),
                            (numpy_helper.from_array(data[:2]), "expected shape [3, 2], got [2, 2]"),
                            (helper.make_tensor("x", TensorProto.STRING, [1], [b"a"]), "expected type f32 (ONNX's 1), got 8"),
                            (numpy_helper.from_array(data).SerializeToString()[:-1], "at byte")):
        given(tensor)
        refused(call(*run), message)


def pictures_are_for_inputs_that_take_them(folder):
    onnx.save(model([helper.make_node("Add", ["x", "x"], ["y"])], [value("x", [3, 2])], [value("y", [3, 2])]), folder / "m.onnx")
    refused(call(MLC, "run", folder / "m.onnx", f"--input=x={PICTURE}"),
            "a picture is an input of f32 [1, C, H, W] with C 1 or 3, but this input is f32 [3, 2]")


TYPES = {  # ONNX's name: values, what numpy has them as, how mlc prints them
    "FLOAT": (np.float32, [1.5, -0.25], "f32", "1.5 -0.25"),
    "DOUBLE": (np.float64, [1.5, -0.25], "f64", "1.5 -0.25"),
    "FLOAT16": (np.float16, [1.5, -0.25], "f16", "1.5 -0.25"),
    "BFLOAT16": ("bf16", [0x3FC0, 0xBE80], "bf16", "1.5 -0.25"),
    "BOOL": (np.bool_, [True, False], "bool", "true false"),
    "INT8": (np.int8, [-128, 127], "i8", "-128 127"),
    "INT16": (np.int16, [-32768, 7], "i16", "-32768 7"),
    "INT32": (np.int32, [-2**31, 7], "i32", f"{-2**31} 7"),
    "INT64": (np.int64, [-2**63, 7], "i64", f"{-2**63} 7"),
    "UINT8": (np.uint8, [200, 7], "u8", "200 7"),
    "UINT16": (np.uint16, [60000, 7], "u16", "60000 7"),
    "UINT32": (np.uint32, [2**32 - 1, 7], "u32", f"{2**32 - 1} 7"),
    "UINT64": (np.uint64, [2**64 - 1, 7], "u64", f"{2**64 - 1} 7"),
}


def all_types_come_and_go(folder):
    """Read from .npy, printed, written as .npy that numpy reads back."""
    for name, (dtype, values, short, printed) in TYPES.items():
        array = np.array(values, np.uint16).view("V2") if dtype == "bf16" else np.array(values, dtype)
        np.save(folder / "x.npy", array)
        kind = getattr(TensorProto, name)
        onnx.save(model([helper.make_node("Reshape", ["x", "s"], ["y"])], [value("x", [2], kind)], [value("y", [1, 2], kind)],
                        [numpy_helper.from_array(np.array([1, 2]), "s")]), folder / "m.onnx")
        run = [MLC, "run", folder / "m.onnx", "--input", f"x={folder}/x.npy"]
        result = call(*run)
        expect(result.out == f"y: {short} [1, 2] {printed}\n", f"{name}: exit {result.code}, {result.first_line()}, printed {result.out!r}")
        good(*run, "--output-dir", folder)
        back = np.load(folder / "y.npy").reshape(2)
        expect(back.dtype == array.dtype and back.tobytes() == array.tobytes(), f"{name}: {array!r} comes back as {back!r}")
        np.save(folder / "x.npy", np.zeros(2, np.complex64))
        refused(call(*run), "expected type " + short)


def declared_shapes_are_warnings(folder):
    """What onnxruntime does: it says so and goes on with what the operators give."""
    np.save(folder / "x.npy", np.array([[-1, 2, 3]] * 2, np.float32))
    nodes = [helper.make_node("Relu", ["x"], ["t"], name="first"), helper.make_node("Neg", ["t"], ["y"], name="second")]
    for shape in ([7, 9], [6], [2, 3, 1]):
        onnx.save(model(nodes, [value("x", [2, 3])], [value("y", shape)], value_info=[value("t", [5, 5])]), folder / "m.onnx")
        result = good(MLC, "run", folder / "m.onnx", "--input", f"x={folder}/x.npy", "--output-dir", folder)
        for word in ("m.onnx", "warning", f"'y' is declared with shape {shape}", "tensor<2x3xf32>", "'t' is declared with shape [5, 5]"):
            expect(word in result.err, f"expected {word!r}: {result.err}")
        expect(np.array_equal(np.load(folder / "y.npy"), [[0, -2, -3]] * 2), "wrong values")
    onnx.save(model(nodes, [value("x", [2, 3])], [value("y", [2, "n"])], value_info=[value("t", ["m", 3])]), folder / "m.onnx")
    expect(good(MLC, "compile", folder / "m.onnx", "-o", folder / "m.so").err == "", "a warning of names of sizes")
    onnx.save(model(nodes, [value("x", [2, 3])], [value("y", [2, 3], TensorProto.INT32)]), folder / "m.onnx")
    refused(call(MLC, "compile", folder / "m.onnx", "-o", folder / "m.so"), "'y' is declared as")


def versions_are_told(folder):
    for tool in ("mlc", "mlc-opt", "mlc-translate"):
        text = good(MLC.parent / tool, "--version").out
        expect(re.fullmatch(rf"{tool} \d+\.\d+\.\d+ \((LLVM \d+\.\d+\.\d+|without LLVM), [A-Z]\w+(, [\w,]+)?\)\n", text), f"{tool}: {text!r}")


def full_disk_is_told(folder):
    """Standard output and a file alike; /dev/full takes nothing."""
    for args in (["run", DIGITS, f"--input=image={PICTURE}"], ["inspect", DIGITS], ["compile", DIGITS, "-o", "-"], ["--help"]):
        with open("/dev/full", "wb") as full:
            p = subprocess.run([str(a) for a in (MLC, *args)], stdout=full, stderr=subprocess.PIPE, env=environment(), timeout=120)
        expect(p.returncode == 1 and b"No space left" in p.stderr, f"{args[0]}: exit {p.returncode}, {p.stderr!r}")
    refused(call(MLC, "compile", DIGITS, "-o", "/dev/full"), "No space left")
    # Closed, it must not be the artefact that takes what is printed.
    closed = f"'{MLC}' compile '{DIGITS}' -o '{folder}/m.so' <&- >&- 2>&-; '{MLC}' run '{folder}/m.so' --input 'image={PICTURE}'"
    expect("logits" in good("sh", "-c", closed).out, "an artefact written without standard files")
    refused(call("sh", "-c", f"'{MLC}' --help >&-"), "cannot write to standard output")


def slips_of_the_hand(folder):
    """Each is told at once, in words, and leaves what was there."""
    os.mkfifo(folder / "pipe")
    own = folder / "digits.onnx"
    own.write_bytes(DIGITS.read_bytes())
    image, out = f"--input=image={PICTURE}", folder / "m.so"
    for args, words in ((["compile", own, "-o", own], ["digits.onnx' is the model itself: another file must take the artefact"]),
                        (["compile", own, "-o", out, "--target=vax"], ["mlc: unknown target 'vax'; there are host, x86-64-v2"]),
                        (["compile", own, "-o", out, "--target=cuda-sm_80,"], ["mlc: unknown target ''; there are host"]),
                        (["run", own, f"--input={PICTURE}"], ["--input expects NAME=FILE, got '/", "'image'"]),
                        (["run", folder / "pipe"], ["not a regular file"]),
                        (["run", own, image, "--tolerance=-1"], ["--tolerance"]),
                        (["run", own, image, "--tolerance=nan"], ["--tolerance"]),
                        (["bench", own, image, "--min-time=nan"], ["--min-time"]),
                        (["bench", own, image, "--min-time=-1"], ["--min-time"]),
                        (["split", own, folder / "s", f"--input=picture={PICTURE}"], ["no input 'picture'", "'image'"])):
        result = call(MLC, *args, timeout=60)
        refused(result, *words)
    expect(own.read_bytes() == DIGITS.read_bytes(), "the model was overwritten")
    expect(sorted(p.name for p in folder.iterdir()) == ["digits.onnx", "pipe"], f"left: {[p.name for p in folder.iterdir()]}")


def models_come_through_pipes(folder):
    for more in ([], ["--cache-dir", folder / "cache"]):
        with DIGITS.open("rb") as file:
            p = subprocess.run([str(a) for a in (MLC, "compile", "-", "-o", folder / "m.so", *more)], stdin=file,
                               stderr=subprocess.PIPE, env=environment(), timeout=120)
        expect(p.returncode == 0, f"exit {p.returncode}: {p.stderr!r}")
        good(MLC, "run", folder / "m.so", f"--input=image={PICTURE}")


def odd_surroundings(folder):
    """No TMPDIR, one that is full, a cache that takes no files, an old file of another's name."""
    run = [MLC, "run", DIGITS, f"--input=image={PICTURE}"]
    (folder / "file").write_text("in the way")
    expected = good(*run).out
    for name, value in (("TMPDIR", "/nowhere"), ("TMPDIR", ""), ("MLC_CACHE_DIR", "/proc/nothing"), ("MLC_CACHE_DIR", str(folder / "file")),
                        ("MLC_CACHE_LIMIT", "many")):
        old = os.environ.get(name)
        os.environ[name] = value
        try:
            expect(good(*run).out == expected, f"another result with {name}={value}")
        finally:
            if old is None:
                del os.environ[name]
            else:
                os.environ[name] = old
    expect(good(*run, cwd="/").out == expected, "another result in another folder")


TESTS = [signals_leave_nothing, kill_leaves_nothing, ignored_signals_stay_ignored, weights_stay_in_files, hub_is_read,
         other_links_are_refused, links_inside_are_followed, names_never_leave_the_folder, endless_data_ends, inputs_are_checked_first,
         outputs_have_their_own_files, tensors_of_files_of_their_own, pictures_are_for_inputs_that_take_them, all_types_come_and_go,
         declared_shapes_are_warnings, versions_are_told, full_disk_is_told, slips_of_the_hand, models_come_through_pipes, odd_surroundings]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", type=Path, required=True)
    parser.add_argument("--moments", type=int, default=MOMENTS, help="signals for each way to call mlc")
    parser.add_argument("--only", default="", help="only tests whose name contains this")
    args = parser.parse_args()
    MLC, MOMENTS = args.mlc.resolve(), args.moments
    run_in_folders(TESTS, 1, args.only)
