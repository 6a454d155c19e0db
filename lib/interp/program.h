// program.h -- the body of a structured op as a short list of instructions on registers.
#ifndef MLC_INTERP_PROGRAM_H
#define MLC_INTERP_PROGRAM_H

#include "mlc/interp.h"
#include "mlc/support/vec.h"

// Floats up to f64 as the double of the same value, integers up to 64 bits sign-extended (a true i1
// is -1).
typedef union Register {
    double f;
    int64_t i;
} Register;

typedef enum Format { FORMAT_INT, FORMAT_F32, FORMAT_F64, FORMAT_SOFT } Format;

// How an element lies in memory.
typedef struct Element {
    Format format;
    MlcFloatKind kind; // of floats
    unsigned width;    // of integers, bits
    unsigned num_bytes;
} Element;

typedef struct Instr {
    uint16_t code, dst, a, b, c;
    Element element; // of the result; of comparisons and conversions from integers: of the operand
    union {
        double (*unary)(double);
        double (*binary)(double, double);
        int64_t number; // predicate, loop
    };
} Instr;

typedef struct Program {
    MLC_VEC(Instr) instrs;
    MLC_VEC(Register) registers; // arguments first
    MLC_VEC(uint16_t) results;   // registers of the yielded values
} Program;

bool element_of(MlcType type, Element *element); // false: not a type for registers
void element_load(const Element *element, const void *at, Register *r);
void element_store(const Element *element, void *at, const Register *r);

// Makes instructions of `body`; false where it has an op or a type that they do not know.
bool program_compile(MlcEval *e, MlcBlock *body, Program *program);
void program_run(Program *program, const int64_t *indices);
// Whether it is result = arg2 + arg0 * arg1, all f32.
bool program_is_f32_multiply_add(const Program *program);
void program_release(Program *program);

#endif
