// asm.h -- for the few ops, types and attributes whose syntax no format can say: the parser and
// printer as hooks see them.
//
// Optional-parse functions return 1 (read), 0 (not there, nothing consumed) or -1 (an error was
// reported).
//
// Ownership: parser and printer are the caller's of the hook, borrowed until it returns.
// Threads: a hook runs in the thread that reads or prints; bodies of isolated ops are read by
// several.
#ifndef MLC_IR_ASM_H
#define MLC_IR_ASM_H

#include "mlc/ir/interfaces.h"

MLC_BEGIN_DECLS

typedef struct MlcParser MlcParser;
typedef struct MlcPrinter MlcPrinter;

// A reference to a value not yet resolved: name, number, place in the text. Resolved with its type
// once that is known.
typedef struct MlcOperandRef {
    MlcStr name; // "%x" without number
    unsigned number;
    const char *at;
} MlcOperandRef;
typedef MLC_VEC(MlcOperandRef) MlcOperandRefVec;
typedef struct MlcBlockArgRef { // `%arg: type loc(...)`
    MlcOperandRef ref;
    MlcType type;
    MlcAttr attrs;
    MlcLoc loc;
} MlcBlockArgRef;
typedef MLC_VEC(MlcBlockArgRef) MlcBlockArgRefVec;
typedef MLC_VEC(MlcNamedAttr) MlcNamedAttrVec;

// An op being parsed. Regions are created detached and moved into the op.
typedef struct MlcOpBuild {
    const MlcOpDef *def;
    MlcLoc loc;
    MlcValueVec operands;
    MlcTypeVec result_types;
    MlcNamedAttrVec attrs;
    MLC_VEC(MlcBlock *) successors;
    MLC_VEC(MlcRegion *) regions; // made by mlc_op_build_region
    size_t num_results;           // named on the left-hand side
    bool has_properties;          // the generic form's `<...>` was there:
    size_t num_properties;        // the first of `attrs` stood in it, or
    MlcAttr properties;           // it is this attribute
    MlcOperandRefVec refs;        // the operands of the generic form, until their types are known
    struct MlcOpBuild *outer;     // being read too, around this one
} MlcOpBuild;
// A new empty region of the op.
MLC_API MlcRegion *mlc_op_build_region(MlcParser *p, MlcOpBuild *op);
// Sets an attribute of the op that is being read; one of that name is replaced.
MLC_API void mlc_op_build_attr(MlcParser *p, MlcOpBuild *op, const char *name, MlcAttr value);

// The context that is parsed into.
MLC_API MlcContext *mlc_parser_context(MlcParser *p);
// mlc_dialect_type_set_body for a type that is being read. False: it has another body.
MLC_API bool mlc_parser_set_type_body(MlcParser *p, MlcType type, MlcAttr body);
MLC_API MlcLoc mlc_parser_loc(MlcParser *p); // of the next token
// At the next token.
MLC_API bool mlc_parser_error(MlcParser *p, const char *format, ...) MLC_PRINTF(2, 3);
// An error at a place that was read before; returns false.
MLC_API bool mlc_parser_error_at(MlcParser *p, MlcLoc loc, const char *format, ...)
    MLC_PRINTF(3, 4);
// Punctuation or keyword by its text: "(", "->", "to", "::" ...
MLC_API bool mlc_parse_token(MlcParser *p, const char *text);          // or an error "expected '('"
MLC_API bool mlc_parse_optional_token(MlcParser *p, const char *text); // true if it was there
MLC_API bool mlc_parse_keyword_any(MlcParser *p, MlcStr *keyword);
MLC_API bool mlc_parse_optional_keyword_any(MlcParser *p, MlcStr *keyword);
MLC_API bool mlc_parse_integer(MlcParser *p, int64_t *value); // with sign
MLC_API int mlc_parse_optional_integer(MlcParser *p, int64_t *value);
MLC_API bool mlc_parse_string(MlcParser *p, MlcStr *value); // unescaped
MLC_API int mlc_parse_optional_string(MlcParser *p, MlcStr *value);
MLC_API bool mlc_parse_attribute(MlcParser *p, MlcType type_hint, MlcAttr *attr);
// `type_hint`: of a number without a type; may be NULL.
MLC_API int mlc_parse_optional_attribute(MlcParser *p, MlcType type_hint, MlcAttr *attr);
// Parameters only, no mnemonic.
MLC_API bool mlc_parse_attr_of(MlcParser *p, const MlcAttrDef *def, MlcAttr *attr);

MLC_API bool mlc_parse_symbol_name(MlcParser *p, MlcStr *name); // @name
// True if it was there.
MLC_API bool mlc_parse_optional_symbol_name(MlcParser *p, MlcStr *name);
// `{...}`, or nothing, into the attributes of `op`; the second wants the keyword `attributes`
// before it.
MLC_API bool mlc_parse_attr_dict(MlcParser *p, MlcOpBuild *op);
MLC_API bool mlc_parse_attr_dict_with_keyword(MlcParser *p, MlcOpBuild *op);
// Any type.
MLC_API bool mlc_parse_type_into(MlcParser *p, MlcType *type);
MLC_API int mlc_parse_optional_type(MlcParser *p, MlcType *type);
MLC_API bool mlc_parse_type_list(MlcParser *p, MlcTypeVec *types); // a, b, c
// True if there is no arrow.
MLC_API bool mlc_parse_optional_arrow_types(MlcParser *p, MlcTypeVec *types);

MLC_API bool mlc_parse_arrow_types(MlcParser *p, MlcTypeVec *types); // -> t, -> (a, b)
MLC_API bool mlc_parse_function_type(MlcParser *p, MlcType *type);   // (a) -> b
// One reference, `%x` or `%x#1`, or a list of them with commas, which may be empty; not resolved
// yet.
MLC_API bool mlc_parse_operand(MlcParser *p, MlcOperandRef *ref);
MLC_API int mlc_parse_optional_operand(MlcParser *p, MlcOperandRef *ref);
MLC_API bool mlc_parse_operand_list(MlcParser *p, MlcOperandRefVec *refs);
// The same within parentheses or brackets, which may be empty.
// Until something else comes.
MLC_API bool mlc_parse_operands_within(MlcParser *p, const char *open, const char *close,
                                       MlcOperandRefVec *refs);
// Appends the value to the operands of `op`, or a placeholder if it is defined further below.
// False: it has another type.
MLC_API bool mlc_resolve_operand(MlcParser *p, const MlcOperandRef *ref, MlcType type,
                                 MlcOpBuild *op);
// Counts must agree, or an error.
MLC_API bool mlc_resolve_operands(MlcParser *p, const MlcOperandRefVec *refs,
                                  const MlcTypeVec *types, MlcLoc loc, MlcOpBuild *op);
// `{...}` into an empty region; `args` are the arguments of its entry block if the syntax gave them
// before, else NULL.
MLC_API bool mlc_parse_region(MlcParser *p, MlcRegion *region, const MlcBlockArgRefVec *args);
MLC_API int mlc_parse_optional_region(MlcParser *p, MlcRegion *region,
                                      const MlcBlockArgRefVec *args);
// `%arg`, with `: type` if `with_type`; attributes and a location if they are there.
MLC_API bool mlc_parse_block_arg(MlcParser *p, bool with_type, MlcBlockArgRef *arg);
// `^name`; the block may be defined later.
MLC_API bool mlc_parse_successor(MlcParser *p, MlcBlock **block);
// %i + 1, %j, and what closes the list (NULL: whatever).
MLC_API bool mlc_parse_affine_map_of_operands(MlcParser *p, const char *close, MlcAffineMap *map,
                                              MlcOperandRefVec *dims, MlcOperandRefVec *symbols);
MLC_API bool mlc_parse_optional_loc(MlcParser *p, MlcLoc *loc);
// int64 list with `?`-like SSA entries: [%a, 4, ?] (tensor.extract_slice and kin).
MLC_API bool mlc_parse_dynamic_index_list(MlcParser *p, const char *open, const char *close,
                                          MlcOperandRefVec *values, MlcAttr *statics);

MLC_API MlcBuf *mlc_printer_buf(MlcPrinter *p); // append text here
// Text as it stands, NUL-terminated.
MLC_API void mlc_print_str(MlcPrinter *p, const char *text);
// A new line, `deeper` levels further in from here on.
MLC_API void mlc_print_newline(MlcPrinter *p, int deeper);

MLC_API void mlc_print_dedent(MlcPrinter *p); // a level back
// The name of the value.
MLC_API void mlc_print_operand(MlcPrinter *p, MlcValue *value);
// Comma separated.
MLC_API void mlc_print_operands(MlcPrinter *p, MlcOp *op, size_t first, size_t count);
// With aliases where the module has them.
MLC_API void mlc_print_type(MlcPrinter *p, MlcType type);
// With aliases where the module has them; the second leaves out the type behind a number.
MLC_API void mlc_print_attribute(MlcPrinter *p, MlcAttr attr);
MLC_API void mlc_print_attribute_without_type(MlcPrinter *p, MlcAttr attr);
// `@name`, quoted where it must be, and `^block`.
MLC_API void mlc_print_symbol_name(MlcPrinter *p, MlcStr name);
MLC_API void mlc_print_successor(MlcPrinter *p, MlcBlock *block);
// NULL-terminated; leading space.
MLC_API void mlc_print_attr_dict(MlcPrinter *p, MlcOp *op, const char *const *elided);
// The same with `attributes` before it.
MLC_API void mlc_print_attr_dict_with_keyword(MlcPrinter *p, MlcOp *op, const char *const *elided);
// An op that stands in its parent's line: no results, no location.
MLC_API void mlc_print_inner_op(MlcPrinter *p, MlcOp *op);
MLC_API void mlc_print_region(MlcPrinter *p, MlcRegion *region, bool entry_args, bool terminator,
                              bool empty_block);
MLC_API void mlc_print_block_arg(MlcPrinter *p, MlcValue *arg, bool with_type);
// ` loc(...)`, where locations are printed.
MLC_API void mlc_print_arg_loc(MlcPrinter *p, MlcValue *arg);
// `(ins) -> outs`.
MLC_API void mlc_print_function_type(MlcPrinter *p, const MlcType *ins, size_t num_ins,
                                     const MlcType *outs, size_t num_outs);
// ` -> ...` if there are results.
MLC_API void mlc_print_arrow_types(MlcPrinter *p, const MlcOp *op);
// The results of `map` over operands, as mlc_parse_affine_map_of_operands reads them: dimensions
// come first, then symbols.
MLC_API void mlc_print_affine_map_of_operands(MlcPrinter *p, MlcAffineMap map,
                                              MlcValue *const *operands);
// As mlc_parse_dynamic_index_list reads it: `values` stand where `statics` is MLC_DYNAMIC.
MLC_API void mlc_print_dynamic_index_list(MlcPrinter *p, const char *open, const char *close,
                                          MlcValue *const *values, MlcAttr statics);

// The signature of a function-like op: `(%a: i32 {x.y}, %b: f32) -> (i32 {x.y})`, with names if it
// has a body, types alone if it has none; `...` at the end where variadic.
typedef struct MlcSignature {
    MlcBlockArgRefVec args; // unnamed ones: `ref.name` is empty
    MlcTypeVec results;
    MLC_VEC(MlcAttr) result_attrs; // a dictionary each, or NULL
    bool is_variadic;
} MlcSignature;
// False after an error. Either way the caller releases it.
MLC_API bool mlc_parse_signature(MlcParser *p, bool allow_variadic, MlcSignature *signature);
// Sets `function_type`.
MLC_API void mlc_signature_set_type(MlcParser *p, const MlcSignature *signature, MlcOpBuild *op);
// Sets `arg_attrs` and `res_attrs` where there are any.
MLC_API void mlc_signature_set_attrs(MlcParser *p, const MlcSignature *signature, MlcOpBuild *op);
// Of the arguments, appended.
MLC_API void mlc_signature_types(const MlcSignature *signature, MlcTypeVec *args);
// Frees the lists; the struct is the caller's.
MLC_API void mlc_signature_release(MlcSignature *signature);
// `body` gives the names of arguments; NULL or empty: types alone.
MLC_API void mlc_print_signature(MlcPrinter *p, MlcOp *op, const MlcType *args, size_t num_args,
                                 const MlcType *results, size_t num_results, bool is_variadic,
                                 MlcRegion *body);

MLC_END_DECLS

#endif
