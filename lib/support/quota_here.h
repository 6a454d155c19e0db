// quota_here.h -- the quota that the calling thread is under, for those who count.
#ifndef MLC_SUPPORT_QUOTA_HERE_H
#define MLC_SUPPORT_QUOTA_HERE_H

#include "mlc/support/quota.h"

extern _Thread_local MlcQuota *mlc_quota_here; // the innermost; NULL: none

// Before `bytes` more are asked for, and after they were given or taken back (negative).
void mlc_quota_ask_memory(MlcQuota *quota, size_t bytes);
void mlc_quota_count_memory(MlcQuota *quota, int64_t bytes);

#endif
