// async.h -- work that goes on beside the instructions: when it is done is drawn from the seed.
#ifndef MLC_LIB_PTXSIM_ASYNC_H
#define MLC_LIB_PTXSIM_ASYNC_H

#include "inst.h"

// Lets something that is in flight be done. `all_wait`: nothing else can go on. False: nothing is
// in flight.
bool ptx_async_step(Cluster *c, bool all_wait);

#endif
