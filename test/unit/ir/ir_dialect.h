// ir_dialect.h -- a small dialect as constant records, for tests of the core: no YAML, no text.
#ifndef IR_DIALECT_H
#define IR_DIALECT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mlc/ir.h"

static const MlcConstraint any_type = {
    .name = "any", .summary = "any type", .kind = MLC_CONSTRAINT_ANY};
static const MlcConstraint int_type = {.name = "int",
                                       .summary = "signless integer",
                                       .kind = MLC_CONSTRAINT_INTEGER,
                                       .b = 1 << MLC_SIGNLESS};
static const MlcConstraint any_attr = {
    .name = "any_attr", .summary = "any attribute", .kind = MLC_CONSTRAINT_ANY};
static const MlcConstraint string_attr = {.name = "string",
                                          .summary = "string attribute",
                                          .kind = MLC_CONSTRAINT_ATTR_KIND,
                                          .a = 1 << MLC_ATTR_STRING};

static const MlcDialectDef t_dialect;
static const MlcValueDef one_int[] = {{.name = "value", .type = &int_type}};
static const MlcValueDef two_ints[] = {{.name = "lhs", .type = &int_type},
                                       {.name = "rhs", .type = &int_type}};
static const MlcValueDef variadic[] = {
    {.name = "values", .type = &any_type, .arity = MLC_VARIADIC}};
static const MlcValueDef two_variadics[] = {
    {.name = "a", .type = &any_type, .arity = MLC_VARIADIC},
    {.name = "b", .type = &any_type, .arity = MLC_VARIADIC}};
static const MlcValueDef allocated[] = {
    {.name = "memory", .type = &any_type, .effects = MLC_EFFECT_ALLOC}};
static const MlcValueDef stored[] = {
    {.name = "memory", .type = &any_type, .effects = MLC_EFFECT_WRITE}};
static const MlcAttrSlot value_slot[] = {{.name = "value", .constraint = &any_attr}};
static const MlcAttrSlot name_slot[] = {{.name = "sym_name", .constraint = &string_attr}};
static const MlcAttrSlot segments_slot[] = {
    {.name = "operandSegmentSizes", .constraint = &any_attr}};
static const MlcRegionDef one_region[] = {{.name = "body", .shape = MLC_REGION_ANY}};
static const MlcSuccessorDef one_successor[] = {{.name = "to"}};
static const MlcSuccessorDef two_successors[] = {{.name = "yes"}, {.name = "no"}};

static const MlcOpDef t_add = {.name = "t.add",
                               .dialect = &t_dialect,
                               .operands = two_ints,
                               .num_operands = 2,
                               .results = one_int,
                               .num_results = 1,
                               .traits =
                                   MLC_TRAITS_PURE | MLC_TRAIT_BIT(SAME_OPERANDS_AND_RESULT_TYPE)};
static const MlcOpDef t_alloc = {
    .name = "t.alloc", .dialect = &t_dialect, .results = allocated, .num_results = 1};
static const MlcOpDef t_br = {.name = "t.br",
                              .dialect = &t_dialect,
                              .operands = variadic,
                              .num_operands = 1,
                              .successors = one_successor,
                              .num_successors = 1,
                              .traits = MLC_TRAITS_PURE | MLC_TRAIT_BIT(TERMINATOR)};
static const MlcOpDef t_cond = {.name = "t.cond",
                                .dialect = &t_dialect,
                                .successors = two_successors,
                                .num_successors = 2,
                                .traits = MLC_TRAITS_PURE | MLC_TRAIT_BIT(TERMINATOR)};
static const MlcOpDef t_const = {.name = "t.const",
                                 .dialect = &t_dialect,
                                 .results = one_int,
                                 .num_results = 1,
                                 .attrs = value_slot,
                                 .num_attrs = 1,
                                 .traits = MLC_TRAITS_PURE | MLC_TRAIT_BIT(CONSTANT_LIKE)};
static const MlcOpDef t_func = {.name = "t.func",
                                .dialect = &t_dialect,
                                .attrs = name_slot,
                                .num_attrs = 1,
                                .regions = one_region,
                                .num_regions = 1,
                                .traits = MLC_TRAIT_BIT(ISOLATED) | MLC_TRAIT_BIT(SYMBOL)};
static const MlcOpDef t_graph = {.name = "t.graph",
                                 .dialect = &t_dialect,
                                 .regions = one_region,
                                 .num_regions = 1,
                                 .traits =
                                     MLC_TRAIT_BIT(GRAPH_REGION) | MLC_TRAIT_BIT(NO_TERMINATOR)};
static const MlcOpDef t_group = {.name = "t.group",
                                 .dialect = &t_dialect,
                                 .operands = two_variadics,
                                 .num_operands = 2,
                                 .attrs = segments_slot,
                                 .num_attrs = 1,
                                 .traits = MLC_TRAITS_PURE | MLC_TRAIT_BIT(ATTR_SIZED_OPERANDS)};
static const MlcOpDef t_module = {.name = "t.module",
                                  .dialect = &t_dialect,
                                  .regions = one_region,
                                  .num_regions = 1,
                                  .traits = MLC_TRAIT_BIT(ISOLATED) | MLC_TRAIT_BIT(SYMBOL_TABLE) |
                                            MLC_TRAIT_BIT(NO_TERMINATOR) |
                                            MLC_TRAIT_BIT(SINGLE_BLOCK)};
static const MlcOpDef t_ret = {.name = "t.ret",
                               .dialect = &t_dialect,
                               .operands = variadic,
                               .num_operands = 1,
                               .traits = MLC_TRAITS_PURE | MLC_TRAIT_BIT(TERMINATOR) |
                                         MLC_TRAIT_BIT(RETURN_LIKE)};
static const MlcOpDef t_scope = {.name = "t.scope",
                                 .dialect = &t_dialect,
                                 .operands = variadic,
                                 .num_operands = 1,
                                 .results = variadic,
                                 .num_results = 1,
                                 .regions = one_region,
                                 .num_regions = 1,
                                 .traits = MLC_TRAIT_BIT(RECURSIVE_MEMORY_EFFECTS) |
                                           MLC_TRAIT_BIT(RECURSIVELY_SPECULATABLE)};
static const MlcOpDef t_store = {
    .name = "t.store", .dialect = &t_dialect, .operands = stored, .num_operands = 1};

static const MlcOpDef *const t_ops[] = {&t_add,   &t_alloc, &t_br,     &t_cond, &t_const, &t_func,
                                        &t_graph, &t_group, &t_module, &t_ret,  &t_scope, &t_store};
static const MlcDialectDef t_dialect = {
    .name = "t", .ops = t_ops, .num_ops = sizeof t_ops / sizeof *t_ops};

static inline MlcContext *
test_context(void)
{
    MlcContext *ctx = mlc_context_create();
    assert_true(mlc_context_register_dialect(ctx, &t_dialect));
    return ctx;
}

static inline MlcOp *
make_op(MlcBuilder *b, const MlcOpDef *def, MlcValue *const *operands, size_t num_operands,
        size_t num_results)
{
    MlcType types[8];
    for (size_t i = 0; i < 8; i++)
        types[i] = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    MlcOpState state = {.def = def,
                        .operands = operands,
                        .num_operands = num_operands,
                        .result_types = types,
                        .num_results = num_results,
                        .num_regions = def->num_regions};
    return mlc_builder_create(b, &state);
}

static inline MlcValue *
make_const(MlcBuilder *b, int32_t value)
{
    MlcOp *op = make_op(b, &t_const, NULL, 0, 1);
    mlc_op_set_slot(op, 0, mlc_i32_attr_get(b->ctx, value));
    return mlc_op_result(op, 0);
}

static inline MlcValue *
make_add(MlcBuilder *b, MlcValue *lhs, MlcValue *rhs)
{
    return mlc_op_result(make_op(b, &t_add, (MlcValue *[]){lhs, rhs}, 2, 1), 0);
}

static inline MlcOp *
make_branch(MlcBuilder *b, const MlcOpDef *def, MlcBlock *const *to, size_t num_to)
{
    MlcOpState state = {.def = def, .successors = to, .num_successors = num_to};
    return mlc_builder_create(b, &state);
}

// A module with one function of one empty block; the builder stands in it.
static inline MlcOp *
make_module(MlcContext *ctx, MlcBuilder *b, MlcOp **func)
{
    mlc_builder_init(b, ctx);
    MlcOp *module = make_op(b, &t_module, NULL, 0, 0);
    mlc_builder_create_block(b, mlc_op_region(module, 0), NULL, 0);
    *func = make_op(b, &t_func, NULL, 0, 0);
    mlc_op_set_attr(*func, "sym_name", mlc_string_attr_get(ctx, mlc_str("f")));
    mlc_builder_create_block(b, mlc_op_region(*func, 0), NULL, 0);
    return module;
}

#endif
