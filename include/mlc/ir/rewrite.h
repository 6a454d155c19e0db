// rewrite.h -- patterns, the greedy driver, and the conversion driver.
//
// Ownership: sets, converters, targets and pools are the caller's to destroy; what patterns make
// belongs to the IR, and `user` pointers are borrowed.
// Threads: a driver edits in the thread that calls it; several work on isolated ops side by side. A
// set is shared by threads once it is frozen; converters, targets and pools belong to one.
#ifndef MLC_IR_REWRITE_H
#define MLC_IR_REWRITE_H

#include "mlc/ir.h"

MLC_BEGIN_DECLS

// All ops of one kind inside `root`, which may be one itself, in pre-order. They are found before
// the first is visited, so the body may rewrite, move and erase its op, make others, which are not
// visited, and leave by break or return; ops that are still to come stay.
#define MLC_FOR_EACH_OF_KIND(op, root, def)                                                        \
    for (MlcOpsOfKind op##_all                                                                     \
         __attribute__((cleanup(mlc_ops_of_kind_release))) = mlc_ops_of_kind(root, def),           \
         *op##_left = &op##_all;                                                                   \
         op##_left; op##_left = NULL)                                                              \
        for (MlcOp * op; (op = mlc_ops_of_kind_next(&op##_all));)

typedef struct MlcOpsOfKind {
    MlcOpVec ops;
    size_t next;
} MlcOpsOfKind;

// What the loop is made of. The caller releases the list.
MLC_API MlcOpsOfKind mlc_ops_of_kind(MlcOp *root, const MlcOpDef *def);

// NULL behind the last.
static inline MlcOp *
mlc_ops_of_kind_next(MlcOpsOfKind *list)
{
    return list->next < list->ops.size ? list->ops.data[list->next++] : NULL;
}

// Frees the list; its ops stay.
static inline void
mlc_ops_of_kind_release(MlcOpsOfKind *list)
{
    mlc_vec_release(&list->ops);
}

// The rewriter handed to patterns: a builder, and edits that the driver hears of. Patterns must
// make every edit of ops through it or through the op API on ops they were given; a pattern that
// returns false has changed nothing.
typedef struct MlcRewriter MlcRewriter;
MLC_API MlcBuilder *mlc_rewriter_builder(MlcRewriter *rw); // at the matched op
// Uses of its results by `values`, as many; the op is erased.
MLC_API void mlc_rewriter_replace(MlcRewriter *rw, MlcOp *op, MlcValue *const *values,
                                  size_t num_values);
// Results one to one.
MLC_API void mlc_rewriter_replace_with(MlcRewriter *rw, MlcOp *op, MlcOp *with);
// Of an op with one result; returns true.
MLC_API bool mlc_rewriter_replace_op(MlcRewriter *rw, MlcOp *op, MlcValue *value);
MLC_API void mlc_rewriter_erase(MlcRewriter *rw, MlcOp *op);
MLC_API void mlc_rewriter_erase_block(MlcRewriter *rw, MlcBlock *block);
MLC_API void mlc_rewriter_replace_value(MlcRewriter *rw, MlcValue *old, MlcValue *with); // all uses
// A new op before `op`, like it (name, attributes, successors) but for operands and result types,
// and without its regions' blocks: the caller moves them, and replaces `op`. Sizes of operand
// groups stay as they are.
MLC_API MlcOp *mlc_rewriter_rebuild(MlcRewriter *rw, MlcOp *op, MlcValue *const *operands,
                                    size_t num_operands, const MlcType *result_types,
                                    size_t num_results);
// All of `block` to the end of `to`, arguments replaced by `args`; the block is erased.
MLC_API void mlc_rewriter_append_block(MlcRewriter *rw, MlcBlock *block, MlcBlock *to,
                                       MlcValue *const *args);
MLC_API void mlc_rewriter_changed(MlcRewriter *rw, MlcOp *op); // op was modified in place
// Inlines the ops of `block` before `before`, arguments replaced by `args`; the block is erased.
MLC_API void mlc_rewriter_inline_block(MlcRewriter *rw, MlcBlock *block, MlcOp *before,
                                       MlcValue *const *args);
// Why a pattern did not fire: shown by mlc-opt --log-actions-to. Returns false.
MLC_API bool mlc_rewriter_no_match(MlcRewriter *rw, MlcOp *op, const char *format, ...)
    MLC_PRINTF(3, 4);

#define MLC_PATTERN_TRAIT(trait) (-1 - (int)(trait))
struct MlcPattern {
    const char *name; // in messages
    const char *root; // op name; NULL: any op
    int interface;    // any op with it: MlcInterface + 1, or a trait: MLC_PATTERN_TRAIT(...); 0: by
                      // root
    unsigned benefit; // higher is tried first
    bool (*rewrite)(MlcRewriter *rw, MlcOp *op, const MlcPattern *pattern);
    void *user;
};

// The caller destroys it.
MLC_API MlcPatternSet *mlc_pattern_set_create(MlcContext *ctx);
MLC_API void mlc_pattern_set_destroy(MlcPatternSet *set);
// The context that it was made for.
MLC_API MlcContext *mlc_pattern_set_context(MlcPatternSet *set);
MLC_API void mlc_pattern_set_add(MlcPatternSet *set, MlcPattern pattern); // copied
// One of benefit 1 for ops called `root`.
MLC_API void mlc_pattern_set_add_op(MlcPatternSet *set, const char *root, const char *name,
                                    bool (*rewrite)(MlcRewriter *rw, MlcOp *op,
                                                    const MlcPattern *pattern));
MLC_API void mlc_pattern_set_add_all(MlcPatternSet *set, const MlcPattern *patterns,
                                     size_t num_patterns);
// Leaves out patterns for which `keep` is false.
MLC_API void mlc_pattern_set_filter(MlcPatternSet *set,
                                    bool (*keep)(const MlcPattern *pattern, void *user),
                                    void *user);
// From here on no pattern comes or goes. Threads may share the set, and what can match an op is
// found once, not by each driver.
MLC_API void mlc_pattern_set_freeze(MlcPatternSet *set);
// Canonicalisation patterns of every registered op.
MLC_API void mlc_pattern_set_add_canonicalization(MlcPatternSet *set);
// A set of just those, which the context keeps; thread safe.
MLC_API const MlcPatternSet *mlc_canonicalization_patterns(MlcContext *ctx);

// The greedy driver: folds, removes dead ops, and applies patterns until nothing changes, top-down
// then by worklist.
typedef struct MlcGreedyConfig {
    size_t size;             // MLC_SIZED
    unsigned max_iterations; // 0: default (10); UINT_MAX: no limit
    uint64_t max_rewrites;   // in one sweep; 0: no limit but the one that ends loops
    bool bottom_up;
    bool no_fold;
    bool no_region_simplify;
    bool merge_blocks; // equal blocks become one
    bool one_layer;    // what lies in isolated ops inside the root is left alone
    void (*erased)(MlcOp *op, void *user); // of each op that goes, before it is freed; may be NULL
    void *user;
} MlcGreedyConfig;
// True if it converged. `config` may be NULL.
MLC_API bool mlc_apply_patterns_greedily(MlcOp *root, const MlcPatternSet *set,
                                         const MlcGreedyConfig *config);
// Folds one op (eval of constant operands included); true if it was replaced, or changed in place.
MLC_API bool mlc_fold_op(MlcRewriter *rw, MlcOp *op);
// The constants of results, without touching the IR; NULLs where unknown.
MLC_API bool mlc_fold_results(MlcOp *op, const MlcAttr *constants, MlcFold *results);

// The one result of `op`, which was just made: or what it folds to, and the op goes.
MLC_API MlcValue *mlc_build_or_fold(MlcBuilder *b, MlcOp *op);
// The op of a constant that `dialect` (may be NULL) makes of folded values; NULL if it has none.
MLC_API MlcOp *mlc_build_constant_of(MlcBuilder *b, const MlcDialectDef *dialect, MlcAttr value,
                                     MlcType type, MlcLoc loc);
// The same at the builder's location, else arith's; NULL if neither can.
MLC_API MlcOp *mlc_build_constant_by(MlcBuilder *b, const MlcDialectDef *dialect, MlcAttr value,
                                     MlcType type);
// One op per constant, at the front of the isolated region around `block`, made by `dialect` (or by
// arith); NULL if neither can. For passes that know constants; they must not erase what they got.
typedef struct MlcConstantPool MlcConstantPool;
// The caller destroys it; the ops stay.
MLC_API MlcConstantPool *mlc_constant_pool_create(void);
MLC_API void mlc_constant_pool_destroy(MlcConstantPool *pool);
// The value of `value` as a `type`, for uses in `block`.
MLC_API MlcValue *mlc_constant_pool_get(MlcConstantPool *pool, MlcBlock *block,
                                        const MlcDialectDef *dialect, MlcAttr value, MlcType type);

// The conversion driver.
typedef struct MlcTypeConverter MlcTypeConverter;
// Has no rules at first; the caller destroys it.
MLC_API MlcTypeConverter *mlc_type_converter_create(MlcContext *ctx);
MLC_API void mlc_type_converter_destroy(MlcTypeConverter *tc);
// Rules are tried last added first. A rule appends the types `type` becomes (none: dropped) and
// returns 1, says 0 if it is not for it, or -1 if the type cannot be converted.
typedef int (*MlcTypeRule)(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user);
// `user` is handed to the rule, and must outlive the converter.
MLC_API void mlc_type_converter_add(MlcTypeConverter *tc, MlcTypeRule rule, void *user);
// Makes a value of `type` from `inputs`; NULL if it cannot. Source: old type wanted; target: new
// type wanted. The default for both is builtin.unrealized_conversion_cast.
typedef MlcValue *(*MlcMaterialize)(MlcBuilder *b, MlcType type, MlcValue *const *inputs, size_t n,
                                    void *user);
// The same where a type becomes several: fills `results`, one for each of `types`; false if it
// cannot.
typedef bool (*MlcMaterializeMany)(MlcBuilder *b, const MlcType *types, MlcValue **results,
                                   size_t num_types, MlcValue *const *inputs, size_t n, void *user);
// Tried last added first, before the default.
MLC_API void mlc_type_converter_add_source(MlcTypeConverter *tc, MlcMaterialize fn, void *user);
MLC_API void mlc_type_converter_add_target(MlcTypeConverter *tc, MlcMaterialize fn, void *user);
MLC_API void mlc_type_converter_add_target_many(MlcTypeConverter *tc, MlcMaterializeMany fn,
                                                void *user);
// Appends what `type` becomes; false if it cannot be converted.
MLC_API bool mlc_type_converter_convert(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out);
// NULL: fails, or not one.
MLC_API MlcType mlc_type_converter_convert_one(MlcTypeConverter *tc, MlcType type);
// Whether it stays as it is.
MLC_API bool mlc_type_converter_is_legal(MlcTypeConverter *tc, MlcType type);
// Operands and results.
MLC_API bool mlc_type_converter_is_legal_op(MlcTypeConverter *tc, MlcOp *op);
// And block arguments of its regions, and what a function type says.
MLC_API bool mlc_type_converter_is_legal_signature(MlcTypeConverter *tc, MlcOp *op);

typedef struct MlcConversionTarget MlcConversionTarget;
typedef bool (*MlcLegalFn)(MlcOp *op, void *user);
// Nothing is known of any op at first. The caller destroys it.
MLC_API MlcConversionTarget *mlc_conversion_target_create(MlcContext *ctx);
MLC_API void mlc_conversion_target_destroy(MlcConversionTarget *t);
// What is said of an op goes before what is said of its dialect; said again, the last counts.
MLC_API void mlc_conversion_target_legal_dialect(MlcConversionTarget *t, const char *dialect);
MLC_API void mlc_conversion_target_illegal_dialect(MlcConversionTarget *t, const char *dialect);
MLC_API void mlc_conversion_target_legal_op(MlcConversionTarget *t, const char *op);
MLC_API void mlc_conversion_target_illegal_op(MlcConversionTarget *t, const char *op);
// Legal where `fn` says so of the op.
MLC_API void mlc_conversion_target_dynamic_op(MlcConversionTarget *t, const char *op, MlcLegalFn fn,
                                              void *user);
MLC_API void mlc_conversion_target_dynamic_dialect(MlcConversionTarget *t, const char *d,
                                                   MlcLegalFn fn, void *user);

// A conversion pattern: like MlcPattern, with the operands already in their new types, and
// replacing may change types: the driver inserts materialisations and folds the casts that meet.
// Everything a pattern does goes through `c` (the builder, and the functions below) and is undone
// if it returns false, or if an op that it makes cannot be made legal; then the next one is tried.
typedef struct MlcConversion MlcConversion;
typedef struct MlcValueRange {
    MlcValue *const *values;
    size_t size;
} MlcValueRange;
typedef struct MlcConversionPattern {
    const char *name; // in messages; NULL: the root's
    const char *root; // op name; NULL: any
    unsigned benefit; // higher is tried first, among patterns of equal depth
    // One of the two: each operand is one value, or what its type became (several, none).
    bool (*convert)(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user);
    bool (*convert_ranges)(MlcConversion *c, MlcOp *op, const MlcValueRange *operands, void *user);
    void *user;
    // Names of ops it makes, NULL-terminated, so that patterns from which no chain of patterns
    // leads to legal ops are left out, and short chains come first; NULL: it does not say, which
    // counts as legal.
    const char *const *makes;
    // It may apply to what it made, because each time there is less to do. Others that would are
    // taken for endless, and fail.
    bool is_recursive;
} MlcConversionPattern;
// Whether one of the patterns is for such ops.
MLC_API bool mlc_conversion_has_pattern(const MlcConversionPattern *patterns, size_t num_patterns,
                                        const MlcOpDef *op);
// At the op that is converted, before it.
MLC_API MlcBuilder *mlc_conversion_builder(MlcConversion *c);
// As it was given to the driver.
MLC_API MlcTypeConverter *mlc_conversion_types(MlcConversion *c);
// `values` take the places of the results, as many; their types may be others.
MLC_API void mlc_conversion_replace(MlcConversion *c, MlcOp *op, MlcValue *const *values,
                                    size_t num_values);
// values[i]: what result i became.
MLC_API void mlc_conversion_replace_ranges(MlcConversion *c, MlcOp *op,
                                           const MlcValueRange *values);
MLC_API void mlc_conversion_erase(MlcConversion *c, MlcOp *op);
// Before `op` is changed in place (operands, attributes, successors, result types).
MLC_API void mlc_conversion_modify(MlcConversion *c, MlcOp *op);
// Moves `from`'s blocks into the empty region `to`; take_region also converts the types of their
// arguments, keeping uses right.
MLC_API void mlc_conversion_move_region(MlcConversion *c, MlcRegion *to, MlcRegion *from);
MLC_API MLC_NODISCARD bool mlc_conversion_take_region(MlcConversion *c, MlcRegion *to,
                                                      MlcRegion *from);
MLC_API MLC_NODISCARD bool mlc_conversion_convert_block_args(MlcConversion *c, MlcBlock *block);
// `value` in its new type; NULL if it has none, or several.
MLC_API MlcValue *mlc_conversion_remap(MlcConversion *c, MlcValue *value);
MLC_API MLC_NODISCARD bool mlc_conversion_remap_all(MlcConversion *c, MlcValue *value,
                                                    MlcValueVec *out);
MLC_API bool mlc_conversion_no_match(MlcConversion *c, MlcOp *op, const char *format, ...)
    MLC_PRINTF(3, 4);

// What becomes of a block's arguments, one call for each, in order; extra ones go in between.
typedef struct MlcSignatureMapping {
    size_t first, count; // of `types`
    MlcValue *with;      // or a value from elsewhere
} MlcSignatureMapping;
typedef struct MlcSignatureConversion {
    MlcTypeVec types; // of the arguments after
    MLC_VEC(MlcSignatureMapping) inputs;
} MlcSignatureConversion;
// Frees the lists; the struct, zeroed at first, is the caller's.
MLC_API void mlc_signature_conversion_release(MlcSignatureConversion *signature);
// The next old argument becomes arguments of these types, which may be none.
MLC_API void mlc_signature_conversion_add_input(MlcSignatureConversion *signature,
                                                const MlcType *types, size_t num_types);
// The next old argument goes, and `with` takes its place.
MLC_API void mlc_signature_conversion_add_replaced(MlcSignatureConversion *signature,
                                                   MlcValue *with);
// Stands for none.
MLC_API void mlc_signature_conversion_add_extra(MlcSignatureConversion *signature, MlcType type);
// The next old argument becomes what `types` makes of `type`; false: it cannot be converted.
MLC_API MLC_NODISCARD bool mlc_signature_conversion_add_converted(MlcSignatureConversion *signature,
                                                                  MlcTypeConverter *types,
                                                                  MlcType type);
// Afterwards old arguments can be replaced by what is made of the new ones.
MLC_API void mlc_conversion_replace_arg(MlcConversion *c, MlcValue *old, MlcValue *with);
MLC_API void mlc_conversion_convert_signature(MlcConversion *c, MlcBlock *block,
                                              const MlcSignatureConversion *signature);

// A pattern's `convert_ranges` for ops that carry any types and mean the same with others: calls,
// returns, branches, scf and the like. The op again, with operands, results, block arguments and
// the sizes of groups as the type converter wants them, and a function's type and the attributes of
// its arguments and results.
MLC_API bool mlc_conversion_retype(MlcConversion *c, MlcOp *op, const MlcValueRange *operands,
                                   void *user);

// Patterns for the ops of `dialect` whose records say which op of the dialect `to` they become
// (`lowers_to`; `to` NULL: of any that the context has). What they keep for one conversion is in
// the arena.
typedef MLC_VEC(MlcConversionPattern) MlcConversionPatternVec;
// Appends those of all ops of `dialect`.
MLC_API void mlc_conversion_add_lowerings(MlcContext *ctx, const MlcDialectDef *dialect,
                                          const char *to, MlcArena *arena,
                                          MlcConversionPatternVec *patterns);
// Whether the record says what the op becomes of that dialect; `to` NULL: of any.
MLC_API bool mlc_op_def_lowers_to(const MlcOpDef *op, const char *to);
// An attribute as another op has it: cases of an enumeration by their names, anything else as it
// is. NULL: a case is not there.
MLC_API MlcAttr mlc_lowered_attr(MlcContext *ctx, MlcAttr attr, const MlcAttrSlot *from,
                                 const MlcAttrSlot *to);

// Converts in place what `target` calls illegal inside `root`. Partial: ops of unknown legality may
// stay, but what patterns make must be legal. Full: nothing but legal ops. On failure: one
// diagnostic naming the op, the patterns tried, why each did not apply or what it left illegal;
// `root` is as it was, its ops and values the same ones.
MLC_API bool mlc_convert_partial(MlcOp *root, MlcConversionTarget *target, MlcTypeConverter *types,
                                 const MlcConversionPattern *patterns, size_t num_patterns);
MLC_API bool mlc_convert_full(MlcOp *root, MlcConversionTarget *target, MlcTypeConverter *types,
                              const MlcConversionPattern *patterns, size_t num_patterns);
// Changes nothing: finds which ops inside `root` that are not legal could be converted, in
// pre-order.
MLC_API void mlc_convert_analysis(MlcOp *root, MlcConversionTarget *target, MlcTypeConverter *types,
                                  const MlcConversionPattern *patterns, size_t num_patterns,
                                  MlcOpVec *convertible);

MLC_END_DECLS

#endif
