// bufferization_lower_deallocations.c -- bufferization.dealloc as what it does: frees under
// conditions.
//
// With one buffer to free, its address is compared with those retained on the spot. With more, they
// may also be one another, and the comparisons are quadratic: addresses and conditions go into
// lists, and a function of the symbol table's own, made when first needed, walks them. (MLIR's
// documentation of ownership-based buffer deallocation.)
#include "mlc/ir/rewrite.h"
#include "mlc/pass.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/bufferization.h"
#include "mlc/dialects/func.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"
#include "mlc/ir/symbol.h"

static MlcValue *
build_bool(MlcBuilder *b, bool value)
{
    return mlc_build_constant(b, mlc_bool_attr_get(b->ctx, value));
}

static MlcValue *
build_address(MlcBuilder *b, MlcValue *memref)
{
    return mlc_memref_extract_aligned_pointer_as_index(b, memref);
}

static MlcValue *
build_load(MlcBuilder *b, MlcValue *list, MlcValue *index)
{
    return mlc_memref_load(b, list, &index, 1);
}

static void
build_store(MlcBuilder *b, MlcValue *value, MlcValue *list, MlcValue *index)
{
    mlc_memref_store(b, value, list, &index, 1);
}

// An `if` without results; `b` moves into it, and what is made there comes before its end.
static void
enter_if(MlcBuilder *b, MlcValue *condition)
{
    MlcOp *branch = mlc_scf_if(b, NULL, 0, condition);
    mlc_builder_create_block(b, mlc_op_region(branch, 0), NULL, 0);
    b->before = mlc_scf_yield(b, NULL, 0);
}

static void
free_if(MlcBuilder *b, MlcValue *memref, MlcValue *condition)
{
    MlcBuilder in = *b;
    enter_if(&in, condition);
    mlc_memref_dealloc(&in, memref);
}

// A loop from `lower` to `upper` by 1; `b` moves into its body, which ends where `carried` is NULL.
static MlcOp *
enter_for(MlcBuilder *b, MlcValue *lower, MlcValue *upper, MlcValue *step, MlcValue *carried)
{
    MlcType types[2] = {mlc_value_type(lower), carried ? mlc_value_type(carried) : NULL};
    MlcOp *loop =
        mlc_scf_for(b, &types[1], carried != NULL, lower, upper, step, &carried, carried != NULL);
    mlc_builder_create_block(b, mlc_op_region(loop, 0), types, carried ? 2 : 1);
    if (!carried)
        b->before = mlc_scf_yield(b, NULL, 0);
    return loop;
}

// --- one buffer

static void
lower_one(MlcBuilder *b, MlcOp *op, MlcValueVec *results)
{
    MlcValue *memref = mlc_bufferization_dealloc_memrefs(op, 0),
             *condition = mlc_bufferization_dealloc_conditions(op, 0), *frees = NULL;
    size_t n = mlc_bufferization_dealloc_num_retained(op);
    if (n == 0) {
        free_if(b, memref, condition);
        return;
    }
    MlcValueVec differs = {0};
    MlcValue *address = build_address(b, memref);
    for (size_t i = 0; i < n; i++) {
        MlcValue *other = build_address(b, mlc_bufferization_dealloc_retained(op, i));
        mlc_vec_push(&differs, mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_NE, address, other));
    }
    for (size_t i = 0; i < n; i++)
        frees = frees ? mlc_arith_andi(b, frees, differs.data[i]) : differs.data[i];
    free_if(b, memref, mlc_arith_andi(b, frees, condition));
    for (size_t i = 0; i < n; i++) {
        MlcValue *same = mlc_arith_xori(b, differs.data[i], build_bool(b, true));
        mlc_vec_push(results, mlc_arith_andi(b, same, condition));
    }
    mlc_vec_release(&differs);
}

// --- several

static MlcValue *
build_not(MlcBuilder *b, MlcValue *value)
{
    return mlc_arith_xori(b, value, build_bool(b, true));
}

// All comparisons where the op stands. A buffer is freed through the first of its operands whose
// condition holds.
static void
lower_inline(MlcBuilder *b, MlcOp *op, MlcValueVec *results)
{
    size_t n = mlc_bufferization_dealloc_num_memrefs(op),
           num_retained = mlc_bufferization_dealloc_num_retained(op);
    MlcValueVec addresses = {0}, kept = {0};
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&addresses, build_address(b, mlc_bufferization_dealloc_memrefs(op, i)));
    for (size_t i = 0; i < num_retained; i++)
        mlc_vec_push(&kept, build_address(b, mlc_bufferization_dealloc_retained(op, i)));
    for (size_t i = 0; i < n; i++) {
        MlcValue *condition = mlc_bufferization_dealloc_conditions(op, i), *frees = condition;
        for (size_t k = 0; k < num_retained; k++) {
            MlcValue *same = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_EQ, addresses.data[i],
                                               kept.data[k]),
                     *owned = mlc_arith_andi(b, same, condition);
            frees = mlc_arith_andi(b, frees, build_not(b, same));
            if (i == 0)
                mlc_vec_push(results, owned);
            else
                results->data[k] = mlc_arith_ori(b, results->data[k], owned);
        }
        for (size_t j = 0; j < i; j++) {
            MlcValue *same = mlc_build_compare(b, MLC_ARITH_CMPI_PREDICATE_EQ, addresses.data[i],
                                               addresses.data[j]),
                     *done = mlc_arith_andi(b, same, mlc_bufferization_dealloc_conditions(op, j));
            frees = mlc_arith_andi(b, frees, build_not(b, done));
        }
        free_if(b, mlc_bufferization_dealloc_memrefs(op, i), frees);
    }
    mlc_vec_release(&addresses);
    mlc_vec_release(&kept);
}

enum { TO_FREE, TO_RETAIN, CONDITIONS, FREES, RETAINS, NUM_LISTS };

// frees[i] = conditions[i] && to_free[i] is not retained && is none of those before
static void
build_decision(MlcBuilder *b, MlcValue *const *lists, MlcValue *const *numbers, MlcValue *true_)
{
    MlcValue *zero = numbers[0], *one = numbers[1], *num_free = numbers[2],
             *num_retain = numbers[3];
    enter_for(b, zero, num_free, one, NULL);
    MlcValue *i = mlc_block_arg(b->block, 0), *address = build_load(b, lists[TO_FREE], i),
             *condition = build_load(b, lists[CONDITIONS], i);
    MlcBuilder in = *b;
    MlcOp *loop = enter_for(&in, zero, num_retain, one, true_);
    MlcValue *k = mlc_block_arg(in.block, 0), *other = build_load(&in, lists[TO_RETAIN], k);
    MlcBuilder hit = in;
    enter_if(&hit, mlc_build_compare(&in, MLC_ARITH_CMPI_PREDICATE_EQ, other, address));
    MlcValue *owned = mlc_arith_ori(&hit, build_load(&hit, lists[RETAINS], k), condition);
    build_store(&hit, owned, lists[RETAINS], k);
    MlcValue *differs = mlc_build_compare(&in, MLC_ARITH_CMPI_PREDICATE_NE, other, address);
    differs = mlc_arith_andi(&in, mlc_block_arg(in.block, 1), differs);
    mlc_scf_yield(&in, &differs, 1);

    in = *b;
    loop = enter_for(&in, zero, i, one, mlc_op_result(loop, 0));
    other = build_load(&in, lists[TO_FREE], mlc_block_arg(in.block, 0));
    differs = mlc_build_compare(&in, MLC_ARITH_CMPI_PREDICATE_NE, other, address);
    differs = mlc_arith_andi(&in, mlc_block_arg(in.block, 1), differs);
    mlc_scf_yield(&in, &differs, 1);
    build_store(b, mlc_arith_andi(b, mlc_op_result(loop, 0), condition), lists[FREES], i);
}

// The function that decides: from addresses to free and to retain, and conditions, which are freed
// and which of the retained are owned now.
static MlcOp *
build_helper(MlcOp *table, MlcLoc loc)
{
    MlcContext *ctx = mlc_op_context(table);
    MlcType index = mlc_index_type_get(ctx), i1 = mlc_integer_type_get(ctx, 1, MLC_SIGNLESS);
    int64_t any = MLC_DYNAMIC;
    MlcType numbers = mlc_memref_type_get(index, &any, 1, NULL, NULL),
            flags = mlc_memref_type_get(i1, &any, 1, NULL, NULL);
    MlcType types[NUM_LISTS] = {numbers, numbers, flags, flags, flags};
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    b.loc = loc;
    MlcOp *helper = mlc_func_func(&b, mlc_str("dealloc_helper"),
                                  mlc_function_type_get(ctx, types, NUM_LISTS, NULL, 0));
    mlc_func_func_set_sym_visibility(helper, mlc_string_attr_get(ctx, mlc_str("private")));
    MlcSymbolTable *symbols = mlc_symbol_table_create(table);
    mlc_symbol_table_insert(symbols, helper);
    mlc_symbol_table_destroy(symbols);

    MlcBlock *entry = mlc_builder_create_block(&b, mlc_op_region(helper, 0), types, NUM_LISTS);
    MlcValue *lists[NUM_LISTS], *bounds[4];
    for (size_t i = 0; i < NUM_LISTS; i++)
        lists[i] = mlc_block_arg(entry, i);
    bounds[0] = mlc_build_index(&b, 0);
    bounds[1] = mlc_build_index(&b, 1);
    MlcValue *true_ = build_bool(&b, true), *false_ = build_bool(&b, false);
    bounds[2] = mlc_memref_dim(&b, lists[TO_FREE], bounds[0]);
    bounds[3] = mlc_memref_dim(&b, lists[TO_RETAIN], bounds[0]);
    b.before = mlc_func_return(&b, NULL, 0);
    MlcBuilder in = b;
    enter_for(&in, bounds[0], bounds[3], bounds[1], NULL);
    build_store(&in, false_, lists[RETAINS], mlc_block_arg(in.block, 0));
    build_decision(&b, lists, bounds, true_);
    return helper;
}

static MlcValue *
build_list(MlcBuilder *b, size_t size, MlcType element)
{
    int64_t dim = (int64_t)size;
    MlcType type = mlc_memref_type_get(element, &dim, 1, NULL, NULL);
    return mlc_memref_alloc(b, type, NULL, 0, NULL, 0);
}

static MlcValue *
build_any_size(MlcBuilder *b, MlcValue *list)
{
    int64_t any = MLC_DYNAMIC;
    MlcType type = mlc_memref_type_get(mlc_type_element(mlc_value_type(list)), &any, 1, NULL, NULL);
    return mlc_memref_cast(b, type, list);
}

static void
lower_many(MlcBuilder *b, MlcOp *op, MlcOp *helper, MlcValueVec *results)
{
    size_t n = mlc_bufferization_dealloc_num_memrefs(op),
           num_retained = mlc_bufferization_dealloc_num_retained(op);
    MlcType index = mlc_index_type_get(b->ctx), i1 = mlc_integer_type_get(b->ctx, 1, MLC_SIGNLESS);
    MlcValue *lists[NUM_LISTS], *any[NUM_LISTS];
    lists[TO_FREE] = build_list(b, n, index);
    lists[CONDITIONS] = build_list(b, n, i1);
    lists[TO_RETAIN] = build_list(b, num_retained, index);
    for (size_t i = 0; i < n; i++) {
        MlcValue *address = build_address(b, mlc_bufferization_dealloc_memrefs(op, i));
        build_store(b, address, lists[TO_FREE], mlc_build_index(b, (int64_t)i));
    }
    for (size_t i = 0; i < n; i++)
        build_store(b, mlc_bufferization_dealloc_conditions(op, i), lists[CONDITIONS],
                    mlc_build_index(b, (int64_t)i));
    for (size_t i = 0; i < num_retained; i++) {
        MlcValue *address = build_address(b, mlc_bufferization_dealloc_retained(op, i));
        build_store(b, address, lists[TO_RETAIN], mlc_build_index(b, (int64_t)i));
    }
    any[TO_FREE] = build_any_size(b, lists[TO_FREE]);
    any[CONDITIONS] = build_any_size(b, lists[CONDITIONS]);
    any[TO_RETAIN] = build_any_size(b, lists[TO_RETAIN]);
    lists[FREES] = build_list(b, n, i1);
    lists[RETAINS] = build_list(b, num_retained, i1);
    any[FREES] = build_any_size(b, lists[FREES]);
    any[RETAINS] = build_any_size(b, lists[RETAINS]);
    mlc_func_call(b, NULL, 0, any, NUM_LISTS, mlc_symbol_name(helper));
    for (size_t i = 0; i < n; i++)
        free_if(b, mlc_bufferization_dealloc_memrefs(op, i),
                build_load(b, lists[FREES], mlc_build_index(b, (int64_t)i)));
    for (size_t i = 0; i < num_retained; i++)
        mlc_vec_push(results, build_load(b, lists[RETAINS], mlc_build_index(b, (int64_t)i)));
    for (size_t i = 0; i < NUM_LISTS; i++)
        mlc_memref_dealloc(b, lists[i]);
}

// --- the pass

static void
lower(MlcOp *op, MlcMap *helpers, bool is_inline)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    size_t n = mlc_bufferization_dealloc_num_memrefs(op);
    MlcValueVec results = {0};
    if (n == 0) {
        MlcValue *no = mlc_op_num_results(op) > 0 ? build_bool(&b, false) : NULL;
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            mlc_vec_push(&results, no);
    } else if (n == 1) {
        lower_one(&b, op, &results);
    } else if (is_inline) {
        lower_inline(&b, op, &results);
    } else {
        MlcOp *table = mlc_symbol_table_of(op), *helper = mlc_map_get(helpers, table);
        if (!helper)
            mlc_map_set(helpers, table, helper = build_helper(table, mlc_op_loc(op)));
        lower_many(&b, op, helper, &results);
    }
    mlc_op_replace(op, results.data, results.size);
    mlc_vec_release(&results);
}

// The function for lists must have a place inside of what the pass runs on.
static bool
check(MlcOp *op, MlcOp *root)
{
    MlcOp *table = mlc_symbol_table_of(op);
    if (mlc_bufferization_dealloc_num_memrefs(op) < 2 || (table && mlc_op_is_ancestor(root, table)))
        return true;
    MlcContext *ctx = mlc_op_context(op);
    mlc_error(ctx, mlc_op_loc(op),
              "library function required for generic lowering, but cannot be automatically "
              "inserted when operating on functions");
    return mlc_error(ctx, mlc_op_loc(op),
                     "failed to legalize operation 'bufferization.dealloc' that was explicitly "
                     "marked illegal");
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    bool ok = true, is_inline = mlc_pass_option_bool(pass, "inline");
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_bufferization_dealloc_isa(op))
            ok = (is_inline || check(op, root)) && ok;
    if (!ok)
        return false;
    MlcMap helpers;
    mlc_map_init(&helpers);
    MLC_FOR_EACH_OF_KIND (dealloc, root, &mlc_bufferization_dealloc_def)
        lower(dealloc, &helpers, is_inline);
    mlc_map_release(&helpers);
    return true;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_bufferization_dealloc_def;
}

static const MlcPassOption options[] = {
    {"inline", MLC_OPTION_BOOL, NULL,
     "compare on the spot, however many buffers there are, instead of calling a function"},
};
static const char *const dialects[] = {"arith", "func", "memref", "scf", NULL};

MLC_PASS(bufferization_lower_deallocations, .flag = "bufferization-lower-deallocations",
         .summary = "Lower bufferization.dealloc to memref.dealloc under conditions",
         .options = options, .num_options = 1, .dependent_dialects = dialects, .converts = converts,
         .run = run)
