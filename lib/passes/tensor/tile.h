// tile.h -- tiles a group of structured ops; what the pass tile does, for others.
#ifndef MLC_PASSES_TILE_H
#define MLC_PASSES_TILE_H

#include "schedule.h"

#include "mlc/pass.h"

// The last of the element-wise ops behind `op`, each of which alone reads the one before; if there
// is none, a copy of what `op` computes, made here: what is summed up in parts is then kept
// together, and goes to its place, which may be far apart, only once.
MlcOp *mlc_structured_root(MlcOp *op);
// Tiles the group that ends in *root by `schedule`; NULL: by the option tile-sizes of `pass`, or by
// mlc_schedule_for. Afterwards *root is the first op that took its place: what is done, is after
// it.
bool mlc_tile_group(MlcPass *pass, MlcOp **root, const MlcSchedule *schedule);

#endif
