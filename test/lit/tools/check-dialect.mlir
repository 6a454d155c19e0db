// RUN: mlc-opt --check-dialect %S/../dialects/load/Inputs/pack/pack.yaml %S/../dialects/load/Inputs/pack/pack.yaml 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: mlc-opt --check-dialect %S/../dialects/load/Inputs/pack/base.yaml %S/../dialects/load/Inputs/pack/pack.yaml | FileCheck %s --check-prefix=FINE
// RUN: not mlc-opt --check-dialect %S/Inputs/mistakes.rules %S/../dialects/load/Inputs/pack/base.yaml %S/Inputs/mistakes.yaml 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: mkdir -p %t && sed 's,plugins,%plugins,' %S/../dialects/load/Inputs/pack/with_plugin.yaml > %t/p.yaml && cp %S/../dialects/load/Inputs/pack/base.yaml %t
// RUN: mlc-opt --check-dialect %t/p.yaml | FileCheck %s --check-prefix=PLUGIN
// RUN: sed -i 's,op_budget,refused_api,' %t/p.yaml
// RUN: not mlc-opt --check-dialect %t/p.yaml 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not mlc-opt --check-dialect 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mlc-opt --dialect-reference 2>&1 | FileCheck %s --check-prefix=NO-PAGE
// Definitions are checked without a module, and all mistakes told.

// TWICE: pack.yaml: no mistakes
// FINE: base.yaml: no mistakes
// FINE-NEXT: pack.yaml: no mistakes
// WRONG: mistakes.rules:3:16: error: syntax error, unexpected =>, expecting ')'
// WRONG: mistakes.rules:6:19: error: syntax error, unexpected ')'
// WRONG: mistakes.rules:9:23: error: syntax error, unexpected end of file
// WRONG: mistakes.rules:4:23: error: no 'y' in the pattern
// WRONG: mistakes.rules:7:25: error: there is no op and no function 'nope'
// WRONG: base.yaml: no mistakes
// WRONG: mistakes.yaml:6:5: error: unknown key 'oprands' of op
// WRONG: mistakes.yaml:3:18: error: '{{.*}}mistakes.rules' was not checked: its dialect has mistakes
// WRONG-NOT: no mistakes
// PLUGIN: p.yaml: no mistakes
// REFUSED: p.yaml:{{.*}}: error: {{.*}}refused_api.so: it was compiled for plugin API
// NONE: mlc-opt: option '--check-dialect' expects files
// NO-PAGE: mlc-opt: option '--dialect-reference' expects files
