#!/usr/bin/env bash
# test.sh [--asan | --only-asan] [--debug] [CTEST ARGUMENTS...]: install what is missing, build and run every test.
# The presets are run one after the other (release, or those asked for); the last line counts the tests of all of them,
# as `N passed, N failed`. Exit code 0 only if something ran and nothing failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

presets=(release)
ctest_args=()
for arg in "$@"; do
    case $arg in
        --asan) presets+=(asan) ;;
        --only-asan) presets=(asan) ;;
        --debug) presets=(debug) ;;
        -h | --help) sed -n '2,4s/^# //p' "$0"; exit 0 ;;
        *) ctest_args+=("$arg") ;;
    esac
done

scripts/install.sh
jobs=$(nproc)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0
failed=0
broken=0

for preset in "${presets[@]}"; do
    echo "== $preset"
    cmake --preset "$preset" >"$log" 2>&1 || { cat "$log"; echo "test.sh: configuring '$preset' failed"; broken=1; continue; }
    cmake --build --preset "$preset" -j "$jobs" || { echo "test.sh: building '$preset' failed"; broken=1; continue; }
    : >"$log"
    ctest --preset "$preset" -j "$jobs" --no-tests=error "${ctest_args[@]}" 2>&1 | tee "$log" || broken=1
    # "98% tests passed, 1 tests failed out of 50"
    read -r bad total < <(sed -n 's/^[0-9]*% tests passed, \([0-9]*\) tests\? failed out of \([0-9]*\).*/\1 \2/p' "$log") || true
    failed=$((failed + ${bad:-0}))
    passed=$((passed + ${total:-0} - ${bad:-0}))
    unset bad total
done

[ "$failed" -gt 0 ] || [ "$passed" -gt 0 ] || broken=1
[ "$broken" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1 # a build that fails counts as a test that fails
echo "$passed passed, $failed failed"
[ "$broken" -eq 0 ] && [ "$failed" -eq 0 ]
