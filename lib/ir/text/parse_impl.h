// parse_impl.h -- the parser's insides, shared by parse_*.c, the lexer and the grammar.
#ifndef MLC_IR_PARSE_IMPL_H
#define MLC_IR_PARSE_IMPL_H

#include "mlc/ir/affine.h"
#include "mlc/ir/asm.h"
#include "mlc/ir/context.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/text.h"
#include "mlc/support/arena.h"
#include "mlc/support/map.h"
#include "mlc/support/vec.h"
#include "context/memo.h"

// lexer.l
#define MAX_BRACKETS 1024 // in each other, in the raw text of a dialect's symbol

typedef struct MlcLexer {
    MlcStr text;
    const char *at; // behind the last token
    bool in_dims;   // in a dimension list
    void *scanner;
    const char *shaped; // the end of the last tensor, vector or memref
    const char *failed; // where the body of a foreign symbol goes wrong, and what stays open
    char unbalanced;    // 0: more than MAX_BRACKETS are open
    bool (*is_foreign)(void *user, MlcStr dialect); // no registered dialect has this name
    void *user;
} MlcLexer;
void mlc_lexer_init(MlcLexer *lexer, MlcStr text, bool (*is_foreign)(void *user, MlcStr dialect),
                    void *user);
void mlc_lexer_release(MlcLexer *lexer);
int mlc_lexer_flex(MlcLexer *lexer, const char **start, const char **end); // from lexer->at on
// scan.c
int mlc_lexer_next(MlcLexer *lexer, const char **start, const char **end); // 0 at the end
void mlc_lexer_seek(MlcLexer *lexer, const char *at, bool in_dims);

typedef struct MlcToken {
    int kind;
    const char *at, *end;
} MlcToken;

static inline MlcStr
mlc_token_str(MlcToken token)
{
    return mlc_str_n(token.at, (size_t)(token.end - token.at));
}

// One entry into the grammar.
typedef struct MlcRun {
    int start;       // the token that selects the non-terminal; 0 once it was given
    bool pending;    // the parser's token has been given to bison and is not yet behind it
    bool is_virtual; // the token given last stands for several, from `virtual_at`
    const char *virtual_at;
    MlcType hint;            // of the outermost attribute; NULL: it carries its own
    unsigned affine;         // inside of affine maps: names are not keywords
    int affine_part;         // 0, or the token that began the second part of a map or set
    unsigned affine_nesting; // and how deep it stood
    unsigned nesting;
    MlcOperandRefVec *dims, *symbols; // of an affine map of SSA values
    // What was read.
    MlcType type;
    MlcAttr attr;
    MlcLoc loc;
    MlcAffineMap map;
    MlcIntegerSet set;
    bool start_was_attr, start_was_loc;
    unsigned just_closed, num_terms;
    int last, before, before_minus,
        openers[32]; // what stood before the open brackets, for messages
} MlcRun;

// A number, string or bool of a dense literal, kept until its type is known.
typedef struct MlcLiteral {
    int token;
    bool negative;
    const char *at;
    MlcStr text;
} MlcLiteral;
typedef struct MlcLiteralList {
    MLC_VEC(MlcLiteral) elements;
    MLC_VEC(int64_t) shape; // as far as it is known; -1: not yet
    unsigned depth;
    size_t leaf_depth; // + 1; 0: no leaf yet
    bool is_bad;       // ragged
    bool is_list;      // anything in brackets
    bool is_complex, in_complex;
} MlcLiteralList;

typedef struct MlcSsaEntry MlcSsaEntry;
typedef struct MlcSsaName {
    MlcSsaEntry *top; // of the innermost isolated scope that knows it
} MlcSsaName;
#define MLC_SSA_CHUNK 1024 // names

typedef struct MlcSsaValue { // `%x#i`
    MlcValue *value;         // NULL: not seen yet
    const char *at;          // where it was defined, or first used
    bool is_forward;         // a placeholder
} MlcSsaValue;

struct MlcSsaEntry {
    MlcSsaName *name;
    MlcSsaEntry *outer;  // in an enclosing isolated scope; else the next free entry
    MlcSsaValue *values; // &one, or in the arena
    MlcSsaValue one;
    uint32_t num_values;
    uint32_t isolation; // of its scope
    bool was_forward;   // also stands in `isolated`
    bool is_recorded;   // stands in `defined`
};

typedef struct MlcBlockName {
    MlcStr name;
    struct MlcBlockEntry *top;
} MlcBlockName;
typedef struct MlcBlockEntry {
    MlcBlockName *name;
    struct MlcBlockEntry *outer;
    struct MlcBlockEntry *next; // in the same region
    MlcBlock *block;
    const char *at;
    uint32_t region;
    bool is_defined;
} MlcBlockEntry;

typedef struct MlcForward { // a placeholder for a value used before its definition
    MlcOp *op;              // NULL: was defined
    const char *at;
    MlcStr name;
} MlcForward;

// A trailing loc(#alias) whose alias was not known yet.
typedef struct MlcDeferredLoc {
    const char *at;
    MlcStr alias;
    MlcOp *op; // else
    MlcBlock *block;
    size_t arg;
} MlcDeferredLoc;

// The body of an isolated op that was stepped over, to be read by some thread (parse_bodies.c).
typedef struct MlcBody {
    MlcBlock *block;        // the entry, which holds the place in the op's region
    const char *at, *close; // behind the '{', and the '}'
    const MlcBlockArgRef *args;
    size_t num_args;
    unsigned depth;
    const char *default_dialect;
} MlcBody;

struct MlcParser {
    MlcContext *ctx;
    MlcStr name; // in locations
    MlcLoc file; // line 0, column 0 of it
    MlcStr text;
    MlcLexer lexer;
    MlcToken tok;         // the next token
    const char *prev_end; // end of the one before
    MlcArena arena;       // lives as long as the parser
    bool failed;
    bool skips_blobs; // of the file's resources
    unsigned depth;
    uint64_t nesting_limit;
    MLC_VEC(uint32_t) lines; // offsets of their starts, found when first asked for
    size_t line_hint;

    // Scratch of the grammar: lists being read, used as stacks.
    MlcTypeVec types;
    MLC_VEC(MlcAttr) attrs;
    MlcNamedAttrVec named;
    MLC_VEC(int64_t) ints;
    MLC_VEC(uint8_t) flags;      // which dimensions are scalable
    MLC_VEC(uint8_t) equalities; // which constraints of the set that is being read
    MLC_VEC(MlcStr) names;
    MLC_VEC(MlcLoc) locs;
    MLC_VEC(MlcAffineExpr) exprs;
    MLC_VEC(struct {
        MlcStr name;
        MlcAffineExpr expr;
    })
    affine_ids;
    MlcLiteralList literal, sparse_indices;

    MlcStrMap attr_aliases, type_aliases;
    MlcStrMap alias_sizes; // by their names with sigils: bytes, were all aliases written out
    uint64_t expansion, expansion_limit; // what the aliases read so far would take
    MlcMemo type_memo, attr_memo;        // texts, one word or in brackets -> what they gave
    MlcMemo attr_names;                  // -> string attributes
    MlcParseOptions options;
    MlcMemo ops;         // op names seen: MlcOpDef
    MlcStr last_dialect; // of is_foreign
    bool last_foreign;

    // Scopes.
    MlcMemo ssa_names;                    // MlcSsaName
    MLC_VEC(MlcSsaName *) numbered_names; // of %0, %1 ...: chunks, NULL where none was seen
    MlcStrMap block_names;                // MlcBlockName
    uint32_t isolation, region, next_isolation, next_region;
    MLC_VEC(MlcSsaEntry *) defined;  // in the regions being read, innermost last
    MLC_VEC(MlcSsaEntry *) isolated; // entries of isolated scopes that began as forward references
    MlcSsaEntry *free_entries;
    MlcBlockEntry *region_blocks;
    MLC_VEC(MlcForward) forwards;
    MlcMap forward_index;         // placeholder op -> index in forwards
    MLC_VEC(MlcOpBuild *) builds; // not in use
    MlcOpBuild *build;            // being read, innermost
    const char *symbol;           // the '<' of the dialect's symbol that is read, outermost
    MlcTypeVec inputs;            // of a signature in the generic form
    MLC_VEC(struct MlcFormatParse *) formats; // not in use
    MlcMap format_infos;                      // MlcOpDef -> MlcFormatInfo
    struct MlcFormatInfo *recent_formats[64]; // some of them, by a few bits of the address
    struct MlcPlainAttr *plain_attrs;         // by a hash (parse_plain.c); NULL until needed
    const MlcOpDef *holder_def, *placeholder_def;
    const MlcOpDef *reading; // the innermost op
    struct MlcPool *pool;    // NULL: everything is read at once
    MLC_VEC(MlcBody) bodies;
    MlcStrMap late_aliases; // defined behind the first of them: where
    const MlcParser *outer; // whose bodies are read; NULL: the parser of the file
    const char
        *custom_op; // whose custom form is being read: upstream names it in the messages of hooks
    bool in_custom_isolated; // regions read by the current custom op are isolated scopes
    MLC_VEC(MlcDeferredLoc) deferred_locs;
    MLC_VEC(MlcOp *) holders;         // ops that lend a region
    MLC_VEC(MlcOp *) dead;            // what a failure left
    MLC_VEC(MlcBlock *) loose_blocks; // named, never defined
    MLC_VEC(const char *) default_dialects;
    MLC_VEC(struct {
        MlcStr name;
        const char *at;
        size_t count;
    })
    results;
};

// parse_text.c: aliases. NULL: not defined before the place `at`.
// Counts what the alias stands for; false, after an error, if that is too much.
bool mlc_parser_expand_alias(MlcParser *p, MlcStr name, const void *value, const char *at);
const void *mlc_parser_type_alias(const MlcParser *p, MlcStr name, const char *at);
const void *mlc_parser_attr_alias(const MlcParser *p, MlcStr name, const char *at);

// parse_text.c: tokens.
void mlc_parser_advance(MlcParser *p); // scan.c
void mlc_parser_report_bad(MlcParser *p);
void mlc_parser_reset(MlcParser *p, const char *at, bool dims); // goes (back) to `at`
MlcLoc mlc_parser_loc_of(MlcParser *p, const char *at);
bool mlc_parser_fail_at(MlcParser *p, const char *at, const char *format, ...) MLC_PRINTF(3, 4);
bool mlc_parser_fail_custom(MlcParser *p, const char *at, const char *format, ...)
    MLC_PRINTF(3, 4); // "custom op 'x' ..."
bool mlc_parser_fail_wrong(MlcParser *p, const char *format, ...)
    MLC_PRINTF(2, 3); // behind the last token
bool mlc_parser_init(MlcParser *p, MlcContext *ctx, MlcStr text, MlcStr name);
bool mlc_parser_init_idle(MlcParser *p, MlcContext *ctx, MlcStr text,
                          MlcStr name); // no token yet: mlc_parser_reset
void mlc_parser_release(MlcParser *p);
static inline bool
mlc_parser_is(const MlcParser *p, int kind)
{
    return p->tok.kind == kind;
}
bool mlc_parser_take(MlcParser *p,
                     int kind); // true and consumed, if the next token is of that kind
bool mlc_parser_expect(MlcParser *p, int kind, const char *what); // "expected <what>"
static inline bool
mlc_token_is(MlcToken token, const char *text)
{
    size_t size = strlen(text);
    return (size_t)(token.end - token.at) == size && memcmp(token.at, text, size) == 0;
}
bool mlc_parser_unescape(MlcParser *p, MlcToken token,
                         MlcStr *value); // of TOK_STRING, and TOK_AT with quotes
// Whether the '<' at `at` is closed; if not, `failed` and `unbalanced` say why.
bool mlc_lexer_is_closed(MlcLexer *lexer, const char *at);
bool mlc_parser_nest(MlcParser *p); // one level deeper, or an error; undone by p->depth--

// parse_text.c: the grammar's entry, and what its actions call.
bool mlc_text_run(MlcParser *p, MlcRun *run, int start);
int mlc_text_keyword(MlcStr text);                        // TOK_..., 0: none
bool mlc_parse_dialect_type(MlcParser *p, MlcType *type); // at TOK_BANG
bool mlc_parse_dialect_attr(MlcParser *p, MlcType hint, MlcAttr *attr);

// parse_attr.c: what the grammar's actions make. Those that give nothing have reported why.
MlcAttr mlc_text_number(MlcParser *p, int token, MlcStr text, const char *at, bool negative,
                        MlcType type);
MlcAttr mlc_text_bool(MlcParser *p, MlcRun *run, bool value);
MlcAttr mlc_text_dense(MlcParser *p, MlcLiteralList *list, MlcType type, const char *at);
MlcAttr mlc_text_dense_array(MlcParser *p, MlcType element, const char *at);
MlcAttr mlc_text_resource(MlcParser *p, MlcStr key, MlcType type, const char *at);
MlcAttr mlc_text_sparse(MlcParser *p, MlcLiteralList *indices, MlcLiteralList *values, MlcType type,
                        const char *at);
MlcAttr mlc_text_distinct(MlcParser *p, MlcStr number, MlcAttr referenced);
MlcAttr mlc_text_dict(MlcParser *p, size_t mark);
MlcAttr mlc_text_symbol(MlcParser *p, size_t mark);
MlcAttr mlc_text_strided(MlcParser *p, size_t mark, int64_t offset);
MlcType mlc_text_int_type(MlcParser *p, MlcStr text);
MlcType mlc_text_shaped(MlcParser *p, int kind, size_t dims, MlcType element, size_t extras,
                        const char *at);
bool mlc_text_push_dim(MlcParser *p, MlcStr text, bool scalable);
bool mlc_text_push_entry(MlcParser *p, MlcStr name, MlcAttr value, bool quoted);
bool mlc_text_small_int(MlcParser *p, MlcStr text, int64_t *value);
MlcStr mlc_text_unquote(MlcParser *p, MlcStr text); // data NULL: an error
MlcLoc mlc_text_file_loc(MlcParser *p, MlcStr file, MlcStr line, MlcStr column);
void mlc_literal_list_init(MlcLiteralList *list);
void mlc_literal_list_swap(MlcLiteralList *a, MlcLiteralList *b);
void mlc_literal_open(MlcLiteralList *list);
void mlc_literal_close(MlcLiteralList *list, size_t count);
void mlc_literal_leaf(MlcLiteralList *list, int token, bool negative, MlcStr text);
void mlc_literal_complex(MlcLiteralList *list, bool begins);
// parse_affine.c
MlcAffineExpr mlc_text_affine_binary(MlcParser *p, MlcAffineKind kind, MlcAffineExpr a,
                                     MlcAffineExpr b, const char *at);
bool mlc_text_affine_constant(MlcParser *p, MlcStr text, int64_t *value);
bool mlc_text_affine_find(MlcParser *p, MlcStr name, MlcAffineExpr *expr);
bool mlc_text_affine_declare(MlcParser *p, MlcStr name, bool is_symbol, unsigned position);
MlcAffineExpr mlc_text_affine_operand(MlcParser *p, MlcRun *run, MlcStr name, bool is_symbol);
MlcIntegerSet mlc_text_make_set(MlcParser *p, unsigned dims, unsigned symbols, size_t mark);

// parse_op.c
MlcOp *mlc_parser_top_level(MlcParser *p);
// A module with an empty block, located at the file as a whole.
MlcOp *mlc_make_module(MlcContext *ctx, MlcStr file);
// mlc_parse_source of what is known to be text.
MlcOp *mlc_parse_text(MlcContext *ctx, MlcStr text, MlcStr name, const MlcParseOptions *options);
// What stands beside the module, without the module: from the last "{-#" on, as far as it can be
// read.
void mlc_parse_external_resources(MlcContext *ctx, MlcStr text, MlcStr name,
                                  MlcExternalResources *resources);
void mlc_parser_drop_leftovers(MlcParser *p);
void mlc_parser_add_entry_args(MlcParser *p, MlcBlock *block, const MlcBlockArgRefVec *args);
bool mlc_parser_read_body(MlcParser *p, const MlcBody *body);
// parse_properties.c
bool mlc_parse_properties(MlcParser *p, MlcOpBuild *op);
// Whether the value could be held where the constraint is; the rest is the verifier's business.
bool mlc_constraint_has_kind(const MlcConstraint *c, MlcAttr value);
// Of the op read up to its type; `at`: its name.
bool mlc_parser_check_properties(MlcParser *p, MlcOpBuild *op, const char *at);
// parse_bodies.c
bool mlc_parser_leave_body(MlcParser *p, MlcRegion *region,
                           const MlcBlockArgRefVec *args); // from behind the '{' to the '}'
bool mlc_parser_read_bodies(MlcParser *p);
// False, with nothing changed: the text is to be read by this thread alone.
bool mlc_parse_in_threads(MlcContext *ctx, MlcStr text, MlcStr name, const MlcParseOptions *options,
                          MlcOp **module);
// external_resources.c
void mlc_external_resources_truncate(MlcExternalResources *resources, size_t size);
bool mlc_parser_resolve(MlcParser *p, const MlcOperandRef *ref, MlcType type, MlcValue **value);
// parse_asm.c: a type of which the same characters were read before, or false.
bool mlc_parse_known_type(MlcParser *p, MlcType *type);
void mlc_parser_skip_slice(MlcParser *p, MlcStr text);          // to behind it
bool mlc_parse_named_attrs(MlcParser *p, MlcNamedAttrVec *out); // { a = b, ... }
bool mlc_parser_has_attr(const MlcOpBuild *op, MlcStr name);

// parse_format.c
typedef struct MlcFormatParse MlcFormatParse;
bool mlc_format_parse_op(MlcParser *p, MlcOpBuild *op);
bool mlc_parse_enum(MlcParser *p, const MlcAttrDef *def, MlcAttr *attr); // its keyword(s)
const MlcAttrDef *mlc_constraint_enum(MlcContext *ctx,
                                      const MlcConstraint *constraint); // NULL: no enumeration
const MlcTypeDef *mlc_constraint_type_def(MlcContext *ctx, const MlcConstraint *constraint);
// An inherent attribute or parameter as formats write it. 1: read, 0: `optional` and not there, -1:
// error.
void mlc_format_state_release(MlcFormatParse *s);
int mlc_parse_slot_attr(MlcParser *p, const MlcConstraint *constraint, const char *name,
                        bool optional, MlcAttr *attr);
int mlc_parse_hinted_attr(MlcParser *p, const MlcConstraint *constraint, MlcType hint,
                          const char *name, bool optional, MlcAttr *attr);

// parse_params.c: what the format of a definition reads.
bool mlc_parse_type_params(MlcParser *p, const MlcTypeDef *def, MlcAttr *params);
bool mlc_parse_attr_params(MlcParser *p, const MlcAttrDef *def, MlcAttr *params);
// An enumeration as the one parameter of its attribute.
bool mlc_parse_enum_param(MlcParser *p, const MlcAttrDef *def, MlcAttr *attr);

// The attribute or type that `text` begins with; *num_read: where what follows it begins.
MlcAttr mlc_parse_attr_prefix(MlcContext *ctx, MlcStr text, size_t *num_read);
MlcType mlc_parse_type_prefix(MlcContext *ctx, MlcStr text, size_t *num_read);

#endif
