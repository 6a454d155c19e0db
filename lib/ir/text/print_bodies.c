// print_bodies.c -- bodies of isolated ops, printed by several threads.
//
// In a module that is known to be valid a function's names are its own. So they are given when the
// function is printed, while it is in the cache, and functions are shared out among threads. What
// goes through the whole text is found before (aliases, and the numbers that the generic form
// counts on), or put together afterwards (resources). Threads print into buffers, some thousand ops
// at a time, which follow each other in the order of the ops; one that met what only the whole text
// tells is printed again by the thread that asked.
#include "mlc/support/alloc.h"
#include "mlc/support/pool.h"
#include "op/op_impl.h"
#include "print_shape.h"

enum {
    CHUNK_OPS = 2048,      // that one thread prints at once
    CHUNKS_PER_THREAD = 8, // in a round
    LARGE_BODY = 65536 // ops; such a one is printed alone, since its text goes out in pieces then
};

static void
find_bodies(MlcPrinter *p, MlcOp *op)
{
    if (op->is_isolated && op->num_regions && !mlc_op_has_trait(op, MLC_TRAIT_SYMBOL_TABLE)) {
        mlc_vec_push(&p->bodies, (MlcPrintBody){.op = op});
        mlc_map_set_u64(&p->body_index, mlc_word(op), p->bodies.size);
        return;
    }
    MLC_FOR_EACH_BLOCK_IN_OP (block, op)
        for (MlcOp *inner = block->first; inner; inner = inner->next)
            if (inner->num_regions)
                find_bodies(p, inner);
}

static void
begin_workers(MlcPrinter *p)
{
    unsigned count = mlc_pool_num_threads(p->pool);
    p->workers = mlc_calloc(count, sizeof *p->workers);
    for (unsigned i = 0; i < count; i++) {
        MlcPrinter *w = &p->workers[i];
        mlc_printer_init(w, p->ctx, &p->flags, NULL);
        w->flags.flush = NULL;
        w->is_worker = true;
    }
}

static void
count_and_collect(void *user, size_t i, unsigned worker)
{
    MlcPrinter *p = user, *w = &p->workers[worker];
    MlcAliasList *list = &p->alias_lists[i];
    size_t n = p->bodies.size, end = n * (i + 1) / p->num_alias_lists;
    MlcBuf scratch = {0};
    w->buf = &scratch;
    w->is_collecting = true;
    for (size_t at = n * i / p->num_alias_lists; at < end; at++) {
        MlcPrintBody *body = &p->bodies.data[at];
        mlc_count_body(body, body->op);
        body->first_alias = (uint32_t)w->aliases.size;
        if (!p->flags.local_scope)
            mlc_collect_from(w, body->op);
        body->end_alias = (uint32_t)w->aliases.size;
        body->found = list;
    }
    memcpy(&list->aliases, &w->aliases, sizeof list->aliases);
    list->outer = mlc_calloc(list->aliases.size, sizeof *list->outer);
    memset(&w->aliases, 0, sizeof w->aliases);
    mlc_map_clear(&w->alias_index);
    mlc_map_clear(&w->resource_seen);
    mlc_print_shapes_forget(w); // each list has all of its aliases
    w->resources.size = 0;
    w->is_collecting = false;
    mlc_buf_release(&scratch);
}

void
mlc_print_bodies_begin(MlcPrinter *p, MlcOp *root)
{
    const MlcPrintFlags *flags = &p->flags;
    if (!flags->assume_verified || mlc_op_parent(root) || flags->skip_regions ||
        flags->value_users || flags->at_op || flags->unique_ssa_ids)
        return;
    find_bodies(p, root);
    if (p->bodies.size > 1)
        p->pool = mlc_context_pool_for(p->ctx, mlc_context_text_bytes(p->ctx));
    if (p->pool) {
        begin_workers(p);
        size_t most = (size_t)mlc_pool_num_threads(p->pool) * CHUNKS_PER_THREAD;
        p->num_alias_lists = p->bodies.size < most ? p->bodies.size : most;
        p->alias_lists = mlc_calloc(p->num_alias_lists, sizeof *p->alias_lists);
        mlc_parallel_for(p->pool, p->num_alias_lists, count_and_collect, p);
        for (unsigned i = 0; i < mlc_pool_num_threads(p->pool); i++)
            mlc_map_release(&p->workers[i].alias_index); // next it is the outer printer's
    } else if (flags->local_scope) {                     // nothing else will pass by
        for (size_t i = 0; i < p->bodies.size; i++)
            mlc_count_body(&p->bodies.data[i], p->bodies.data[i].op);
    }
}

// What a worker has of the printer that asked is not its own.
static void
give_back(MlcPrinter *w)
{
    memset(&w->aliases, 0, sizeof w->aliases);
    memset(&w->alias_index, 0, sizeof w->alias_index);
    memset(&w->bodies, 0, sizeof w->bodies);
    memset(&w->body_index, 0, sizeof w->body_index);
    w->generation = 0;
}

void
mlc_print_bodies_end(MlcPrinter *p)
{
    for (unsigned i = 0; p->workers && i < mlc_pool_num_threads(p->pool); i++) {
        give_back(&p->workers[i]);
        mlc_printer_release(&p->workers[i]);
    }
    for (size_t i = 0; i < p->num_alias_lists; i++) {
        MlcAliasList *list = &p->alias_lists[i];
        for (size_t j = 0; j < list->aliases.size; j++)
            mlc_vec_release(&list->aliases.data[j].children);
        mlc_vec_release(&list->aliases);
        mlc_free(list->outer);
    }
    mlc_free(p->alias_lists);
    mlc_free(p->workers);
    mlc_vec_release(&p->bodies);
    mlc_map_release(&p->body_index);
}

// --- ops next to each other

typedef struct Chunk {
    MlcOp *first;
    size_t num_ops;
    MlcBuf text;
    bool gave_up;
    MLC_VEC(MlcAttr) resources;
} Chunk;

typedef struct Round {
    MlcPrinter *p;
    MLC_VEC(Chunk) chunks;
} Round;

static void
share(const MlcPrinter *p, MlcPrinter *w)
{
    w->generation = p->generation;
    memcpy(&w->aliases, &p->aliases, sizeof w->aliases);
    w->alias_index = p->alias_index;
    memcpy(&w->bodies, &p->bodies, sizeof w->bodies);
    w->body_index = p->body_index;
    w->indent = p->indent;
    w->default_dialects.size = 0;
    for (size_t i = 0; i < p->default_dialects.size; i++)
        mlc_vec_push(&w->default_dialects, p->default_dialects.data[i]);
}

static void
print_chunk(void *user, size_t i, unsigned worker)
{
    Round *round = user;
    Chunk *chunk = &round->chunks.data[i];
    MlcPrinter *w = &round->p->workers[worker];
    share(round->p, w);
    w->buf = &chunk->text;
    w->gave_up = false;
    MlcOp *op = chunk->first;
    for (size_t n = 0; n < chunk->num_ops; n++, op = op->next)
        mlc_print_op_line(w, op);
    chunk->gave_up = w->gave_up;
    memcpy(&chunk->resources, &w->resources, sizeof chunk->resources);
    memset(&w->resources, 0, sizeof w->resources);
    mlc_map_clear(&w->value_words);
    mlc_map_clear(&w->block_numbers);
}

static void
add_resource(MlcPrinter *p, MlcAttr resource)
{
    if (mlc_map_add(&p->resource_seen, mlc_dense_resource_attr_blob(resource)))
        mlc_vec_push(&p->resources, resource);
}

static void
give_text(MlcPrinter *p, Chunk *chunk)
{
    MlcOp *op = chunk->first;
    if (chunk->gave_up) {
        for (size_t n = 0; n < chunk->num_ops; n++, op = op->next)
            mlc_print_op_line(p, op);
    } else if (p->flags.flush) {
        if (p->buf->size)
            p->flags.flush(p->flags.flush_user, p->buf);
        p->flags.flush(p->flags.flush_user, &chunk->text);
    } else {
        mlc_buf_append(p->buf, chunk->text.data, chunk->text.size);
    }
    for (size_t i = 0; i < chunk->resources.size && !chunk->gave_up; i++)
        add_resource(p, chunk->resources.data[i]);
    mlc_vec_release(&chunk->resources);
    mlc_buf_release(&chunk->text);
}

// Its names are not known to what is around, nor those to it.
static bool
stands_alone(const MlcOp *op, const MlcPrintBody *body)
{
    if (body)
        return body->is_left && body->num_ops < LARGE_BODY;
    return !op->num_regions && !op->num_operands && !op->num_results;
}

MlcOp *
mlc_print_ops(MlcPrinter *p, MlcOp *op, const MlcOp *end)
{
    Round round = {.p = p};
    size_t most = (size_t)mlc_pool_num_threads(p->pool) * CHUNKS_PER_THREAD, size = CHUNK_OPS;
    for (; op != end; op = op->next) {
        const MlcPrintBody *body = mlc_print_body(p, op);
        if (!stands_alone(op, body) || (size >= CHUNK_OPS && round.chunks.size == most))
            break;
        if (size >= CHUNK_OPS) {
            mlc_vec_push(&round.chunks, (Chunk){.first = op});
            size = 0;
        }
        mlc_vec_last(&round.chunks).num_ops++;
        size += 1 + (body ? body->num_ops : 0);
    }
    if (!round.chunks.size) {
        mlc_print_op_line(p, op);
        return op->next;
    }
    mlc_parallel_for(p->pool, round.chunks.size, print_chunk, &round);
    for (size_t i = 0; i < round.chunks.size; i++)
        give_text(p, &round.chunks.data[i]);
    mlc_vec_release(&round.chunks);
    return op;
}
