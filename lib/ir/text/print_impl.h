// print_impl.h -- the printer's insides, shared by print_*.c.
#ifndef MLC_IR_PRINT_IMPL_H
#define MLC_IR_PRINT_IMPL_H

#include "mlc/ir/affine.h"
#include "mlc/ir/asm.h"
#include "mlc/ir/context.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/text.h"
#include "mlc/support/arena.h"
#include "mlc/support/map.h"
#include "mlc/support/vec.h"

typedef enum MlcTypeElision { // of an attribute's trailing `: type`
    MLC_TYPE_NEVER_ELIDED,
    MLC_TYPE_MAY_BE_ELIDED, // the default of its kind: i64, f64
    MLC_TYPE_ELIDED,
} MlcTypeElision;

typedef struct MlcAlias { // of an attribute, type or location, while they are collected and after
    const void *symbol;
    const char *name; // "map"; NULL: has none itself
    uint32_t number;  // printed if > 0
    uint32_t depth;
    bool is_type, is_loc, can_defer;
    MLC_VEC(uint32_t) children; // indices, to take back can_defer
} MlcAlias;
typedef MLC_VEC(MlcAlias) MlcAliasVec;

typedef struct MlcPrintInfo { // what printing asks of an op's definition, found once
    const MlcOpDef *def;
    const struct MlcAsmNames *asm_names; // NULL: none
    MlcStr quoted_name;                  // "arith.addi", with the quotes
    MlcStr dialect;                      // empty: nothing to leave out where it is the default
    const uint16_t *slots;               // by name
    const MlcStr *keys;                  // the names of those as they print
} MlcPrintInfo;

typedef struct MlcPrintedText { // of a type or attribute that was printed before
    const void *symbol;
    MlcStr text;
} MlcPrintedText;

#define MLC_PRINT_SLOTS 64
static inline size_t
mlc_print_slot(const void *of)
{
    return ((uint64_t)(uintptr_t)of * UINT64_C(0x9E3779B97F4A7C15)) >> 58;
}

// An isolated op that is not a symbol table: what is inside has names of its own and can be printed
// by any thread (print_bodies.c).
typedef struct MlcPrintBody {
    MlcOp *op;
    uint32_t num_ops, num_values, num_args; // inside; values without those called %argN
    uint32_t value, argument, conflict;     // where its numbers begin
    bool is_left;                           // values get names when the op is printed
    struct MlcAliasList *found;             // its aliases are these; NULL: not looked for yet
    uint32_t first_alias, end_alias;
} MlcPrintBody;

struct MlcPrinter {
    MlcContext *ctx;
    MlcBuf *buf;
    MlcPrintFlags flags;
    MlcArena arena;
    size_t indent;
    MLC_VEC(const char *) default_dialects;
    // Names of values and blocks (print_name.c).
    uint32_t generation; // of the numbers in values that are ours; 0: all are in `value_words`
    MlcMap value_words;  // value -> the same word
    MLC_VEC(const char *) value_names;
    MlcMap block_numbers; // block -> number
    MlcMap result_groups; // op -> MlcVec of group starts (arena: count, starts...)
    MlcStrMap used_names; // name -> 1 while in scope
    MLC_VEC(MlcStr) names_in_scope;
    uint32_t next_value, next_argument, next_conflict;
    MlcMap infos;                                      // MlcOpDef -> MlcPrintInfo
    MlcMap texts;                                      // types and attributes -> MlcPrintedText
    const MlcPrintInfo *recent_infos[MLC_PRINT_SLOTS]; // a few of each, found at once
    const MlcPrintedText *recent_texts[MLC_PRINT_SLOTS];
    const void *recent_free[MLC_PRINT_SLOTS]; // types and attributes, of alias_free's kind
    struct MlcPrintShape *shapes;             // a table (print_shape.c); NULL until it is needed
    // Aliases (print_alias.c).
    bool is_collecting;
    MlcAliasVec aliases;          // in the order seen; sorted afterwards
    MlcMap alias_index;           // symbol -> index + 1 in aliases
    MlcMap alias_free;            // symbols without anything to alias inside -> 1
    MLC_VEC(uint32_t) * children; // of the symbol being visited
    uint32_t max_depth;
    bool can_defer;
    // Resources named so far.
    MLC_VEC(MlcAttr) resources;
    MlcMap resource_seen;
    uint32_t next_distinct;
    MlcMap distinct_numbers;
    // Several threads (print_bodies.c).
    MLC_VEC(MlcPrintBody) bodies; // in the order of the text
    MlcMap body_index;            // op -> index + 1
    struct MlcPool *pool;         // NULL: this thread prints alone
    struct MlcPrinter *workers;   // one per thread
    struct MlcAliasList *alias_lists;
    size_t num_alias_lists;
    bool is_worker;
    bool gave_up; // a worker met what only the whole text tells
};

void mlc_printer_init(MlcPrinter *p, MlcContext *ctx, const MlcPrintFlags *flags, MlcBuf *out);
void mlc_printer_release(MlcPrinter *p);

// print_value.c
void mlc_print_attr_elided(MlcPrinter *p, MlcAttr attr, MlcTypeElision elision);
void mlc_print_attr_body(MlcPrinter *p, MlcAttr attr, MlcTypeElision elision); // no alias
void mlc_print_type_body(MlcPrinter *p, MlcType type);
void mlc_print_named_attr(MlcPrinter *p, MlcNamedAttr attr);
void mlc_print_loc_body(MlcPrinter *p, MlcLoc loc, bool pretty, bool is_top);
void mlc_print_trailing_loc(MlcPrinter *p, MlcLoc loc, bool allow_alias);
void mlc_print_stripped_attr(MlcPrinter *p,
                             MlcAttr attr); // of a dialect: what follows the mnemonic
void mlc_print_stripped_type(MlcPrinter *p, MlcType type);
void mlc_print_enum(MlcPrinter *p, const MlcAttrDef *def, int64_t value);
void mlc_print_keyword_or_string(MlcBuf *buf, MlcStr text);
// print_affine.c: names of dims and symbols by callback; NULL: d0, s0.
typedef void (*MlcAffineNameFn)(void *user, unsigned position, bool is_symbol);
void mlc_print_affine_expr(MlcBuf *buf, MlcAffineExpr expr, MlcAffineNameFn name, void *user);

// print_info.c
const MlcPrintInfo *mlc_print_info(MlcPrinter *p, const MlcOpDef *def);

// print_name.c
void mlc_name_values(MlcPrinter *p, MlcOp *root);
void mlc_name_body(MlcPrinter *p, const MlcPrintBody *body); // that was left
void mlc_count_body(MlcPrintBody *body, MlcOp *op);          // adds what is inside `op`
bool mlc_printed_block_number(const MlcPrinter *p, const MlcBlock *block, uint32_t *number);
void mlc_release_values(MlcPrinter *p); // others may keep their numbers in values again
void mlc_print_value_name(MlcPrinter *p, const MlcValue *value, bool with_number);
void mlc_print_block_name(MlcPrinter *p, const MlcBlock *block);

// print_alias.c
void mlc_collect_aliases(MlcPrinter *p, MlcOp *root);
bool mlc_print_alias(MlcPrinter *p, const void *symbol);
void mlc_print_alias_definitions(MlcPrinter *p, bool deferred);
bool mlc_visit_symbol(MlcPrinter *p, const void *symbol, bool is_type,
                      bool is_loc); // when collecting; true: is a symbol seen

// Symbols in the order of sight, as a worker found them.
typedef struct MlcAliasList {
    MlcAliasVec aliases;
    uint32_t *outer; // their indices in the printer that asked
} MlcAliasList;
void mlc_collect_from(MlcPrinter *p, MlcOp *op);
// On the way to a body; true: what was found in it is taken, it need not be entered.
bool mlc_collect_body(MlcPrinter *p, MlcPrintBody *body);

// print_bodies.c
static inline MlcPrintBody *
mlc_print_body(const MlcPrinter *p, const MlcOp *op)
{
    uint64_t index;
    if (!p->bodies.size || !mlc_map_get_u64(&p->body_index, (uint64_t)(uintptr_t)op, &index))
        return NULL;
    return &p->bodies.data[index - 1];
}
// Finds the bodies in a root that is printed whole and known to be valid.
void mlc_print_bodies_begin(MlcPrinter *p, MlcOp *root);
void mlc_print_bodies_end(MlcPrinter *p);
// Prints lines for ops from `op` on, by threads; returns the next op to print. `end`: none of it.
MlcOp *mlc_print_ops(MlcPrinter *p, MlcOp *op, const MlcOp *end);

// print_op.c
// mlc_op_print of an op that is valid, or in generic form.
void mlc_print_root(MlcOp *op, const MlcPrintFlags *flags, MlcBuf *out);
void mlc_print_op_line(MlcPrinter *p, MlcOp *op);
void mlc_print_op(MlcPrinter *p,
                  MlcOp *op); // results, op, trailing location; no indent, no newline
void mlc_print_op_dict(MlcPrinter *p, MlcOp *op, const char *const *elided, const uint32_t *slots,
                       size_t num_slots, bool keyword, bool with_inherent);

// print_format.c
void mlc_format_print_op(MlcPrinter *p, MlcOp *op, const MlcFormat *format);
void mlc_format_print_params(MlcPrinter *p, const MlcFormat *format, const MlcParamDef *defs,
                             const MlcAttr *params, const MlcAttrDef *enumeration);
void mlc_print_slot_attr(MlcPrinter *p, const MlcConstraint *constraint, MlcAttr attr,
                         bool qualified);

#endif
