// parse_bodies.c -- bodies of isolated ops, read by several threads.
//
// The parser of a large text steps over the body of an op whose names are its own: where it ends is
// found by counting braces. When the rest has been read, so that all aliases are known, the bodies
// are shared out among threads, each with a parser of its own, and go where the op already stands.
//
// All of it is a guess that nothing will be reported and that every body is for itself. Wherever
// that may be wrong (any diagnostic, a name used before it is defined, a body that does not end at
// the brace that was counted), everything is thrown away and the text is read again by one thread.
// So what is read and what is reported never depend on threads, and the way back costs broken files
// only.
#include <stdatomic.h>

#include "mlc/support/alloc.h"
#include "mlc/support/pool.h"
#include "op/op_impl.h"
#include "parse_impl.h"
#include "text.tab.h"

// The '}' that closes what was opened before `at`; NULL: not found the easy way.
static const char *
find_close(const char *at, const char *end)
{
    enum { OPEN = 1, CLOSE, QUOTE, SLASH };
    static const uint8_t classes[256] = {['{'] = OPEN, ['}'] = CLOSE, ['"'] = QUOTE, ['/'] = SLASH};
    for (size_t depth = 1;; at++) {
        while (at < end && !classes[(unsigned char)*at])
            at++;
        if (at >= end)
            return NULL;
        switch (classes[(unsigned char)*at]) {
        case OPEN:
            depth++;
            break;
        case CLOSE:
            if (--depth == 0)
                return at;
            break;
        case QUOTE:
            for (at++; at < end && *at != '"'; at++) {
                if (*at == '\n')
                    return NULL;
                at += *at == '\\';
            }
            break;
        default:
            if (at[1] == '/' && !(at = memchr(at, '\n', (size_t)(end - at))))
                return NULL;
        }
    }
}

// In the generic form names of values may be those of an enclosing region: there must be none. What
// is around a symbol table's body is in it, and a terminator left out is put in at once.
static bool
may_leave(const MlcParser *p)
{
    const MlcOpDef *def = p->reading;
    if (!p->pool || !def || !def->dialect || !mlc_op_def_has_trait(def, MLC_TRAIT_ISOLATED) ||
        mlc_op_def_has_trait(def, MLC_TRAIT_SYMBOL_TABLE) ||
        mlc_op_def_has_trait(def, MLC_TRAIT_IMPLICIT_TERMINATOR))
        return false;
    return p->in_custom_isolated || (p->defined.size == 0 && p->forwards.size == 0);
}

// Which body a type got first, the order of the text tells: not where bodies of ops are left for
// later.
bool
mlc_parser_set_type_body(MlcParser *p, MlcType type, MlcAttr body)
{
    if (!mlc_dialect_type_body(type) && (p->outer || p->bodies.size)) {
        p->failed = true;
        return false;
    }
    return mlc_dialect_type_set_body(type, body);
}

bool
mlc_parser_leave_body(MlcParser *p, MlcRegion *region, const MlcBlockArgRefVec *args)
{
    if (!may_leave(p) || mlc_parser_is(p, '}'))
        return false;
    const char *at = p->tok.at, *close = find_close(at, p->text.data + p->text.size);
    if (!close)
        return false;
    MlcBody body = {.block = mlc_block_create(p->ctx),
                    .at = at,
                    .close = close,
                    .depth = p->depth,
                    .default_dialect = mlc_vec_last(&p->default_dialects)};
    mlc_region_append(region, body.block);
    if (args && args->size) {
        mlc_parser_add_entry_args(p, body.block, args);
        MlcBlockArgRef *copy = MLC_NEW_ARRAY(&p->arena, MlcBlockArgRef, args->size);
        memcpy(copy, args->data, args->size * sizeof *copy);
        body.args = copy;
        body.num_args = args->size;
    }
    mlc_vec_push(&p->bodies, body);
    mlc_parser_reset(p, close, false);
    return true;
}

typedef struct Reading {
    const MlcParser *outer;
    MlcParser *workers; // text.data NULL: not begun
    MlcDiagList *diags; // of each
    atomic_bool failed;
} Reading;

static bool
begin_worker(const MlcParser *outer, MlcParser *w)
{
    if (!mlc_parser_init_idle(w, outer->ctx, outer->text, outer->name))
        return false;
    w->outer = outer;
    w->lines.data = outer->lines.data;
    w->lines.size = outer->lines.size;
    return true;
}

// What a failure left may refer to anything: it goes when all of it does.
static void
end_worker(MlcParser *outer, MlcParser *w)
{
    for (size_t i = 0; i < w->dead.size; i++)
        mlc_vec_push(&outer->dead, w->dead.data[i]);
    for (size_t i = 0; i < w->forwards.size; i++)
        mlc_vec_push(&outer->forwards, w->forwards.data[i]);
    for (size_t i = 0; i < w->loose_blocks.size; i++)
        mlc_vec_push(&outer->loose_blocks, w->loose_blocks.data[i]);
    w->dead.size = w->forwards.size = w->loose_blocks.size = 0;
    mlc_parser_drop_leftovers(w);
    w->lines.data = NULL; // of `outer`
    mlc_parser_release(w);
}

static void
read_body(void *user, size_t i, unsigned worker)
{
    Reading *reading = user;
    const MlcParser *outer = reading->outer;
    MlcParser *w = &reading->workers[worker];
    if (atomic_load_explicit(&reading->failed, memory_order_relaxed))
        return;
    mlc_diag_capture_begin(outer->ctx, &reading->diags[worker]);
    bool ok =
        (w->text.data || begin_worker(outer, w)) && mlc_parser_read_body(w, &outer->bodies.data[i]);
    mlc_diag_capture_end(outer->ctx, &reading->diags[worker]);
    if (!ok || reading->diags[worker].first)
        atomic_store(&reading->failed, true);
}

bool
mlc_parser_read_bodies(MlcParser *p)
{
    if (!p->bodies.size)
        return true;
    unsigned count = mlc_pool_num_threads(p->pool);
    Reading reading = {.outer = p,
                       .workers = mlc_calloc(count, sizeof *reading.workers),
                       .diags = mlc_calloc(count, sizeof *reading.diags)};
    (void)mlc_parser_loc_of(p, p->text.data); // so that there are lines to share
    mlc_parallel_for(p->pool, p->bodies.size, read_body, &reading);
    for (unsigned i = 0; i < count; i++) {
        mlc_diag_discard(p->ctx, &reading.diags[i]);
        if (reading.workers[i].text.data)
            end_worker(p, &reading.workers[i]);
    }
    mlc_free(reading.workers);
    mlc_free(reading.diags);
    return !atomic_load(&reading.failed);
}

bool
mlc_parse_in_threads(MlcContext *ctx, MlcStr text, MlcStr name, const MlcParseOptions *options,
                     MlcOp **module)
{
    MlcParser p;
    MlcPool *pool = mlc_context_pool_for(ctx, text.size);
    if (!pool)
        return false;
    MlcDiagList diags = {0};
    MlcExternalResources *external = options ? options->external : NULL;
    size_t num_external = external ? mlc_external_resources_size(external) : 0;
    mlc_diag_capture_begin(ctx, &diags);
    *module = NULL;
    if (mlc_parser_init(&p, ctx, text, name)) {
        if (options)
            p.options = *options;
        p.pool = pool;
        *module = mlc_parser_top_level(&p);
        mlc_parser_release(&p);
    }
    mlc_diag_capture_end(ctx, &diags);
    if (*module && !diags.first)
        return true;
    if (*module)
        mlc_op_destroy(*module);
    if (external)
        mlc_external_resources_truncate(external, num_external);
    mlc_diag_discard(ctx, &diags);
    return false;
}
