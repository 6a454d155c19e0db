// decode.h -- what the decoders of instructions share: names, modifiers, operands.
//
// Ownership: a decoder lives while one kernel is decoded; what it makes is the kernel's.
#ifndef MLC_LIB_PTXSIM_DECODE_H
#define MLC_LIB_PTXSIM_DECODE_H

#include "inst.h"
#include "mlc/support/map.h"

enum { MAX_MODIFIERS = 24, MAX_WRITTEN = 24 };

typedef enum SymbolKind {
    SYMBOL_REGISTER,
    SYMBOL_REGISTERS, // %r<n>: registers are made when they are named first
    SYMBOL_ADDRESS,   // `value` in `space`
} SymbolKind;

typedef struct Symbol {
    SymbolKind kind;
    MlcStr name;   // with '<' behind it for SYMBOL_REGISTERS
    uint8_t width; // of registers: 0 for predicates
    PtxSpace space;
    uint64_t value;    // an address; a count; the register's number
    uint32_t shadowed; // the symbol of that name outside, + 1
} Symbol;

typedef struct Decoder {
    MlcPtxModule *module;
    MlcPtxEntry *entry;
    PtxReporter *reporter;
    MlcStrMap names; // to symbols, + 1
    MLC_VEC(Symbol) symbols;
    MLC_VEC(uint32_t) scopes;    // how many symbols there were when each began
    MLC_VEC(uint32_t) scope_ids; // the scopes that are open
    MLC_VEC(uint32_t) parents;   // of scopes, by id
    uint32_t next_scope;
    MlcStrMap labels; // "name@scope" to a place
    MlcMap constants; // bits to a place in entry->consts, by width
    MlcMap wide_constants;
    MlcMap registers;      // symbol << 32 | number to a register, + 1
    NumberVec register_at; // by register
    MlcBuf register_width; // a byte for each

    // The instruction at hand.
    const PtxStatement *statement;
    Inst in;
    MlcStr modifiers[MAX_MODIFIERS];
    bool used[MAX_MODIFIERS];
    unsigned num_modifiers;
    PtxOperand *written[MAX_WRITTEN];
    unsigned num_written;
    NumberVec uses, defs;
    bool failed; // the kernel
    bool told;   // an error of this instruction
} Decoder;

typedef bool (*DecodeFn)(Decoder *d);
typedef struct Opcode {
    const char *name;
    DecodeFn decode;
} Opcode;
// Each ends with a name NULL.
extern const Opcode ptx_scalar_opcodes[], ptx_memory_opcodes[], ptx_warp_opcodes[],
    ptx_matrix_opcodes[];

// An error of the instruction at hand. False.
bool decode_error(Decoder *d, const char *format, ...) MLC_PRINTF(2, 3);
bool decode_error_at(Decoder *d, const PtxOperand *o, const char *format, ...) MLC_PRINTF(3, 4);

// Whether the instruction has this modifier; it then counts as understood.
bool take(Decoder *d, const char *modifier);
// The index in `choices` (NULL ends them) of a modifier, or -1.
int take_one_of(Decoder *d, const char *const *choices);
// Modifiers that begin so.
void take_prefixed(Decoder *d, const char *prefix);
// The next modifier that is a type; an error if there is none.
bool take_type(Decoder *d, PtxType *type);
bool find_type(MlcStr name, PtxType *type);

// Errors unless the instruction has so many operands.
bool expect_operands(Decoder *d, unsigned least, unsigned most);
// Operands: a register to write, `loose` if it may be wider than `type`; something to read; a
// predicate; an address; a constant number. What is read and written is noted.
bool result(Decoder *d, PtxOperand *o, PtxType type, bool loose, Operand *out);
bool source(Decoder *d, PtxOperand *o, PtxType type, bool loose, Operand *out);
bool pred_result(Decoder *d, PtxOperand *o, Operand *out);
bool pred_source(Decoder *d, PtxOperand *o, Operand *out);
bool address(Decoder *d, PtxOperand *o, Operand *out);
bool constant(Decoder *d, PtxOperand *o, uint64_t *out);
// {a, b, ...} of so many; `count` 0: any number. One register counts as a list of one.
bool result_list(Decoder *d, PtxOperand *o, PtxType type, bool loose, unsigned count, Operand *out);
bool source_list(Decoder *d, PtxOperand *o, PtxType type, bool loose, unsigned count, Operand *out);
// Where a label is.
bool decode_label(Decoder *d, PtxOperand *o, uint32_t *pc);
// "global", "shared::cta" and their kin.
PtxSpace take_space(Decoder *d);

// d->in with the function; the decoder then adds it.
bool emit(Decoder *d, ExecFn exec);

static inline PtxOperand *
written(Decoder *d, unsigned i)
{
    return i < d->num_written ? d->written[i] : NULL;
}

// Decodes a kernel. False after errors.
bool ptx_decode(MlcPtxModule *module, const PtxFunction *function, PtxReporter *reporter);

#endif
