// diag.c -- diagnostics: one pending per thread, so that notes find the error they belong to.
//
// A diagnostic waits in its thread until the next one starts, mlc_diag_flush, or the thread's end,
// and is then given to its context's handler, one thread at a time. A context may die meanwhile, so
// a pending diagnostic holds the number under which living contexts are listed, and not only an
// address.
#include "mlc/ir/diag.h"

#include <stdarg.h>
#include <stdlib.h>

#include "diag_impl.h"
#include "mlc/ir/loc.h"
#include "mlc/support/alloc.h"

typedef struct Message {
    MlcSeverity severity;
    MlcLoc loc;
    const char *id;
    char *text;
    size_t size;
} Message;

typedef MLC_VEC(Message) MessageVec;

const char mlc_unsupported_id[] = "unsupported";

static bool
is_unsupported(const Message *message)
{
    return message->severity == MLC_ERROR && strcmp(message->id, mlc_unsupported_id) == 0;
}

struct MlcKeptDiag {
    struct MlcKeptDiag *next;
    MessageVec messages;
};

#define RING_SIZE 16

typedef struct ThreadState {
    MlcContext *ctx; // of the pending diagnostic; NULL: none
    uint64_t serial;
    MessageVec messages;    // the diagnostic, then its notes
    MlcDiagList *capture;   // the innermost; NULL: diagnostics go to the handler
    MlcBuf ring[RING_SIZE]; // texts of types and attributes
    unsigned ring_at;
} ThreadState;

static _Thread_local ThreadState *thread_state;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static pthread_mutex_t living_lock = PTHREAD_MUTEX_INITIALIZER;
static MlcMap living; // serial -> context; released when empty

static void give_to_handler(ThreadState *state);

static void
release_thread_state(void *user)
{
    ThreadState *state = user;
    give_to_handler(state);
    mlc_vec_release(&state->messages);
    for (size_t i = 0; i < RING_SIZE; i++)
        mlc_buf_release(&state->ring[i]);
    mlc_free(state);
    thread_state = NULL;
}

static void
make_key(void)
{
    pthread_key_create(&key, release_thread_state);
}

static ThreadState *
get_thread_state(void)
{
    if (!thread_state) {
        pthread_once(&key_once, make_key);
        thread_state = mlc_calloc(1, sizeof *thread_state);
        pthread_setspecific(key, thread_state);
    }
    return thread_state;
}

// --- contexts that live

void
mlc_diag_know_context(MlcContext *ctx)
{
    pthread_mutex_lock(&living_lock);
    mlc_map_set_u64(&living, ctx->serial, mlc_word(ctx));
    pthread_mutex_unlock(&living_lock);
}

void
mlc_diag_forget_context(MlcContext *ctx)
{
    mlc_diag_flush(ctx);
    pthread_mutex_lock(&living_lock);
    mlc_map_erase_u64(&living, ctx->serial);
    if (mlc_map_size(&living) == 0)
        mlc_map_release(&living);
    pthread_mutex_unlock(&living_lock);
}

static bool
is_living(uint64_t serial)
{
    pthread_mutex_lock(&living_lock);
    bool is = mlc_map_has_u64(&living, serial);
    pthread_mutex_unlock(&living_lock);
    return is;
}

// --- emitting

static void
handle(MlcContext *ctx, const Message *messages, size_t num_messages)
{
    MlcDiag *notes = mlc_calloc(num_messages, sizeof *notes);
    for (size_t i = 1; i < num_messages; i++)
        notes[i - 1] = (MlcDiag){.severity = MLC_NOTE,
                                 .loc = messages[i].loc,
                                 .id = "",
                                 .message = mlc_str_n(messages[i].text, messages[i].size)};
    MlcDiag diag = {.severity = messages[0].severity,
                    .loc = messages[0].loc,
                    .id = messages[0].id,
                    .message = mlc_str_n(messages[0].text, messages[0].size),
                    .notes = notes,
                    .num_notes = num_messages - 1};
    pthread_mutex_lock(&ctx->diag_lock);
    if (ctx->handler)
        ctx->handler(&diag, ctx->handler_user);
    else if (diag.severity != MLC_ERROR || ++ctx->num_printed <= ctx->limits.errors)
        mlc_diag_print(ctx, &diag, stderr);
    else if (ctx->num_printed == ctx->limits.errors + 1)
        fputs("too many errors: the rest is not shown (--limit-errors)\n", stderr);
    pthread_mutex_unlock(&ctx->diag_lock);
    mlc_free(notes);
}

static void
release_messages(MessageVec *messages)
{
    for (size_t i = 0; i < messages->size; i++)
        mlc_free(messages->data[i].text);
    mlc_vec_release(messages);
}

static void
keep(MlcDiagList *list, MessageVec messages)
{
    struct MlcKeptDiag *kept = mlc_calloc(1, sizeof *kept);
    kept->messages = messages;
    *(list->last ? &list->last->next : &list->first) = kept;
    list->last = kept;
}

static void
give_to_handler(ThreadState *state)
{
    if (!state->ctx)
        return;
    MlcContext *ctx = state->ctx;
    MessageVec messages = state->messages; // the handler may report, too
    state->ctx = NULL;
    memset(&state->messages, 0, sizeof state->messages);
    if (state->capture) {
        keep(state->capture, messages);
        return;
    }
    if (is_living(state->serial))
        handle(ctx, messages.data, messages.size);
    release_messages(&messages);
}

void
mlc_diag_capture_begin(MlcContext *ctx, MlcDiagList *list)
{
    mlc_diag_flush(ctx);
    ThreadState *state = get_thread_state();
    list->outer = state->capture;
    state->capture = list;
}

void
mlc_diag_capture_end(MlcContext *ctx, MlcDiagList *list)
{
    mlc_diag_flush(ctx);
    assert(thread_state->capture == list);
    thread_state->capture = list->outer;
}

void
mlc_diag_replay(MlcContext *ctx, MlcDiagList *list)
{
    mlc_diag_flush(ctx);
    ThreadState *state = get_thread_state();
    for (struct MlcKeptDiag *kept = list->first, *next; kept; kept = next) {
        next = kept->next;
        if (state->capture) {
            keep(state->capture, kept->messages);
        } else {
            handle(ctx, kept->messages.data, kept->messages.size);
            release_messages(&kept->messages);
        }
        mlc_free(kept);
    }
    list->first = list->last = NULL;
}

void
mlc_diag_discard(MlcContext *ctx, MlcDiagList *list)
{
    for (struct MlcKeptDiag *kept = list->first, *next; kept; kept = next) {
        next = kept->next;
        if (kept->messages.data[0].severity == MLC_ERROR)
            atomic_fetch_sub(&ctx->num_errors, 1);
        if (is_unsupported(&kept->messages.data[0]))
            atomic_fetch_sub(&ctx->num_unsupported, 1);
        release_messages(&kept->messages);
        mlc_free(kept);
    }
    list->first = list->last = NULL;
}

void
mlc_diag_take_message(MlcContext *ctx, MlcDiagList *list, MlcBuf *out)
{
    if (list->first)
        mlc_buf_append_c(out, list->first->messages.data[0].text);
    mlc_diag_discard(ctx, list);
}

void
mlc_diag_flush(MlcContext *ctx)
{
    if (thread_state && thread_state->ctx == ctx)
        give_to_handler(thread_state);
}

void
mlc_diag_vemit(MlcContext *ctx, MlcSeverity severity, MlcLoc loc, const char *id,
               const char *prefix, const char *format, va_list args)
{
    MlcBuf text = {0};
    mlc_buf_append_c(&text, prefix);
    mlc_buf_vprintf(&text, format, args);
    ThreadState *state = get_thread_state();
    if (severity != MLC_NOTE || state->ctx != ctx) {
        give_to_handler(state);
        state->ctx = ctx;
        state->serial = ctx->serial;
    }
    if (severity == MLC_ERROR)
        atomic_fetch_add(&ctx->num_errors, 1);
    Message message = {
        .severity = severity, .loc = loc ? loc : mlc_loc_unknown(ctx), .id = id ? id : ""};
    if (is_unsupported(&message))
        atomic_fetch_add(&ctx->num_unsupported, 1);
    message.text = mlc_buf_take(&text, &message.size);
    mlc_vec_push(&state->messages, message);
}

bool
mlc_error(MlcContext *ctx, MlcLoc loc, const char *format, ...)
{
    MLC_EMIT(ctx, MLC_ERROR, loc, "", "");
    return false;
}

bool
mlc_unsupported(MlcContext *ctx, MlcLoc loc, const char *format, ...)
{
    MLC_EMIT(ctx, MLC_ERROR, loc, mlc_unsupported_id, "");
    return false;
}

void
mlc_warning(MlcContext *ctx, MlcLoc loc, const char *format, ...)
{
    MLC_EMIT(ctx, MLC_WARNING, loc, "", "");
}

void
mlc_remark(MlcContext *ctx, MlcLoc loc, const char *format, ...)
{
    MLC_EMIT(ctx, MLC_REMARK, loc, "", "");
}

void
mlc_note(MlcContext *ctx, MlcLoc loc, const char *format, ...)
{
    MLC_EMIT(ctx, MLC_NOTE, loc, "", "");
}

bool
mlc_diag_emit(MlcContext *ctx, MlcSeverity severity, MlcLoc loc, const char *id, const char *format,
              ...)
{
    MLC_EMIT(ctx, severity, loc, id, "");
    return false;
}

void
mlc_context_print_op_on_diag(MlcContext *ctx, bool print)
{
    ctx->print_op_on_diag = print;
}

bool
mlc_sink_error(const MlcErrorSink *sink, const char *format, ...)
{
    if (!sink->silent)
        MLC_EMIT(sink->ctx, MLC_ERROR, sink->loc, "", "");
    return false;
}

void
mlc_context_set_diag_handler(MlcContext *ctx, MlcDiagHandler handler, void *user)
{
    mlc_diag_flush(ctx);
    pthread_mutex_lock(&ctx->diag_lock);
    ctx->handler = handler;
    ctx->handler_user = user;
    pthread_mutex_unlock(&ctx->diag_lock);
}

uint64_t
mlc_context_num_unsupported(const MlcContext *ctx)
{
    return atomic_load(&((MlcContext *)(uintptr_t)ctx)->num_unsupported);
}

uint64_t
mlc_context_num_errors(const MlcContext *ctx)
{
    return atomic_load(&((MlcContext *)(uintptr_t)ctx)->num_errors);
}

// --- printing

void
mlc_context_add_source(MlcContext *ctx, MlcStr name, MlcStr text)
{
    pthread_mutex_lock(&ctx->lock);
    MlcSource source = {mlc_arena_strdup(&ctx->arena, name), text};
    size_t i = 0;
    while (i < ctx->sources.size && !mlc_str_equal(ctx->sources.data[i].name, name))
        i++;
    if (i < ctx->sources.size)
        ctx->sources.data[i] = source;
    else
        mlc_vec_push(&ctx->sources, source);
    pthread_mutex_unlock(&ctx->lock);
}

void
mlc_context_remove_source(MlcContext *ctx, MlcStr text)
{
    mlc_diag_flush(ctx);
    pthread_mutex_lock(&ctx->lock);
    for (size_t i = 0; i < ctx->sources.size; i++)
        if (ctx->sources.data[i].text.data == text.data)
            ctx->sources.data[i].text = (MlcStr){0};
    pthread_mutex_unlock(&ctx->lock);
}

// Line `line` (from 1) of a known source.
static bool
find_source_line(MlcContext *ctx, MlcStr name, unsigned line, MlcStr *out)
{
    MlcStr text = {0};
    pthread_mutex_lock(&ctx->lock);
    for (size_t i = 0; i < ctx->sources.size; i++)
        if (mlc_str_equal(ctx->sources.data[i].name, name))
            text = ctx->sources.data[i].text;
    pthread_mutex_unlock(&ctx->lock);
    const char *at = text.data, *end = at ? at + text.size : NULL;
    for (unsigned i = 1; at && i < line; i++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (!at || line == 0)
        return false;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    *out = mlc_str_n(at, (size_t)((stop ? stop : end) - at));
    return true;
}

// Longer lines are not quoted: nobody reads them.
#define MAX_QUOTED (1 << 16)

static void
print_source(MlcContext *ctx, MlcLoc loc, MlcBuf *out)
{
    MlcStr line;
    unsigned column = mlc_loc_column(loc);
    if (column == 0 ||
        !find_source_line(ctx, mlc_loc_file_name(ctx, loc), mlc_loc_line(loc), &line) ||
        line.size > MAX_QUOTED)
        return;
    mlc_buf_append_str(out, line);
    mlc_buf_append_char(out, '\n');
    for (size_t i = 0; i + 1 < column && i <= line.size; i++)
        mlc_buf_append_char(out, i < line.size && line.data[i] == '\t' ? '\t' : ' ');
    mlc_buf_append_c(out, "^\n");
}

// The call site in a location; NULL: none.
static MlcLoc
find_call_site(MlcLoc loc)
{
    switch (mlc_loc_kind(loc)) {
    case MLC_LOC_CALLSITE:
        return loc;
    case MLC_LOC_NAME:
        return find_call_site(mlc_loc_child(loc, 0));
    case MLC_LOC_FUSED:
        for (size_t i = 0; i < mlc_loc_num_children(loc); i++) {
            MlcLoc found = find_call_site(mlc_loc_child(loc, i));
            if (found)
                return found;
        }
        return NULL;
    default:
        return NULL;
    }
}

enum { CALL_STACK_LIMIT = 10 };

// A note for each caller of what a diagnostic is about.
static void
print_callers(MlcContext *ctx, MlcLoc loc, MlcBuf *out)
{
    for (unsigned depth = 0; depth < CALL_STACK_LIMIT && (loc = find_call_site(loc)); depth++) {
        loc = mlc_loc_child(loc, 1);
        MlcLoc file = mlc_loc_find_file(loc);
        if (!file)
            continue;
        mlc_buf_append_str(out, mlc_loc_file_name(ctx, file));
        mlc_buf_printf(out, ":%u:%u: note: called from\n", mlc_loc_line(file),
                       mlc_loc_column(file));
        print_source(ctx, file, out);
    }
}

// `shown` is the place whose line was quoted last: a note there does not quote it again.
static void
print_one(MlcContext *ctx, const MlcDiag *diag, MlcLoc shown, MlcBuf *out)
{
    static const char *const words[] = {"error", "warning", "remark", "note"};
    MlcLoc file = mlc_loc_find_file(diag->loc);
    if (file) {
        mlc_buf_append_str(out, mlc_loc_file_name(ctx, file));
        MlcStr none;
        if (mlc_loc_line(file) == 0 &&
            find_source_line(ctx, mlc_loc_file_name(ctx, file), 1, &none))
            mlc_buf_append_c(out, ": "); // a binary file as a whole
        else
            mlc_buf_printf(out, ":%u:%u: ", mlc_loc_line(file), mlc_loc_column(file));
    } else if (mlc_loc_kind(diag->loc) == MLC_LOC_UNKNOWN) {
        mlc_buf_append_c(out, "<unknown>:0: ");
    } else {
        ctx->text->print_loc(ctx, diag->loc, out);
        mlc_buf_append_c(out, ": ");
    }
    mlc_buf_printf(out, "%s: ", words[diag->severity]);
    mlc_buf_append_str(out, diag->message);
    mlc_buf_append_char(out, '\n');
    if (file && file != shown)
        print_source(ctx, file, out);
    if (file && diag->severity != MLC_NOTE)
        print_callers(ctx, diag->loc, out);
    for (size_t i = 0; i < diag->num_notes; i++)
        print_one(ctx, &diag->notes[i], file, out);
}

void
mlc_diag_print(MlcContext *ctx, const MlcDiag *diag, FILE *out)
{
    MlcBuf text = {0};
    print_one(ctx, diag, NULL, &text);
    fwrite(text.data, 1, text.size, out); // at once: other threads print, too
    mlc_buf_release(&text);
}

MlcBuf *
mlc_diag_text(void)
{
    ThreadState *state = get_thread_state();
    MlcBuf *buf = &state->ring[state->ring_at++ % RING_SIZE];
    mlc_buf_clear(buf);
    return buf;
}
