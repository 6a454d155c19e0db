#!/usr/bin/env bash
# startup.sh [BIN]: the median wall time of mlc-opt on an empty module, next to mlir-opt-19's. BIN: build/release/bin.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=${1:-build/release/bin}
[ -x "$bin/mlc-opt" ] || { echo "startup.sh: no $bin/mlc-opt; build it first" >&2; exit 1; }
module=$(mktemp --suffix=.mlir)
trap 'rm -f "$module"' EXIT
echo 'module {}' >"$module"

median_ms() {
    python3 - "$@" <<'PY'
import os, statistics, sys, time
times = []
for _ in range(60):
    start = time.perf_counter()
    pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
    if os.waitpid(pid, 0)[1]:
        sys.exit(f"{sys.argv[1]} failed")
    times.append(time.perf_counter() - start)
print(f"{statistics.median(times[10:]) * 1e3:.2f}")
PY
}

echo "mlc-opt on an empty module: $(median_ms "$(realpath "$bin/mlc-opt")" "$module") ms"
if other=$(command -v mlir-opt-19); then
    echo "mlir-opt-19: $(median_ms "$(realpath "$other")" "$module") ms"
else
    echo "mlir-opt-19 is not installed (apt-get install mlir-19-tools)"
fi
