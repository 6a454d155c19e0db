// RUN: mlc-opt --verify-diagnostics %s
// A NUL of a name does not end it: this is no attribute of the record.
// expected-error @+1 {{'arith.constant' op requires attribute 'value'}}
%0 = "arith.constant"() <{"value\00\00\00\00\00\00\00\00\00\00" = 1 : i32}> : () -> i32
