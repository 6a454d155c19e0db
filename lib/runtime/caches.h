// caches.h -- memory of outputs that grow in an input's memory (MlcArtefactCache).
#ifndef MLC_LIB_RUNTIME_CACHES_H
#define MLC_LIB_RUNTIME_CACHES_H

#include "model.h"

typedef struct MlcRtCache {
    const MlcArtefactCache *info;
    bool is_grown; // the memory is the session's, and what is in it stays from run to run
    int64_t length, room;
    char *memory; // of `dims`; NULL: not laid out yet
    size_t bytes;
    int64_t dims[MLC_ARTEFACT_MAX_RANK];
} MlcRtCache;

// Memory for the shape that an output has now; what it held is there in the new one too. False with
// an error: no memory, or another dimension than that of the cache has changed and it is not empty.
bool mlc_rt_cache_lay_out(MlcRtCache *cache, const MlcRtTensor *output, const char *name,
                          MlcRtError *error);
void mlc_rt_cache_release(MlcRtCache *cache);

// The memory of `output` begins with the past, which lies at `input` with nothing between its rows.
// By up to `threads` threads; the caller is in a run.
void mlc_rt_cache_begin(const MlcArtefactCache *info, const MlcRtTensor *output, const void *input,
                        int64_t past, int64_t threads);

#endif
