#!/usr/bin/env bash
# fuzz.sh [SECONDS] [TARGET...]: fuzz each target of test/fuzz with libFuzzer under ASan and UBSan for so long (60 s each), then
# print the line coverage of the files it reads with. The corpus grows in build/fuzz/corpus/TARGET; findings stay in
# build/fuzz/findings. Exit code 1 if anything was found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
scripts/install.sh
cmake --preset fuzz >/dev/null
bins=build/fuzz/test/fuzz
targets=("$@")
if [ "${#targets[@]}" -eq 0 ]; then
    for seeds in "$bins"/*.seeds; do targets+=("$(basename "$seeds" .seeds)"); done
fi
cmake --build --preset fuzz -j "$(nproc)" --target "${targets[@]/#/fuzz_}"

export ASAN_OPTIONS=detect_leaks=0
found=0
for target in "${targets[@]}"; do
    corpus=build/fuzz/corpus/$target
    mkdir -p "$corpus" build/fuzz/findings
    # Seeds are files and folders; each file goes in under a name of its own.
    while read -r seed; do
        find "$seed" -type f -size -200k 2>/dev/null | while read -r file; do cp "$file" "$corpus/$(echo "$file" | md5sum | cut -c-16)"; done
    done <"$bins/$target.seeds"
    echo "== $target: $seconds s, $(find "$corpus" -type f | wc -l) inputs to start from"
    if LLVM_PROFILE_FILE=build/fuzz/$target.profraw "$bins/fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 \
        -max_len=200000 -print_final_stats=1 -artifact_prefix="build/fuzz/findings/$target-" "$corpus" >"build/fuzz/$target.log" 2>&1; then
        grep -E 'stat::number_of_executed_units|stat::new_units' "build/fuzz/$target.log"
        # Coverage of the whole corpus, not only of what this run did.
        LLVM_PROFILE_FILE=build/fuzz/$target.profraw "$bins/fuzz_$target" -runs=0 "$corpus" >/dev/null 2>&1
        llvm-profdata-19 merge -o "build/fuzz/$target.profdata" "build/fuzz/$target.profraw"
        llvm-cov-19 report "$bins/fuzz_$target" -object build/fuzz/lib/libmlc.so -instr-profile="build/fuzz/$target.profdata" --show-region-summary=false \
            --show-branch-summary=false 2>/dev/null | awk '/^(File|Filename|TOTAL)/ || /frontend|lib\/ir|ir\/|onnx|text/'
    else
        tail -40 "build/fuzz/$target.log"
        found=1
    fi
done
[ "$found" -eq 0 ] && echo "fuzz.sh: nothing found" || { echo "fuzz.sh: see build/fuzz/findings"; exit 1; }
