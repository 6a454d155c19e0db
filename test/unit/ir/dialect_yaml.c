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
             "  - {name: free, parameters: [{name: name, type: text}]}\n");
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
               "t.yaml:4:5: unknown key 'operand' of op\n");
    faults_are("dialect: {name: toy}\nops:\n  - name: a\n    traits: [purple]\n    operands: "
               "[{name: x, type: numer}]\n",
               "t.yaml:4:14: unknown trait 'purple'\n"
               "t.yaml:5:32: no constraint, type, attribute or enum is named 'numer'\n");
    faults_are("dialect: {name: toy}\nconstraints:\n  a: {any_of: [b]}\n  b: {any_of: [a]}\n",
               "t.yaml:4:16: constraint 'a' needs itself\n");
    faults_are("dialect: {name: toy}\nops:\n  - name: a\n  - name: a\n",
               "t.yaml:4:5: op 'toy.a' is defined twice\n");
    faults_are("dialect: {name: toy}\nops:\n  - name: a\n    results: [{name: r, type: any_type}]\n"
               "    relations: [\"r = element(q)\"]\n",
               "t.yaml:5:17: in relation: expected an operand, result or attribute at 'q)'\n");
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
