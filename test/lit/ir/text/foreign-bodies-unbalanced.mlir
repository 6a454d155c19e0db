// RUN: mlc-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// What is open innermost is named, at the beginning of the body.
// expected-error @below {{unbalanced '<' character in pretty dialect name}}
func.func private @end(!a.b<x

// -----

// expected-error @below {{unbalanced '(' character in pretty dialect name}}
func.func private @other(!a.b<x, (y>)

// -----

// expected-error @below {{expected '"' in string literal}}
func.func private @text(!a.b<"x>)
