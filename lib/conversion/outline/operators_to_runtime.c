// operators_to_runtime.c -- calls of functions of libraries, by the runtime that has them.
//
// A call of a declaration with `mlc.operator` (graph-operators-to-calls) becomes one of
// `call_operator` of the runtime's table (mlc/runtime/abi.h). It gets the operator's number and the
// address of a row on the stack: for each tensor where it is, and its sizes. The declarations go;
// what they said is `mlc.operators` of the module, by number. For functions whose first argument is
// the call record, between parallel-to-runtime and convert-to-llvm.
#include "call_record.h"

#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"
#include "mlc/runtime/abi.h"
#include "mlc/support/map.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/func.h"
#include "mlc/dialects/memref.h"

typedef MLC_VEC(MlcAttr) AttrVec;

typedef struct Operators {
    MlcMap numbers; // declaration -> number + 1
    AttrVec described;
    MlcOpVec declared;
} Operators;

static MlcType
i64_type(MlcContext *ctx)
{
    return mlc_integer_type_get(ctx, 64, MLC_SIGNLESS);
}

static MlcValue *
number(MlcBuilder *b, int64_t value)
{
    return mlc_arith_constant(b, mlc_integer_attr_get(i64_type(b->ctx), value));
}

// The address of each buffer, then its sizes: those that are no numbers are the call's operands of
// type index, in order.
static bool
collect_words(MlcOp *call, MlcBuilder *b, MlcValueVec *words)
{
    size_t count = mlc_op_num_operands(call), size = 0;
    for (size_t i = 0; i < count; i++) {
        MlcValue *buffer = mlc_op_operand(call, i);
        MlcType type = mlc_value_type(buffer);
        if (!mlc_type_is(type, MLC_TYPE_MEMREF))
            continue;
        MlcValue *address = mlc_memref_extract_aligned_pointer_as_index(b, buffer);
        mlc_vec_push(words, mlc_arith_index_cast(b, i64_type(b->ctx), address));
        for (size_t k = 0; k < mlc_type_rank(type); k++) {
            if (mlc_type_dim(type, k) != MLC_DYNAMIC) {
                mlc_vec_push(words, number(b, mlc_type_dim(type, k)));
                continue;
            }
            while (size < count && !mlc_type_is(mlc_op_operand_type(call, size), MLC_TYPE_INDEX))
                size++;
            if (size == count)
                return mlc_op_error(call, "has fewer sizes than its buffers leave open");
            mlc_vec_push(words,
                         mlc_arith_index_cast(b, i64_type(b->ctx), mlc_op_operand(call, size++)));
        }
    }
    return true;
}

static bool
lower_call(MlcOp *op, int64_t which)
{
    MlcValue *call = call_record_of(op);
    if (!call)
        return false;
    MlcBuilder b, start;
    MlcContext *ctx = mlc_op_context(op);
    MlcValueVec words = {0};
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, op);
    bool ok = mlc_op_num_results(op) == 0
                  ? collect_words(op, &b, &words)
                  : mlc_op_error(op, "has results, expected buffers for them");
    if (ok) {
        int64_t size = (int64_t)words.size;
        mlc_builder_init(&start, ctx);
        mlc_builder_at_start(&start, mlc_value_block(call));
        MlcValue *row = mlc_memref_alloca(
            &start, mlc_memref_type_get(i64_type(ctx), &size, 1, NULL, NULL), NULL, 0, NULL, 0);
        for (size_t i = 0; i < words.size; i++) {
            MlcValue *place = mlc_build_index(&b, (int64_t)i);
            mlc_memref_store(&b, words.data[i], row, &place, 1);
        }
        MlcValue *address = mlc_memref_extract_aligned_pointer_as_index(&b, row);
        MlcValue *table = call_record_field(&b, call, MLC_RT_CALL_TABLE);
        MlcValue *operands[] = {call_record_field(&b, table, MLC_RT_TABLE_CALL_OPERATOR), call,
                                number(&b, which),
                                mlc_arith_index_cast(&b, i64_type(ctx), address)};
        mlc_llvm_call(&b, NULL, operands, 4);
        mlc_op_erase(op);
    }
    mlc_vec_release(&words);
    return ok;
}

static void
find_declarations(MlcOp *module, Operators *operators)
{
    MLC_FOR_EACH_BLOCK_IN_OP (block, module)
        MLC_FOR_EACH_OP (op, block) {
            MlcAttr described = mlc_func_func_isa(op) ? mlc_op_attr(op, "mlc.operator") : NULL;
            if (!described)
                continue;
            mlc_vec_push(&operators->described, described);
            mlc_vec_push(&operators->declared, op);
            mlc_map_set_u64(&operators->numbers, (uint64_t)(uintptr_t)op,
                            operators->described.size);
        }
}

static bool
lower_calls(MlcOp *module, Operators *operators)
{
    MlcSymbolTable *symbols = mlc_symbol_table_create(module);
    bool ok = true;
    MLC_FOR_EACH_OF_KIND (call, module, &mlc_func_call_def) {
        uint64_t which = 0;
        MlcOp *callee = mlc_symbol_table_lookup(symbols, mlc_func_call_callee(call));
        if (mlc_map_get_u64(&operators->numbers, (uint64_t)(uintptr_t)callee, &which))
            ok &= lower_call(call, (int64_t)which - 1);
    }
    mlc_symbol_table_destroy(symbols);
    return ok;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_func_call_def;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    Operators operators = {0};
    find_declarations(module, &operators);
    bool ok = operators.declared.size == 0 || lower_calls(module, &operators);
    if (ok && operators.declared.size) {
        mlc_op_set_attr(module, "mlc.operators",
                        mlc_array_attr_get(mlc_pass_context(pass), operators.described.data,
                                           operators.described.size));
        for (size_t i = 0; i < operators.declared.size; i++)
            mlc_op_erase(operators.declared.data[i]);
    }
    mlc_map_release(&operators.numbers);
    mlc_vec_release(&operators.described);
    mlc_vec_release(&operators.declared);
    return ok;
}

static const char *const dialects[] = {"llvm", "arith", "memref", "func", NULL};

MLC_PASS(operators_to_runtime, .flag = "operators-to-runtime",
         .summary = "Ask the runtime to call what is a function of a library",
         .anchor = "builtin.module", .dependent_dialects = dialects, .converts = converts,
         .run = run)
