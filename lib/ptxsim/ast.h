// ast.h -- PTX text as it was written: what the grammar makes and the decoder reads.
//
// Ownership: all of it lies in the module's arena.
#ifndef MLC_LIB_PTXSIM_AST_H
#define MLC_LIB_PTXSIM_AST_H

#include "mlc/support/arena.h"
#include "mlc/support/base.h"

typedef struct PtxAt {
    unsigned line, column;
} PtxAt;

// Where messages go. Reports beyond MAX_FAULTS of one text are dropped.
typedef struct PtxReporter {
    const char *file;
    void (*handler)(void *user, const char *file, PtxAt at, bool is_note, const char *text);
    void *user;
    unsigned num_faults;
} PtxReporter;

enum { PTX_MAX_FAULTS = 20 };

// An error at `at`, and a note after it. Returns false.
bool ptx_error(PtxReporter *reporter, PtxAt at, const char *format, ...) MLC_PRINTF(3, 4);

typedef enum PtxOperandKind {
    PTX_NAME,    // a register, a symbol, a label; `name`
    PTX_INT,     // `bits`
    PTX_F32,     // 0f..., `bits`
    PTX_F64,     // 0d... or a decimal number, `bits`
    PTX_ADDRESS, // [first + bits, the rest]
    PTX_LIST,    // {first, ...}
    PTX_PAIR,    // first|second
    PTX_ARGS,    // (first, ...), of a call
} PtxOperandKind;

typedef struct PtxOperand {
    PtxOperandKind kind;
    PtxAt at;
    bool is_not; // !p
    MlcStr name;
    uint64_t bits;
    struct PtxOperand *first;
    struct PtxOperand *next;
} PtxOperand;

typedef struct PtxOperands {
    PtxOperand *first, *last;
} PtxOperands;

typedef struct PtxVariable {
    PtxAt at;
    MlcStr name;
    MlcStr space;    // "shared"
    MlcStr type;     // "b8"
    uint64_t align;  // 0: that of the type
    unsigned vector; // 1, 2 or 4
    uint64_t count;  // elements; of an array without a size 0
    bool is_array, is_extern;
    PtxOperand *init; // scalars, NULL: none
    struct PtxVariable *next;
} PtxVariable;

typedef struct PtxVariables {
    PtxVariable *first, *last;
} PtxVariables;

typedef enum PtxStatementKind {
    PTX_LABEL,       // name
    PTX_INSTRUCTION, // name, guard, operands
    PTX_REGISTERS,   // name: the type; operands: names, with a count in `bits` or 0
    PTX_VARIABLE,
    PTX_OPEN, // a scope
    PTX_CLOSE,
} PtxStatementKind;

typedef struct PtxStatement {
    PtxStatementKind kind;
    PtxAt at;
    MlcStr name;
    PtxOperand *guard;
    PtxOperand *operands;
    PtxVariable *variable;
    struct PtxStatement *next;
} PtxStatement;

typedef struct PtxStatements {
    PtxStatement *first, *last;
} PtxStatements;

typedef struct PtxFunction {
    PtxAt at;
    MlcStr name;
    bool is_entry, has_body;
    PtxVariable *params;
    PtxStatement *body;
    uint32_t max_threads[3]; // .maxntid or .reqntid; 0: not said
    bool is_required;        // .reqntid
    struct PtxFunction *next;
} PtxFunction;

// A whole text. Zero-initialised by the caller, then filled by ptx_parse.
typedef struct PtxText {
    MlcArena *arena;
    PtxReporter *reporter;
    MlcStr target; // "sm_90a"
    PtxVariables variables;
    PtxFunction *functions, *last_function;
    // The lexer's place, and what the grammar is about.
    PtxAt at;
    PtxFunction *function;
    PtxVariable shape; // of the variables that are being declared
} PtxText;

// False after errors.
bool ptx_parse(PtxText *text, MlcStr source);

#endif
