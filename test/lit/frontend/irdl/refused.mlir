// RUN: mlc-translate --irdl-to-yaml --split-input-file --verify-diagnostics %s
// What YAML cannot say is told where it stands; nothing is written.
irdl.dialect @predicate {
  irdl.operation @op {
    // expected-error @+1 {{'irdl.c_pred' op YAML cannot say what it means: a predicate in C++, or no constraint}}
    %0 = irdl.c_pred "true"
    irdl.operands(%0)
  }
}

// -----

irdl.dialect @blocks {
  irdl.operation @op {
    // expected-error @+1 {{YAML cannot say how many blocks a region has, above one}}
    %0 = irdl.region with size 2
    irdl.regions(%0)
  }
}

// -----

irdl.dialect @arguments {
  irdl.operation @op {
    %0 = irdl.any
    // expected-error @+1 {{YAML cannot say which arguments a region has, but those of a value's type}}
    %1 = irdl.region(%0)
    irdl.regions(%1)
  }
}

// -----

irdl.dialect @choice {
  irdl.operation @op {
    // expected-error @+1 {{YAML cannot say that one constraint holds for two attributes, for two parameters of a definition, in a choice or below a parameter}}
    %0 = irdl.any
    %1 = irdl.base "!builtin.index"
    %2 = irdl.any_of(%0, %1)
    irdl.operands(%2, %0)
  }
}

// -----

irdl.dialect @parameters {
  irdl.type @t {
    // expected-error @+1 {{YAML cannot say that one constraint holds for two attributes, for two parameters}}
    %0 = irdl.any
    irdl.parameters(%0, %0)
  }
}

// -----

irdl.dialect @attributes {
  irdl.operation @op {
    // expected-error @+1 {{YAML cannot say that one constraint holds for two attributes}}
    %0 = irdl.any
    irdl.attributes {"a" = %0, "b" = %0}
  }
}

// -----

irdl.dialect @kinds {
  irdl.operation @is {
    // expected-error @+1 {{YAML cannot say that a value's type is an attribute}}
    %0 = irdl.is 1 : i32
    irdl.operands(%0)
  }
  irdl.operation @base {
    // expected-error @+1 {{YAML cannot say that a value's type is an attribute}}
    %0 = irdl.base "#builtin.string"
    irdl.operands(%0)
  }
  irdl.attribute @a {
  }
  irdl.operation @definition {
    // expected-error @+1 {{YAML cannot say that a value's type is an attribute}}
    %0 = irdl.base @kinds::@a
    irdl.operands(%0)
  }
}

// -----

irdl.dialect @names {
  irdl.operation @type {
    // expected-error @+1 {{no type is registered under the name 'builtin.int'}}
    %0 = irdl.base "!builtin.int"
    irdl.operands(%0)
  }
  irdl.operation @attribute {
    // expected-error @+1 {{no attribute is registered under the name 'a'}}
    %0 = irdl.base "#a"
    irdl.attributes {"a" = %0}
  }
}

// -----

irdl.dialect @counts {
  irdl.type @t {
  }
  irdl.operation @op {
    %0 = irdl.any
    // expected-error @+1 {{'t' has 0 parameters, and here are 1}}
    %1 = irdl.parametric @counts::@t<%0>
    irdl.operands(%1)
  }
}

// -----

// Written out these would be a million constraints.
irdl.dialect @growing {
  irdl.operation @op {
    // expected-error @+1 {{constraints are nested too deeply, or use each other too often}}
    %0 = irdl.is i32
    %1 = irdl.all_of(%0, %0, %0, %0)
    %2 = irdl.all_of(%1, %1, %1, %1)
    %3 = irdl.all_of(%2, %2, %2, %2)
    %4 = irdl.all_of(%3, %3, %3, %3)
    %5 = irdl.all_of(%4, %4, %4, %4)
    %6 = irdl.all_of(%5, %5, %5, %5)
    %7 = irdl.all_of(%6, %6, %6, %6)
    %8 = irdl.all_of(%7, %7, %7, %7)
    %9 = irdl.all_of(%8, %8, %8, %8)
    irdl.operands(%9)
  }
}

// -----

// expected-error @+1 {{has no 'irdl.dialect' in it}}
module {
}
