// RUN: not mlc-opt %s --load-dialect=%S/Inputs/constraints-doubled.yaml 2>&1 | FileCheck %s --check-prefix=DOUBLED
// RUN: not mlc-opt %s --load-dialect=%S/Inputs/constraints-in-a-row.yaml 2>&1 | FileCheck %s --check-prefix=ROW
// What a constraint names counts as often as it is named, and so do those that need each other.
// DOUBLED: constraints-doubled.yaml:12:{{[0-9]+}}: error: constraint 'c9' has more than 1000 parts, with those it names
// ROW: constraints-in-a-row.yaml:{{[0-9]+}}:{{[0-9]+}}: error: more than 100 constraints need each other in a row
