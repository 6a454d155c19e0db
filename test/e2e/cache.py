"""What `--cache-dir` promises: the same file again, another one whenever anything that matters changed, and never an error.

    python cache.py --mlc build/release/bin/mlc
"""
import argparse
import os
import subprocess
import threading
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from artefact import HASH, for_other_machine
from harness import Failure, call, environment, run_in_folders

ROOT = Path(__file__).resolve().parent.parent.parent
MLC = None


def model(folder, shift=0.0, external=False):
    """y = x W + shift; with the weights in a file of their own, or not."""
    weights = numpy_helper.from_array((np.arange(64, dtype=np.float32) + shift).reshape(8, 8), "w")
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"], name="product")], "g",
                              [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 8])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 8])], [weights])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path = folder / "m.onnx"
    if external:
        onnx.external_data_helper.convert_model_to_external_data(proto, location="m.data", size_threshold=0, convert_attribute=False)
    onnx.save(proto, path)
    return path


def kept(cache):
    return sorted(p for p in cache.glob("*.mlcm"))


def expect(condition, what):
    if not condition:
        raise Failure(what)


def compile_model(path, cache, *flags, out="m.so"):
    result = call(MLC, "compile", path, "-o", path.parent / out, "--cache-dir", cache, *flags)
    expect(result.code == 0, f"exit {result.code}: {result.first_line()}")
    return (path.parent / out).read_bytes()


def output(path, cache):
    np.save(path.parent / "x.npy", np.ones((2, 8), np.float32))
    result = call(MLC, "run", path, "--input", f"x={path.parent}/x.npy", "--output-dir", path.parent / "o", "--cache-dir", cache)
    expect(result.code == 0, f"exit {result.code}: {result.first_line()}")
    return np.load(path.parent / "o/y.npy")


def same_file_again(folder):
    path, cache = model(folder), folder / "deep/cache"
    first = compile_model(path, cache)
    made = kept(cache)
    expect(len(made) == 1, f"{len(made)} models kept, expected 1")
    marked = made[0].stat().st_ino
    expect(compile_model(path, cache) == first, "another file from the cache")
    expect(kept(cache) == made and made[0].stat().st_ino == marked, "the model was compiled again")
    expect(np.array_equal(output(path, cache), np.ones((2, 8)) @ np.arange(64).reshape(8, 8)), "wrong result from the cache")
    expect(kept(cache) == made, "mlc run does not find what mlc compile kept")


def what_matters_is_the_key(folder):
    path, cache = model(folder), folder / "cache"
    compile_model(path, cache)
    compile_model(path, cache, "--numerics=strict")
    compile_model(path, cache, "--target=x86-64-v3")
    expect(len(kept(cache)) == 3, f"{len(kept(cache))} models kept after three ways to compile, expected 3")
    compile_model(model(folder, shift=1.0), cache)
    expect(len(kept(cache)) == 4, "other weights, but no other model")


def other_machines_are_found_again(folder):
    path, cache = model(folder), folder / "cache"
    good = compile_model(path, cache)
    file, = kept(cache)
    other = put(cache, file.name.split("-")[0], for_other_machine(good))
    file.unlink()
    expect(compile_model(path, cache) == other.read_bytes() != good, "what this machine cannot run was compiled again")
    expect(np.array_equal(output(path, cache), np.ones((2, 8)) @ np.arange(64).reshape(8, 8)), "wrong result")


def put(cache, key, artefact):
    file = cache / f"{key}-{int.from_bytes(artefact[HASH:HASH + 8], 'little'):016x}.mlcm"
    file.write_bytes(artefact)
    return file


def files_are_linked_and_not_trusted(folder):
    """What the user gets is what the cache keeps, until he writes something else into it."""
    path, cache = model(folder), folder / "cache"
    good, given = compile_model(path, cache), folder / "m.so"
    expect(kept(cache)[0].samefile(given), "the model is there twice")
    compile_model(path, cache, out="again.so")
    expect(not kept(cache)[0].samefile(folder / "again.so"), "two files of the user's are one")
    node = given.stat().st_ino
    os.utime(given, (1, 1))
    expect(compile_model(path, cache) == good and given.stat().st_ino == node, "the same file was written again")
    expect(given.stat().st_mtime > 1, "the file that was asked for is older than its model")
    given.unlink()
    (folder / "again.so").unlink()
    expect(compile_model(path, cache) == good and kept(cache)[0].samefile(given), "a copy, though no other file is a link")
    other = compile_model(model(folder, shift=1.0), "", out="other.so")
    given.write_bytes(other)
    expect(compile_model(model(folder), cache) == good, "another model from the cache")


def streams_are_given_and_not_kept(folder):
    path, cache = model(folder), folder / "cache"
    good = compile_model(path, "")
    for known in (False, True):
        expect(to_stdout(path, cache) == good, "another file on standard output")
        expect(to_pipe(path, cache) == good, "another file in a pipe")
        expect(len(kept(cache)) == known, f"{len(kept(cache))} models kept, expected {int(known)}")
        expect(compile_model(path, cache) == good, "another file after the streams")


def to_stdout(path, cache):
    """With a standard input that never ends, so that a read of it hangs."""
    unfinished, end = os.pipe()
    try:
        return subprocess.run([str(a) for a in (MLC, "compile", path, "-o", "-", "--cache-dir", cache)], stdin=unfinished,
                              stdout=subprocess.PIPE, env=environment(), timeout=120, check=True).stdout
    finally:
        os.close(unfinished)
        os.close(end)


def to_pipe(path, cache):
    pipe, read = path.parent / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    result = call(MLC, "compile", path, "-o", pipe, "--cache-dir", cache, timeout=120)
    expect(result.code == 0, f"exit {result.code}: {result.first_line()}")
    reader.join()
    pipe.unlink()
    return read[0]


def data_files_are_part_of_it(folder):
    cache = folder / "cache"
    before = output(model(folder, external=True), cache)
    (folder / "m.data").unlink()
    after = output(model(folder, shift=1.0, external=True), cache)
    expect(np.array_equal(after, before + 8), "stale weights from the cache")


def damage_is_mended(folder):
    path, cache = model(folder), folder / "cache"
    good = compile_model(path, cache)
    file = kept(cache)[0]
    for bad in (good[:-1], b"", good[:200] + bytes([good[200] ^ 1]) + good[201:], good[:-5] + b"\0\1\2\3\4"):
        file.write_bytes(bad)
        expect(compile_model(path, cache) == good, "a damaged file was given out")
        expect(file.read_bytes() == good, "a damaged file stays")


def never_an_error(folder):
    path = model(folder)
    (folder / "file").write_text("no folder")
    good = compile_model(path, "")
    for cache in (folder / "file", folder / "file/below"):
        expect(compile_model(path, cache) == good, "another model without a cache")


def processes_share_it(folder):
    path, cache = model(folder), folder / "cache"
    flags = [MLC, "compile", path, "--cache-dir", cache]
    runs = [subprocess.Popen([str(a) for a in (*flags, "-o", folder / f"{i}.so")], env=environment()) for i in range(6)]
    expect(all(run.wait() == 0 for run in runs), "a process failed")
    expect(len({(folder / f"{i}.so").read_bytes() for i in range(6)}) == 1, "processes made different files")
    expect([p.suffix for p in cache.iterdir() if p.suffix == ".tmp"] == [], "unfinished files left in the cache")


def oldest_go_first(folder):
    cache = folder / "cache"
    size = len(compile_model(model(folder), cache))
    objects = sum(p.stat().st_size for p in cache.glob("*.o"))
    os.environ["MLC_CACHE_LIMIT"] = str(2 * size + 3 * objects)
    try:
        first = kept(cache)[0]
        for i in (1, 2):
            os.utime(first, (i, i))
            compile_model(model(folder, shift=i), cache)
    finally:
        del os.environ["MLC_CACHE_LIMIT"]
    expect(len(kept(cache)) == 2 and first not in kept(cache), "not the model that was used first went")


def left_overs_go(folder):
    """And nothing whose name the cache did not give, however old it is and however full the cache."""
    cache = folder / "cache"
    cache.mkdir()
    gone = ["0123456789abcdef", "0123456789abcdef.1-0.tmp", "0123456789abcdef0123456789abcdef.o.1-0.tmp", "0123456789abcdef0123456789abcdef.o"]
    stay = ["README", "notes.tmp", "main.o", "deadbeef", "model.mlcm", "fedcba9876543210"]
    for name in gone + stay:
        (cache / name).write_bytes(b"0" * 100)
        os.utime(cache / name, (1, 1))
    os.utime(cache / stay[-1])  # somebody is about to finish it
    os.environ["MLC_CACHE_LIMIT"] = "1"
    try:
        compile_model(model(folder), cache)
    finally:
        del os.environ["MLC_CACHE_LIMIT"]
    expect([name for name in gone + stay if (cache / name).exists()] == stay, f"left: {sorted(p.name for p in cache.iterdir())}")


TESTS = [same_file_again, what_matters_is_the_key, other_machines_are_found_again, files_are_linked_and_not_trusted, streams_are_given_and_not_kept,
         data_files_are_part_of_it, damage_is_mended, never_an_error, processes_share_it, oldest_go_first,
         left_overs_go]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mlc", type=Path, required=True)
    MLC = parser.parse_args().mlc.resolve()
    run_in_folders(TESTS, jobs=1)
