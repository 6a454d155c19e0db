// RUN: not mlc-opt --load=%S/Inputs/pack/wrong.yaml %s 2>&1 | FileCheck %s --check-prefix=KEYS
// RUN: not mlc-opt --load-dialect=%S/Inputs/pack/wrong.yaml %s 2>&1 | FileCheck %s --check-prefix=KEYS
// RUN: not mlc-opt --load=%S/Inputs/pack/missing.yaml %s 2>&1 | FileCheck %s --check-prefix=FILES
// RUN: not mlc-opt --load=%S/Inputs/pack/round.yaml %s 2>&1 | FileCheck %s --check-prefix=ROUND
// RUN: not mlc-opt --load=%S/Inputs/pack/none.yaml %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not mlc-translate --load=%S/Inputs/pack/missing.yaml --export-llvmir %s 2>&1 | FileCheck %s --check-prefix=FILES
// RUN: not mlc inspect --load=%S/Inputs/pack/round.yaml %s 2>&1 | FileCheck %s --check-prefix=ROUND
// RUN: not mlc run --load-plugin=%plugins/refused_load.so %s 2>&1 | FileCheck %s --check-prefix=LOAD
// RUN: mkdir -p %t && sed 's,absent.so,%plugins/refused_api.so,; /^ *\(dialects\|rules\|tests\):/d' %S/Inputs/pack/missing.yaml > %t/api.yaml
// RUN: not mlc-opt --load=%t/api.yaml %s 2>&1 | FileCheck %s --check-prefix=API
// RUN: not mlc run --load=%t/api.yaml %s 2>&1 | FileCheck %s --check-prefix=API
// Mistakes of a package are told where they stand, all of them.

// KEYS: wrong.yaml:3:3: error: unknown key 'dialect' of package
// KEYS: wrong.yaml:4:29: error: 'a.rules' is named twice
// KEYS: wrong.yaml:5:11: error: expected the name of a file under 'plugin'
// KEYS: wrong.yaml:6:10: error: expected the name of a folder under 'tests'
// FILES: missing.yaml:3:14: error: '{{.*}}nowhere.yaml': No such file or directory
// FILES: missing.yaml:3:28: error: '{{.*}}rules' is a folder
// FILES: missing.yaml:5:11: error: '{{.*}}absent.so': No such file or directory
// FILES: missing.yaml:4:29: error: '{{.*}}rules/nothing.rules': No such file or directory
// FILES: missing.yaml:6:10: error: '{{.*}}base.yaml' is no folder
// ROUND: about.yaml:2:22: error: '{{.*}}round.yaml' needs itself: it is what names this file
// NONE: error: {{.*}}none.yaml': No such file or directory
// LOAD: error: the plugin does not like this context
// API: api.yaml:3:11: error: {{.*}}refused_api.so: it was compiled for plugin API 2, this is 1
func.func @main() {
  return
}
