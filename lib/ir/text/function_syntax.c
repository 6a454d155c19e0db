// function_syntax.c -- signatures of function-like ops, shared by func.func, gpu.func and
// llvm.func.
#include "mlc/ir/asm.h"

#include "parse_impl.h"
#include "print_impl.h"
#include "text.tab.h"
#include "mlc/ir/attr.h"

bool
mlc_parse_optional_arrow_types(MlcParser *p, MlcTypeVec *types)
{
    MlcType type;
    if (!mlc_parse_optional_token(p, "->"))
        return true;
    if (mlc_parse_optional_token(p, "("))
        return mlc_parse_optional_token(p, ")") ||
               (mlc_parse_type_list(p, types) && mlc_parse_token(p, ")"));
    if (!mlc_parse_type_into(p, &type))
        return false;
    mlc_vec_push(types, type);
    return true;
}

// A dictionary in braces, if one is there; a location in its place belongs to an unnamed argument
// and is dropped.
static bool
parse_optional_dict(MlcParser *p, MlcAttr *dict)
{
    *dict = NULL;
    int found = mlc_parse_optional_attribute(p, NULL, dict);
    if (found <= 0)
        return found == 0;
    if (mlc_attr_is(*dict, MLC_ATTR_LOC))
        *dict = NULL;
    else if (!mlc_attr_is(*dict, MLC_ATTR_DICT))
        return mlc_parser_error(p, "expected attribute dictionary");
    return true;
}

// `%a: type {attrs} loc` or `type {attrs}`; all arguments have names, or none has.
static bool
parse_arg(MlcParser *p, MlcSignature *s)
{
    MlcBlockArgRef arg = {0};
    bool is_first = s->args.size == 0;
    bool named = !is_first && s->args.data[0].ref.name.size > 0;
    if (mlc_parser_is(p, TOK_PERCENT)) {
        if (!is_first && !named)
            return mlc_parser_error(p, "expected type instead of SSA identifier");
        if (!mlc_parse_block_arg(p, true, &arg))
            return false;
    } else {
        if (named)
            return mlc_parser_error(p, "expected SSA identifier");
        if (!mlc_parse_type_into(p, &arg.type))
            return false;
        arg.loc = mlc_parser_loc(p);
        if (!parse_optional_dict(p, &arg.attrs))
            return false;
    }
    mlc_vec_push(&s->args, arg);
    return true;
}

static bool
parse_args(MlcParser *p, bool allow_variadic, MlcSignature *s)
{
    if (!mlc_parse_token(p, "("))
        return false;
    if (mlc_parse_optional_token(p, ")"))
        return true;
    do {
        if (allow_variadic && mlc_parse_optional_token(p, "...")) {
            s->is_variadic = true;
            MlcLoc loc = mlc_parser_loc(p);
            if (mlc_parse_optional_token(p, ","))
                return mlc_parser_error_at(
                    p, loc, "variadic arguments must be in the end of the argument list");
            break;
        }
        if (!parse_arg(p, s))
            return false;
    } while (mlc_parse_optional_token(p, ","));
    return mlc_parse_token(p, ")");
}

static bool
parse_result(MlcParser *p, bool with_attrs, MlcSignature *s)
{
    MlcType type;
    MlcAttr attrs = NULL;
    if (!mlc_parse_type_into(p, &type) || (with_attrs && !parse_optional_dict(p, &attrs)))
        return false;
    mlc_vec_push(&s->results, type);
    mlc_vec_push(&s->result_attrs, attrs);
    return true;
}

static bool
parse_results(MlcParser *p, MlcSignature *s)
{
    if (!mlc_parse_optional_token(p, "->"))
        return true;
    if (!mlc_parse_optional_token(p, "("))
        return parse_result(p, false, s);
    if (mlc_parse_optional_token(p, ")"))
        return true;
    do
        if (!parse_result(p, true, s))
            return false;
    while (mlc_parse_optional_token(p, ","));
    return mlc_parse_token(p, ")");
}

bool
mlc_parse_signature(MlcParser *p, bool allow_variadic, MlcSignature *s)
{
    memset(s, 0, sizeof *s);
    return parse_args(p, allow_variadic, s) && parse_results(p, s);
}

void
mlc_signature_release(MlcSignature *s)
{
    mlc_vec_release(&s->args);
    mlc_vec_release(&s->results);
    mlc_vec_release(&s->result_attrs);
}

void
mlc_signature_types(const MlcSignature *s, MlcTypeVec *args)
{
    for (size_t i = 0; i < s->args.size; i++)
        mlc_vec_push(args, s->args.data[i].type);
}

void
mlc_signature_set_type(MlcParser *p, const MlcSignature *s, MlcOpBuild *op)
{
    MlcTypeVec args = {0};
    mlc_signature_types(s, &args);
    MlcType type =
        mlc_function_type_get(p->ctx, args.data, args.size, s->results.data, s->results.size);
    mlc_op_build_attr(p, op, "function_type", mlc_type_attr_get(type));
    mlc_vec_release(&args);
}

void
mlc_signature_set_attrs(MlcParser *p, const MlcSignature *s, MlcOpBuild *op)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcAttr empty = mlc_dict_attr_get(ctx, NULL, 0);
    MLC_VEC(MlcAttr) dicts = {0};
    bool any = false;
    for (size_t i = 0; i < s->args.size; i++) {
        MlcAttr attrs = s->args.data[i].attrs;
        any |= attrs && mlc_dict_attr_size(attrs) > 0;
        mlc_vec_push(&dicts, attrs ? attrs : empty);
    }
    if (any)
        mlc_op_build_attr(p, op, "arg_attrs", mlc_array_attr_get(ctx, dicts.data, dicts.size));
    dicts.size = 0;
    any = false;
    for (size_t i = 0; i < s->result_attrs.size; i++) {
        MlcAttr attrs = s->result_attrs.data[i];
        any |= attrs && mlc_dict_attr_size(attrs) > 0;
        mlc_vec_push(&dicts, attrs ? attrs : empty);
    }
    if (any)
        mlc_op_build_attr(p, op, "res_attrs", mlc_array_attr_get(ctx, dicts.data, dicts.size));
    mlc_vec_release(&dicts);
}

static void
print_dict(MlcPrinter *p, MlcAttr dicts, size_t i)
{
    if (!mlc_attr_is(dicts, MLC_ATTR_ARRAY) || i >= mlc_array_attr_size(dicts))
        return;
    MlcAttr dict = mlc_array_attr_element(dicts, i);
    if (!mlc_attr_is(dict, MLC_ATTR_DICT) || mlc_dict_attr_size(dict) == 0)
        return;
    mlc_print_str(p, " ");
    mlc_print_attribute(p, dict);
}

static void
print_results(MlcPrinter *p, MlcAttr attrs, const MlcType *results, size_t n)
{
    bool has_attrs = false;
    for (size_t i = 0; mlc_attr_is(attrs, MLC_ATTR_ARRAY) && i < mlc_array_attr_size(attrs); i++)
        has_attrs |= mlc_dict_attr_size(mlc_array_attr_element(attrs, i)) > 0;
    bool parens = n != 1 || has_attrs || mlc_type_is(results[0], MLC_TYPE_FUNCTION);
    mlc_print_str(p, parens ? " -> (" : " -> ");
    for (size_t i = 0; i < n; i++) {
        if (i)
            mlc_print_str(p, ", ");
        mlc_print_type(p, results[i]);
        print_dict(p, attrs, i);
    }
    if (parens)
        mlc_print_str(p, ")");
}

void
mlc_print_signature(MlcPrinter *p, MlcOp *op, const MlcType *args, size_t num_args,
                    const MlcType *results, size_t num_results, bool is_variadic, MlcRegion *body)
{
    MlcAttr arg_attrs = mlc_op_attr(op, "arg_attrs");
    MlcBlock *entry = body ? mlc_region_first(body) : NULL;
    mlc_print_str(p, "(");
    for (size_t i = 0; i < num_args; i++) {
        if (i)
            mlc_print_str(p, ", ");
        if (entry)
            mlc_print_block_arg(p, mlc_block_arg(entry, i), true);
        else
            mlc_print_type(p, args[i]);
        if (!entry || !p->is_collecting) // upstream looks for aliases in those of declarations only
            print_dict(p, arg_attrs, i);
        if (entry)
            mlc_print_arg_loc(p, mlc_block_arg(entry, i));
    }
    if (is_variadic)
        mlc_print_str(p, num_args ? ", ..." : "...");
    mlc_print_str(p, ")");
    if (num_results)
        print_results(p, mlc_op_attr(op, "res_attrs"), results, num_results);
}
