// mistakes.c -- programs that call the library wrongly: each in a process of its own, which ends
// with a message that names the mistake.
//
// A checking build (MLC_CHECKING) tells all of them, others only what costs them nothing to see.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ir_dialect.h"

typedef struct Ir {
    MlcContext *ctx;
    MlcBuilder b;
    MlcOp *module, *func, *other; // @f and @g
    MlcOp *add;                   // of x, an argument of @f's block, and itself; at t.mlir:3:1
    MlcBlock *block;
    MlcValue *x;
} Ir;

static void
make_ir(Ir *ir)
{
    ir->ctx = test_context();
    ir->module = make_module(ir->ctx, &ir->b, &ir->func);
    ir->block = ir->b.block;
    ir->x = mlc_block_add_arg(ir->block, mlc_integer_type_get(ir->ctx, 32, MLC_SIGNLESS), NULL);
    mlc_op_set_loc(ir->func, mlc_loc_file(ir->ctx, mlc_str("t.mlir"), 2, 1));
    ir->b.loc = mlc_loc_file(ir->ctx, mlc_str("t.mlir"), 3, 1);
    ir->add = mlc_value_def(make_add(&ir->b, ir->x, ir->x));
    MlcBuilder b = ir->b;
    mlc_builder_after(&b, ir->func);
    ir->other = make_op(&b, &t_func, NULL, 0, 0);
    mlc_builder_create_block(&b, mlc_op_region(ir->other, 0), NULL, 0);
}

// --- what is erased is not used

static void
use_erased_op(Ir *ir)
{
    mlc_op_erase(ir->add);
    mlc_op_num_operands(ir->add);
}

static void
erase_twice(Ir *ir)
{
    mlc_op_erase(ir->add);
    mlc_op_erase(ir->add);
}

static void
use_value_of_erased_op(Ir *ir)
{
    MlcValue *sum = mlc_op_result(ir->add, 0);
    mlc_op_erase(ir->add);
    mlc_value_type(sum);
}

static void
use_value_as_operand(Ir *ir)
{
    MlcValue *sum = mlc_op_result(ir->add, 0);
    mlc_op_erase(ir->add);
    make_add(&ir->b, ir->x, sum);
}

static void
use_op_of_destroyed_module(Ir *ir)
{
    mlc_op_destroy(ir->module);
    mlc_op_parent(ir->add);
}

static void
use_destroyed_block(Ir *ir)
{
    MlcBlock *block = mlc_block_create(ir->ctx);
    mlc_block_destroy(block);
    mlc_block_first(block);
}

static void
build_in_destroyed_block(Ir *ir)
{
    mlc_block_destroy(ir->block);
    make_const(&ir->b, 1);
}

static void
use_erased_argument(Ir *ir)
{
    mlc_op_erase(ir->add);
    mlc_block_erase_arg(ir->block, 0);
    mlc_value_type(ir->x);
}

static void
use_what_is_no_op(Ir *ir)
{
    static MlcValue *memory[64];
    (void)ir;
    mlc_op_num_operands((const MlcOp *)(memory + 32));
}

static void
erase_with_uses(Ir *ir)
{
    make_op(&ir->b, &t_ret, (MlcValue *[]){mlc_op_result(ir->add, 0)}, 1, 0);
    mlc_op_erase(ir->add);
}

// --- counts and places

static void
build_with_one_operand(Ir *ir)
{
    make_op(&ir->b, &t_add, &ir->x, 1, 1);
}

static void
build_with_two_results(Ir *ir)
{
    make_op(&ir->b, &t_add, (MlcValue *[]){ir->x, ir->x}, 2, 2);
}

static void
build_without_region(Ir *ir)
{
    MlcOpState state = {.def = &t_scope};
    mlc_builder_create(&ir->b, &state);
}

static void
build_without_successor(Ir *ir)
{
    make_branch(&ir->b, &t_cond, &ir->block, 1);
}

static void
build_of_null(Ir *ir)
{
    make_add(&ir->b, ir->x, NULL);
}

static void
ask_for_third_operand(Ir *ir)
{
    mlc_op_operand(ir->add, 2);
}

static void
ask_for_second_result(Ir *ir)
{
    mlc_op_result(ir->add, 1);
}

static void
ask_for_region(Ir *ir)
{
    mlc_op_region(ir->add, 0);
}

static void
ask_for_argument(Ir *ir)
{
    mlc_block_arg(ir->block, 1);
}

static void
ask_for_group(Ir *ir)
{
    size_t first, size;
    mlc_op_result_group(ir->add, 1, &first, &size);
}

static void
insert_argument_behind(Ir *ir)
{
    mlc_block_insert_arg(ir->block, 2, mlc_value_type(ir->x), NULL);
}

static void
ask_for_order(Ir *ir)
{
    mlc_op_is_before(ir->func, ir->add);
}

static void
replace_by_two_values(Ir *ir)
{
    mlc_op_replace(ir->add, (MlcValue *[]){ir->x, ir->x}, 2);
}

static void
insert_twice(Ir *ir)
{
    mlc_block_append(ir->block, ir->add);
}

// --- threads

static void
edit_outside_of_scope(Ir *ir)
{
    MlcEditScope scope;
    mlc_edit_scope_begin(&scope, ir->func);
    mlc_op_set_attr(ir->other, "sym_name", mlc_string_attr_get(ir->ctx, mlc_str("h")));
}

static void *
erase_add(void *ir)
{
    mlc_op_erase(((Ir *)ir)->add);
    return NULL;
}

static void
edit_in_foreign_thread(Ir *ir)
{
    MlcEditScope scope;
    pthread_t thread;
    mlc_edit_scope_begin(&scope, ir->func);
    pthread_create(&thread, NULL, erase_add, ir);
    pthread_join(thread, NULL);
}

static void *
work_in_func(void *ir)
{
    MlcEditScope scope;
    mlc_edit_scope_begin(&scope, ((Ir *)ir)->func);
    return NULL;
}

static void
work_in_two_threads(Ir *ir)
{
    MlcEditScope scope;
    pthread_t thread;
    mlc_edit_scope_begin(&scope, ir->func);
    pthread_create(&thread, NULL, work_in_func, ir);
    pthread_join(thread, NULL);
}

// --- names

static void
build_misspelt(Ir *ir)
{
    mlc_build_op(&ir->b, "t.ad", NULL, 0, NULL, 0, NULL, 0, 0);
}

static void
build_without_types(Ir *ir)
{
    mlc_build_op(&ir->b, "t.alloc", NULL, MLC_INFER_RESULTS, NULL, 0, NULL, 0, 0);
}

static void
build_of_no_dialect(Ir *ir)
{
    mlc_build_op(&ir->b, "calc.mul", NULL, 0, NULL, 0, NULL, 0, 0);
}

static const struct {
    void (*make)(Ir *ir);
    const char *message;
    bool always; // told in any build
} mistakes[] = {
    {use_erased_op, "mlc_op_num_operands: the op was erased: 't.add' at t.mlir:3:1\n", false},
    {erase_twice, "mlc_op_erase: the op was erased: 't.add' at t.mlir:3:1\n", false},
    {use_value_of_erased_op,
     "mlc_value_type: the op of the value was erased: 't.add' at t.mlir:3:1\n", false},
    {use_value_as_operand,
     "mlc_builder_create: the op of the value was erased: 't.add' at t.mlir:3:1\n", false},
    {use_op_of_destroyed_module, "mlc_op_parent: the op was erased: 't.add' at t.mlir:3:1\n",
     false},
    {use_destroyed_block, "mlc_block_first: the block was erased\n", false},
    {build_in_destroyed_block, "mlc_block_append: the block was erased\n", false},
    {use_erased_argument, "mlc_value_type: the block argument was erased\n", false},
    {use_what_is_no_op, "mlc_op_num_operands: the op is none, or was erased long ago\n", false},
    {erase_with_uses, "mlc_op_erase: 't.add' at t.mlir:3:1 still has uses\n", false},
    {build_with_one_operand, "mlc_builder_create: 't.add' at t.mlir:3:1 takes 2 operands, got 1\n",
     false},
    {build_with_two_results, "mlc_builder_create: 't.add' at t.mlir:3:1 takes 1 results, got 2\n",
     false},
    {build_without_region, "mlc_builder_create: 't.scope' at t.mlir:3:1 takes 1 regions, got 0\n",
     false},
    {build_without_successor,
     "mlc_builder_create: 't.cond' at t.mlir:3:1 takes 2 successors, got 1\n", false},
    {build_of_null, "mlc_builder_create: operand 1 of 't.add' is NULL\n", false},
    {ask_for_third_operand,
     "mlc_op_operand: there is no operand 2 of 't.add' at t.mlir:3:1, which has 2\n", false},
    {ask_for_second_result,
     "mlc_op_result: there is no result 1 of 't.add' at t.mlir:3:1, which has 1\n", false},
    {ask_for_region, "mlc_op_region: there is no region 0 of 't.add' at t.mlir:3:1, which has 0\n",
     false},
    {ask_for_argument, "mlc_block_arg: there is no argument 1 of the block, which has 1\n", false},
    {ask_for_group,
     "mlc_op_result_group: there is no group of results 1 of 't.add' at t.mlir:3:1, which has 1\n",
     false},
    {insert_argument_behind, "mlc_block_insert_arg: argument 2 of a block that has 1\n", false},
    {ask_for_order,
     "mlc_op_is_before: 't.func' at t.mlir:2:1 and 't.add' at t.mlir:3:1 are not in one block\n",
     false},
    {replace_by_two_values, "mlc_op_replace: 2 values for the 1 results of 't.add'", false},
    {insert_twice, "mlc_block_append: 't.add' at t.mlir:3:1 is in a block already\n", false},
    {edit_outside_of_scope,
     "edit: 't.func' at t.mlir:2:1 is not inside of 't.func' at t.mlir:2:1, where this thread "
     "works\n",
     false},
    {edit_in_foreign_thread, "edit: another thread works inside of 't.func' at t.mlir:2:1\n",
     false},
    {work_in_two_threads, "mlc_edit_scope_begin: two threads work in 't.func' at t.mlir:2:1\n",
     false},
    {build_misspelt,
     "mlc_build_op: 't.ad' at t.mlir:3:1: there is no such op; did you mean 't.add'?\n", true},
    {build_without_types,
     "mlc_build_op: 't.alloc' at t.mlir:3:1: result types cannot be inferred\n", true},
    {build_of_no_dialect,
     "mlc_build_op: 'calc.mul' at t.mlir:3:1: no dialect 'calc' is registered\n", true},
};

#ifdef MLC_CHECKING
static const bool is_checking = true;
#else
static const bool is_checking = false;
#endif

// What the process of a mistake writes to stderr.
static void
read_messages(int fd, char *text, size_t size)
{
    size_t at = 0;
    for (ssize_t n; at + 1 < size && (n = read(fd, text + at, size - at - 1)) > 0;)
        at += (size_t)n;
    text[at] = '\0';
}

static void
expect_mistake(void (*make)(Ir *ir), const char *message)
{
    static char text[1 << 16];
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        Ir ir;
        make_ir(&ir);
        make(&ir);
        _exit(0);
    }
    close(ends[1]);
    read_messages(ends[0], text, sizeof text);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!strstr(text, message) || !WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        fail_msg("expected '%s', got '%s'", message, text);
    assert_non_null(strstr(text, "the program that uses libmlc has a fault: "));
    assert_non_null(strstr(text, "\ncalled from:\n"));
}

static void
mistakes_are_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        if (is_checking || mistakes[i].always)
            expect_mistake(mistakes[i].make, mistakes[i].message);
}

// What is right is not told: scopes in each other, threads on siblings, edits of what is detached.
static void *
work_in_other(void *ir_)
{
    Ir *ir = ir_;
    MlcEditScope scope;
    mlc_edit_scope_begin(&scope, ir->other);
    mlc_op_set_attr(ir->other, "note", mlc_string_attr_get(ir->ctx, mlc_str("h")));
    mlc_edit_scope_end(&scope);
    return NULL;
}

static void
what_is_right_is_not_told(void **state)
{
    (void)state;
    Ir ir;
    MlcEditScope module, func;
    pthread_t thread;
    make_ir(&ir);
    mlc_edit_scope_begin(&module, ir.module);
    mlc_edit_scope_begin(&func, ir.func);
    pthread_create(&thread, NULL, work_in_other, &ir);
    MlcOp *clone = mlc_op_clone(ir.func, NULL);
    mlc_op_set_attr(clone, "note", mlc_string_attr_get(ir.ctx, mlc_str("clone")));
    mlc_op_destroy(clone);
    mlc_op_erase(ir.add);
    pthread_join(thread, NULL);
    mlc_edit_scope_end(&func);
    mlc_op_erase(ir.other);
    mlc_edit_scope_end(&module);
    mlc_op_destroy(ir.module);
    mlc_context_destroy(ir.ctx);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(what_is_right_is_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
