// RUN: mlc-opt --split-input-file --verify-diagnostics %s
irdl.dialect @twice {
  // expected-error @+1 {{failed to verify AtMostOneChildOf trait: the operation contains at least two operations of type irdl.operands}}
  irdl.operation @op {
    %0 = irdl.any
    irdl.operands(%0)
    irdl.operands(%0)
  }
}

// -----

irdl.dialect @names {
  irdl.operation @op {
    %0 = irdl.any
    // expected-error @+1 {{the number of attribute names and their constraints must be the same but got 2 and 1 respectively}}
    "irdl.attributes"(%0) <{attributeValueNames = ["a", "b"]}> : (!irdl.attribute) -> ()
  }
}

// -----

irdl.dialect @groups {
  irdl.operation @op {
    %0 = irdl.any
    // expected-error @+1 {{'irdl.results' op the number of operands and their variadicities must be the same, but got 1 and 2 respectively}}
    "irdl.results"(%0) <{variadicity = #irdl<variadicity_array[single, optional]>}> : (!irdl.attribute) -> ()
  }
}

// -----

irdl.dialect @both {
  irdl.type @t {
  }
  irdl.operation @op {
    // expected-error @+1 {{the base type or attribute should be specified by either a name or a reference}}
    %0 = irdl.base @both::@t "!builtin.integer"
  }
}

// -----

irdl.dialect @prefix {
  irdl.operation @op {
    // expected-error @+1 {{the base type or attribute name should start with '!' or '#'}}
    %0 = irdl.base "builtin.integer"
  }
}

// -----

irdl.dialect @unknown {
  irdl.operation @op {
    // expected-error @+1 {{symbol '@nothing' not found}}
    %0 = irdl.base @nothing
  }
}

// -----

irdl.dialect @kind {
  irdl.operation @op {
    // expected-error @+1 {{symbol '@kind::@op' does not refer to a type or attribute definition (refers to 'irdl.operation')}}
    %0 = irdl.parametric @kind::@op<>
  }
}

// -----

irdl.dialect @blocks {
  irdl.operation @op {
    // expected-error @+1 {{the number of blocks is expected to be >= 1 but got 0}}
    %0 = irdl.region with size 0
  }
}

// -----

irdl.dialect @parent {
  irdl.type @t {
    %0 = irdl.any
    // expected-error @+1 {{'irdl.operands' op expects parent op 'irdl.operation'}}
    irdl.operands(%0)
  }
}

// -----

irdl.dialect @syntax {
  irdl.operation @op {
    %0 = irdl.any
    // expected-error @+1 {{expected ','}}
    irdl.operands(%0 %0)
  }
}

// -----

irdl.dialect @syntax {
  irdl.operation @op {
    %0 = irdl.any
    // expected-error @+1 {{expected string}}
    irdl.attributes {a = %0}
  }
}

// -----

// expected-error @+1 {{expected valid '@'-identifier for symbol name}}
irdl.dialect "name" {
}
