// RUN: not mlc-opt %s --linalg-winograd=m=3 -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: {{.*}}there is no algorithm for tiles of 3 outputs: m is 2 or 4
module {
}
