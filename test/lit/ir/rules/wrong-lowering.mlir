// RUN: not mlc-opt --load-rules=%S/Inputs/wrong-lowering.rules %s 2>&1 | FileCheck %s
// RUN: not mlc-opt --load-rules=%S/Inputs/endless-lowering.rules %s 2>&1 | FileCheck %s --check-prefix=ENDLESS
// Each fault of a lowering is reported at its place.
// CHECK: wrong-lowering.rules:13:36: error: no 'z' in the pattern
// CHECK: wrong-lowering.rules:3:8: error: there is no type 'wide'
// CHECK: wrong-lowering.rules:4:8: error: '!no' is no type: undefined symbol alias id 'no'
// CHECK: wrong-lowering.rules:5:17: error: 'i' is no type: expected non-function type
// CHECK: wrong-lowering.rules:6:17: error: no parameter 'n' in the type before '=>'
// CHECK: wrong-lowering.rules:7:8: error: type 'llvm.array' has 2 parameters, not 1
// CHECK: wrong-lowering.rules:8:22: error: a parameter of a type is a name here
// CHECK: wrong-lowering.rules:9:28: error: '{' without '}'
// CHECK: wrong-lowering.rules:10:28: error: a type is a text, or a parameter's name
// CHECK: wrong-lowering.rules:11:11: error: there is no dialect and no op 'arith.twice'
// CHECK: wrong-lowering.rules:12:11: error: there is no dialect and no op 'nowhere'
// CHECK: wrong-lowering.rules:18:10: error: lowering 'two' is there twice
// CHECK: wrong-lowering.rules:19:8: error: rule 'again' is there twice
// CHECK: wrong-lowering.rules:22:28: error: 'vectr<4xf32>' is no type: expected non-function type
// ENDLESS: endless-lowering.rules:6:8: error: rules 'forth' and 'once_more' would rewrite each other's results for ever
func.func private @f()
