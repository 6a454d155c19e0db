// ir.h -- the whole IR room.
//
// Ownership: as each header says; mlc/ir/context.h and mlc/ir/op.h have the rules.
// Threads: as each header says; the rules are in the same two.
#ifndef MLC_IR_H
#define MLC_IR_H

#include "mlc/ir/affine.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/blob.h"
#include "mlc/ir/builder.h"
#include "mlc/ir/context.h"
#include "mlc/ir/def.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/interfaces.h"
#include "mlc/ir/limits.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/memory_slot.h"
#include "mlc/ir/mixed.h"
#include "mlc/ir/op.h"
#include "mlc/ir/reassociation.h"
#include "mlc/ir/symbol.h"
#include "mlc/ir/text.h"
#include "mlc/ir/type.h"
#include "mlc/ir/verify.h"

#endif
