# lit.cfg.py -- how the files under test/lit run: `lit -D bin=build/release/bin test/lit`, or through ctest (entry `lit`).
# Tools are found by name (mlc-opt, mlc-translate, mlc, FileCheck, not, mlir-opt, ptxas); `// REQUIRES: ptxas` and the like
# skip a file where the feature is missing, and each missing feature is named once, on stderr.
import os
import shutil
import sys

import lit.formats

config.name = "mlc"
config.suffixes = [".mlir", ".test", ".ll", ".onnxtxt", ".ptx"]
config.excludes = ["Inputs", "lit.cfg.py", "CMakeLists.txt"]
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = os.path.dirname(__file__)
root = os.path.dirname(os.path.dirname(config.test_source_root))

bin_dir = os.path.abspath(lit_config.params.get("bin", os.path.join(root, "build/release/bin")))
config.test_exec_root = os.path.abspath(
    lit_config.params.get("obj", os.path.join(os.path.dirname(bin_dir), "test/lit")))
os.makedirs(config.test_exec_root, exist_ok=True)


def find(*names):
    """The first of `names` on PATH, in LLVM 19's folder or in CUDA's; None where there is none."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/lib/llvm-19/bin", "/usr/local/cuda/bin"])
    return next((found for name in names if (found := shutil.which(name, path=path))), None)


# A word in a RUN line that is a tool's name, not part of a path or of another name.
def substitute(name, path):
    config.substitutions.append((r"(?<![-\w./])" + name + r"(?![-\w./])", path))


for tool in ["mlc-opt", "mlc-translate", "mlc-cpu-runner", "mlc-ptxsim", "mlc"]:
    path = os.path.join(bin_dir, tool)
    if os.path.exists(path):
        config.available_features.add(tool)
        substitute(tool, path)
    else:
        lit_config.note(f"{path} is not built: tests that require '{tool}' are skipped")

if os.path.exists(os.path.join(os.path.dirname(bin_dir), "lib/libmlc_target.so")):
    config.available_features.add("target")
else:
    lit_config.note("libmlc_target is not built: tests that require 'target' are skipped, and those in the folder target")

filecheck = find("FileCheck-19", "FileCheck")
if not filecheck:
    lit_config.fatal("FileCheck-19 not found: apt-get install llvm-19-tools")
substitute("FileCheck", filecheck + " --dump-input-filter=error")

for feature, names, package in [
        ("not", ["not-19", "not"], "llvm-19-tools"), ("split-file", ["split-file-19", "split-file"], "llvm-19-tools"),
        ("mlir-opt", ["mlir-opt-19"], "mlir-19-tools"), ("mlir-translate", ["mlir-translate-19"], "mlir-19-tools"),
        ("llc", ["llc-19"], "llvm-19"), ("llvm-as", ["llvm-as-19"], "llvm-19"), ("lli", ["lli-19"], "llvm-19-runtime"),
        ("ptxas", ["ptxas"], "CUDA's nvcc package")]:
    path = find(*names)
    if path:
        config.available_features.add(feature)
        substitute(feature, path)
    else:
        lit_config.note(f"{feature} not found ({package}): tests that require '{feature}' are skipped")

if not any(os.path.exists(cuda + "/nvvm/libdevice/libdevice.10.bc") for cuda in ("/usr/local/cuda", "/usr/lib/cuda")):
    config.available_features.add("no-libdevice")
config.substitutions.append(("%root", root))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%runner_utils", os.path.join(os.path.dirname(bin_dir), "lib/libmlc_runner_utils.so")))
config.substitutions.append(("%plugins", os.path.join(os.path.dirname(bin_dir), "test/plugins")))
if lit_config.params.get("sanitize"):
    config.available_features.add("sanitize")
    # LeakSanitizer cannot see through LLVM's own one-time allocations; our leaks are unit tests' business.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0:abort_on_error=1"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
for name in ["HOME", "MLC_CACHE_DIR"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
