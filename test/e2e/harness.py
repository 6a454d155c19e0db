"""What the end-to-end tests share: calling mlc, comparing arrays, counting results.

A tool that dies of a signal, runs past its time or is caught by a sanitizer is never an acceptable answer, whatever a
test expects: `call` reports that as a `Crash`.
"""
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

TOLERANCE = 1e-4  # largest difference over the largest |reference|
SANITIZER_EXIT = 99
UNSUPPORTED_EXIT = 3


class Failure(Exception):
    """A test that failed, with what to print."""


class Crash(Failure):
    """The tool died, hung, or a sanitizer spoke."""


@dataclass
class Result:
    code: int
    out: str
    err: str

    def first_line(self):
        return next((line for line in self.err.splitlines() if line.strip()), "(no message)")[:300]


def environment():
    env = dict(os.environ)
    env["ASAN_OPTIONS"] = f"exitcode={SANITIZER_EXIT}:" + env.get("ASAN_OPTIONS", "detect_leaks=0")
    env["UBSAN_OPTIONS"] = f"exitcode={SANITIZER_EXIT}:print_stacktrace=1:" + env.get("UBSAN_OPTIONS", "")
    return env


def call(*args, timeout=300, cwd=None):
    try:
        p = subprocess.run([str(a) for a in args], capture_output=True, timeout=timeout, cwd=cwd, env=environment(),
                           stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise Crash(f"no end after {timeout} s") from None
    result = Result(p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace"))
    if p.returncode < 0:
        raise Crash(f"killed by signal {-p.returncode}: {result.err[-600:]}")
    if p.returncode == SANITIZER_EXIT or "Sanitizer:" in result.err or "runtime error:" in result.err:
        raise Crash("sanitizer: " + result.err[:3000])
    return result


def python_package(library):
    """The Python package `mlc`, on the libraries that lie beside `library`, and the tools of the same build."""
    os.environ["MLC_PREFIX"] = str(Path(library).resolve().parent.parent)
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "python"))
    import mlc
    return mlc


def file_name(output):
    """The file that `mlc run --output-dir` gives to an output."""
    return re.sub(r"[/:%\x00-\x1f\x7f]", lambda c: f"%{ord(c[0]):02X}", output) + ".npy"


def save_feeds(feeds, folder):
    """--input flags for arrays, saved into `folder`."""
    flags = []
    for i, (name, value) in enumerate(feeds.items()):
        path = folder / f"in{i}.npy"
        np.save(path, value.astype(str) if value.dtype == object else value)
        flags += ["--input", f"{name}={path}"]
    return flags


def run_outputs(mlc, model, flags, names, folder, threads, timeout=300):
    """The outputs `names` of `mlc run model`, as arrays; a Failure where it does not run."""
    result = call(mlc, "run", model, *flags, "--threads", threads, "--output-dir", folder, timeout=timeout)
    if result.code:
        raise Failure(f"mlc run --threads {threads}: exit {result.code}: {result.first_line()}")
    outputs = []
    for name in names:
        path = folder / file_name(name)
        if not path.exists():
            raise Failure(f"mlc run left no {path.name}")
        outputs.append(np.load(path))
    return outputs


def relative_error(got, reference):
    if reference.dtype.kind in "OSU":
        if got.shape != reference.shape or (got.astype(str) != reference.astype(str)).any():
            raise Failure(f"expected {reference!r}, got {got!r}")
        return 0.0
    if got.shape != reference.shape or got.dtype != reference.dtype:
        raise Failure(f"expected {reference.dtype}{list(reference.shape)}, got {got.dtype}{list(got.shape)}")
    if reference.size == 0:
        return 0.0
    g, r = got.astype(np.float64), reference.astype(np.float64)
    with np.errstate(invalid="ignore"):
        same = (g == r) | (np.isnan(g) & np.isnan(r))
        worst = np.where(same, 0, np.abs(g - r)).max()  # equal infinities differ by nothing
        r = np.where(np.isfinite(r), r, 0)
    # An exact zero everywhere leaves nothing to be relative to; the tolerance is then absolute.
    return float("inf") if np.isnan(worst) else worst / (np.abs(r).max() or 1.0)


def row_axes(data):
    """A row: a sample's last dimension; an image's channels and pixels."""
    return tuple(range(1, data.ndim)) if data.ndim > 3 else tuple(range(data.ndim))[-1:]


def largest_of_rows(data, axes):
    return np.abs(data).max(axes, keepdims=True) if data.size else data


def worst_row(got, reference):
    """The largest error of a row, over the row's largest number."""
    g, r = (a.astype(np.float64) for a in (got, reference))
    size = largest_of_rows(r, row_axes(r))
    return float((largest_of_rows(g - r, row_axes(r)) / np.where(size > 0, size, 1)).max(initial=0))


def check_close(names, got, references, tolerance=TOLERANCE):
    worst = 0.0
    for name, g, r in zip(names, got, references, strict=True):
        error = relative_error(g, r)
        if not error <= tolerance:
            raise Failure(f"output {name}: relative error {error:.2e}, at most {tolerance:.0e} allowed")
        worst = max(worst, error)
    return worst


def check_same_bits(names, first, second, what):
    for name, a, b in zip(names, first, second, strict=True):
        if a.tobytes() != b.tobytes():
            raise Failure(f"output {name}: {what} gives other bits: {int((a != b).sum())} of {a.size} values differ")


def run_all(tests, jobs):
    """Runs {name: callable}; prints each failure and returns {name: what the callable gave, or the Failure}."""
    def attempt(test):
        try:
            return test()
        except Failure as failure:
            return failure
        except Exception as error:  # a fault of the test itself must not hide the other tests
            return Failure(f"{type(error).__name__}: {error}")

    with ThreadPoolExecutor(jobs) as pool:
        results = dict(zip(tests, pool.map(attempt, tests.values())))
    for name, result in results.items():
        if isinstance(result, Failure):
            print(f"FAIL {name}: {result}", flush=True)
    return results


def run_in_folders(tests, jobs, only=""):
    """Runs functions, or {name: function}, whose names contain `only`, each with a new folder of its own, and ends the process:
    exit code 1 if any failed or there was none."""
    if not isinstance(tests, dict):
        tests = {test.__name__: test for test in tests}

    def attempt(test):
        with tempfile.TemporaryDirectory(prefix="mlc-e2e-") as folder:
            return test(Path(folder))
    results = run_all({name: lambda test=test: attempt(test) for name, test in tests.items() if only in name}, jobs)
    failed = sum(isinstance(r, Failure) for r in results.values())
    print(f"{len(results) - failed} passed, {failed} failed")
    sys.exit(failed > 0 or not results)
