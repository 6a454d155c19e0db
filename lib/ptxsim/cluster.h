// cluster.h -- a cluster as a host thread has it: made once, started for each number.
#ifndef MLC_LIB_PTXSIM_CLUSTER_H
#define MLC_LIB_PTXSIM_CLUSTER_H

#include "inst.h"

void cluster_init(Cluster *c, Run *run);
void cluster_release(Cluster *c);
void cluster_start(Cluster *c, uint32_t number);

#endif
