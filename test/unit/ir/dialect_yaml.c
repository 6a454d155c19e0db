// dialect_yaml.c -- the dialect loader: what it reads, and the words and places of its faults.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "mlc/support/buf.h"
#include "record/relation.h"
#include "record/yaml_loader.h"

typedef struct Case {
    MlcArena arena;
    MlcBuf faults;
    MlcYamlLoader loader;
    const MlcDialectDef *dialect, *builtin;
    MlcYamlLoader builtin_loader;
} Case;

static const char builtin_text[] = "dialect: {name: builtin}\n"
                                   "constraints:\n"
                                   "  any_type: {summary: any type}\n"
                                   "  i1: {integer: {width: 1, signedness: signless}}\n"
                                   "  number: {any_of: [i1, {kind: float}]}\n"
                                   "  any_shaped: {shaped_of: any_type}\n"
                                   "  ranked_tensor: {ranked_tensor_of: any_type}\n"
                                   "  i64_attr: {attr_kind: integer}\n"
                                   "  dense_i32_array: {attr_kind: dense_array}\n";

static void
report(void *user, const char *filename, unsigned line, unsigned column, const char *message)
{
    Case *c = user;
    mlc_buf_printf(&c->faults, "%s:%u:%u: %s\n", filename, line, column, message);
}

static const MlcDialectDef *
find(void *user, MlcStr name)
{
    Case *c = user;
    return mlc_str_equal(name, mlc_str("builtin")) ? c->builtin : NULL;
}

static void
load(Case *c, const char *text)
{
    *c = (Case){0};
    c->builtin_loader = (MlcYamlLoader){
        .arena = &c->arena, .filename = "builtin", .find = find, .report = report, .user = c};
    c->builtin = mlc_yaml_load(&c->builtin_loader, mlc_str(builtin_text));
    assert_non_null(c->builtin);
    c->loader = (MlcYamlLoader){
        .arena = &c->arena, .filename = "t.yaml", .find = find, .report = report, .user = c};
    c->dialect = mlc_yaml_load(&c->loader, mlc_str(text));
}

static void
release(Case *c)
{
    mlc_yaml_loader_release(&c->loader);
    mlc_yaml_loader_release(&c->builtin_loader);
    mlc_buf_release(&c->faults);
    mlc_arena_release(&c->arena);
}

static void
faults_are(const char *text, const char *faults)
{
    Case c;
    load(&c, text);
    assert_null(c.dialect);
    assert_string_equal(mlc_buf_c_str(&c.faults), faults);
    release(&c);
}

static void
reads_an_op(void **state)
{
    (void)state;
    Case c;
    load(
        &c,
        "dialect: {name: toy, summary: Toys.}\n"
        "ops:\n"
        "  - name: zip\n"
        "  - name: add\n"
        "    summary: Sum.\n"
        "    operands: [{name: lhs, type: number}, {name: rest, type: any_type, arity: variadic}]\n"
        "    results: [{name: result, type: number}]\n"
        "    attributes: [{name: n, type: i64_attr, default: \"1 : i64\"}]\n"
        "    traits: [pure, commutative]\n"
        "    relations: [\"result = lhs\", \"same(lhs, result)\"]\n"
        "    hooks: [fold, verify: mlc_toy_check]\n"
        "    format: \"$lhs `,` $rest attr-dict `:` type($lhs) type($rest)\"\n");
    assert_non_null(c.dialect);
    assert_int_equal(c.dialect->num_ops, 2);
    const MlcOpDef *op = c.dialect->ops[0]; // sorted by name
    assert_string_equal(op->name, "toy.add");
    assert_int_equal(op->operands[1].arity, MLC_VARIADIC);
    assert_string_equal(op->operands[0].type->summary, "1-bit signless integer or float");
    assert_true(mlc_op_def_has_trait(op, MLC_TRAIT_SPECULATABLE));
    assert_int_equal(op->num_relations, 2);
    assert_int_equal(op->relations[0].kind, MLC_RELATION_TYPE_OF);
    assert_int_equal(op->relations[1].kind, MLC_RELATION_SAME_TYPE);
    assert_string_equal(mlc_map_get(&c.loader.symbols, &op->fold), "mlc_toy_add_fold");
    assert_string_equal(mlc_map_get(&c.loader.symbols, &op->verify), "mlc_toy_check");
    assert_non_null(op->format);
    release(&c);
}

static void
keeps_where_parts_were_read(void **state)
{
    (void)state;
    Case c;
    load(&c, "dialect: {name: toy}\n"
             "ops:\n"
             "  - name: grow\n"
             "    operands: [{name: input, type: number, doc: in bytes}]\n"
             "    regions: [{name: body, doc: one iteration}]\n");
    assert_non_null(c.dialect);
    const MlcOpDef *op = c.dialect->ops[0];
    const MlcYaml *operand = mlc_map_get(&c.loader.nodes, &op->operands[0]);
    const MlcYaml *region = mlc_map_get(&c.loader.nodes, &op->regions[0]);
    assert_string_equal(mlc_yaml_as_str(mlc_yaml_get(operand, "doc"), "").data, "in bytes");
    assert_string_equal(mlc_yaml_as_str(mlc_yaml_get(region, "doc"), "").data, "one iteration");
    release(&c);
    faults_are("dialect: {name: toy}\n"
               "ops: [{name: a, results: [{name: r, type: number, doc: [bytes]}]}]\n",
               "t.yaml:2:56: expected a text under 'doc'\n");
}

static void
derives_what_messages_call_parameters(void **state)
{
    (void)state;
    Case c;
    load(&c, "dialect: {name: toy}\n"
             "constraints: {text: {attr_kind: string, upstream: StringAttr}}\n"
             "enums: [{name: way, cases: {up: 0}, upstream: \"toy::Way\"}]\n"
             "attributes:\n"
             "  - {name: leaf, record: Toy_LeafAttr}\n"
             "  - name: tree\n"
             "    record: Toy_TreeAttr\n"
             "    parameters:\n"
             "      - {name: name, type: text}\n"
             "      - {name: leaves, type: leaf, arity: variadic}\n"
             "      - {name: size, type: i64_attr, spelled: unsigned}\n"
             "      - {name: way, type: way}\n"
             "      - {name: own, type: text, upstream: OwnAttr}\n"
             "    format: params\n"
             "  - {name: free, parameters: [{name: name, type: text}], format: $name}\n");
    assert_non_null(c.dialect);
    assert_string_equal(c.dialect->attrs[0]->name, "toy.free"); // sorted by name
    assert_null(c.dialect->attrs[0]->params[0].upstream);       // mirrors nothing of MLIR's
    const MlcParamDef *params = c.dialect->attrs[2]->params;
    assert_string_equal(params[0].upstream, "StringAttr");
    assert_string_equal(params[1].upstream, "::llvm::ArrayRef<LeafAttr>");
    assert_string_equal(params[2].upstream, "uint64_t");
    assert_string_equal(params[3].upstream, "toy::Way");
    assert_string_equal(params[4].upstream, "OwnAttr");
    assert_string_equal(params[3].constraint->summary, "allowed 32-bit signless integer cases: 0");
    release(&c);
}

static void
implies_groups_of_structured_ops(void **state)
{
    (void)state;
    Case c;
    load(&c, "dialect: {name: toy}\n"
             "ops:\n"
             "  - name: relu\n"
             "    structured:\n"
             "      ins: [{name: x, map: \"(i) -> (i)\"}]\n"
             "      outs: [{name: init, map: \"(i) -> (i)\"}]\n"
             "      iterators: [parallel]\n"
             "      body: \"max(x, 0)\"\n");
    assert_non_null(c.dialect);
    const MlcOpDef *op = c.dialect->ops[0];
    assert_int_equal(op->num_operands, 2);
    assert_true(mlc_op_def_has_trait(op, MLC_TRAIT_STRUCTURED));
    assert_string_equal(op->attrs[0].name, "operandSegmentSizes");
    assert_string_equal(op->structured->iterators, "p");
    assert_int_equal(op->num_interfaces, 3);
    assert_int_equal(op->interfaces[0].id, MLC_INTERFACE_BUFFERIZE);
    assert_int_equal(op->interfaces[1].id, MLC_INTERFACE_MEMORY_EFFECTS);
    assert_int_equal(op->interfaces[2].id, MLC_INTERFACE_STRUCTURED);
    release(&c);
}

static void
says_what_is_wrong_and_where(void **state)
{
    (void)state;
    faults_are("dialect: {name: toy}\nops:\n  - name: a\n    operand: []\n",
               "t.yaml:4:5: unknown key 'operand' of op; did you mean 'operands'?\n");
    faults_are("dialect: {name: toy}\nops:\n  - name: a\n    traits: [purple]\n    operands: "
               "[{name: x, type: numer}]\n",
               "t.yaml:4:14: unknown trait 'purple'; did you mean 'pure'?\n"
               "t.yaml:5:32: no constraint, type, attribute or enum is named 'numer'; did you mean "
               "'number'?\n");
    faults_are("dialect: {name: toy}\nconstraints:\n  a: {any_of: [b]}\n  b: {any_of: [a]}\n",
               "t.yaml:4:16: constraint 'a' needs itself\n");
    faults_are("dialect: {name: toy}\nops:\n  - name: a\n  - name: a\n",
               "t.yaml:4:5: op 'toy.a' is defined twice\n");
    faults_are("dialect: {name: toy}\nops:\n  - name: a\n    results: [{name: r, type: any_type}]\n"
               "    relations: [\"r = element(q)\"]\n",
               "t.yaml:5:17: in relation: expected an operand, result or attribute at 'q)'\n");
    faults_are("dialect: {name: toy}\nops:\n  - name: a\n"
               "    attributes: [{name: n, type: i64_attr, optional: true, infers: true}]\n",
               "t.yaml:3:5: 'toy.a' infers no types, so its attribute 'n' cannot say 'infers'\n");
    faults_are("dialect: {name: toy, uses: [nowhere]}\n",
               "t.yaml:1:29: there is no dialect 'nowhere'\n");
    faults_are("dialect: {name: 1toy}\n", "t.yaml:1:17: '1toy' is no name of a dialect\n");
}

static void
lowers_to_ops_of_dialects_that_come_later(void **state)
{
    (void)state;
    Case c;
    load(&c, "dialect: {name: toy}\nops:\n"
             "  - name: a\n    attributes: [{name: n, type: i64_attr}]\n"
             "    lowers_to: {later.b: {m: n}, other.c: {}}\n");
    assert_non_null(c.dialect);
    const MlcOpDef *op = c.dialect->ops[0];
    assert_int_equal(op->num_lowers_to, 2);
    assert_string_equal(op->lowers_to[0].op, "later.b");
    assert_int_equal(op->lowers_to[0].num_attrs, 1);
    assert_string_equal(op->lowers_to[0].attrs[0], "m");
    assert_string_equal(op->lowers_to[0].attrs[1], "n");
    assert_int_equal(op->lowers_to[1].num_attrs, 0);
    release(&c);
    faults_are(
        "dialect: {name: toy}\nops:\n  - name: a\n    lowers_to: {later.b: {a: x, b: x, c: x, "
        "d: x, e: x, f: x, g: x, h: x, i: x}}\n    attributes: [{name: x, type: i64_attr}]\n",
        "t.yaml:4:26: more than 8 attributes\n");
}

static void
constraints_that_say_nothing(void **state)
{
    (void)state;
    faults_are("dialect: {name: toy}\n"
               "constraints:\n"
               "  a: {any_of: any_type}\n",
               "t.yaml:3:15: expected a list of constraints\n");
    faults_are("dialect: {name: toy}\n"
               "constraints:\n"
               "  a: {float: f99}\n",
               "t.yaml:3:14: unknown float type 'f99'\n");
    faults_are("dialect: {name: toy}\n"
               "constraints:\n"
               "  a: {integer: {width: 8, signedness: odd}}\n",
               "t.yaml:3:39: unknown word 'odd'\n");
    faults_are("dialect: {name: toy}\n"
               "constraints:\n"
               "  a: {kind: purple}\n",
               "t.yaml:3:13: unknown word 'purple'; did you mean 'tuple'?\n");
    faults_are("dialect: {name: toy}\n"
               "constraints:\n"
               "  a: {rank: [1]}\n",
               "t.yaml:3:13: expected an integer or [low, high]\n");
    faults_are("dialect: {name: toy}\n"
               "constraints:\n"
               "  a: {static_shape: maybe}\n",
               "t.yaml:3:21: expected 'true'\n");
    faults_are("dialect: {name: toy}\n"
               "constraints:\n"
               "  a: {purple: 1}\n",
               "t.yaml:3:7: unknown constraint 'purple'\n");
    faults_are("dialect: {name: toy}\n"
               "constraints: [a]\n",
               "t.yaml:2:14: expected a mapping of constraints\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    operands: [{name: x, type: [any_type]}]\n",
               "t.yaml:4:32: expected a constraint: a name or an expression\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    operands: [{name: x, type: arith.fastmath}]\n",
               "t.yaml:4:32: 'arith' is not among the dialects in 'uses'\n");
}

static void
parts_that_are_none(void **state)
{
    (void)state;
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - {summary: nameless}\n",
               "t.yaml:3:5: the op has no name\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    operands: [{name: x, type: any_type, arity: few}]\n",
               "t.yaml:4:49: unknown word 'few'\n");
    faults_are(
        "dialect: {name: toy}\n"
        "types:\n"
        "  - {name: t, parameters: [{name: p, type: i64_attr, arity: optional}], format: $p}\n",
        "t.yaml:3:28: a parameter's arity is one or variadic\n");
    faults_are(
        "dialect: {name: toy}\n"
        "types:\n"
        "  - {name: t, parameters: [{name: p, type: any_type, spelled: signed}], format: $p}\n",
        "t.yaml:3:28: a number is of type i32_attr, i64_attr or bool_attr\n");
    faults_are("dialect: {name: toy}\n"
               "types:\n"
               "  - {name: t, parameters: [{name: p, type: any_type, spelled: map}], format: $p}\n",
               "t.yaml:3:28: a map is of type affine_map_attr\n");
    faults_are("dialect: {name: toy}\n"
               "enums:\n"
               "  - {name: e}\n",
               "t.yaml:3:5: expected 'cases', a mapping from name to value\n");
    faults_are("dialect: {name: toy}\n"
               "enums:\n"
               "  - {name: e, cases: {a: one}}\n",
               "t.yaml:3:26: expected the integer value of 'a'\n");
    faults_are("dialect: {name: toy}\n"
               "enums:\n"
               "  - {name: e, cases: {a: 1}, width: 7}\n",
               "t.yaml:3:37: the width of an enum is 8, 32 or 64\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    interfaces: [purple]\n",
               "t.yaml:4:18: unknown interface 'purple'\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    interfaces: [{call: derived}]\n",
               "t.yaml:4:18: interface 'call' cannot be derived\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    operands: [{name: x, type: any_type}]\n"
               "    results: [{name: x, type: any_type}]\n",
               "t.yaml:3:5: 'toy.a' has the name 'x' twice\n");
    faults_are("dialect: {name: toy}\n"
               "ops: [a]\n",
               "t.yaml:2:7: expected a mapping that describes the op\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    hooks: [[fold]]\n",
               "t.yaml:4:13: expected a word, or `word: symbol`\n");
}

static void
relations_that_cannot_be_read(void **state)
{
    (void)state;
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    results: [{name: r, type: any_type}]\n"
               "    relations: {r: x}\n",
               "t.yaml:5:16: expected a list of relations\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    results: [{name: r, type: any_type}]\n"
               "    relations: [\"element(r)\"]\n",
               "t.yaml:5:17: in relation: expected a value on the left at 'r)'\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    results: [{name: r, type: any_type}]\n"
               "    relations: [\"r = \"]\n",
               "t.yaml:5:17: in relation: expected a type or a value at ''\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    results: [{name: r, type: any_type}]\n"
               "    relations: [\"r = same(r)\"]\n",
               "t.yaml:5:17: in relation: expected one type, not a comparison, at 'r)'\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    results: [{name: r, type: any_type}]\n"
               "    relations: [\"r = repeat(r)\"]\n",
               "t.yaml:5:17: in relation: expected element(...) at 'r)'\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    results: [{name: r, type: any_type}]\n"
               "    relations: [\"r = r r\"]\n",
               "t.yaml:5:17: in relation: expected the end at 'r'\n");
}

static void
formats_that_cannot_be_read(void **state)
{
    (void)state;
    faults_are(
        "dialect: {name: toy}\n"
        "ops:\n"
        "  - name: a\n"
        "    operands: [{name: x, type: any_type}]\n"
        "    attributes: [{name: u, type: any_type, optional: true}]\n"
        "    format: \"$y attr-dict\"\n",
        "t.yaml:6:13: in the format of 'toy.a': offset 2: no operand, result, attribute, region, successor or parameter is called 'y'\n");
    faults_are(
        "dialect: {name: toy}\n"
        "ops:\n"
        "  - name: a\n"
        "    operands: [{name: x, type: any_type}]\n"
        "    attributes: [{name: u, type: any_type, optional: true}]\n"
        "    format: \"type(x) attr-dict\"\n",
        "t.yaml:6:13: in the format of 'toy.a': offset 6: expected '$name', 'operands' or 'results'\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    operands: [{name: x, type: any_type}]\n"
               "    attributes: [{name: u, type: any_type, optional: true}]\n"
               "    format: \"`a attr-dict\"\n",
               "t.yaml:6:13: in the format of 'toy.a': offset 1: literal without a closing '`'\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    operands: [{name: x, type: any_type}]\n"
               "    attributes: [{name: u, type: any_type, optional: true}]\n"
               "    format: \"custom<A>(\\\"b) attr-dict\"\n",
               "t.yaml:6:13: in the format of 'toy.a': offset 11: string without a closing '\"'\n");
    faults_are(
        "dialect: {name: toy}\n"
        "ops:\n"
        "  - name: a\n"
        "    operands: [{name: x, type: any_type}]\n"
        "    attributes: [{name: u, type: any_type, optional: true}]\n"
        "    format: \"custom<A>(purple) attr-dict\"\n",
        "t.yaml:6:13: in the format of 'toy.a': offset 16: 'purple' is no argument of a custom directive\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    operands: [{name: x, type: any_type}]\n"
               "    attributes: [{name: u, type: any_type, optional: true}]\n"
               "    format: \"purple\"\n",
               "t.yaml:6:13: in the format of 'toy.a': offset 0: unknown directive 'purple'\n");
    faults_are(
        "dialect: {name: toy}\n"
        "ops:\n"
        "  - name: a\n"
        "    operands: [{name: x, type: any_type}]\n"
        "    attributes: [{name: u, type: any_type, optional: true}]\n"
        "    format: \"($x)? attr-dict\"\n",
        "t.yaml:6:13: in the format of 'toy.a': offset 5: optional group has no anchor ('^')\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    operands: [{name: x, type: any_type}]\n"
               "    attributes: [{name: u, type: any_type, optional: true}]\n"
               "    format: \"($u^ $x^)? attr-dict\"\n",
               "t.yaml:6:13: in the format of 'toy.a': offset 8: optional group has two anchors\n");
    faults_are(
        "dialect: {name: toy}\n"
        "ops:\n"
        "  - name: a\n"
        "    operands: [{name: x, type: any_type}]\n"
        "    attributes: [{name: u, type: any_type, optional: true}]\n"
        "    format: \"(`a`^)? attr-dict\"\n",
        "t.yaml:6:13: in the format of 'toy.a': offset 5: this element cannot be an anchor\n");
    faults_are("dialect: {name: toy}\n"
               "ops:\n"
               "  - name: a\n"
               "    operands: [{name: x, type: any_type}]\n"
               "    attributes: [{name: u, type: any_type, optional: true}]\n"
               "    format: \"(((((((((((((((((((($u^)?)?)?)?)?)?)?)?)?)?)?)?)?)?)?)?)?)?)?)?\"\n",
               "t.yaml:6:13: in the format of 'toy.a': offset 17: groups are nested too deeply\n");
    faults_are(
        "dialect: {name: toy}\n"
        "ops:\n"
        "  - name: a\n"
        "    operands: [{name: x, type: any_type}]\n"
        "    attributes: [{name: u, type: any_type, optional: true}]\n"
        "    format: \"$x^ attr-dict\"\n",
        "t.yaml:6:13: in the format of 'toy.a': offset 13: an anchor ('^') stands outside of an optional group\n");
    faults_are(
        "dialect: {name: toy}\n"
        "ops:\n"
        "  - name: a\n"
        "    operands: [{name: x, type: any_type}]\n"
        "    attributes: [{name: u, type: any_type, optional: true}]\n"
        "    format: \"$x attr-dict `:` type($y)\"\n",
        "t.yaml:6:13: in the format of 'toy.a': offset 24: no operand, result, attribute, region, successor or parameter is called 'y'\n");
    faults_are(
        "dialect: {name: toy}\n"
        "types:\n"
        "  - {name: t, parameters: [{name: p, type: i64_attr}], format: \"struct(purple)\"}\n",
        "t.yaml:3:64: in the format of 'toy.t': offset 13: expected 'params' or '$name'\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_an_op),
        cmocka_unit_test(keeps_where_parts_were_read),
        cmocka_unit_test(derives_what_messages_call_parameters),
        cmocka_unit_test(implies_groups_of_structured_ops),
        cmocka_unit_test(lowers_to_ops_of_dialects_that_come_later),
        cmocka_unit_test(says_what_is_wrong_and_where),
        cmocka_unit_test(constraints_that_say_nothing),
        cmocka_unit_test(parts_that_are_none),
        cmocka_unit_test(relations_that_cannot_be_read),
        cmocka_unit_test(formats_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
