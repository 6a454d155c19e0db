// target_table.h -- the generated table behind mlc_target_desc_find.
#ifndef MLC_MACHINE_TARGET_TABLE_H
#define MLC_MACHINE_TARGET_TABLE_H

#include "mlc/machine.h"

extern const MlcTargetDesc mlc_target_table[];
extern const size_t mlc_target_table_size;

#endif
