// def.h -- definitions: what an op, type, attribute or dialect is, as constant records.
//
// The build writes these records from lib/dialects/<d>/<d>.yaml; `--load-dialect` builds the same
// records in memory. Code asks the record what an op is (traits, interfaces, structure) and not
// which op it is.
//
// Records never grow: their sizes are in compiled programs, where code is not position independent,
// and in arrays. What is added while the SONAME stays goes into a record of its own, to which
// `more` points. A new trait or interface takes the next number.
//
// Ownership: records are constant and outlive every context that has them; `--load-dialect`'s live
// as long as theirs.
// Threads: any; hooks are called from several at a time, each with its own ops, and keep nothing.
#ifndef MLC_IR_DEF_H
#define MLC_IR_DEF_H

#include "mlc/ir/attr.h"
#include "mlc/ir/fwd.h"
#include "mlc/ir/type.h"

MLC_BEGIN_DECLS

// Traits, as bit numbers of MlcOpDef.traits.
typedef enum MlcTrait {
    MLC_TRAIT_NO_MEMORY_EFFECT,         // touches no memory
    MLC_TRAIT_SPECULATABLE,             // may be executed where the program did not
    MLC_TRAIT_RECURSIVE_MEMORY_EFFECTS, // the effects of its regions
    MLC_TRAIT_RECURSIVELY_SPECULATABLE,
    MLC_TRAIT_COMMUTATIVE,
    MLC_TRAIT_IDEMPOTENT,    // f(f(x)) = f(x)
    MLC_TRAIT_INVOLUTION,    // f(f(x)) = x
    MLC_TRAIT_CONSTANT_LIKE, // result is its `value` attribute
    MLC_TRAIT_TERMINATOR,
    MLC_TRAIT_RETURN_LIKE,
    MLC_TRAIT_ISOLATED, // no values from above
    MLC_TRAIT_SINGLE_BLOCK,
    MLC_TRAIT_NO_TERMINATOR,
    MLC_TRAIT_NO_REGION_ARGUMENTS,
    MLC_TRAIT_IMPLICIT_TERMINATOR, // def.implicit_terminator, left out when printed if it has no
                                   // operands
    MLC_TRAIT_GRAPH_REGION,        // no order between ops: uses may come before definitions
    MLC_TRAIT_SYMBOL,              // has `sym_name`
    MLC_TRAIT_SYMBOL_TABLE,
    MLC_TRAIT_AFFINE_SCOPE,
    MLC_TRAIT_AUTOMATIC_ALLOCATION_SCOPE,
    MLC_TRAIT_SAME_OPERANDS_AND_RESULT_TYPE,
    MLC_TRAIT_SAME_OPERANDS_TYPE, // all operands
    MLC_TRAIT_SAME_OPERANDS_ELEMENT_TYPE,
    MLC_TRAIT_SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE,
    MLC_TRAIT_SAME_OPERANDS_SHAPE,
    MLC_TRAIT_SAME_OPERANDS_AND_RESULT_SHAPE,
    MLC_TRAIT_SAME_OPERANDS_AND_RESULT_RANK,
    MLC_TRAIT_RESULTS_ARE_BOOL_LIKE,
    MLC_TRAIT_ELEMENTWISE, // works on scalars and, element by element, on vectors and tensors
    MLC_TRAIT_SCALARIZABLE,
    MLC_TRAIT_VECTORIZABLE,
    MLC_TRAIT_TENSORIZABLE,
    MLC_TRAIT_ATTR_SIZED_OPERANDS, // operandSegmentSizes
    MLC_TRAIT_ATTR_SIZED_RESULTS,  // resultSegmentSizes
    MLC_TRAIT_PARALLEL,            // iterations may run at once
    MLC_TRAIT_DESTINATION_STYLE,   // the last operand group is tied to the results
    MLC_TRAIT_STRUCTURED,          // iterators and indexing maps: mlc/ir/interfaces.h
    MLC_TRAIT_HAS_DEFAULT_DIALECT, // its regions print ops of its dialect without the prefix
    MLC_TRAIT_ALWAYS_INLINE_BODY,
    MLC_TRAIT_BROADCAST, // elementwise: operands are first stretched to one shape, as numpy does
    MLC_TRAIT_OWN_FOLDS, // of constants too, it folds by its hook and patterns alone: what it makes
                         // of them is better kept than written out
    MLC_TRAIT_PROPAGATES_POISON, // an operand that is poison makes the result poison
    MLC_TRAIT_MOVES_ELEMENTS,    // results are made of elements of the operands as they are, and of
                                 // one constant: nothing is computed
    MLC_TRAIT_COUNT              // of this library
} MlcTrait;
#define MLC_TRAIT_BIT(name) (UINT64_C(1) << (MLC_TRAIT_##name))
#define MLC_TRAITS_PURE (MLC_TRAIT_BIT(NO_MEMORY_EFFECT) | MLC_TRAIT_BIT(SPECULATABLE))

// Interfaces: vtables found by number. The structs are in mlc/ir/interfaces.h.
typedef enum MlcInterface {
    MLC_INTERFACE_INFER_TYPES,       // MlcInferTypes
    MLC_INTERFACE_BRANCH,            // MlcBranch
    MLC_INTERFACE_REGION_BRANCH,     // MlcRegionBranch
    MLC_INTERFACE_REGION_TERMINATOR, // MlcRegionTerminator
    MLC_INTERFACE_LOOP,              // MlcLoop
    MLC_INTERFACE_CALL,              // MlcCall
    MLC_INTERFACE_CALLABLE,          // MlcCallable
    MLC_INTERFACE_FUNCTION,          // MlcFunction: function_type, body
    MLC_INTERFACE_MEMORY_EFFECTS,  // MlcMemoryEffects, where operand and result effects do not say
                                   // it all
    MLC_INTERFACE_SPECULATION,     // MlcSpeculation
    MLC_INTERFACE_STRUCTURED,      // MlcStructured: iterators, maps and body of a structured op
    MLC_INTERFACE_TILING,          // MlcTiling: loops of an op that is computed in groups
    MLC_INTERFACE_BUFFERIZE,       // MlcBufferize
    MLC_INTERFACE_VIEW_LIKE,       // MlcViewLike: result aliases an operand
    MLC_INTERFACE_INFER_SHAPES,    // MlcInferShapes: refine result types from operands (graph)
    MLC_INTERFACE_ROWS,            // MlcRows: works row by row (graph)
    MLC_INTERFACE_WINDOWS,         // MlcWindows: is a window of a tensor, or reads one (graph)
    MLC_INTERFACE_ACCESS,          // MlcMemoryAccess: memref.load, vector.store and their kin
    MLC_INTERFACE_ASM_NAMES,       // MlcAsmNames: hints for result and block-argument names
    MLC_INTERFACE_SYMBOL_USER,     // MlcSymbolUser: verify symbol uses
    MLC_INTERFACE_INT_RANGE,       // MlcIntRange
    MLC_INTERFACE_FASTMATH,        // has `fastmath`
    MLC_INTERFACE_SLOT_ALLOCATION, // MlcSlotAllocation: mlc/ir/memory_slot.h
    MLC_INTERFACE_SLOT_USE,        // MlcSlotUse
    MLC_INTERFACE_RUNTIME_CHECK,   // MlcRuntimeCheck
    MLC_INTERFACE_REQUIREMENTS,    // MlcRequirements: mlc/ir/rule.h
    MLC_INTERFACE_SIGNATURES,      // MlcRegionSignature, one per region of the record
    MLC_INTERFACE_SEMANTICS,       // MlcSemantics
    MLC_INTERFACE_COUNT            // of this library
} MlcInterface;
// The first of others' interfaces; it says nothing of how many there are.
#define MLC_INTERFACE_OTHERS 65536

typedef enum MlcArity { MLC_ONE, MLC_OPTIONAL, MLC_VARIADIC, MLC_VARIADIC_OF_VARIADIC } MlcArity;

typedef enum MlcEffect {
    MLC_EFFECT_READ = 1,
    MLC_EFFECT_WRITE = 2,
    MLC_EFFECT_ALLOC = 4,
    MLC_EFFECT_FREE = 8,
} MlcEffect;

typedef struct MlcValueDef { // an operand or result group
    const char *name;
    const MlcConstraint *type;
    uint8_t arity;        // MlcArity
    uint8_t effects;      // MlcEffect bits on what it refers to
    const char *segments; // of a variadic of variadics: the attribute with the sizes
} MlcValueDef;

typedef struct MlcAttrSlot { // an inherent attribute
    const char *name;
    const MlcConstraint *constraint;
    bool optional;
    const char *default_text; // attribute text, parsed once per context; NULL: none
    bool is_number;           // an enumeration that MLIR's bytecode has as a plain number
    bool infers;              // may be left out, and result types follow from it
} MlcAttrSlot;

typedef struct MlcRegionDef {
    const char *name;
    uint8_t arity; // MlcArity
    uint8_t shape; // MlcRegionShape
} MlcRegionDef;
typedef enum MlcRegionShape {
    MLC_REGION_ANY,
    MLC_REGION_SIZED_1,
    MLC_REGION_MIN_1,
    MLC_REGION_MAX_1
} MlcRegionShape;

typedef struct MlcSuccessorDef {
    const char *name;
    uint8_t arity;
} MlcSuccessorDef;

// A fold's answer for one result.
typedef struct MlcFold {
    MlcAttr attr;
    MlcValue *value;
} MlcFold;

// Custom syntax is data: `format` is compiled (when building, or when a dialect is loaded) to this
// program.
typedef struct MlcFormat {
    const uint32_t *code;       // lib/ir/record/format.h
    size_t code_size;           // words
    const char *const *strings; // what the code refers to
    size_t num_strings;
} MlcFormat;

// What a relation or a format names: a group of an op by its number in the definition.
typedef enum MlcPlace {
    MLC_PLACE_OPERAND,
    MLC_PLACE_RESULT,
    MLC_PLACE_ATTR, // its type if it is a typed attribute, the type it holds if it is a type
                    // attribute
    MLC_PLACE_REGION,
    MLC_PLACE_SUCCESSOR,
    MLC_PLACE_PARAM, // of a type or attribute
    MLC_PLACE_ALL_OPERANDS,
    MLC_PLACE_ALL_RESULTS,
} MlcPlace;

typedef struct MlcPlaceRef {
    uint8_t place; // MlcPlace
    uint16_t index;
} MlcPlaceRef;

typedef enum MlcRelationKind {
    // One-way: the types of `to` follow from `from` (a variadic `to` repeats one type, or goes
    // element by element).
    MLC_RELATION_TYPE_OF,        // to = from
    MLC_RELATION_EXACTLY,        // to = `text`
    MLC_RELATION_LIKE,           // to = like(from, text): from's shape with the element type `text`
    MLC_RELATION_ELEMENT,        // to = element(from)
    MLC_RELATION_REPEAT_ELEMENT, // to = repeat(element(from), size(from)): one per element
    MLC_RELATION_INPUTS,         // to = inputs(from), a function type
    MLC_RELATION_RESULTS,        // to = results(from)
    MLC_RELATION_TENSOR_OF,      // to = tensor_of(from): the tensor type of a memref
    MLC_RELATION_MEMREF_OF,      // to = memref_of(from)
    // Among `members`.
    MLC_RELATION_SAME_TYPE,
    MLC_RELATION_SAME_ELEMENT,
    MLC_RELATION_SAME_SHAPE,
    MLC_RELATION_SAME_RANK,
    MLC_RELATION_SAME_TENSOR_SHAPE, // whatever is no tensor counts as a scalar
    MLC_RELATION_SCALAR_OR_SHAPE,   // the first is a scalar, or all have one shape
    MLC_RELATION_SAME_PART, // parameters of types, or dimensions; `text` has their names or numbers
    // One-way again.
    MLC_RELATION_PARAMETER, // to = from.text: the type that is a parameter of from's
} MlcRelationKind;

typedef struct MlcRelation {
    uint8_t kind; // MlcRelationKind
    MlcPlaceRef to, from;
    const char *text; // a builtin type; of SAME_PART a word per member
    const MlcPlaceRef *members;
    uint16_t num_members;
    const char *message; // after "failed to verify that "; NULL: made from the kind
} MlcRelation;

// What a region takes and gives back: types one after the other, each a one-way relation. One from
// a group, or from a function type, stands for as many types as that has.
typedef struct MlcRegionSignature {
    const MlcRelation *args;   // of the first block's arguments
    const MlcRelation *yields; // of the operands of terminators without successors
    uint16_t num_args, num_yields;
    bool tells_args, tells_yields; // else anything
} MlcRegionSignature;

// A structured op's definition: see mlc/ir/interfaces.h.
typedef struct MlcStructuredDef {
    uint8_t num_ins, num_outs, num_loops;
    const char *const *names;   // of ins, then outs: what `body` calls their elements
    const char *iterators;      // one letter per loop: p parallel, r reduction, w window
    const char *const *maps;    // affine map text per operand, symbols bound to `symbols` in order;
                                // NULL: from attributes
    const char *const *symbols; // "strides[0]": elements of attributes used as map symbols
    size_t num_symbols;
    const char *body; // scalar expression or statements; NULL: the op's own region
    // Fills the op's empty region with what `body` says (linalg's, whose record names it); NULL
    // without a body.
    bool (*build_body)(MlcOp *op);
} MlcStructuredDef;

// An op of another dialect that means the same of the same operands: what conversion makes of it
// is one op with its results, their types converted, and these attributes.
enum { MLC_MAX_LOWERED_ATTRS = 8 };
typedef struct MlcLowering {
    const char *op;           // "llvm.fadd"
    const char *const *attrs; // pairs: an attribute of that op, and which one of this op it is
    size_t num_attrs;         // pairs
} MlcLowering;

// A counted loop told by its record: `loop` in YAML. Bounds are operands, constants of an
// attribute, or both; each has as many as there are induction variables.
typedef struct MlcLoopBound {
    uint8_t operands; // 1 + operand group; 0: none
    uint8_t attr;     // 1 + attribute: an integer, an affine map (the largest result of a lower
                      // bound, the smallest of an upper one), or a list of integers, where
                      // MLC_DYNAMIC stands for the next of the operands; 0: none
} MlcLoopBound;
typedef struct MlcLoopDef {
    MlcLoopBound lower, upper, step; // none of all three: no induction variables
    uint8_t inits;                   // 1 + operand group of the iteration arguments' first values,
                                     // behind the induction variables; 0: none
} MlcLoopDef;

// What an op means, where its record says so in one word: `semantics` in YAML. Its operands come in
// a fixed order; regions, hooks, interfaces and lowering follow.
typedef enum MlcMeaning {
    MLC_MEANING_REPEAT, // a count, first values
    MLC_MEANING_FOR,    // lower bound, upper bound, step, first values
    MLC_MEANING_IF,     // a condition
    MLC_MEANING_YIELD,
    MLC_MEANING_CALL,
    MLC_MEANING_FUNCTION,
    MLC_MEANING_FOR_EACH, // a tensor or memref of one dimension, first values
    MLC_MEANING_COUNT     // of this library
} MlcMeaning;
typedef struct MlcSemantics {
    uint8_t meaning; // MlcMeaning
} MlcSemantics;

typedef struct MlcInterfaceEntry {
    uint32_t id;         // MlcInterface
    const void *methods; // its vtable
} MlcInterfaceEntry;

typedef struct MlcPattern MlcPattern; // mlc/ir/rewrite.h
struct MlcParser;                     // mlc/ir/asm.h
struct MlcPrinter;
struct MlcEval;      // mlc/interp.h
struct MlcErrorSink; // mlc/ir/diag.h
struct MlcBuilder;   // mlc/ir/builder.h
struct MlcOpBuild;   // mlc/ir/asm.h: an op being parsed
struct MlcRewriter;  // mlc/ir/rewrite.h
struct MlcRuleTable;
typedef struct MlcInliner MlcInliner; // mlc/ir/inline.h

// What inlining may do with a dialect's ops; its inliner may say more.
typedef enum MlcInlines {
    MLC_INLINES_OPS = 1,     // move them into another region, with a body that is called
    MLC_INLINES_REGIONS = 2, // put a body into their regions
    MLC_INLINES_CALLS = 4,   // replace them, if they are calls
} MlcInlines;

// What follows from a record alone, so that it need not be found again for each op. All zero: not
// known, which is always right.
typedef enum MlcOpFact {
    MLC_FACT_NO_EFFECT = 1,      // on memory
    MLC_FACT_LASTING_EFFECT = 2, // it must stay even if nobody uses its results
    MLC_FACT_DEAD_IF_UNUSED = 4, // it need not
    MLC_FACT_ACCESS = 8,         // MLC_INTERFACE_ACCESS
    MLC_FACT_REQUIREMENTS = 16,  // MLC_INTERFACE_REQUIREMENTS
} MlcOpFact;
typedef struct MlcOpFacts {
    // 1 + the attribute slot of operandSegmentSizes, resultSegmentSizes, and a constant's value.
    uint8_t operand_sizes, result_sizes, value;
    uint8_t facts; // MlcOpFact
} MlcOpFacts;

struct MlcOpDef {
    const char *name; // "arith.addi"
    const MlcDialectDef *dialect;
    const char *summary;
    uint64_t traits;
    const MlcValueDef *operands;
    const MlcValueDef *results;
    const MlcAttrSlot *attrs;
    const MlcRegionDef *regions;
    const MlcSuccessorDef *successors;
    uint16_t num_operands, num_results, num_attrs, num_regions, num_successors; // groups
    uint16_t num_interfaces, num_relations, num_canonical;                      // entries
    const MlcInterfaceEntry *interfaces;
    MlcOpFacts facts; // by mlc_op_def_find_facts
    uint8_t cost;     // additions that take as long, roughly; 0: 1
    uint16_t num_lowers_to;
    const char *const *parents;         // HasParent: op names, NULL-terminated; NULL: any
    const char *implicit_terminator;    // op name
    const MlcFormat *format;            // NULL: only the generic form, unless parse/print
    const MlcStructuredDef *structured; // NULL: not declared structured
    const MlcLoopDef *loop;             // NULL: no loop, or one that C tells
    const char *result_name;            // hint for the first result's name; NULL: none
    const char *body; // of an elementwise op: its scalar expression over operands and attributes
    // Type relations of the declarative record ("result has the type of lhs", "cond is i1 of the
    // shape of result"), used by verification, type inference and the format.
    const MlcRelation *relations;
    const MlcLowering *lowers_to; // ops of other dialects, one for each
    const MlcPattern *canonical;  // canonicalisation patterns that the record lists
    // Hooks; each may be NULL.
    bool (*verify)(MlcOp *op);         // after everything the record says has been checked
    bool (*verify_regions)(MlcOp *op); // after the ops inside were verified
    // Folds: constants[i] is operand i's constant or NULL; results[] (zeroed, one per result) takes
    // an attribute or value each. True if folded; true with all results empty: the op was changed
    // in place.
    bool (*fold)(MlcOp *op, const MlcAttr *constants, MlcFold *results);
    void (*patterns)(MlcPatternSet *set); // adds further ones
    bool (*parse)(struct MlcParser *parser, struct MlcOpBuild *op);
    void (*print)(struct MlcPrinter *printer, MlcOp *op);
    // The meaning, shared by folding, interpreter and tests: mlc/interp.h.
    bool (*eval)(struct MlcEval *eval, MlcOp *op, const MlcDatum *operands, MlcDatum *results);
    const struct MlcRuleTable *rules; // compiled rules rooted at this op
    const void *more;                 // NULL
};

typedef struct MlcEnumCase {
    const char *name; // as printed
    int64_t value;
} MlcEnumCase;

// How the text has a parameter.
typedef enum MlcSpelling {
    MLC_SPELLED_ATTRIBUTE, // as an attribute, with its type where it has one
    MLC_SPELLED_SIGNED,    // as a bare number of the width of its type
    MLC_SPELLED_UNSIGNED,
    MLC_SPELLED_STRING, // as a string and nothing else
    MLC_SPELLED_MAP,    // as a map without `affine_map<`
} MlcSpelling;

typedef struct MlcParamDef {
    const char *name;
    const MlcConstraint *constraint; // of the attribute that holds it; of a list: of its elements
    bool optional;
    const char *default_text;
    bool is_list;         // held by an array attribute, spelled without its brackets
    uint8_t spelling;     // MlcSpelling
    const char *upstream; // the type of MLIR that messages name; NULL: none
} MlcParamDef;

struct MlcTypeDef {
    const char *name;   // "llvm.ptr"
    const char *record; // MLIR's definition that messages name; NULL: none
    const MlcDialectDef *dialect;
    const char *summary;
    const MlcParamDef *params;
    uint16_t num_params;
    const MlcFormat *format; // of what follows the mnemonic
    bool (*verify)(const struct MlcErrorSink *sink, const MlcAttr *params);
    MlcType (*parse)(struct MlcParser *parser, const MlcTypeDef *def);
    void (*print)(struct MlcPrinter *printer, MlcType type);
    const void *more; // NULL
};

struct MlcAttrDef {
    const char *name;   // "gpu.dim", "arith.fastmath"
    const char *record; // as of types
    const MlcDialectDef *dialect;
    const char *summary;
    const MlcParamDef *params;
    uint16_t num_params;
    const MlcFormat *format;
    const MlcEnumCase *cases; // of an enumeration: one integer parameter
    uint16_t num_cases;
    bool is_poison;        // the value of a constant that must not be observed
    bool is_bit_enum;      // cases are combined with | ; printed joined by `separator`
    bool is_bare_integer;  // an I32/I64EnumAttr: stored as `7 : i32` in generic form, a keyword in
                           // custom form
    uint8_t enum_width;    // 32 or 64
    const char *separator; // "," or "|"
    const char *upstream;  // the type of MLIR that messages name; NULL: none
    const char *unknown;   // what is said of a word that is no case; NULL: the cases
    const char *missing;   // what is said where no word is; NULL: "expected valid keyword"
    bool has_alias;        // printed as an alias of its mnemonic, defined before the module
    bool (*verify)(const struct MlcErrorSink *sink, const MlcAttr *params);
    MlcAttr (*parse)(struct MlcParser *parser, const MlcAttrDef *def, MlcType type);
    void (*print)(struct MlcPrinter *printer, MlcAttr attr);
    const void *more; // NULL
};

struct MlcDialectDef {
    const char *name;
    const char *summary;
    const char
        *unknown_type; // what is said before the name of a type it has not; NULL: MLIR's words
    const MlcOpDef *const *ops;
    size_t num_ops;
    const MlcTypeDef *const *types;
    size_t num_types;
    const MlcAttrDef *const *attrs;
    size_t num_attrs;
    const MlcConstraint *const *constraints; // named ones, for dialects that use this one
    size_t num_constraints;
    // Attributes of this dialect that ops of others carry (`mlc.grain`), without the prefix; any
    // other one is an error. None are listed: `verify_attr` alone decides.
    const MlcAttrSlot *discardable;
    size_t num_discardable;
    // Ops, by full name, of which folding makes the first that takes the value; NULL-terminated or
    // NULL. Each is constant-like, with the attribute `value` and one result.
    const char *const *constants;
    // Asked before them: makes the constant op for `value` at the builder's place, or NULL.
    MlcOp *(*materialize)(struct MlcBuilder *b, MlcAttr value, MlcType type, MlcLoc loc);
    // Checks a discardable attribute of this dialect (`llvm.noalias`) on an op.
    bool (*verify_attr)(MlcOp *op, MlcNamedAttr attr);
    const MlcInliner *inliner; // NULL: `inlines` is all there is to say
    uint8_t inlines;           // MlcInlines
    const void *more;          // MlcDialectMore, or NULL
};

// What a dialect that is compiled has besides.
typedef struct MlcDialectMore {
    size_t size;                        // MLC_SIZED
    const struct MlcRuleSet *lowerings; // of its rules; mlc_rule_set_find finds them
    size_t num_lowerings;
    bool is_outside; // of mlc: its lowerings are among mlc_rule_set_at, as those of files are
} MlcDialectMore;

// Constraints on types and attributes: small trees, built from YAML. lib/ir/record/constraint.c
// evaluates them.
typedef enum MlcConstraintKind {
    MLC_CONSTRAINT_ANY,
    MLC_CONSTRAINT_TYPE_KIND, // a: bit mask of MlcTypeKind
    MLC_CONSTRAINT_INTEGER,   // a: width (0 any), b: bit mask of MlcSignedness
    MLC_CONSTRAINT_FLOAT,     // a: bit mask of MlcFloatKind
    MLC_CONSTRAINT_ANY_OF,    // args
    MLC_CONSTRAINT_ALL_OF,
    MLC_CONSTRAINT_NOT,
    MLC_CONSTRAINT_ELEMENT, // shaped or complex: args[0] on its element type
    MLC_CONSTRAINT_RANK,    // a <= rank <= b
    MLC_CONSTRAINT_STATIC_SHAPE,
    MLC_CONSTRAINT_DIALECT_TYPE,  // names[0]: "llvm.ptr"
    MLC_CONSTRAINT_SAME,          // exactly the type written in names[0]
    MLC_CONSTRAINT_ATTR_KIND,     // a: bit mask of MlcAttrKind
    MLC_CONSTRAINT_ATTR_TYPE,     // typed attribute: args[0] on its type
    MLC_CONSTRAINT_ATTR_ELEMENTS, // array: args[0] on each element; dense array: on the element
                                  // type
    MLC_CONSTRAINT_DIALECT_ATTR,  // names[0]: "gpu.dim"; enumerations too
    MLC_CONSTRAINT_INT_RANGE,     // integer attribute, or every integer of a list: a <= v <= b
    MLC_CONSTRAINT_COUNT,         // array: a <= size <= b
    MLC_CONSTRAINT_PREDICATE,     // check(subject): `subject` is an MlcType or an MlcAttr
    MLC_CONSTRAINT_PARAMETERS,    // a dialect's type or attribute: args[i] on its parameter i
    MLC_CONSTRAINT_ATTR_SAME,     // exactly the attribute written in names[0]
    MLC_CONSTRAINT_ATTR_MATCHES,  // a string that matches names[0] as a whole: * ? [a-z] [^a-z] \*
} MlcConstraintKind;

struct MlcConstraint {
    const char *name;    // in YAML
    const char *summary; // in messages: "signless integer or index"
    uint8_t kind;        // MlcConstraintKind
    uint16_t num_args, num_names;
    int64_t a, b;
    const MlcConstraint *const *args;
    const char *const *names;
    bool (*check)(const void *subject);
    const char *upstream; // what messages of MLIR call a parameter of this kind; NULL: nothing
};

// Whether the type satisfies the constraint, alone: relations between several operands are not
// looked at.
MLC_API bool mlc_constraint_check_type(const MlcConstraint *constraint, MlcType type);
// The same for an attribute, which may be NULL where the constraint allows it.
MLC_API bool mlc_constraint_check_attr(const MlcConstraint *constraint, MlcAttr attr);

// Of all ops with this definition.
static inline bool
mlc_op_def_has_trait(const MlcOpDef *def, MlcTrait trait)
{
    return def->traits >> trait & 1;
}
// Operands, results and attributes are all there is to it: it can be made from those of another op.
static inline bool
mlc_op_def_is_flat(const MlcOpDef *def)
{
    return def->num_regions == 0 && def->num_successors == 0 &&
           !(def->traits &
             (MLC_TRAIT_BIT(ATTR_SIZED_OPERANDS) | MLC_TRAIT_BIT(ATTR_SIZED_RESULTS)));
}
MLC_API const void *mlc_op_def_interface(const MlcOpDef *def, MlcInterface interface);
// -1 if it has none of that name.
MLC_API int mlc_op_def_attr_slot(const MlcOpDef *def, MlcStr name);
// Fills def->facts from the rest; who makes a record in memory calls it last.
MLC_API void mlc_op_def_find_facts(MlcOpDef *def);

MLC_END_DECLS

#endif
