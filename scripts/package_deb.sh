#!/usr/bin/env bash
# package_deb.sh BUILD OUT: Debian packages of what `cmake --install BUILD` installs, into the folder OUT, without root:
#   libmlc0      the libraries; its number is the ABI's
#   libmlc-dev   headers, CMake package, pkg-config files, dialects
#   python3-mlc  the Python package
#   mlc-tools    mlc, mlc-opt, mlc-translate, mlc-gen and what they read
# What they depend on is found by dpkg-shlibdeps in the programs. Needs dpkg-dev.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ $# -eq 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 1; }
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
version=$(sed -n 's/^project(mlc VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
abi=$(sed -n 's/^set(MLC_ABI \([0-9]*\))$/\1/p' "$root/cmake/MlcInstall.cmake")
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
lib=libmlc$abi
maintainer="${DEBFULLNAME:-mlc} <${DEBEMAIL:-$(git -C "$root" log -1 --format=%ae 2>/dev/null || echo mlc@localhost)}>"

take() { # PACKAGE PATH...: moves paths of the staged /usr into the package's
    local package=$1 path
    shift
    for path in "$@"; do
        mkdir -p "$work/$package/usr/$(dirname "$path")"
        mv "$work/stage/usr/$path" "$work/$package/usr/$path"
    done
}

stage() {
    cmake --install "$build" --prefix "$work/stage/usr" >/dev/null
    cd "$work/stage/usr"
    # Libraries lie where the system looks for them.
    local file
    for file in bin/* $(find lib* -name '*.so.*' -type f); do
        echo "file(RPATH_REMOVE FILE \"$work/stage/usr/$file\")" >>"$work/rpath.cmake"
        strip --strip-unneeded "$file"
    done
    cmake -P "$work/rpath.cmake" >/dev/null 2>&1
    find . -type f -name '*.so.*' -exec chmod 644 {} +
    mkdir -p lib/python3/dist-packages
    mv share/mlc/python/mlc lib/python3/dist-packages/
    rm -r share/mlc/python
    take python3-mlc lib/python3
    # shellcheck disable=SC2046 # no name has a blank
    take "$lib" $(find lib* -name '*.so.*')
    take mlc-tools bin share/mlc/template $(cd share/mlc && [ -d examples ] && echo share/mlc/examples)
    rm -rf share/doc
    take libmlc-dev $(find include lib* share/mlc -mindepth 1 -maxdepth 1)
}

# depends PACKAGE: what its programs and libraries need, of this source or of the system's packages.
depends() {
    mkdir -p "$work/debian"
    printf 'Source: mlc\n\nPackage: %s\nArchitecture: any\n' "$1" >"$work/debian/control"
    local name
    for name in libmlc libmlc_opt libmlc_ptxsim libmlc_target libmlc_runtime libmlc_runner_utils; do
        echo "$name $abi $lib (= $version)"
    done >"$work/debian/shlibs.local"
    local libraries files=()
    libraries=$(dirname "$(find "$work/$lib" -name "libmlc.so.$abi")")
    mapfile -t files < <(find "$work/$1/usr" -type f \( -path '*/bin/*' -o -name '*.so.*' \))
    # Packed relocations ask for no symbol of the libc that reads them, 2.36.
    (cd "$work" && dpkg-shlibdeps -O -l"$libraries" "${files[@]}" 2>/dev/null) | sed -n 's/^shlibs:Depends=//p' |
        sed "s/\(^\|, \)$1 ([^)]*)\(, \)\{0,1\}/\1/; s/, $//; s/libc6 (>= 2\.3[0-5])/libc6 (>= 2.36)/"
}

# pack PACKAGE SECTION DEPENDS TEXT
pack() {
    local folder=$work/$1 doc=$work/$1/usr/share/doc/$1
    mkdir -p "$doc" "$folder/DEBIAN"
    {
        echo "Apache License 2.0 with LLVM Exceptions. Debian has the first as /usr/share/common-licenses/Apache-2.0."
        echo
        sed -n '/LLVM Exceptions to/,$p' "$root/LICENSE"
    } >"$doc/copyright"
    printf 'mlc (%s) unstable; urgency=medium\n\n  * See docs/changelog.md of the source.\n\n -- %s  %s\n' \
        "$version" "$maintainer" "$(date -R)" | gzip -9n >"$doc/changelog.gz"
    cat >"$folder/DEBIAN/control" <<CONTROL
Package: $1
Source: mlc
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Section: $2
Priority: optional
Depends: $3
Installed-Size: $(du -sk "$folder/usr" | cut -f1)
Description: $4
CONTROL
    if [ "$1" = "$lib" ]; then
        echo 'activate-noawait ldconfig' >"$folder/DEBIAN/triggers"
        sort -u "$work/debian/shlibs.local" >"$folder/DEBIAN/shlibs"
    fi
    (cd "$folder" && find usr -type f -exec md5sum {} + >DEBIAN/md5sums)
    find "$folder" -type d -exec chmod 755 {} +
    dpkg-deb --root-owner-group --build "$folder" "$out" >/dev/null
    echo "$out/$1_${version}_$architecture.deb"
}

stage
pack "$lib" libs "$(depends "$lib")" "compiler infrastructure after MLIR's ideas: libraries
 IR, dialects, passes, code generation and the runtime of compiled models."
pack mlc-tools devel "$(depends mlc-tools)" "compiler infrastructure after MLIR's ideas: tools
 Compiles ONNX models, reads, rewrites and runs MLIR's text."
pack python3-mlc python "$lib (= $version), mlc-tools (= $version), python3 (>= 3.9), python3-numpy" "compiler infrastructure after MLIR's ideas: Python
 Compiles ONNX models and runs them from Python."
pack libmlc-dev libdevel "$lib (= $version), mlc-tools (= $version)" "compiler infrastructure after MLIR's ideas: headers
 What compilers are built with on libmlc: headers, CMake package, dialects."
