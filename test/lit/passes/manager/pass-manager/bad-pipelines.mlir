// RUN: not mlc-opt %s '--canonicalize=max-iterations="1' 2>&1 | FileCheck %s --check-prefix=QUOTE
// RUN: not mlc-opt %s "--pass-pipeline=builtin.module(func.func(plan-memory))" 2>&1 | FileCheck %s --check-prefix=ANCHOR
// RUN: not mlc-opt %s "--pass-pipeline=builtin.module(nothing(cse))" 2>&1 | FileCheck %s --check-prefix=NEST
// RUN: not mlc-opt %s "--pass-pipeline=builtin.module(cpu-pipeline{x=1})" 2>&1 | FileCheck %s --check-prefix=OPTIONS
// QUOTE: option 'max-iterations' of pass 'canonicalize' has a quote or a brace that is not closed
// ANCHOR: pass 'plan-memory' runs on 'builtin.module' and cannot be put into a pipeline on 'func.func'
// NEST: 'nothing' is not the name of an op to nest passes on, such as 'func.func'
// OPTIONS: pipeline 'cpu-pipeline' takes no options
module {
}
