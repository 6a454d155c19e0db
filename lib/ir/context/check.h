// check.h -- private: a checking build (cmake -DMLC_CHECKING=ON), which tells mistakes of who calls
// the library. In other builds all of it but mlc_mistake is nothing.
//
// Memory of ops, blocks and arguments then has a guard before it, and is not used again soon after
// they are erased, so that a pointer which is used too late still says what it was (slab.c,
// check.c).
#ifndef MLC_IR_CHECK_H
#define MLC_IR_CHECK_H

#include "mlc/ir/fwd.h"
#include "mlc/support/base.h"

// Tells a mistake of the program, in a call of `function`, with the calls that led there, and ends
// the process.
MLC_NORETURN void mlc_mistake(const char *function, const char *format, ...) MLC_PRINTF(2, 3);

#ifdef MLC_CHECKING

// Memory with a guard that says it lives.
void *mlc_guarded_alloc(MlcContext *ctx, size_t size);
// From here on it is erased; some MiB of others later its memory goes.
void mlc_guarded_free(void *memory, size_t size);
// Before it is freed: what it was, and which bytes stay readable, because who asks needs them to
// find the guard. `name` lives as long as the context.
void mlc_guarded_note(void *memory, const char *name, MlcLoc loc, size_t from, size_t size);
// A mistake if the object was erased. `what` is "op".
void mlc_guarded_expect(const char *function, const void *memory, const char *what);
// Whether it was not.
bool mlc_guarded_lives(const void *memory);
// With the context goes what a guard would say.
void mlc_guarded_forget(MlcContext *ctx);

// A mistake unless the condition holds, with a message.
#define MLC_CHECK(condition, ...) ((condition) ? (void)0 : mlc_mistake(__func__, __VA_ARGS__))
#define MLC_GUARDED_NOTE(...) mlc_guarded_note(__VA_ARGS__)
#define MLC_GUARDED_FORGET(ctx) mlc_guarded_forget(ctx)

#else

#define MLC_CHECK(condition, ...) ((void)0)
#define MLC_GUARDED_NOTE(...) ((void)0)
#define MLC_GUARDED_FORGET(ctx) ((void)0)

#endif

#endif
