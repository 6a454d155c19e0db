// RUN: not mlc-opt --load-dialect=%S/Inputs/texts_wrong.yaml %s 2>&1 | FileCheck %s
// Texts in a record are read when the dialect is loaded.
// CHECK: texts_wrong.yaml:3:20: error: 'i' is no type: expected non-function type
// CHECK-NEXT: {{.*}}texts_wrong.yaml:21:17: error: 'tensor<' is no type: expected non-function type
// CHECK-NEXT: {{.*}}texts_wrong.yaml:21:32: error: 'number' is no type: expected non-function type
// CHECK-NEXT: {{.*}}texts_wrong.yaml:38:13: error: there is no directive custom<Nothing>
// CHECK-NEXT: {{.*}}texts_wrong.yaml:7:65: error: '1 :' is no default of parameter 'n': expected non-function type
// CHECK-NEXT: {{.*}}texts_wrong.yaml:9:65: error: '"one"' is no default of parameter 'n': it must be 64-bit signless integer attribute
// CHECK-NEXT: {{.*}}texts_wrong.yaml:44:11: error: in body "x * k + max(x)", at column 15: no function max() of 1 arguments
// CHECK-NEXT: {{.*}}texts_wrong.yaml:13:44: error: 'garbage<' is no default of attribute 'n': expected attribute value
// CHECK-NEXT: {{.*}}texts_wrong.yaml:14:44: error: '1 : i32' is no default of attribute 'm': it must be 64-bit signless integer attribute
// CHECK-NEXT: {{.*}}texts_wrong.yaml:15:43: error: '#wrong.mode<down>' is no default of attribute 'mode': expected wrong.mode to be one of: up
// CHECK-NEXT: {{.*}}texts_wrong.yaml:17:47: error: '' is no default of attribute 'none': expected attribute value
// CHECK-NEXT: {{.*}}texts_wrong.yaml:55:13: error: the body gives 1 of 2 results
// CHECK-NEXT: {{.*}}texts_wrong.yaml:26:26: error: there is no op 'wrong.nobody'
// CHECK-NEXT: {{.*}}texts_wrong.yaml:29:26: error: 'wrong.parents' is no terminator
// CHECK-NEXT: {{.*}}texts_wrong.yaml:32:26: error: 'wrong.ends' has operands, so it cannot stand where nobody wrote it
// CHECK-NEXT: {{.*}}texts_wrong.yaml:47:28: error: 'garbage' is no map: expected '(' in dimensional identifier list
// CHECK-NEXT: {{.*}}texts_wrong.yaml:47:55: error: the map is of 2 loops, and there are 1
// CHECK-NEXT: {{.*}}texts_wrong.yaml:47:88: error: the map has 1 symbols, and 'symbols' names 0
// CHECK-NEXT: {{.*}}texts_wrong.yaml:48:31: error: '(m) : (m >= 0)' is no map: expected '->' or ':'
// CHECK-NEXT: {{.*}}texts_wrong.yaml:50:13: error: in body "x * nobody", at column 11: 'nobody' is no operand and no number attribute
// CHECK-NEXT: {{.*}}texts_wrong.yaml:23:15: error: there is no op 'wrong.nobody'
// CHECK-NEXT: {{.*}}texts_wrong.yaml:23:29: error: there is no op 'func.nobody'
// CHECK-NEXT: {{.*}}texts_wrong.yaml:23:42: error: there is no op 'nobody'
