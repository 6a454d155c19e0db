"""From a model to an artefact, by the program `mlc`."""
import os
import subprocess
import tempfile
import warnings
from pathlib import Path

from mlc import _library
from mlc._model import load

UNSUPPORTED = 3 # the exit code for a valid model that mlc does not do yet


class CompileError(RuntimeError):
    """The model, or an option, is wrong; the message is the program's."""


class UnsupportedError(CompileError):
    """The model is valid, and mlc cannot compile something in it yet."""


def flags_of(options):
    """Command-line flags of keyword arguments: `require_compiled=True`, `max_memory="2GiB"`, `dim=["batch=4"]`."""
    flags = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            flags.append(flag)
        else:
            flags += [f"{flag}={v}" for v in (value if isinstance(value, (list, tuple)) else [value])]
    return flags


def items_of(value):
    """As `--items` wants them: [(2, 3), ()] are "2x3:scalar"; None and [] are "none" and "empty"."""
    if value is None or len(value) == 0:
        return "none" if value is None else "empty"
    return ":".join("x".join(map(str, shape)) or "scalar" for shape in value)


def compile(model, output=None, *, dims=None, items=None, libraries=(), **options):
    """Compiles `model`: a path, bytes of ONNX, or an onnx.ModelProto. Returns the Model, loaded.

    output: where the artefact goes; without it there is a file only as long as this takes. dims: {"batch": 4} fixes sizes that
    the model names; others stay open. items: of an input that is a sequence, optional or map, the shapes of its tensors.
    libraries: shared objects with the functions of operators of its own. All other options are those of `mlc compile`, with _ for -:
    target="x86-64-v3", require_compiled=True, numerics="strict", max_memory="4GiB", compile_budget="10s".

    A model that is wrong is a CompileError; one that is right, and cannot be compiled yet, an UnsupportedError. What the
    compiler warns of is a Python warning."""
    program = _library.program()
    if program is None:
        raise ImportError("the program 'mlc' is not found: install mlc, or let MLC_PREFIX name the folder that has its bin and lib")
    options = dict(options)
    options["dim"] = [f"{k}={v}" for k, v in (dims or {}).items()]
    options["items"] = [f"{k}={items_of(v)}" for k, v in (items or {}).items()]
    options["shared_libs"] = ",".join(os.fspath(p) for p in libraries) or None
    with tempfile.TemporaryDirectory() as folder:
        path = model
        if not isinstance(model, (str, os.PathLike)):
            path = Path(folder, "model.onnx")
            path.write_bytes(model if isinstance(model, (bytes, bytearray)) else model.SerializeToString())
        artefact = output or Path(folder, "model.so")
        done = subprocess.run([program, "compile", os.fspath(path), "-o", os.fspath(artefact), *flags_of(options)], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        said = done.stderr.decode(errors="replace").strip()
        if done.returncode:
            raise (UnsupportedError if done.returncode == UNSUPPORTED else CompileError)(said or f"mlc compile: exit {done.returncode}")
        if said:
            warnings.warn(said, stacklevel=2)
        return load(artefact, libraries)
