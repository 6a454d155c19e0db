// to_llvm.h -- what the lowerings to the llvm dialect share: types, and the ops they are made of.
//
// Index is i64 unless an option says i32. A memref is MLIR's descriptor: a struct of the allocated
// and the aligned pointer, the offset, sizes and strides. On the path of models a memref of static
// strides is the bare pointer to its first element instead (offsets are added when a window is
// taken, sizes are in the type), so that kernels are free of descriptors.
#ifndef MLC_CONVERSION_TO_LLVM_H
#define MLC_CONVERSION_TO_LLVM_H

#include "mlc/pass.h"
#include "mlc/ir/rewrite.h"

#include "mlc/dialects/llvm.h"

// What a dialect's ops become: those of the records that say it (`lowers_to`), and those of these
// patterns, which are tried first.
typedef struct LlvmPatterns {
    const char *dialect, *to; // `to`: of the ops that records say; NULL: any
    const MlcConversionPattern *patterns;
    size_t num_patterns;
} LlvmPatterns;

extern const LlvmPatterns arith_to_llvm_patterns, math_to_llvm_patterns, cf_to_llvm_patterns;
// Functions of static memrefs that are passed as pointers, as in use-bare-ptr-memref-call-conv.
extern const LlvmPatterns func_to_llvm_bare_patterns;
extern const LlvmPatterns func_to_llvm_patterns, memref_to_llvm_patterns, vector_to_llvm_patterns;

extern const LlvmPatterns index_to_llvm_patterns, complex_to_llvm_patterns, amx_to_llvm_patterns;
// Functions of math as calls of a vendor's library: libdevice, OCML (math_to_rocdl.c).
extern const LlvmPatterns math_to_libdevice_patterns, math_to_ocml_patterns;
extern const LlvmPatterns nvgpu_to_nvvm_patterns, nvgpu_barrier_patterns;
// Of nvgpu's types, in every such converter.
int llvm_convert_nvgpu_type(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user);

typedef enum LlvmTypes { LLVM_DESCRIPTORS, LLVM_BARE_POINTERS } LlvmTypes;
MlcTypeConverter *llvm_type_converter_create(MlcContext *ctx, LlvmTypes types, unsigned index_bits);
// A partial conversion with these patterns, after which no op of the `illegal` dialects is left,
// and none whose record says what it becomes; lists are NULL-terminated, `illegal` may be NULL.
bool llvm_convert(MlcOp *root, LlvmTypes types, unsigned index_bits,
                  const LlvmPatterns *const *sets, const char *const *illegal);
// The same with more to say of types and of what is legal.
typedef struct LlvmConversion {
    LlvmTypes types;
    unsigned index_bits;
    const LlvmPatterns *const *sets;
    const char *const *illegal;
    MlcTypeRule rule; // goes before all others; NULL: none
    void *rule_user;
    // After what all such conversions say; NULL: nothing.
    void (*set_target)(MlcConversionTarget *target, MlcTypeConverter *types);
} LlvmConversion;
bool llvm_convert_as(MlcOp *root, const LlvmConversion *how);
// Whether one of the sets has a pattern for such ops.
bool llvm_converts(const LlvmPatterns *const *sets, const MlcOpDef *op);
// The passes of one dialect, with option index-bitwidth. As in MLIR what they have no pattern for
// stays, for a pass that comes later; convert-to-llvm is the one that leaves nothing.
bool llvm_run_pass(MlcPass *pass, MlcOp *root, const LlvmPatterns *const *sets);
#define LLVM_INDEX_OPTION                                                                          \
    {                                                                                              \
        "index-bitwidth", MLC_OPTION_INT, "0", "bits of index; 0: those of the machine, 64"        \
    }
extern const MlcPassOption llvm_index_option;
// What the option says, 32 or 64. False after an error at `root`.
bool llvm_read_index_bits(MlcPass *pass, MlcOp *root, unsigned *bits);

// The functions `run` and `converts` of a pass that has these patterns alone.
#define LLVM_PASS_OF(patterns)                                                                     \
    static const LlvmPatterns *const sets[] = {&(patterns), NULL};                                 \
    static bool run(MlcPass *pass, MlcOp *root)                                                    \
    {                                                                                              \
        return llvm_run_pass(pass, root, sets);                                                    \
    }                                                                                              \
    static bool converts(const MlcOpDef *op)                                                       \
    {                                                                                              \
        return llvm_converts(sets, op);                                                            \
    }
extern const char *const llvm_dialects[]; // of passes: dependent_dialects
MlcType llvm_ptr(MlcContext *ctx, unsigned address_space);
unsigned llvm_address_space(MlcType memref);
// !llvm.func<result (params)>; result NULL: void.
MlcType llvm_function_type(MlcContext *ctx, MlcType result, const MlcType *params,
                           size_t num_params);

MlcType llvm_struct(MlcContext *ctx, const MlcType *members, size_t num_members);
MlcType llvm_array(MlcType element, int64_t size);
size_t llvm_struct_size(MlcType type); // 0: not a struct
MlcType llvm_struct_member(MlcType type, size_t i);
bool llvm_is_ptr(MlcType type);

MlcValue *llvm_constant(MlcBuilder *b, MlcType type, int64_t value);
MlcValue *llvm_i64(MlcBuilder *b, int64_t value);
MlcValue *llvm_extract(MlcBuilder *b, MlcValue *aggregate, const int64_t *position, size_t depth);
MlcValue *llvm_add(MlcBuilder *b, MlcValue *lhs,
                   MlcValue *rhs); // folds constants made by llvm_constant
MlcValue *llvm_mul_constant(MlcBuilder *b, MlcValue *lhs, int64_t rhs);
// base + index elements of `element`, i.e. llvm.getelementptr; index NULL: base.
MlcValue *llvm_element_ptr(MlcBuilder *b, MlcValue *base, MlcType element, MlcValue *index);
// A memref after conversion.
typedef struct LlvmMemref {
    MlcType type, element; // the element's is converted
    MlcValue *value;
    bool is_bare;
    size_t rank;
    int64_t offset, strides[MLC_RANK_LIMIT]; // MLC_DYNAMIC: in the descriptor
} LlvmMemref;
// `value` is a memref that was converted, so its layout is strided.
void llvm_memref_read(LlvmMemref *m, MlcConversion *c, MlcType type, MlcValue *value);
MlcValue *llvm_memref_allocated(MlcBuilder *b, const LlvmMemref *m);
MlcValue *llvm_memref_aligned(MlcBuilder *b, const LlvmMemref *m);
MlcValue *llvm_memref_offset(MlcBuilder *b, const LlvmMemref *m);
MlcValue *llvm_memref_size(MlcBuilder *b, const LlvmMemref *m, size_t i);
MlcValue *llvm_memref_stride(MlcBuilder *b, const LlvmMemref *m, size_t i);
MlcValue *llvm_memref_start(MlcBuilder *b, const LlvmMemref *m); // the aligned pointer + offset
typedef struct LlvmMemrefParts {
    MlcValue *allocated, *aligned, *offset; // offset NULL: 0
    MlcValue *sizes[MLC_RANK_LIMIT], *strides[MLC_RANK_LIMIT];
} LlvmMemrefParts;
// A bare pointer, or a descriptor, by type `to`; `element`, converted, is what offsets count.
MlcValue *llvm_memref_pack(MlcBuilder *b, MlcType element, size_t rank, MlcType to,
                           const LlvmMemrefParts *parts);
// A descriptor's fields as they stand in a call, and back.
void llvm_memref_unpack(MlcBuilder *b, MlcValue *descriptor, MlcValueVec *fields);
MlcValue *llvm_memref_from_fields(MlcBuilder *b, MlcType descriptor, MlcValue *const *fields);

// A memref of unknown rank: its rank, and where its descriptor lies. `value` on the stack; size
// `i`; bytes of the descriptor.
MlcValue *llvm_on_stack(MlcBuilder *b, MlcValue *value);
MlcValue *llvm_unranked_pack(MlcBuilder *b, MlcType to, MlcValue *rank, MlcValue *descriptor);
MlcValue *llvm_unranked_rank(MlcBuilder *b, MlcValue *memref);
MlcValue *llvm_unranked_descriptor(MlcBuilder *b, MlcValue *memref);
MlcValue *llvm_unranked_size(MlcBuilder *b, MlcValue *memref, MlcValue *i);
MlcValue *llvm_unranked_bytes(MlcBuilder *b, MlcValue *memref);

// The address of memref[indices].
MlcValue *llvm_memref_element_ptr(MlcConversion *c, MlcType memref, MlcValue *base,
                                  MlcValue *const *indices);
MlcValue *llvm_load(MlcBuilder *b, MlcType type, MlcValue *address, unsigned alignment);
void llvm_store(MlcBuilder *b, MlcValue *value, MlcValue *address, unsigned alignment);
// Bytes of one element in memory, or its alignment where it is a struct: a power of two.
unsigned llvm_element_bytes(MlcType element);

// In memory each element has whole bytes, also those of vector<16xi1>, which LLVM would pack: such
// vectors, and i1, are loaded and stored as bytes. A byte that is not 0 is true.
MlcType llvm_memory_type(MlcType type);
MlcValue *llvm_to_memory(MlcBuilder *b, MlcValue *value);
MlcValue *llvm_from_memory(MlcBuilder *b, MlcValue *value, MlcType type);

// Declares the function `name` in the module of `op` unless it is there, at its start or before the
// function that `op` is in; false if something else has the name. A call of it; `result` NULL:
// none.
bool llvm_declare(MlcConversion *c, MlcOp *op, const char *name, MlcType type);
bool llvm_declare_before(MlcConversion *c, MlcOp *op, const char *name, MlcType type);
MlcOp *llvm_call_function(MlcBuilder *b, const char *name, MlcType result,
                          MlcValue *const *operands, size_t num_operands);

// Casts between index and integers: `user` (how to widen), llvm.trunc, or nothing.
bool llvm_lower_width(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user);
void llvm_copy_fastmath(MlcOp *made, MlcOp *op); // of `op`, where there is any
// memref.load and vector.load, memref.store and vector.store.
bool llvm_lower_load(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user);
bool llvm_lower_store(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user);
// A constant with the text and a zero behind, where `b` stands; its name may still change.
MlcOp *llvm_text_global(MlcBuilder *b, MlcStr name, MlcStr text);
// cf.assert in the functions of a module become branches to a call of abort.
void llvm_lower_assertions(MlcOp *root);
// vector.print of no vector.
bool llvm_lower_print(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user);
MlcType llvm_result_type(MlcConversion *c, MlcOp *op); // of result 0; NULL if it has no llvm form
bool llvm_no_type(MlcConversion *c, MlcOp *op);        // false, after saying so

#endif
