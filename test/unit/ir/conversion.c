// conversion.c -- the conversion driver on text: what it leaves when it succeeds, and that it
// leaves everything, ops and values included, when it fails. Ops are unregistered ("t.a"), but for
// functions and control flow.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "mlc/dialects.h"
#include "mlc/ir.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/text.h"
#include "mlc/ir/rewrite.h"

typedef struct Fixture {
    MlcContext *ctx;
    MlcOp *module;
    MlcConversionTarget *target;
    MlcTypeConverter *types;
    MlcOpVec ops;    // of the module as it was read
    MlcBuf text;     // and as text
    MlcBuf messages; // of diagnostics and their notes, a line each
    MlcOpVec found;  // by analysis
} Fixture;

static void
remember(const MlcDiag *diag, void *user)
{
    Fixture *f = user;
    mlc_buf_printf(&f->messages, "%.*s\n", MLC_STR_FMT(diag->message));
    for (size_t i = 0; i < diag->num_notes; i++)
        mlc_buf_printf(&f->messages, "%.*s\n", MLC_STR_FMT(diag->notes[i].message));
}

// Ops named t.* are illegal, those of ok.* legal.
static int
set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    f->ctx = mlc_context_create();
    mlc_register_all_dialects(f->ctx);
    mlc_context_allow_unregistered(f->ctx, true);
    mlc_context_set_diag_handler(f->ctx, remember, f);
    f->target = mlc_conversion_target_create(f->ctx);
    mlc_conversion_target_illegal_dialect(f->target, "t");
    mlc_conversion_target_legal_dialect(f->target, "ok");
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    Fixture *f = *state;
    mlc_conversion_target_destroy(f->target);
    mlc_type_converter_destroy(f->types);
    mlc_vec_release(&f->ops);
    mlc_vec_release(&f->found);
    mlc_buf_release(&f->text);
    mlc_op_destroy(f->module);
    mlc_context_destroy(f->ctx);
    mlc_buf_release(&f->messages);
    free(f);
    return 0;
}

static void
print(Fixture *f, MlcBuf *out)
{
    MlcPrintFlags flags = mlc_print_flags_default();
    mlc_op_print(f->module, &flags, out);
}

// Text is scanned in place, with two NULs behind it.
static MlcOp *
parse(Fixture *f, const char *text)
{
    MlcBuf buf = {0};
    mlc_buf_append(&buf, text, strlen(text));
    mlc_buf_append(&buf, "\0\0", 2);
    MlcStr source = mlc_str_n(buf.data, buf.size - 2);
    MlcOp *module = mlc_parse_module(f->ctx, source, mlc_str("test"));
    assert_non_null(module);
    mlc_context_remove_source(f->ctx, source);
    mlc_buf_release(&buf);
    return module;
}

static void
read_module(Fixture *f, const char *text)
{
    f->module = parse(f, text);
    MLC_FOR_EACH_PREORDER (op, f->module)
        mlc_vec_push(&f->ops, op);
    print(f, &f->text);
}

static void
assert_untouched(Fixture *f)
{
    MlcBuf now = {0};
    print(f, &now);
    assert_string_equal(mlc_buf_c_str(&now), mlc_buf_c_str(&f->text));
    mlc_buf_release(&now);
    size_t i = 0;
    MLC_FOR_EACH_PREORDER (op, f->module)
        assert_ptr_equal(op, f->ops.data[i++]);
    assert_int_equal(i, f->ops.size);
    assert_true(mlc_verify(f->module));
}

static void
assert_text(Fixture *f, const char *text)
{
    assert_true(mlc_verify(f->module));
    MlcOp *wanted = parse(f, text);
    MlcBuf expected = {0}, got = {0};
    MlcPrintFlags flags = mlc_print_flags_default();
    mlc_op_print(wanted, &flags, &expected);
    print(f, &got);
    assert_string_equal(mlc_buf_c_str(&got), mlc_buf_c_str(&expected));
    mlc_buf_release(&expected);
    mlc_buf_release(&got);
    mlc_op_destroy(wanted);
}

static void
assert_messages(Fixture *f, const char *expected)
{
    mlc_diag_flush(f->ctx);
    assert_string_equal(mlc_buf_c_str(&f->messages), expected);
}

#define CONVERT(f, patterns)                                                                       \
    mlc_convert_partial((f)->module, (f)->target, (f)->types, (patterns),                          \
                        sizeof(patterns) / sizeof *(patterns))

// --- patterns

static MlcOp *
make(MlcConversion *c, MlcOp *op, const char *name, MlcValue *const *operands)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcTypeVec types = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&types, mlc_value_type(mlc_op_result(op, i)));
    MlcOpState state = {.def = mlc_context_unregistered_op(b->ctx, mlc_str(name)),
                        .operands = operands,
                        .num_operands = mlc_op_num_operands(op),
                        .result_types = types.data,
                        .num_results = types.size,
                        .num_regions = mlc_op_num_regions(op)};
    MlcOp *made = mlc_builder_create(b, &state);
    mlc_vec_release(&types);
    return made;
}

static void
replace_with(MlcConversion *c, MlcOp *op, MlcOp *made)
{
    MlcValueVec results = {0};
    for (size_t i = 0; i < mlc_op_num_results(made); i++)
        mlc_vec_push(&results, mlc_op_result(made, i));
    mlc_conversion_replace(c, op, results.data, results.size);
    mlc_vec_release(&results);
}

// The op under another name, regions taken along.
static bool
rename_to(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *name)
{
    MlcOp *made = make(c, op, name, operands);
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        if (!mlc_conversion_take_region(c, mlc_op_region(made, i), mlc_op_region(op, i)))
            return false;
    replace_with(c, op, made);
    return true;
}

static bool
mark(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    if (mlc_op_attr(op, "marked"))
        return mlc_conversion_no_match(c, op, "it is marked");
    mlc_conversion_modify(c, op);
    mlc_op_set_attr(op, "marked", mlc_unit_attr_get(mlc_op_context(op)));
    if (mlc_op_num_operands(op) == 2)
        mlc_op_set_operands(op, operands, 1);
    return true;
}

// t.count {n = 3} is t.count {n = 2} and so on down to ok.count.
static bool
count_down(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    int64_t n = mlc_attr_as_int(mlc_op_attr(op, "n"));
    MlcOp *made = make(c, op, n > 0 ? "t.count" : "ok.count", operands);
    if (n > 0)
        mlc_op_set_attr(made, "n", mlc_i64_attr_get(mlc_op_context(op), n - 1));
    replace_with(c, op, made);
    return true;
}

static bool
is_marked(MlcOp *op, void *user)
{
    (void)user;
    return mlc_op_attr(op, "marked") != NULL;
}

// --- failure and undoing

static const char nested[] = "func.func @f(%x: i32, %y: i32) -> i32 {\n"
                             "  %a = \"t.a\"(%x, %y) ({\n"
                             "  ^bb0(%i: i32):\n"
                             "    %m = \"t.mark\"(%i, %x) : (i32, i32) -> i32\n"
                             "    \"ok.end\"(%m) : (i32) -> ()\n"
                             "  }) : (i32, i32) -> i32\n"
                             "  %b = \"t.bad\"(%a) : (i32) -> i32\n"
                             "  return %b : i32\n"
                             "}\n";

static int
i32_to_i64(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user)
{
    (void)tc, (void)user;
    if (mlc_type_is(type, MLC_TYPE_INTEGER) && mlc_type_bit_width(type) == 32)
        type = mlc_integer_type_get(mlc_type_context(type), 64, MLC_SIGNLESS);
    mlc_vec_push(out, type);
    return 1;
}

static void
failure_leaves_the_input(void **state)
{
    Fixture *f = *state;
    read_module(f, nested);
    f->types = mlc_type_converter_create(f->ctx);
    mlc_type_converter_add(f->types, i32_to_i64, NULL);
    mlc_conversion_target_dynamic_op(f->target, "t.mark", is_marked, NULL);
    MlcConversionPattern patterns[] = {
        {.root = "t.a", .convert = rename_to, .user = "ok.a"},
        {.root = "t.mark", .convert = mark},
        {.root = "t.bad", .name = "worse", .convert = rename_to, .user = "t.worse"},
    };
    assert_false(CONVERT(f, patterns));
    assert_untouched(f);
    assert_messages(f, "failed to legalize operation 't.bad' that was explicitly marked illegal\n"
                       "pattern 'worse': leaves 't.worse' illegal\n"
                       "  no pattern is for 't.worse'\n");
}

static void
analysis_leaves_the_input(void **state)
{
    Fixture *f = *state;
    read_module(f, nested);
    mlc_conversion_target_dynamic_op(f->target, "t.mark", is_marked, NULL);
    MlcConversionPattern patterns[] = {
        {.root = "t.a", .convert = rename_to, .user = "ok.a"},
        {.root = "t.mark", .convert = mark},
    };
    mlc_convert_analysis(f->module, f->target, NULL, patterns, 2, &f->found);
    assert_int_equal(f->found.size, 2);
    assert_ptr_equal(f->found.data[0], f->ops.data[2]);
    assert_ptr_equal(f->found.data[1], f->ops.data[3]);
    assert_untouched(f);
    assert_messages(f, "");
}

static bool
erase(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)operands, (void)user;
    mlc_conversion_erase(c, op);
    return true;
}

static void
erasing_what_is_used_fails(void **state)
{
    Fixture *f = *state;
    read_module(f, "%0 = \"t.a\"() : () -> i32\n\"ok.use\"(%0) : (i32) -> ()\n");
    MlcConversionPattern patterns[] = {{.root = "t.a", .convert = erase}};
    assert_false(CONVERT(f, patterns));
    assert_untouched(f);
    assert_messages(f, "failed to legalize operation 'ok.use': operand #0 was erased by a "
                       "conversion\n");
}

static void
full_mode_knows_every_op(void **state)
{
    Fixture *f = *state;
    read_module(f, "\"t.a\"() : () -> ()\n\"other.x\"() : () -> ()\n");
    MlcConversionPattern patterns[] = {{.root = "t.a", .convert = rename_to, .user = "ok.a"}};
    assert_false(mlc_convert_full(f->module, f->target, NULL, patterns, 1));
    assert_untouched(f);
    assert_messages(f, "failed to legalize operation 'other.x'\nno pattern is for 'other.x'\n");
}

// Casts that were made for a pattern which was undone are not found again.
static void
casts_are_undone(void **state)
{
    Fixture *f = *state;
    read_module(f, "%0 = \"ok.in\"() : () -> i32\n"
                   "\"t.a\"(%0) : (i32) -> ()\n"
                   "\"t.b\"(%0) : (i32) -> ()\n");
    f->types = mlc_type_converter_create(f->ctx);
    mlc_type_converter_add(f->types, i32_to_i64, NULL);
    MlcConversionPattern patterns[] = {
        {.root = "t.a", .benefit = 2, .convert = rename_to, .user = "t.worse"},
        {.root = "t.a", .benefit = 1, .convert = rename_to, .user = "ok.a"},
        {.root = "t.b", .benefit = 2, .convert = rename_to, .user = "t.worse"},
        {.root = "t.b", .benefit = 1, .convert = rename_to, .user = "ok.b"}};
    assert_true(CONVERT(f, patterns));
    assert_text(f, "%0 = \"ok.in\"() : () -> i32\n"
                   "%1 = builtin.unrealized_conversion_cast %0 : i32 to i64\n"
                   "\"ok.a\"(%1) : (i64) -> ()\n"
                   "\"ok.b\"(%1) : (i64) -> ()\n");
}

// --- chains of patterns

static void
the_next_pattern_is_tried(void **state)
{
    Fixture *f = *state;
    read_module(f, nested);
    mlc_conversion_target_legal_op(f->target, "t.bad");
    MlcConversionPattern patterns[] = {
        {.root = "t.a", .convert = rename_to, .user = "t.dead_end", .benefit = 3},
        {.root = "t.a", .convert = rename_to, .user = "t.step", .benefit = 2},
        {.root = "t.step", .convert = rename_to, .user = "ok.a"},
        {.root = "t.mark", .convert = rename_to, .user = "ok.mark"},
    };
    assert_true(CONVERT(f, patterns));
    assert_text(f, "func.func @f(%x: i32, %y: i32) -> i32 {\n"
                   "  %a = \"ok.a\"(%x, %y) ({\n"
                   "  ^bb0(%i: i32):\n"
                   "    %m = \"ok.mark\"(%i, %x) : (i32, i32) -> i32\n"
                   "    \"ok.end\"(%m) : (i32) -> ()\n"
                   "  }) : (i32, i32) -> i32\n"
                   "  %b = \"t.bad\"(%a) : (i32) -> i32\n"
                   "  return %b : i32\n"
                   "}\n");
}

static void
endless_chains_are_named(void **state)
{
    Fixture *f = *state;
    read_module(f, "\"t.a\"() : () -> ()\n");
    MlcConversionPattern patterns[] = {
        {.root = "t.a", .name = "forth", .convert = rename_to, .user = "t.b"},
        {.root = "t.b", .name = "back", .convert = rename_to, .user = "t.a"},
    };
    assert_false(CONVERT(f, patterns));
    assert_untouched(f);
    assert_messages(f, "failed to legalize operation 't.a' that was explicitly marked illegal\n"
                       "pattern 'forth': leaves 't.b' illegal\n"
                       "  pattern 'back' for 't.b': leaves 't.a' illegal\n"
                       "    pattern 'forth' for 't.a': is for ever applied to what comes of it\n");
}

static void
recursion_may_be_bounded(void **state)
{
    Fixture *f = *state;
    read_module(f, "\"t.count\"() {n = 20} : () -> ()\n");
    MlcConversionPattern patterns[] = {
        {.root = "t.count", .convert = count_down, .is_recursive = true}};
    assert_true(CONVERT(f, patterns));
    assert_text(f, "\"ok.count\"() : () -> ()\n");
}

static void
recursion_has_a_limit(void **state)
{
    Fixture *f = *state;
    read_module(f, "\"t.count\"() {n = 100000} : () -> ()\n");
    MlcConversionPattern patterns[] = {
        {.root = "t.count", .convert = count_down, .is_recursive = true}};
    assert_false(CONVERT(f, patterns));
    assert_untouched(f);
    mlc_diag_flush(f->ctx);
    assert_non_null(strstr(mlc_buf_c_str(&f->messages), "and 225 more"));
}

// The short way first, whatever the benefit; never one from which nothing leads to legal ops.
static void
patterns_are_ordered_by_depth(void **state)
{
    Fixture *f = *state;
    read_module(f, "\"t.a\"() : () -> ()\n\"t.loop\"() : () -> ()\n");
    mlc_conversion_target_legal_op(f->target, "t.loop");
    const char *const far[] = {"t.far", NULL}, *const near[] = {"ok.near", NULL},
                      *const loop[] = {"t.round", NULL}, *const round[] = {"t.a", "t.round", NULL};
    MlcConversionPattern patterns[] = {
        {.root = "t.a", .convert = rename_to, .user = "t.round", .benefit = 9, .makes = loop},
        {.root = "t.round", .convert = rename_to, .user = "ok.round", .makes = round},
        {.root = "t.a", .convert = rename_to, .user = "t.far", .benefit = 8, .makes = far},
        {.root = "t.far", .convert = rename_to, .user = "ok.far"},
        {.root = "t.a", .convert = rename_to, .user = "ok.near", .benefit = 1, .makes = near},
    };
    assert_true(CONVERT(f, patterns));
    assert_text(f, "\"ok.near\"() : () -> ()\n\"t.loop\"() : () -> ()\n");
}

static void
dead_ends_are_not_tried(void **state)
{
    Fixture *f = *state;
    read_module(f, "\"t.a\"() : () -> ()\n");
    const char *const nowhere[] = {"t.nowhere", NULL};
    MlcConversionPattern patterns[] = {
        {.root = "t.a", .convert = rename_to, .user = "ok.a", .makes = nowhere}};
    assert_false(CONVERT(f, patterns));
    assert_messages(f, "failed to legalize operation 't.a' that was explicitly marked illegal\n"
                       "pattern 't.a': not tried, for no chain of patterns from what it makes ends "
                       "in legal ops\n");
}

// --- types that become several

// complex<T> is T, T; none is nothing.
static int
take_apart(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user)
{
    (void)tc, (void)user;
    if (mlc_type_is(type, MLC_TYPE_NONE))
        return 1;
    if (mlc_type_is(type, MLC_TYPE_COMPLEX)) {
        mlc_vec_push(out, mlc_type_element(type));
        type = mlc_type_element(type);
    }
    mlc_vec_push(out, type);
    return 1;
}

static bool
is_legal_here(MlcOp *op, void *types)
{
    return mlc_type_converter_is_legal_signature(types, op);
}

static void
convert_types(Fixture *f)
{
    f->types = mlc_type_converter_create(f->ctx);
    mlc_type_converter_add(f->types, take_apart, NULL);
    static const char *const dialects[] = {"func", "cf", "scf", "t"};
    for (size_t i = 0; i < 4; i++)
        mlc_conversion_target_dynamic_dialect(f->target, dialects[i], is_legal_here, f->types);
}

static const MlcConversionPattern retype_any[] = {{.convert_ranges = mlc_conversion_retype}};

static void
control_flow_carries_several(void **state)
{
    Fixture *f = *state;
    convert_types(f);
    read_module(f,
                "func.func private @g(complex<f32> {a.b}, none, i1 {c.d}) -> (i1, complex<f32>)\n"
                "func.func @f(%c: i1, %z: complex<f32>, %n: none, %i: index) -> complex<f32> {\n"
                "  %r:2 = call @g(%z, %n, %c) : (complex<f32>, none, i1) -> (i1, complex<f32>)\n"
                "  %s = scf.for %k = %i to %i step %i iter_args(%w = %r#1) -> (complex<f32>) {\n"
                "    %u = \"t.op\"(%w, %n) : (complex<f32>, none) -> complex<f32>\n"
                "    scf.yield %u : complex<f32>\n"
                "  }\n"
                "  cf.cond_br %c, ^bb1(%s, %n : complex<f32>, none), ^bb2(%i : index)\n"
                "^bb1(%v: complex<f32>, %m: none):\n"
                "  return %v : complex<f32>\n"
                "^bb2(%j: index):\n"
                "  return %z : complex<f32>\n"
                "}\n");
    assert_true(CONVERT(f, retype_any));
    assert_text(f, "func.func private @g(f32, f32, i1 {c.d}) -> (i1, f32, f32)\n"
                   "func.func @f(%c: i1, %x: f32, %y: f32, %i: index) -> (f32, f32) {\n"
                   "  %r:3 = call @g(%x, %y, %c) : (f32, f32, i1) -> (i1, f32, f32)\n"
                   "  %s:2 = scf.for %k = %i to %i step %i iter_args(%w0 = %r#1, %w1 = %r#2) -> "
                   "(f32, f32) {\n"
                   "    %u:2 = \"t.op\"(%w0, %w1) : (f32, f32) -> (f32, f32)\n"
                   "    scf.yield %u#0, %u#1 : f32, f32\n"
                   "  }\n"
                   "  cf.cond_br %c, ^bb1(%s#0, %s#1 : f32, f32), ^bb2(%i : index)\n"
                   "^bb1(%v0: f32, %v1: f32):\n"
                   "  return %v0, %v1 : f32, f32\n"
                   "^bb2(%j: index):\n"
                   "  return %x, %y : f32, f32\n"
                   "}\n");
}

static void
cases_of_a_switch_grow(void **state)
{
    Fixture *f = *state;
    convert_types(f);
    read_module(f, "func.func @f(%c: i32, %z: complex<f32>, %n: none) {\n"
                   "  cf.switch %c : i32, [default: ^bb1(%z : complex<f32>),\n"
                   "    1: ^bb1(%z : complex<f32>), 2: ^bb2(%n, %c : none, i32)]\n"
                   "^bb1(%v: complex<f32>):\n"
                   "  return\n"
                   "^bb2(%m: none, %j: i32):\n"
                   "  return\n"
                   "}\n");
    assert_true(CONVERT(f, retype_any));
    assert_text(f, "func.func @f(%c: i32, %x: f32, %y: f32) {\n"
                   "  cf.switch %c : i32, [default: ^bb1(%x, %y : f32, f32),\n"
                   "    1: ^bb1(%x, %y : f32, f32), 2: ^bb2(%c : i32)]\n"
                   "^bb1(%v: f32, %w: f32):\n"
                   "  return\n"
                   "^bb2(%j: i32):\n"
                   "  return\n"
                   "}\n");
}

// An op that stays gets the old value from a source materialisation, one that comes gets the new
// ones from a target materialisation; what meets cancels.
static MlcValue *
join(MlcBuilder *b, MlcType type, MlcValue *const *inputs, size_t n, void *user)
{
    (void)user;
    MlcOpState state = {.def = mlc_context_unregistered_op(b->ctx, mlc_str("ok.join")),
                        .operands = inputs,
                        .num_operands = n,
                        .result_types = &type,
                        .num_results = 1};
    return mlc_op_result(mlc_builder_create(b, &state), 0);
}

static bool
part(MlcBuilder *b, const MlcType *types, MlcValue **results, size_t num_types,
     MlcValue *const *inputs, size_t n, void *user)
{
    (void)user;
    MlcOpState state = {.def = mlc_context_unregistered_op(b->ctx, mlc_str("ok.part")),
                        .operands = inputs,
                        .num_operands = n,
                        .result_types = types,
                        .num_results = num_types};
    MlcOp *op = mlc_builder_create(b, &state);
    for (size_t i = 0; i < num_types; i++)
        results[i] = mlc_op_result(op, i);
    return true;
}

static void
materialisations_join_and_part(void **state)
{
    Fixture *f = *state;
    convert_types(f);
    mlc_type_converter_add_source(f->types, join, NULL);
    mlc_type_converter_add_target_many(f->types, part, NULL);
    read_module(f, "%0 = \"ok.in\"() : () -> complex<f32>\n"
                   "%1 = \"t.a\"(%0) : (complex<f32>) -> complex<f32>\n"
                   "%2 = \"t.b\"(%1) : (complex<f32>) -> complex<f32>\n"
                   "\"ok.out\"(%2, %2) : (complex<f32>, complex<f32>) -> ()\n");
    assert_true(CONVERT(f, retype_any));
    assert_text(f, "%0 = \"ok.in\"() : () -> complex<f32>\n"
                   "%p:2 = \"ok.part\"(%0) : (complex<f32>) -> (f32, f32)\n"
                   "%a:2 = \"t.a\"(%p#0, %p#1) : (f32, f32) -> (f32, f32)\n"
                   "%b:2 = \"t.b\"(%a#0, %a#1) : (f32, f32) -> (f32, f32)\n"
                   "%j = \"ok.join\"(%b#0, %b#1) : (f32, f32) -> complex<f32>\n"
                   "\"ok.out\"(%j, %j) : (complex<f32>, complex<f32>) -> ()\n");
}

static void
one_to_one_patterns_refuse_several(void **state)
{
    Fixture *f = *state;
    convert_types(f);
    read_module(f, "%0 = \"ok.in\"() : () -> complex<f32>\n"
                   "%1 = \"t.a\"(%0) : (complex<f32>) -> complex<f32>\n");
    MlcConversionPattern patterns[] = {{.root = "t.a", .convert = rename_to, .user = "ok.a"}};
    assert_false(CONVERT(f, patterns));
    assert_untouched(f);
    assert_messages(f, "failed to legalize operation 't.a' that was explicitly marked illegal\n"
                       "pattern 't.a': operand #0 became 2 values\n");
}

static void
one_value_stays_one(void **state)
{
    Fixture *f = *state;
    convert_types(f);
    mlc_conversion_target_illegal_dialect(f->target, "complex");
    read_module(f, "func.func @f(%z: complex<f32>) -> f32 {\n"
                   "  %r = complex.re %z : complex<f32>\n"
                   "  return %r : f32\n"
                   "}\n");
    assert_false(CONVERT(f, retype_any));
    assert_untouched(f);
    assert_messages(f, "failed to legalize operation 'complex.re' that was explicitly marked "
                       "illegal\npattern 'any': 'complex' must stay one value\n");
}

// --- signatures

// The first argument goes, for a value from elsewhere; one is added in front.
static bool
change_signature(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcOp *made = make(c, op, "ok.region", operands);
    MlcRegion *region = mlc_op_region(made, 0);
    mlc_conversion_move_region(c, region, mlc_op_region(op, 0));
    MlcSignatureConversion signature = {0};
    mlc_signature_conversion_add_extra(&signature, mlc_index_type_get(mlc_op_context(op)));
    mlc_signature_conversion_add_replaced(&signature, operands[0]);
    bool ok = mlc_signature_conversion_add_converted(
        &signature, mlc_conversion_types(c),
        mlc_value_type(mlc_block_arg(mlc_region_first(region), 1)));
    if (ok)
        mlc_conversion_convert_signature(c, mlc_region_first(region), &signature);
    mlc_signature_conversion_release(&signature);
    replace_with(c, op, made);
    return ok;
}

static void
signatures_change(void **state)
{
    Fixture *f = *state;
    convert_types(f);
    mlc_conversion_target_illegal_op(f->target, "t.region");
    read_module(f, "%0 = \"ok.in\"() : () -> f32\n"
                   "\"t.region\"(%0) ({\n"
                   "^bb0(%a: f32, %z: complex<f32>):\n"
                   "  \"t.end\"(%a, %z) : (f32, complex<f32>) -> ()\n"
                   "}) : (f32) -> ()\n");
    MlcConversionPattern patterns[] = {{.root = "t.region", .convert = change_signature},
                                       {.root = "t.end", .convert_ranges = mlc_conversion_retype}};
    assert_true(CONVERT(f, patterns));
    assert_text(f, "%0 = \"ok.in\"() : () -> f32\n"
                   "\"ok.region\"(%0) ({\n"
                   "^bb0(%i: index, %x: f32, %y: f32):\n"
                   "  \"t.end\"(%0, %x, %y) : (f32, f32, f32) -> ()\n"
                   "}) : (f32) -> ()\n");
}

// Ops whose records say which op of another dialect they are.
static const char *const pairs[] = {"fastmath", "flags", "nowhere", "note"};
static const MlcAttrSlot slots[] = {{.name = "flags"}, {.name = "note", .optional = true}};
static const MlcLowering to[] = {
    {"arith.addf", pairs, 2}, {"arith.none", NULL, 0}, {"other.op", NULL, 0}};
static const MlcDialectDef dialect;
static const MlcOpDef good = {.name = "r.good",
                              .dialect = &dialect,
                              .attrs = slots,
                              .num_attrs = 2,
                              .lowers_to = to,
                              .num_lowers_to = 1},
                      gone = {.name = "r.gone",
                              .dialect = &dialect,
                              .lowers_to = to + 1,
                              .num_lowers_to = 2};
static const MlcOpDef *const ops[] = {&good, &gone};
static const MlcDialectDef dialect = {.name = "r", .ops = ops, .num_ops = 2};

static void
records_name_what_ops_become(void **state)
{
    Fixture *f = *state;
    assert_true(mlc_context_register_dialect(f->ctx, &dialect));
    mlc_conversion_target_illegal_dialect(f->target, "r");
    MlcArena arena = {0};
    MlcConversionPatternVec patterns = {0};
    mlc_conversion_add_lowerings(f->ctx, &dialect, "other", &arena, &patterns);
    assert_int_equal(patterns.size, 1); // of r.gone
    patterns.size = 0;
    mlc_conversion_add_lowerings(f->ctx, &dialect, "arith", &arena, &patterns);
    assert_int_equal(patterns.size, 2);
    static const struct {
        const char *op, *message;
    } refused[] = {
        {"\"r.gone\"() : () -> ()", "pattern 'r.gone': there is no such op 'arith.none'\n"},
        {"\"r.good\"() {note = 1 : i64} : () -> f32",
         "pattern 'r.good': 'arith.addf' has no such attribute\n"},
        {"\"r.good\"() : () -> (f32, f32, f32, f32, f32, f32, f32, f32, f32)",
         "pattern 'r.good': it has more than 8 results\n"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        MlcOp *module = parse(f, refused[i].op);
        mlc_buf_clear(&f->messages);
        assert_false(mlc_convert_partial(module, f->target, NULL, patterns.data, patterns.size));
        mlc_diag_flush(f->ctx);
        assert_non_null(strstr(mlc_buf_c_str(&f->messages), refused[i].message));
        mlc_op_destroy(module);
    }
    mlc_conversion_target_legal_dialect(f->target, "arith");
    read_module(f, "%0 = \"ok.in\"() : () -> f32\n"
                   "%1 = \"r.good\"(%0, %0) {flags = #arith.fastmath<nnan>} : (f32, f32) -> f32\n");
    assert_true(mlc_convert_partial(f->module, f->target, NULL, patterns.data, patterns.size));
    assert_text(f, "%0 = \"ok.in\"() : () -> f32\n"
                   "%1 = arith.addf %0, %0 fastmath<nnan> : f32\n");
    mlc_vec_release(&patterns);
    mlc_arena_release(&arena);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(failure_leaves_the_input),
        TEST(analysis_leaves_the_input),
        TEST(erasing_what_is_used_fails),
        TEST(full_mode_knows_every_op),
        TEST(casts_are_undone),
        TEST(the_next_pattern_is_tried),
        TEST(endless_chains_are_named),
        TEST(recursion_may_be_bounded),
        TEST(recursion_has_a_limit),
        TEST(patterns_are_ordered_by_depth),
        TEST(dead_ends_are_not_tried),
        TEST(control_flow_carries_several),
        TEST(cases_of_a_switch_grow),
        TEST(materialisations_join_and_part),
        TEST(one_to_one_patterns_refuse_several),
        TEST(one_value_stays_one),
        TEST(signatures_change),
        TEST(records_name_what_ops_become),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
