// duplicate_function_elimination.c -- of functions that differ by name alone, the first stays and
// is called for all.
//
// As in MLIR, public functions go too: the pass is for whole programs.
#include "mlc/pass.h"

#include "mlc/support/hash.h"
#include "mlc/support/map.h"

typedef struct Function {
    MlcOp *op;
    MlcAttr attrs; // without the name
    struct Function *next;
} Function;

static uint64_t
hash_of(MlcOp *function, MlcAttr attrs)
{
    uint64_t hash = mlc_hash_ptr(attrs);
    MLC_FOR_EACH_PREORDER (op, function)
        hash = mlc_hash_combine(hash, mlc_hash_ptr(mlc_op_def(op)));
    return hash;
}

static Function *
find_equal(Function *bucket, MlcOp *function, MlcAttr attrs)
{
    for (Function *f = bucket; f; f = f->next)
        if (f->attrs == attrs && mlc_op_def(f->op) == mlc_op_def(function) &&
            mlc_op_has_equal_bodies(f->op, function, NULL))
            return f;
    return NULL;
}

// Erases what equals an earlier function; `kept` maps its name to that one's.
static void
erase_equal(MlcPass *pass, MlcOp *root, MlcMap *kept)
{
    MlcMap by_hash;
    mlc_map_init(&by_hash);
    MLC_FOR_EACH_BLOCK_IN_OP (block, root)
        MLC_FOR_EACH_OP_SAFE (op, block) {
            if (!mlc_op_interface(op, MLC_INTERFACE_FUNCTION) || !mlc_op_is_symbol(op))
                continue;
            MlcAttr attrs = mlc_dict_attr_with(mlc_pass_context(pass), mlc_op_all_attrs(op),
                                               mlc_str("sym_name"), NULL);
            MlcMapEntry *entry = mlc_map_insert(&by_hash, hash_of(op, attrs), NULL);
            Function *bucket = (Function *)(uintptr_t)entry->value;
            Function *equal = find_equal(bucket, op, attrs);
            if (equal) {
                mlc_map_set(kept, mlc_op_attr(op, "sym_name"), mlc_op_attr(equal->op, "sym_name"));
                mlc_op_erase(op);
                mlc_pass_count(pass, "num-eliminated", 1);
                continue;
            }
            Function *first = MLC_NEW(mlc_pass_scratch(pass), Function);
            *first = (Function){op, attrs, bucket};
            entry->value = (uint64_t)(uintptr_t)first;
        }
    mlc_map_release(&by_hash);
}

// Again as long as callers become equal by calling the same function.
static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcMap kept;
    mlc_map_init(&kept);
    do {
        mlc_map_clear(&kept);
        erase_equal(pass, root, &kept);
    } while (mlc_map_size(&kept) > 0 && mlc_symbol_rename_uses(root, &kept));
    mlc_map_release(&kept);
    return true;
}

MLC_PASS(duplicate_function_elimination, .flag = "duplicate-function-elimination",
         .summary = "Deduplicate functions", .anchor = "builtin.module", .run = run)
