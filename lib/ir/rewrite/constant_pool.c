// constant_pool.c -- one op per constant and region of constants, at the front of its entry block.
#include "mlc/support/alloc.h"
#include "rewrite_impl.h"

struct MlcConstantPool {
    MlcMap ops; // hash of (region, value, type, dialect) -> op
};

MlcConstantPool *
mlc_constant_pool_create(void)
{
    return mlc_calloc(1, sizeof(MlcConstantPool));
}

void
mlc_constant_pool_destroy(MlcConstantPool *pool)
{
    mlc_map_release(&pool->ops);
    mlc_free(pool);
}

MlcOp *
mlc_build_constant_by(MlcBuilder *b, const MlcDialectDef *dialect, MlcAttr value, MlcType type)
{
    MlcOp *made = mlc_build_constant_of(b, dialect, value, type, b->loc);
    const MlcDialectDef *arith = made ? NULL : mlc_context_dialect(b->ctx, mlc_str("arith"));
    return arith && arith != dialect ? mlc_build_constant_of(b, arith, value, type, b->loc) : made;
}

static uint64_t
key_of(MlcRegion *home, const MlcDialectDef *dialect, MlcAttr value, MlcType type)
{
    return mlc_hash_combine(mlc_hash_combine(mlc_hash_ptr(home), mlc_word(value)),
                            mlc_hash_combine(mlc_word(type), mlc_word(dialect)));
}

static MlcOp *
find(MlcConstantPool *pool, MlcRegion *home, const MlcDialectDef *dialect, MlcAttr value,
     MlcType type)
{
    uint64_t found;
    if (!mlc_map_get_u64(&pool->ops, key_of(home, dialect, value, type), &found))
        return NULL;
    MlcOp *op = (MlcOp *)(uintptr_t)found;
    bool same = mlc_op_constant(op) == value && mlc_value_type(mlc_op_result(op, 0)) == type &&
                mlc_op_region_of(op) == home;
    return same ? op : NULL;
}

MlcValue *
mlc_constant_pool_get(MlcConstantPool *pool, MlcBlock *block, const MlcDialectDef *dialect,
                      MlcAttr value, MlcType type)
{
    MlcRegion *home = mlc_constant_home(block);
    if (!home || !home->first)
        return NULL;
    MlcOp *op = find(pool, home, dialect, value, type);
    if (op)
        return mlc_op_result(op, 0);
    MlcBuilder b;
    mlc_builder_init(&b, home->first->ctx);
    mlc_builder_at_start(&b, home->first);
    op = mlc_build_constant_by(&b, dialect, value, type);
    if (!op)
        return NULL;
    // Another dialect may have asked for the same op.
    MlcOp *same = op->def->dialect == dialect
                      ? NULL
                      : find(pool, home, op->def->dialect, mlc_op_constant(op), type);
    if (same) {
        mlc_op_erase(op);
        op = same;
    }
    mlc_map_set_u64(&pool->ops, key_of(home, dialect, value, type), mlc_word(op));
    mlc_map_set_u64(&pool->ops, key_of(home, op->def->dialect, value, type), mlc_word(op));
    return mlc_op_result(op, 0);
}
