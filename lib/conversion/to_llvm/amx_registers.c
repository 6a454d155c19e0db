// amx_registers.c -- tiles get registers, and the registers their shapes.
//
// A machine has eight of them, and one configuration gives each its rows and bytes a row: changing
// it costs some 150 cycles and empties all. So one is loaded before the first op on tiles that a
// function has, outside of its loops, and another one only where shapes do not fit it, or behind
// calls, which may load their own. Behind the last op registers are released: a thread whose
// registers are empty is cheaper to interrupt.
//
// Ops are walked in order. A tile takes a register of its shape, or one without; a sum stays in
// that of what it is added to, also around loops, so nothing is ever copied. What needs more
// registers, or a copy, is an error. A tile that was read for several families of sums is read
// again behind the first one, if need be from a copy on the stack.
#include "to_llvm.h"

#include "mlc/analysis/alias.h"
#include "mlc/dialects/amx.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/llvm.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/vector.h"
#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"
#include "mlc/pass.h"

enum { NUM_REGISTERS = 8, CONFIG_BYTES = 64, MOST_NUMBERS = 3 };

typedef struct Register {
    int64_t rows, bytes; // 0: none yet
    MlcOp *last;         // its tile's last user, in the block at hand
    bool is_live;
} Register;

typedef struct Allocator {
    MlcPass *pass;
    MlcContext *ctx;
    MlcOp *function;
    MlcValue *config; // memref<64xi8> of the function, once there is one
    Register registers[NUM_REGISTERS];
    bool is_thrifty; // registers of a tile's shape come before those without
    size_t next;     // where to look first, so that loads do not wait for the last tile's users
    MlcMap numbers;  // tile -> 1 + register
    MlcOp *fault;    // the op that got none, and
    const char *why; // its reason
} Allocator;

static bool
is_tile_op(MlcOp *op)
{
    return mlc_amx_tile_load_isa(op) || mlc_amx_tile_store_isa(op) || mlc_amx_tile_zero_isa(op) ||
           mlc_amx_tile_muli_isa(op) || mlc_amx_tile_mulf_isa(op);
}

static bool
has_tile_op(MlcOp *op)
{
    MLC_FOR_EACH_PREORDER (inner, op)
        if (is_tile_op(inner))
            return true;
    return false;
}

// A call of a function, or of what may be one.
static bool
has_call(MlcOp *op)
{
    MLC_FOR_EACH_PREORDER (inner, op)
        if (mlc_op_interface(inner, MLC_INTERFACE_CALL))
            return true;
    return false;
}

// ---- registers

static bool
fail(Allocator *a, MlcOp *op, const char *why)
{
    a->fault = op;
    a->why = why;
    return false;
}

static size_t
number_of(Allocator *a, MlcValue *tile)
{
    return (size_t)(uintptr_t)mlc_map_get(&a->numbers, tile);
}

// The last op of the block of `value` that uses it, or has a user inside; NULL: there is none.
static MlcOp *
last_user(MlcValue *value)
{
    MlcOp *last = NULL;
    MlcBlock *block = mlc_value_block(value);
    if (!block)
        block = mlc_op_block(mlc_value_def(value));
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use);
        while (mlc_op_block(user) != block)
            user = mlc_op_parent(user);
        if (!last || mlc_op_is_before(last, user))
            last = user;
    }
    return last;
}

static void
hold(Allocator *a, MlcValue *tile, size_t number)
{
    Register *r = &a->registers[number - 1];
    mlc_map_set(&a->numbers, tile, (void *)(uintptr_t)number);
    r->is_live = true;
    r->last = last_user(tile);
}

static bool
is_free(const Register *r, int64_t rows, int64_t bytes, bool has_shape)
{
    return !r->is_live && (r->rows == 0 ? !has_shape : r->rows == rows && r->bytes == bytes);
}

static bool
take(Allocator *a, MlcOp *op, MlcValue *tile)
{
    MlcType type = mlc_value_type(tile);
    int64_t rows = mlc_type_dim(type, 0),
            bytes = mlc_type_dim(type, 1) * mlc_type_bit_width(mlc_type_element(type)) / 8;
    for (int turn = a->is_thrifty ? 0 : 1; turn < 2; turn++)
        for (size_t i = 0; i < NUM_REGISTERS; i++) {
            size_t k = (a->next + i) % NUM_REGISTERS;
            if (!is_free(&a->registers[k], rows, bytes, turn == 0))
                continue;
            a->registers[k].rows = rows;
            a->registers[k].bytes = bytes;
            a->next = k + 1;
            hold(a, tile, k + 1);
            return true;
        }
    return fail(a, op, "needs a ninth tile register");
}

// The tile in `from` goes on as `to`.
static bool
pass_on(Allocator *a, MlcOp *op, MlcValue *from, MlcValue *to)
{
    size_t number = number_of(a, from);
    if (!number)
        return fail(a, op, "takes a tile that no op of amx, and no scf.for, has made");
    if (!mlc_value_has_one_use(from))
        return fail(a, op, "changes a tile that is used again, which would have to be copied");
    hold(a, to, number);
    return true;
}

static void
number_op(Allocator *a, MlcOp *op, MlcValue *const *tiles, size_t n)
{
    int64_t numbers[MOST_NUMBERS];
    for (size_t i = 0; i < n; i++)
        numbers[i] = (int64_t)number_of(a, tiles[i]) - 1;
    mlc_op_set_attr(
        op, "mlc.tile_registers",
        mlc_dense_array_attr_get(mlc_integer_type_get(a->ctx, 64, MLC_SIGNLESS), numbers, n));
}

static bool allocate_block(Allocator *a, MlcBlock *block);

static bool
is_tile(Allocator *a, MlcValue *value)
{
    return number_of(a, value) != 0;
}

static bool
allocate_loop(Allocator *a, MlcOp *loop)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    MlcOp *yield = mlc_block_terminator(body);
    for (size_t i = 3; i < mlc_op_num_operands(loop); i++)
        if (is_tile(a, mlc_op_operand(loop, i)) &&
            !pass_on(a, loop, mlc_op_operand(loop, i), mlc_block_arg(body, i - 2)))
            return false;
    if (!allocate_block(a, body))
        return false;
    for (size_t i = 0; i < mlc_op_num_results(loop); i++) {
        MlcValue *in = mlc_block_arg(body, i + 1), *out = mlc_op_operand(yield, i);
        if (number_of(a, in) != number_of(a, out))
            return fail(a, yield, "yields a tile in another register than it came in");
        if (is_tile(a, in))
            hold(a, mlc_op_result(loop, i), number_of(a, in));
    }
    return true;
}

static bool
allocate_product(Allocator *a, MlcOp *op)
{
    MlcValue *tiles[] = {mlc_op_result(op, 0), mlc_op_operand(op, 0), mlc_op_operand(op, 1)};
    for (size_t i = 1; i < 3; i++)
        if (!is_tile(a, tiles[i]))
            return fail(a, op, "takes a tile that no op of amx, and no scf.for, has made");
    if (!pass_on(a, op, mlc_op_operand(op, 2), tiles[0]))
        return false;
    number_op(a, op, tiles, 3);
    return true;
}

static bool
allocate_op(Allocator *a, MlcOp *op)
{
    if (mlc_scf_for_isa(op))
        return !has_tile_op(op) || allocate_loop(a, op);
    if (mlc_amx_tile_muli_isa(op) || mlc_amx_tile_mulf_isa(op))
        return allocate_product(a, op);
    if (mlc_amx_tile_store_isa(op)) {
        MlcValue *tile = mlc_op_operand(op, mlc_op_num_operands(op) - 1);
        if (!is_tile(a, tile))
            return fail(a, op, "takes a tile that no op of amx, and no scf.for, has made");
        number_op(a, op, &tile, 1);
        return true;
    }
    if (is_tile_op(op)) {
        MlcValue *tile = mlc_op_result(op, 0);
        bool ok = take(a, op, tile);
        if (ok)
            number_op(a, op, &tile, 1);
        return ok;
    }
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, i))
            if (!allocate_block(a, block))
                return false;
    return true;
}

// What nothing behind `op` uses is free; what is yielded stays.
static void
free_registers(Allocator *a, MlcOp *op)
{
    for (size_t i = 0; i < NUM_REGISTERS; i++) {
        Register *r = &a->registers[i];
        if (r->is_live && (r->last == op || !r->last) &&
            !mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR))
            r->is_live = false;
    }
}

static bool
allocate_block(Allocator *a, MlcBlock *block)
{
    MLC_FOR_EACH_OP (op, block) {
        if (!allocate_op(a, op))
            return false;
        free_registers(a, op);
    }
    return true;
}

// ---- configurations

static bool
is_idle(const Allocator *a)
{
    for (size_t i = 0; i < NUM_REGISTERS; i++)
        if (a->registers[i].is_live)
            return false;
    return true;
}

// Palette 1: byte 0; bytes a row: 16 bits each from byte 16 on; rows: from byte 48 on.
static MlcAttr
config_attr(const Allocator *a)
{
    enum { BYTES_A_ROW = 16, ROWS = 48 };
    uint8_t bytes[CONFIG_BYTES] = {1};
    int64_t size = CONFIG_BYTES;
    for (size_t i = 0; i < NUM_REGISTERS; i++) {
        bytes[BYTES_A_ROW + 2 * i] = (uint8_t)a->registers[i].bytes;
        bytes[ROWS + i] = (uint8_t)a->registers[i].rows;
    }
    MlcType byte = mlc_integer_type_get(a->ctx, 8, MLC_SIGNLESS);
    return mlc_dense_attr_get(mlc_vector_type_get(byte, &size, 1, NULL), bytes, CONFIG_BYTES,
                              false);
}

static MlcValue *
config_buffer(Allocator *a)
{
    int64_t size = CONFIG_BYTES;
    MlcBuilder b;
    if (a->config)
        return a->config;
    mlc_builder_init(&b, a->ctx);
    mlc_builder_at_start(&b, mlc_region_first(mlc_op_region(a->function, 0)));
    MlcType type =
        mlc_memref_type_get(mlc_integer_type_get(a->ctx, 8, MLC_SIGNLESS), &size, 1, NULL, NULL);
    a->config = mlc_memref_alloca(&b, type, NULL, 0, NULL, 0);
    mlc_op_set_attr(mlc_value_def(a->config), "alignment", mlc_i64_attr_get(a->ctx, CONFIG_BYTES));
    return a->config;
}

static void
configure(Allocator *a, MlcOp *first, MlcOp *last)
{
    MlcBuilder b;
    MlcValue *buffer = config_buffer(a);
    mlc_builder_init(&b, a->ctx);
    mlc_builder_before(&b, first);
    MlcValue *zero = mlc_build_index(&b, 0);
    mlc_vector_store(&b, mlc_build_constant(&b, config_attr(a)), buffer, &zero, 1);
    MlcValue *address =
        mlc_arith_index_cast(&b, mlc_integer_type_get(a->ctx, 64, MLC_SIGNLESS),
                             mlc_memref_extract_aligned_pointer_as_index(&b, buffer));
    address = mlc_llvm_inttoptr(&b, llvm_ptr(a->ctx, 0), address);
    mlc_llvm_call_intrinsic(&b, NULL, &address, 1, mlc_str("llvm.x86.ldtilecfg"));
    mlc_builder_after(&b, last);
    mlc_llvm_call_intrinsic(&b, NULL, NULL, 0, mlc_str("llvm.x86.tilerelease"));
    mlc_pass_count(a->pass, "configurations", 1);
}

static void
forget(Allocator *a)
{
    memset(a->registers, 0, sizeof a->registers);
    a->next = 0;
}

static bool place_block(Allocator *a, MlcBlock *block);

static bool
place_inside(Allocator *a, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, i))
            if (!place_block(a, block))
                return false;
    return true;
}

// As many ops from `first` on as one configuration does, the last of which is given. NULL: it does
// none, but may inside of `first`.
static MlcOp *
extend_unit(Allocator *a, MlcOp *first)
{
    MlcOp *last = NULL;
    Register kept[NUM_REGISTERS];
    forget(a);
    memcpy(kept, a->registers, sizeof kept);
    for (MlcOp *op = first; op && !has_call(op); op = mlc_op_next(op)) {
        bool has_tiles = has_tile_op(op);
        if (has_tiles && !allocate_op(a, op))
            break;
        free_registers(a, op);
        if (has_tiles && is_idle(a)) {
            last = op;
            memcpy(kept, a->registers, sizeof kept);
        }
    }
    memcpy(a->registers, kept, sizeof kept);
    return last;
}

// Tiles in turns of all registers first: so that loading one does not wait for the last one's
// users. If that takes too many, as few as can be.
static MlcOp *
find_unit(Allocator *a, MlcOp *first)
{
    a->is_thrifty = false;
    a->fault = NULL;
    MlcOp *last = extend_unit(a, first);
    if (!a->fault)
        return last;
    a->is_thrifty = true;
    a->fault = NULL;
    return extend_unit(a, first);
}

static bool
place_block(Allocator *a, MlcBlock *block)
{
    for (MlcOp *op = mlc_block_first(block); op; op = mlc_op_next(op)) {
        if (!has_tile_op(op))
            continue;
        MlcOp *last = find_unit(a, op);
        if (last) {
            configure(a, op, last);
            op = mlc_op_next(last); // the release
        } else if (is_tile_op(op) || mlc_op_num_regions(op) == 0) {
            return a->fault ? mlc_op_error(a->fault, "%s", a->why)
                            : mlc_op_error(op, "makes a tile that stays in its register across a "
                                               "call, or the end of its block");
        } else if (!place_inside(a, op)) {
            return false;
        }
    }
    return true;
}

// Zeros are made where they are wanted, once for each use.
static void
spread_zeros(MlcOp *root)
{
    MLC_FOR_EACH_OF_KIND (op, root, &mlc_amx_tile_zero_def) {
        MlcValue *zero = mlc_op_result(op, 0);
        for (MlcUse *use; (use = mlc_value_first_use(zero));) {
            MlcBuilder b;
            mlc_builder_init(&b, mlc_op_context(root));
            mlc_builder_before(&b, mlc_use_owner(use));
            mlc_op_set_operand(mlc_use_owner(use), mlc_use_index(use),
                               mlc_amx_tile_zero(&b, mlc_value_type(zero)));
        }
        mlc_op_erase(op);
    }
}

// A place on the stack for a tile, which is written behind the op that makes it.
static MlcValue *
keep_in_memory(MlcOp *function, MlcOp *load)
{
    MlcValue *tile = mlc_op_result(load, 0);
    MlcType type = mlc_value_type(tile);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(load));
    mlc_builder_at_start(&b, mlc_region_first(mlc_op_region(function, 0)));
    MlcType buffer =
        mlc_memref_type_get(mlc_type_element(type), mlc_type_shape(type), 2, NULL, NULL);
    MlcValue *place = mlc_memref_alloca(&b, buffer, NULL, 0, NULL, 0);
    mlc_builder_after(&b, load);
    MlcValue *zero = mlc_build_index(&b, 0), *indices[] = {zero, zero};
    mlc_amx_tile_store(&b, place, indices, 2, tile);
    return place;
}

// Reads the tile of `load` once more before `user`: from where it was, unless that may have been
// written, or from its place on the stack, which is made when it is first wanted.
static MlcOp *
load_again(MlcOp *function, MlcOp *load, MlcOp *user, bool is_written, MlcValue **place)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(user));
    if (is_written && !*place)
        *place = keep_in_memory(function, load);
    mlc_builder_before(&b, user);
    if (!*place)
        return mlc_builder_insert(&b, mlc_op_clone(load, NULL));
    MlcValue *zero = mlc_build_index(&b, 0), *indices[] = {zero, zero};
    return mlc_value_def(mlc_amx_tile_load(&b, mlc_op_result_type(load, 0), *place, indices, 2));
}

// The users of a tile that was read once for several families of sums: those behind a store, where
// sums leave their registers, read it again. It would keep a register in between.
static void
spread_load(MlcOp *function, MlcOp *first)
{
    MlcValue *tile = mlc_op_result(first, 0), *base = mlc_op_operand(first, 0), *place = NULL;
    MlcOp *last = last_user(tile), *load = first;
    bool is_behind_store = false, is_written = false;
    for (MlcOp *op = mlc_op_next(first); last && op; op = mlc_op_next(op)) {
        for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
            if (mlc_op_operand(op, i) != tile)
                continue;
            if (is_behind_store)
                load = load_again(function, first, op, is_written, &place);
            is_behind_store = false;
            mlc_op_set_operand(op, i, mlc_op_result(load, 0));
        }
        if (op == last)
            break;
        is_written |= (mlc_mod_ref(op, base) & MLC_MOD_REF_MOD) != 0;
        is_behind_store |= mlc_amx_tile_store_isa(op);
    }
}

static void
spread_loads(MlcOp *function)
{
    MLC_FOR_EACH_OF_KIND (load, function, &mlc_amx_tile_load_def)
        spread_load(function, load);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    spread_zeros(root);
    spread_loads(root);
    Allocator a = {.pass = pass, .ctx = mlc_pass_context(pass), .function = root};
    bool ok = mlc_op_num_regions(root) == 0 || !has_tile_op(root) || place_inside(&a, root);
    mlc_map_release(&a.numbers);
    return ok;
}

static const char *const dialects[] = {"amx", "arith", "llvm", "memref", "vector", NULL};

MLC_PASS(amx_registers, .flag = "amx-registers", .summary = "Give tiles registers and shapes",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)
