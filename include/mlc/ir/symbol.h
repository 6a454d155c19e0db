// symbol.h -- symbol tables: ops with `sym_name` inside an op with the SymbolTable trait.
//
// Ownership: the caller destroys tables; symbols belong to the IR.
// Threads: as for reading and editing ops; a table belongs to one at a time, and a cache is its
// thread's own.
#ifndef MLC_IR_SYMBOL_H
#define MLC_IR_SYMBOL_H

#include "mlc/ir/op.h"
#include "mlc/support/map.h"

MLC_BEGIN_DECLS

// Of an op that has a `sym_name`.
MLC_API MlcStr mlc_symbol_name(MlcOp *symbol);
// Uses keep the old name: see mlc_symbol_rename_uses.
MLC_API void mlc_symbol_set_name(MlcOp *symbol, MlcStr name);
MLC_API bool mlc_op_is_symbol(MlcOp *op); // has the trait, and a name
// By `sym_visibility`; public where it is not said.
MLC_API bool mlc_symbol_is_private(MlcOp *symbol);
MLC_API bool mlc_symbol_is_public(MlcOp *symbol);
MLC_API MlcOp *mlc_symbol_table_of(MlcOp *op); // nearest op with the trait, `op` included

// One lookup without a table (linear), and a table for many lookups; the table must be told of
// changes.
MLC_API MlcOp *mlc_symbol_lookup(MlcOp *table, MlcStr name);
// Nested, upwards from `from`'s table.
MLC_API MlcOp *mlc_symbol_lookup_ref(MlcOp *from, MlcAttr symbol_ref);
// Between the two, in this thread, lookups use tables made once: nothing may change.
MLC_API void mlc_symbol_cache_begin(void);
MLC_API void mlc_symbol_cache_end(void);
typedef struct MlcSymbolTable MlcSymbolTable;
// Of the symbols in `table` now; the caller destroys it.
MLC_API MlcSymbolTable *mlc_symbol_table_create(MlcOp *table);
MLC_API void mlc_symbol_table_destroy(MlcSymbolTable *table);
// NULL: none.
MLC_API MlcOp *mlc_symbol_table_lookup(MlcSymbolTable *table, MlcStr name);
// Renames (`_0`...) if the name is taken.
MLC_API void mlc_symbol_table_insert(MlcSymbolTable *table, MlcOp *symbol);
// Erases the op, too.
MLC_API void mlc_symbol_table_erase(MlcSymbolTable *table, MlcOp *symbol);
// Uses of `name` as an attribute anywhere below `root` (nested tables excluded as MLIR does).
MLC_API bool mlc_symbol_has_uses(MlcOp *symbol, MlcOp *root);
// Calls `visit` for each symbol reference of the ops in `from`'s regions, and of `from` itself if
// asked. Ops inside nested symbol tables are left out (they name symbols of their own table), the
// tables' attributes are not. False as soon as an op may be a symbol table without our knowing it:
// one of an unregistered dialect, with one region.
typedef void (*MlcSymbolUseFn)(MlcOp *user, MlcAttr symbol_ref, void *data);
// See MlcSymbolUseFn.
MLC_API bool mlc_symbol_visit_uses(MlcOp *from, bool itself, MlcSymbolUseFn visit, void *data);
// Below `root`, as for mlc_symbol_has_uses: the first names of symbol references that `names` maps,
// from string attributes to string attributes, become what they are mapped to. False: none was one.
MLC_API bool mlc_symbol_rename_uses(MlcOp *root, const MlcMap *names);

MLC_END_DECLS

#endif
