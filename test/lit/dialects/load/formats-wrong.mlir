// RUN: not mlc-opt --load-dialect=%S/Inputs/formats_wrong.yaml %s 2>&1 | FileCheck %s
// A format that cannot be read back.
// CHECK: formats_wrong.yaml:6:13: error: the type of operand 'x' neither stands here, as 'type($x)', nor follows
// CHECK-NEXT: {{.*}}formats_wrong.yaml:6:13: error: the type of result 'y' neither stands here, as 'type($y)', nor follows
// CHECK-NEXT: {{.*}}formats_wrong.yaml:12:13: error: 'attr-dict' does not stand here
// CHECK-NEXT: {{.*}}formats_wrong.yaml:12:13: error: operand 'x' does not stand here, as '$x'
// CHECK-NEXT: {{.*}}formats_wrong.yaml:12:13: error: region 'r' does not stand here, as '$r'
// CHECK-NEXT: {{.*}}formats_wrong.yaml:12:13: error: successor 'next' does not stand here, as '$next'
// CHECK-NEXT: {{.*}}formats_wrong.yaml:15:13: error: '$x' stands here twice
// CHECK-NEXT: {{.*}}formats_wrong.yaml:18:13: error: this is ambiguous: operands may be missing, and another operand follows
// CHECK-NEXT: {{.*}}formats_wrong.yaml:21:13: error: this is ambiguous: types may be missing, and another type follows
// CHECK-NEXT: {{.*}}formats_wrong.yaml:24:13: error: this is ambiguous: the attributes may be missing, and a region follows
// CHECK-NEXT: {{.*}}formats_wrong.yaml:26:13: error: in the format of 'wrong.structured': offset 10: 'structured' is for structured ops
