// clock.h -- times to be subtracted from each other: nanoseconds, where nothing else is said.
//
// Ownership: nothing is owned.
// Threads: any.
#ifndef MLC_SUPPORT_CLOCK_H
#define MLC_SUPPORT_CLOCK_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

// Nanoseconds since some moment, by a clock that only goes forward.
MLC_API int64_t mlc_clock_wall(void);
MLC_API double mlc_clock_seconds(void); // the same in seconds
MLC_API int64_t mlc_clock_thread(void); // the calling thread's processor time

MLC_END_DECLS

#endif
