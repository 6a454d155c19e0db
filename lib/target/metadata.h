// metadata.h -- LLVM metadata of a translation: what attributes and locations say about
// instructions.
#ifndef MLC_LIB_TARGET_METADATA_H
#define MLC_LIB_TARGET_METADATA_H

#include "translate.h"

// Finds everything that functions and globals under t->root refer to, and makes it. False after
// diagnostics.
bool mlc_metadata_create(Translator *t);
void mlc_metadata_release(Translator *t);
LLVMMetadataRef mlc_metadata_of(Translator *t, MlcAttr attr); // NULL: nothing

// Of the function at hand, and of a global.
void mlc_metadata_set_function(Translator *t, MlcOp *op);
void mlc_metadata_set_global(Translator *t, MlcOp *op, LLVMValueRef global);
// Around the translation of an op: the debug location of what it becomes, and then what its
// attributes say about its last instruction.
void mlc_metadata_begin_op(Translator *t, MlcOp *op);
void mlc_metadata_end_op(Translator *t, MlcOp *op);

// Ops that are nothing but metadata.
const OpRow *mlc_metadata_rows(size_t *num_rows);

#endif
