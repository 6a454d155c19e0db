// parallel_to_runtime.c -- outermost parallel loops become tasks that the runtime's worker pool
// shares out.
//
// Every function takes the call record (mlc/runtime/abi.h) as its first argument from here on. The
// body of a loop moves into a function `@kernel_task(%context, %begin, %end, %scratch)` that runs a
// range of chunks, a chunk being `mlc.grain` iterations (else one) of the whole iteration space in
// row-major order; what the body uses from outside travels in a struct on the caller's stack.
// Buffers that the body allocates are windows of the thread's scratch; the most that any task needs
// is the module attribute `mlc.scratch_bytes`. Constants are made again inside.
#include "mlc/analysis/alias.h"
#include "mlc/pass.h"
#include "mlc/runtime/abi.h"
#include "parallel_space.h"
#include "to_llvm/to_llvm.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/builtin.h"
#include "mlc/dialects/func.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/memref_build.h"
#include "mlc/dialects/scf.h"
#include "mlc/ir/mixed.h"
#include "mlc/ir/rewrite.h"

static MlcType
i64_type(MlcContext *ctx)
{
    return mlc_integer_type_get(ctx, 64, MLC_SIGNLESS);
}

static MlcType
byte_type(MlcContext *ctx)
{
    return mlc_integer_type_get(ctx, 8, MLC_SIGNLESS);
}

static MlcValue *
cast(MlcBuilder *b, MlcValue *value, MlcType type)
{
    if (mlc_value_type(value) == type)
        return value;
    return mlc_op_result(mlc_builtin_unrealized_conversion_cast(b, &type, 1, &value, 1), 0);
}

static MlcValue *
field(MlcBuilder *b, MlcValue *base, int64_t bytes)
{
    if (bytes == 0)
        return base;
    int32_t raw = (int32_t)bytes;
    return mlc_llvm_getelementptr(b, mlc_value_type(base), base, NULL, 0, &raw, 1,
                                  byte_type(b->ctx));
}

// What travels: a memref as its pointer, index as i64, others as they are.
static MlcType
carried_type(MlcType type)
{
    MlcContext *ctx = mlc_type_context(type);
    if (mlc_type_is(type, MLC_TYPE_MEMREF))
        return llvm_ptr(ctx, 0);
    return mlc_type_is(type, MLC_TYPE_INDEX) ? i64_type(ctx) : type;
}

static int64_t
carried_bytes(MlcType type)
{
    int64_t lanes = mlc_type_is(type, MLC_TYPE_VECTOR) ? mlc_type_num_elements(type) : 1;
    MlcType element = mlc_type_element(type);
    bool is_scalar = mlc_type_is(element, MLC_TYPE_INTEGER) || mlc_type_is(element, MLC_TYPE_FLOAT);
    int64_t bytes = lanes * (is_scalar ? (mlc_type_bit_width(element) + 7) / 8 : 8);
    return (bytes + 7) / 8 * 8;
}

typedef struct Outline {
    MlcOp *loop, *function;
    MlcValueVec captures;
    MlcOpVec constants;
    int64_t scratch_bytes;
    MlcOpVec buffers; // memref.extract_strided_metadata of those of open strides
} Outline;

// Captures of open strides become their address, offset, sizes and strides, found before the loop.
static void
take_apart(Outline *o)
{
    MlcContext *ctx = mlc_op_context(o->loop);
    MlcType index = mlc_index_type_get(ctx);
    MlcValueVec kept = {0};
    MlcTypeVec indices = {0};
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, o->loop);
    for (size_t i = 0; i < o->captures.size; i++) {
        MlcValue *value = o->captures.data[i];
        MlcType type = mlc_value_type(value);
        if (!mlc_memref_has_open_strides(type)) {
            mlc_vec_push(&kept, value);
            continue;
        }
        size_t rank = mlc_type_rank(type);
        mlc_vec_clear(&indices);
        for (size_t k = 0; k < rank; k++)
            mlc_vec_push(&indices, index);
        MlcType base = mlc_memref_element_type(type);
        MlcOp *parts = mlc_memref_extract_strided_metadata(&b, base, index, indices.data, rank,
                                                           indices.data, rank, value);
        for (size_t k = 0; k < mlc_op_num_results(parts); k++)
            mlc_vec_push(&kept, mlc_op_result(parts, k));
        mlc_vec_push(&o->buffers, parts);
    }
    mlc_vec_release(&o->captures);
    mlc_vec_release(&indices);
    o->captures = kept;
}

static MlcMixedList
parts_of(MlcOp *parts, size_t first, size_t count, const int64_t *known, const MlcCloneMap *map)
{
    MlcMixedList list = {.size = count};
    for (size_t i = 0; i < count; i++)
        list.items[i] = known[i] == MLC_DYNAMIC
                            ? (MlcMixed){mlc_clone_map_get(map, mlc_op_result(parts, first + i)), 0}
                            : mlc_mixed(known[i]);
    return list;
}

// Inside the task they are put together again.
static void
put_together(Outline *o, MlcBuilder *b, MlcCloneMap *map)
{
    for (size_t i = 0; i < o->buffers.size; i++) {
        MlcOp *parts = o->buffers.data[i];
        MlcValue *buffer = mlc_op_operand(parts, 0);
        MlcType type = mlc_value_type(buffer);
        size_t rank = mlc_type_rank(type);
        int64_t offset, strides[MLC_RANK_LIMIT];
        mlc_memref_type_strides(type, &offset, strides);
        MlcSlice all = {.offsets = parts_of(parts, 1, 1, &offset, map),
                        .sizes = parts_of(parts, 2, rank, mlc_type_shape(type), map),
                        .strides = parts_of(parts, 2 + rank, rank, strides, map)};
        MlcValue *base = mlc_clone_map_get(map, mlc_op_result(parts, 0));
        MlcOp *made = mlc_build_slice(b, &mlc_memref_reinterpret_cast_def, type, &base, 1, &all);
        mlc_clone_map_set(map, buffer, mlc_op_result(made, 0));
    }
}

// The caller's side of the struct.
static MlcValue *
store_context(Outline *o, MlcBuilder *b)
{
    int64_t bytes = 8;
    for (size_t i = 0; i < o->captures.size; i++)
        bytes += carried_bytes(carried_type(mlc_value_type(o->captures.data[i])));
    MlcValue *count = llvm_constant(b, i64_type(b->ctx), bytes);
    MlcValue *context = mlc_llvm_alloca(b, llvm_ptr(b->ctx, 0), count, byte_type(b->ctx));
    mlc_llvm_alloca_set_alignment(mlc_value_def(context),
                                  mlc_i64_attr_get(b->ctx, MLC_RT_ALIGNMENT));
    int64_t offset = 0;
    for (size_t i = 0; i < o->captures.size; i++) {
        MlcType type = carried_type(mlc_value_type(o->captures.data[i]));
        MlcValue *value = cast(b, o->captures.data[i], type);
        llvm_store(b, value, field(b, context, offset), 8);
        offset += carried_bytes(type);
    }
    return context;
}

static void
load_context(Outline *o, MlcBuilder *b, MlcValue *context, MlcCloneMap *map)
{
    int64_t offset = 0;
    for (size_t i = 0; i < o->captures.size; i++) {
        MlcType type = carried_type(mlc_value_type(o->captures.data[i]));
        MlcValue *loaded = llvm_load(b, type, field(b, context, offset), 8);
        MlcValue *value = cast(b, loaded, mlc_value_type(o->captures.data[i]));
        mlc_clone_map_set(map, o->captures.data[i], value);
        offset += carried_bytes(type);
    }
}

static void
replace_scratch(MlcOp *task, MlcValue *scratch, int64_t *total)
{
    MlcContext *ctx = mlc_op_context(task);
    *total = 0;
    MLC_FOR_EACH_OF_KIND (alloc, task, &mlc_memref_alloc_def) {
        MlcType type = mlc_value_type(mlc_op_result(alloc, 0));
        if (!mlc_type_has_static_shape(type) || !mlc_buffer_stays(mlc_op_result(alloc, 0)))
            continue;
        int64_t bytes = mlc_ceil_div(mlc_buffer_bytes(type), MLC_RT_ALIGNMENT) * MLC_RT_ALIGNMENT;
        MlcBuilder b;
        mlc_builder_init(&b, ctx);
        mlc_builder_before(&b, alloc);
        MlcType run = mlc_memref_type_get(byte_type(ctx), &bytes, 1, NULL, NULL);
        MlcValue *window = cast(&b, field(&b, scratch, *total), run);
        MlcValue *view = mlc_memref_view(&b, type, window, mlc_build_index(&b, 0), NULL, 0);
        *total += bytes;
        mlc_op_replace(alloc, &view, 1);
    }
}

// Iterations of a chunk: at least 1.
static int64_t
grain_of(MlcOp *loop)
{
    int64_t grain;
    MlcAttr attr = mlc_op_attr(loop, "mlc.grain");
    return attr && mlc_attr_try_as_int(attr, &grain) && grain > 1 ? grain : 1;
}

// The product of `counts`.
static MlcValue *
build_total(MlcBuilder *b, const MlcValueVec *counts)
{
    MlcValue *total = counts->data[0];
    for (size_t i = 1; i < counts->size; i++)
        total = mlc_arith_muli(b, total, counts->data[i]);
    return total;
}

// The first iteration of chunk `argument`, or the end of the last one.
static MlcValue *
build_iteration(MlcBuilder *b, MlcValue *argument, int64_t grain, MlcValue *total)
{
    MlcType index = mlc_index_type_get(b->ctx);
    MlcValue *chunk = mlc_arith_index_cast(b, index, argument);
    if (grain == 1)
        return chunk;
    MlcValue *first = mlc_arith_muli(b, chunk, mlc_build_index(b, grain));
    return mlc_arith_minsi(b, first, total);
}

// The loop over iterations, and in it the loop variables from the iteration's number, last
// dimension fastest.
static void
build_task_body(Outline *o, MlcBuilder *b, MlcBlock *entry)
{
    MlcContext *ctx = b->ctx;
    MlcType index = mlc_index_type_get(ctx);
    MlcCloneMap *map = mlc_clone_map_create();
    for (size_t i = 0; i < o->constants.size; i++)
        mlc_builder_insert(b, mlc_op_clone(o->constants.data[i], map));
    load_context(o, b, mlc_block_arg(entry, 0), map);
    put_together(o, b, map);
    size_t n = mlc_op_num_operands(o->loop) / 3;
    MlcValueVec counts = {0};
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&counts, parallel_trip_count(b, o->loop, i, map));
    int64_t grain = grain_of(o->loop);
    MlcValue *total = grain > 1 ? build_total(b, &counts) : NULL;
    MlcValue *begin = build_iteration(b, mlc_block_arg(entry, 1), grain, total);
    MlcValue *end = build_iteration(b, mlc_block_arg(entry, 2), grain, total);
    MlcOp *iterations = mlc_scf_for(b, NULL, 0, begin, end, mlc_build_index(b, 1), NULL, 0);
    mlc_func_return(b, NULL, 0);
    MlcBlock *inner = mlc_builder_create_block(b, mlc_op_region(iterations, 0), &index, 1);
    MlcBlock *body = mlc_region_first(mlc_op_region(o->loop, 0));
    MlcValueVec indices = {0};
    parallel_indices(b, o->loop, mlc_block_arg(inner, 0), &counts, map, &indices);
    for (size_t i = 0; i < n; i++)
        mlc_clone_map_set(map, mlc_block_arg(body, i), indices.data[i]);
    mlc_vec_release(&indices);
    mlc_vec_release(&counts);
    MLC_FOR_EACH_OP (op, body)
        if (op != mlc_block_terminator(body))
            mlc_builder_insert(b, mlc_op_clone(op, map));
    mlc_scf_yield(b, NULL, 0);
    mlc_clone_map_destroy(map);
}

static MlcOp *
create_task(Outline *o, MlcSymbolTable *symbols)
{
    MlcContext *ctx = mlc_op_context(o->loop);
    MlcType ptr = llvm_ptr(ctx, 0), i64 = i64_type(ctx), types[4] = {ptr, i64, i64, ptr};
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    MlcBuf name = {0};
    mlc_buf_printf(&name, "%.*s_task", MLC_STR_FMT(mlc_symbol_name(o->function)));
    b.loc = mlc_op_loc(o->loop);
    mlc_builder_after(&b, o->function);
    MlcOp *task =
        mlc_func_func(&b, mlc_buf_str(&name), mlc_function_type_get(ctx, types, 4, NULL, 0));
    mlc_func_func_set_sym_visibility(task, mlc_string_attr_get(ctx, mlc_str("private")));
    mlc_buf_release(&name);
    mlc_symbol_table_insert(symbols, task);
    MlcBlock *entry = mlc_builder_create_block(&b, mlc_op_region(task, 0), types, 4);
    build_task_body(o, &b, entry);
    replace_scratch(task, mlc_block_arg(entry, 3), &o->scratch_bytes);
    return task;
}

static void
call_runtime(Outline *o, MlcOp *task, MlcValue *call)
{
    MlcContext *ctx = mlc_op_context(o->loop);
    MlcType ptr = llvm_ptr(ctx, 0);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, o->loop);
    MlcValueVec counts = {0};
    for (size_t i = 0; i < mlc_op_num_operands(o->loop) / 3; i++)
        mlc_vec_push(&counts, parallel_trip_count(&b, o->loop, i, NULL));
    MlcValue *chunks = build_total(&b, &counts);
    mlc_vec_release(&counts);
    int64_t grain = grain_of(o->loop);
    if (grain > 1) {
        chunks = mlc_arith_addi(&b, chunks, mlc_build_index(&b, grain - 1));
        chunks = mlc_arith_divui(&b, chunks, mlc_build_index(&b, grain));
    }
    MlcValue *function =
        mlc_func_constant(&b, mlc_func_func_function_type(task), mlc_symbol_name(task));
    MlcValue *table = llvm_load(&b, ptr, field(&b, call, 8 * MLC_RT_CALL_TABLE), 8);
    MlcValue *parallel_for = llvm_load(&b, ptr, field(&b, table, 8 * MLC_RT_TABLE_PARALLEL_FOR), 8);
    MlcValue *operands[5] = {parallel_for, call, cast(&b, function, ptr), store_context(o, &b),
                             mlc_arith_index_cast(&b, i64_type(ctx), chunks)};
    mlc_llvm_call(&b, NULL, operands, 5);
    mlc_op_erase(o->loop);
}

// Adds the call record to a function, and returns it.
static MlcValue *
add_call_argument(MlcOp *function)
{
    MlcContext *ctx = mlc_op_context(function);
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcType type = methods->type(function);
    MlcTypeVec inputs = {0};
    mlc_vec_push(&inputs, llvm_ptr(ctx, 0));
    for (size_t i = 0; i < mlc_function_type_num_inputs(type); i++)
        mlc_vec_push(&inputs, mlc_function_type_inputs(type)[i]);
    type = mlc_function_type_get(ctx, inputs.data, inputs.size, mlc_function_type_results(type),
                                 mlc_function_type_num_results(type));
    mlc_vec_release(&inputs);
    mlc_op_set_slot(function, methods->type_slot, mlc_type_attr_get(type));
    return mlc_block_insert_arg(mlc_region_first(mlc_op_region(function, 0)), 0, llvm_ptr(ctx, 0),
                                mlc_op_loc(function));
}

// What only is declared is not called with the record (text-to-runtime).
static bool
has_body(MlcOp *call, MlcSymbolTable *symbols)
{
    MlcStr callee = mlc_func_call_callee(call);
    MlcOp *function = mlc_symbol_table_lookup(symbols, callee);
    return !function || !mlc_region_is_empty(mlc_op_region(function, 0));
}

static bool
lower_function(MlcOp *function, MlcSymbolTable *symbols, int64_t *scratch_bytes)
{
    MlcValue *call = add_call_argument(function);
    MlcOpVec loops = {0};
    for (MlcOp *op = function, *next; op; op = next) {
        next = mlc_op_preorder_next(op, function);
        if (mlc_func_call_isa(op) && has_body(op, symbols))
            mlc_op_insert_operands(op, 0, &call, 1);
        if (!mlc_scf_parallel_isa(op))
            continue;
        mlc_vec_push(&loops, op);
        while (next && mlc_op_is_ancestor(op, next))
            next = mlc_op_preorder_next(next, function);
    }
    bool ok = true;
    for (size_t i = 0; ok && i < loops.size; i++) {
        if (mlc_op_num_results(loops.data[i]) > 0) {
            ok = mlc_op_error(loops.data[i],
                              "reductions of parallel loops are not shared out between threads");
            break;
        }
        Outline o = {.loop = loops.data[i], .function = function};
        // With what the bounds and steps of the loop itself use.
        mlc_op_find_captures(o.loop, true, &o.captures, &o.constants);
        take_apart(&o);
        MlcOp *task = create_task(&o, symbols);
        *scratch_bytes = o.scratch_bytes > *scratch_bytes ? o.scratch_bytes : *scratch_bytes;
        call_runtime(&o, task, call);
        mlc_vec_release(&o.captures);
        mlc_vec_release(&o.constants);
        mlc_vec_release(&o.buffers);
    }
    mlc_vec_release(&loops);
    return ok;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_scf_parallel_def;
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    MlcOpVec functions = {0};
    MLC_FOR_EACH_BLOCK_IN_OP (block, module)
        MLC_FOR_EACH_OP (op, block)
            if (mlc_func_func_isa(op) && !mlc_region_is_empty(mlc_op_region(op, 0)))
                mlc_vec_push(&functions, op);
    MlcSymbolTable *symbols = mlc_symbol_table_create(module);
    int64_t scratch_bytes = 0;
    bool ok = true;
    MLC_FOR_EACH_OF_KIND (alloc, module, &mlc_memref_alloc_def)
        ok = mlc_buffer_check_bytes(alloc) && ok;
    for (size_t i = 0; ok && i < functions.size; i++)
        ok = lower_function(functions.data[i], symbols, &scratch_bytes);
    mlc_symbol_table_destroy(symbols);
    mlc_vec_release(&functions);
    MlcContext *ctx = mlc_pass_context(pass);
    mlc_op_set_attr(module, "mlc.scratch_bytes", mlc_i64_attr_get(ctx, scratch_bytes));
    return ok;
}

static const char *const dialects[] = {"llvm", "arith", "scf", "func", NULL};

MLC_PASS(parallel_to_runtime, .flag = "parallel-to-runtime",
         .summary = "Hand outermost parallel loops to the runtime's workers",
         .anchor = "builtin.module", .dependent_dialects = dialects, .converts = converts,
         .run = run)
