// REQUIRES: mlc, not
// RUN: mlc --help | FileCheck --check-prefix=HELP %s
// HELP: Compiles neural networks and runs them. Verbs:
// HELP: mlc VERB --help lists the options, mlc --version tells the version. Exit codes: 0 done, 1 a wrong
// RUN: not mlc 2>&1 | FileCheck --check-prefix=HELP %s
// RUN: not mlc xyzzy 2>&1 | FileCheck --check-prefix=VERB %s
// VERB: mlc: unknown verb 'xyzzy'; mlc --help lists them
// RUN: not mlc compil 2>&1 | FileCheck --check-prefix=CLOSE %s
// CLOSE: mlc: unknown verb 'compil', did you mean 'compile'?
// RUN: not mlc compile 2>&1 | FileCheck --check-prefix=MODEL %s
// MODEL: mlc: mlc compile expects MODEL, got 0 arguments; mlc compile --help lists the options
// RUN: not mlc compile %s 2>&1 | FileCheck --check-prefix=OUT %s
// OUT: mlc: compile needs -o FILE
// RUN: not mlc compile %s -o %t --threads=0 2>&1 | FileCheck --check-prefix=THREADS %s
// THREADS: mlc: option '--threads' expects a number from 1 to 1024, got 0
// RUN: not mlc compile %s -o %t --numerics=odd 2>&1 | FileCheck --check-prefix=NUMERICS %s
// NUMERICS: mlc: --numerics is strict, default or fast, not 'odd'
// RUN: not mlc compile %s -o %t --compile-budget=soon 2>&1 | FileCheck --check-prefix=BUDGET %s
// BUDGET: mlc: option '--compile-budget' expects a time such as 10s or 500ms, got 'soon'
// RUN: not mlc inspect %s --level=9 2>&1 | FileCheck --check-prefix=LEVEL %s
// LEVEL: mlc: no level '9'; the levels are import,
// RUN: not mlc bench %s --min-time=-1 2>&1 | FileCheck --check-prefix=TIME %s
// TIME: mlc: option '--min-time' expects a number that is not negative
