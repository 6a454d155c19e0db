#!/bin/sh
# commit_message.sh ROOT: what scripts/hooks/commit-msg takes and what it refuses; run by ctest as `commit_message`.
set -eu
root=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
git init -q .
mkdir -p lib docs
passed=0 failed=0
# check OUTCOME FILE MESSAGE: a commit of FILE with it is taken (0), or refused (1).
check() {
    echo "$3" >"$2"
    git add -A
    printf "%b" "$3" >.git/message
    "$root/scripts/hooks/commit-msg" .git/message 2>.git/said && outcome=0 || outcome=1
    if [ "$outcome" = "$1" ] && { [ "$1" = 0 ] || grep -q '^commit-msg: ' .git/said; }; then
        passed=$((passed + 1))
    else
        echo "FAIL: outcome $outcome for: $3"
        failed=$((failed + 1))
    fi
    git rm -q -r --cached . && rm -f "$2"
}
long=$(printf 'x%.0s' $(seq 66))
check 0 docs/a 'docs: anything\n'
check 0 lib/a 'lib: a subject\n\nWhy it is so.\nWhat was tried, 3 ms before and 2 after.\n'
check 0 lib/a '# a comment of git\nlib: a subject\n\nWhy.\nWhat.\n# another\n'
check 0 lib/a 'Merge branch other\n'
check 1 lib/a 'lib: a subject\n'
check 1 lib/a 'lib: a subject\n\nOne line.\n'
check 1 lib/a 'lib: one; two\n\nWhy.\nWhat.\n'
check 1 lib/a "$long\n\nWhy.\nWhat.\n"
check 1 lib/a 'lib: a subject\nand more of it\n\nWhy.\nWhat.\n'
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
