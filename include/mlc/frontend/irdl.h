// irdl.h -- definitions in MLIR's IRDL (ops of the dialect `irdl`) and in mlc's YAML, from one to
// the other.
//
// Source: Fehr et al., "IRDL: An IR Definition Language for SSA Compilers", PLDI 2022; MLIR's
// documentation of the dialect.
//
// Ownership: definitions live as long as the context; a module that is returned is the caller's to
// destroy.
// Threads: to register: in a context where no other thread works yet; else as for reading ops.
#ifndef MLC_FRONTEND_IRDL_H
#define MLC_FRONTEND_IRDL_H

#include "mlc/ir/op.h"
#include "mlc/support/buf.h"

MLC_BEGIN_DECLS

// Appends the YAML of an `irdl.dialect` op that was verified. Groups, regions and parameters, which
// have no names in IRDL, are called by their kind and number. False after an error at each op that
// YAML cannot say: a predicate in C++, arguments of regions, a number of blocks above one, one
// constraint for what lies deeper than a parameter.
MLC_API bool mlc_irdl_to_yaml(MlcOp *dialect, MlcBuf *yaml);

// Registers every dialect that the file defines, in their order there. They live as long as the
// context. False after located errors; dialects before the wrong one stay. Bytecode and reproducers
// remember the file; who reads them has mlc_context_set_irdl_loader (mlc/ir/extension.h).
MLC_API bool mlc_load_irdl(MlcContext *ctx, const char *path);

// Appends the dialect as an `irdl.dialect` op: types, attributes, ops, their constraints, and which
// of their types are the same. What IRDL has no word for (traits, other relations, ranges, ranks,
// formats) is left out; a comment says so where a constraint was weakened.
MLC_API void mlc_dialect_to_irdl(const MlcDialectDef *dialect, MlcBuf *irdl);

MLC_END_DECLS

#endif
