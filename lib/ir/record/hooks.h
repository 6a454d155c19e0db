// hooks.h -- private to lib/ir: finds what files name.
#ifndef MLC_IR_HOOKS_H
#define MLC_IR_HOOKS_H

#include "mlc/ir/hook.h"

// NULL: nobody registered one of that name.
const MlcHook *mlc_hook_find(const char *name);

#endif
