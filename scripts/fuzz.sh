#!/usr/bin/env bash
# fuzz.sh [SECONDS] [TARGET...]: fuzz each target of test/fuzz with libFuzzer under ASan and UBSan for so long (60 s each; 0:
# only the seeds), then print which lines of its reader's files the corpus reaches. The corpus grows in
# build/fuzz/corpus/TARGET, findings stay in build/fuzz/findings, and build/fuzz/cpu.txt has a line for each run: target, CPU
# seconds, inputs. Exit code 1 if anything was found, or a reader is reached by less than MLC_FUZZ_COVERAGE % (85).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
least=${MLC_FUZZ_COVERAGE:-85}
scripts/install.sh
cmake --preset fuzz >/dev/null
bins=build/fuzz/test/fuzz
targets=("$@")
if [ "${#targets[@]}" -eq 0 ]; then
    for seeds in "$bins"/*.seeds; do targets+=("$(basename "$seeds" .seeds)"); done
fi
cmake --build --preset fuzz -j "$(nproc)" --target mlc_runtime "${targets[@]/#/fuzz_}"
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=0

# collect TARGET FOLDER: seeds are files and folders; each part that "// -----" cuts goes in under a name of its own.
collect() {
    python3 - "$bins/$1.seeds" "$2" <<'EOS'
import hashlib, re, sys
from pathlib import Path
for seed in map(Path, Path(sys.argv[1]).read_text().split()):
    for file in [seed] if seed.is_file() else [f for f in seed.rglob("*") if f.is_file()]:
        for part in re.split(rb"\n// -----[^\n]*\n", file.read_bytes()[:200_000]):
            (Path(sys.argv[2]) / f"seed-{hashlib.md5(part).hexdigest()[:16]}").write_bytes(part)
EOS
}

# coverage TARGET FOLDER: "file lines missed percent" of each of the reader's files, and of all of them.
coverage() {
    local profile=build/fuzz/$1
    LLVM_PROFILE_FILE=$profile.profraw "$bins/fuzz_$1" -runs=0 -timeout=60 -rss_limit_mb=4096 "$2" >/dev/null 2>&1
    llvm-profdata-19 merge -o "$profile.profdata" "$profile.profraw"
    local libraries=(build/fuzz/lib/libmlc*.so)
    python3 scripts/fuzz_coverage.py "$1" "$bins/$1.reader" "$least" "$bins/fuzz_$1" "${libraries[@]/#/-object=}" \
        -instr-profile="$profile.profdata"
}

failed=0
for target in "${targets[@]}"; do
    corpus=build/fuzz/corpus/$target
    mkdir -p "$corpus" build/fuzz/findings
    collect "$target" "$corpus"
    echo "== $target: $seconds s, $(find "$corpus" -type f | wc -l) inputs to start from"
    log=build/fuzz/$target.log
    TIMEFORMAT='%U %S'
    if [ "$seconds" -gt 0 ]; then
        { time LLVM_PROFILE_FILE=/dev/null "$bins/fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 \
            -max_len=100000 -print_final_stats=1 -artifact_prefix="build/fuzz/findings/$target-" "$corpus" >"$log" 2>&1 ||
            { tail -40 "$log"; failed=1; }; } 2>"$log.time"
        awk -v target="$target" -v stats="$log" '{
            while ((getline line < stats) > 0) if (line ~ /number_of_executed_units/) { split(line, words, " "); inputs = words[2] }
            printf "%s %d CPU seconds, %d inputs\n", target, $1 + $2, inputs }' "$log.time" | tee -a build/fuzz/cpu.txt
    fi
    coverage "$target" "$corpus" || failed=1
done
[ "$failed" -eq 0 ] && echo "fuzz.sh: nothing found" || { echo "fuzz.sh: see build/fuzz/findings"; exit 1; }
