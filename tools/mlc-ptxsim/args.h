// args.h -- arguments of a kernel as the command line gives them.
#ifndef MLC_TOOLS_MLC_PTXSIM_ARGS_H
#define MLC_TOOLS_MLC_PTXSIM_ARGS_H

#include "mlc/ptxsim.h"
#include "mlc/support/buf.h"
#include "mlc/support/vec.h"

typedef struct Buffer {
    uint64_t address, num_bytes;
    MlcBuf header;   // of its file
    const char *out; // where it is written; NULL: nowhere
} Buffer;

typedef struct Args {
    MlcPtxDevice *device;
    const void **values;
    size_t num;
    MlcBuf *bytes; // of each
    MLC_VEC(Buffer) buffers;
} Args;

// Reads files, and makes buffers on the device. False after messages.
bool args_read(Args *args, const MlcPtxEntry *entry, const MlcStrVec *texts);
// Writes the buffers that have a file to go to.
bool args_write(Args *args);
void args_release(Args *args);

#endif
