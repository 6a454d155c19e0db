// RUN: mlc-opt --load-dialect=%S/Inputs/money.yaml --split-input-file --verify-diagnostics %s
// RUN: sed 's/\[A-Z\]"/[A-Z"/' %S/Inputs/money.yaml > %t.yaml && not mlc-opt --check-dialect %t.yaml 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: sed 's/matches: ".*Z\]"/matches: []/' %S/Inputs/money.yaml > %t.yaml && not mlc-opt --check-dialect %t.yaml 2>&1 | FileCheck %s --check-prefix=LIST
// Strings are held to a pattern, as attributes and as parameters of types.

// OPEN: :3:23: error: the pattern '[A-Z][A-Z][A-Z' ends in the middle of a '[' or '\'
// LIST: :3:23: error: expected a pattern: text with * ? [a-z] [^a-z]
func.func private @right(!money.amount<"EUR">)
"money.file"() {path = "a/b/c.txt/.d.[txt]"} : () -> ()
"money.file"() {path = "/x.[txt]"} : () -> ()

// -----

// expected-error @+2 {{invalid kind of attribute specified}}
// expected-error @+1 {{failed to parse money.amount parameter 'currency' which is to be a `currency`}}
func.func private @small(!money.amount<"eur">)

// -----

// expected-error @+2 {{invalid kind of attribute specified}}
// expected-error @+1 {{failed to parse money.amount parameter 'currency' which is to be a `currency`}}
func.func private @long(!money.amount<"EURO">)

// -----

// expected-error @+1 {{attribute 'path' failed to satisfy constraint: string like '*/[^/.]*.\[txt]'}}
"money.file"() {path = "a/..[txt]"} : () -> ()

// -----

// expected-error @+1 {{attribute 'path' failed to satisfy constraint: string like '*/[^/.]*.\[txt]'}}
"money.file"() {path = "a/b.[txt"} : () -> ()
