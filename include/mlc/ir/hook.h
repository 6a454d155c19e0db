// hook.h -- functions and vtables that dialects and rules read from files may name.
//
// Nothing else of a process is ever called by a file: a name that no table has is an error where
// the file says it. A plugin brings its table in its record (mlc/plugin.h), a program by
// mlc_register_hooks:
//
//     static const MlcHook hooks[] = {MLC_HOOK(mlc_calc_mul_verify),
//     MLC_HOOK_TABLE(mlc_calc_mul_branch)};
//
// Ownership: tables live as long as the process.
// Threads: any; what they name is called from several at a time.
#ifndef MLC_IR_HOOK_H
#define MLC_IR_HOOK_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

typedef struct MlcHook {
    const char *name;       // of the C function or object; begins with mlc_ and its dialect's name
    void (*function)(void); // or
    const void *table;      // a vtable
} MlcHook;

// Entries of a table: a function, and an object that is an interface's vtable.
#define MLC_HOOK(function)                                                                         \
    {                                                                                              \
#function, (void (*)(void))(function), NULL                                                \
    }
#define MLC_HOOK_TABLE(object)                                                                     \
    {                                                                                              \
#object, NULL, &(object)                                                                   \
    }

// Adds a table, which lives as long as the process. False, and nothing is added, if a name is taken
// by something else. Any thread.
MLC_API MLC_NODISCARD bool mlc_register_hooks(const MlcHook *hooks, size_t num_hooks);

MLC_END_DECLS

#endif
