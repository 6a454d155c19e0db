// args.c -- numbers by the width of their parameter, buffers by files.
#include "args.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "mlc/support/file.h"
#include "mlc/support/npy.h"
#include "tool.h"

// A number as `size` bytes: an integer, or a float of 4 or 8 bytes where it has a point.
static bool
read_number(const char *text, size_t size, MlcBuf *bytes)
{
    char *end;
    uint64_t bits = strtoull(text, &end, 0);
    bool ok = *end == '\0' && *text && (size == 1 || size == 2 || size == 4 || size == 8);
    if (!ok && (size == 4 || size == 8) && (isdigit((unsigned char)*text) || *text == '-')) {
        double value = strtod(text, &end);
        float narrow = (float)value;
        if (size == 8)
            memcpy(&bits, &value, sizeof value);
        else
            memcpy(&bits, &narrow, sizeof narrow);
        ok = *end == '\0';
    }
    if (!ok)
        return tool_error("'%s' is no number for a parameter of %zu bytes", text, size);
    mlc_buf_append(bytes, &bits, size);
    return true;
}

static bool
give_address(Args *args, Buffer *buffer, size_t size, MlcBuf *bytes)
{
    if (size != 8)
        return tool_error("a buffer for a parameter of %zu bytes: an address has 8", size);
    buffer->address = mlc_ptx_alloc(args->device, buffer->num_bytes);
    mlc_buf_append(bytes, &buffer->address, sizeof buffer->address);
    return buffer->address || tool_error("a buffer of more than 2^36 bytes");
}

// out:BYTES:FILE
static bool
make_buffer(Args *args, const char *text, size_t size, MlcBuf *bytes)
{
    char *end;
    Buffer buffer = {.num_bytes = strtoull(text + 4, &end, 10)};
    if (end == text + 4 || *end != ':' || !end[1])
        return tool_error("'%s': expected out:bytes:file", text);
    buffer.out = end + 1;
    int64_t dim = (int64_t)buffer.num_bytes;
    mlc_npy_write_header(&buffer.header, 'u', 1, &dim, 1);
    bool ok = give_address(args, &buffer, size, bytes);
    mlc_vec_push(&args->buffers, buffer);
    return ok;
}

static bool
fill_buffer(Args *args, const MlcNpy *npy, const char *out, size_t size, MlcBuf *bytes)
{
    Buffer buffer = {.num_bytes = npy->num_bytes, .out = out};
    mlc_npy_write_header(&buffer.header, npy->kind, npy->item_bytes, npy->dims, npy->rank);
    bool ok = give_address(args, &buffer, size, bytes) &&
              mlc_ptx_write(args->device, buffer.address, npy->data, npy->num_bytes);
    mlc_vec_push(&args->buffers, buffer);
    return ok;
}

// FILE, FILE:OUT or bytes:FILE
static bool
read_file(Args *args, const char *text, size_t size, MlcBuf *bytes)
{
    bool is_value = strncmp(text, "bytes:", 6) == 0;
    const char *path = is_value ? text + 6 : text, *colon = strchr(path, ':');
    MlcBuf name = {0}, error = {0};
    MlcFile file;
    MlcNpy npy;
    mlc_buf_append(&name, path, colon ? (size_t)(colon - path) : strlen(path));
    bool opened = mlc_file_open(&file, mlc_buf_c_str(&name), MLC_FILE_READ_ONLY, &error);
    bool ok = opened && mlc_npy_read(file.data, file.size, &npy, &error);
    if (!ok)
        tool_error("%s%s%s", opened ? name.data : "", opened ? ": " : "", mlc_buf_c_str(&error));
    else if (!is_value)
        ok = fill_buffer(args, &npy, colon ? colon + 1 : NULL, size, bytes);
    else if (npy.num_bytes != size)
        ok = tool_error("'%s' has %zu bytes, and the parameter %zu", path, npy.num_bytes, size);
    else
        mlc_buf_append(bytes, npy.data, size);
    if (opened)
        mlc_file_release(&file);
    mlc_buf_release(&name);
    mlc_buf_release(&error);
    return ok;
}

bool
args_read(Args *args, const MlcPtxEntry *entry, const MlcStrVec *texts)
{
    size_t num_params = mlc_ptx_num_params(entry);
    if (texts->size != num_params)
        return tool_error("'%s' takes %zu arguments, got %zu", mlc_ptx_entry_name(entry).data,
                          num_params, texts->size);
    args->num = texts->size;
    args->values = mlc_calloc(args->num + 1, sizeof *args->values);
    args->bytes = mlc_calloc(args->num + 1, sizeof *args->bytes);
    bool ok = true;
    for (size_t i = 0; i < args->num && ok; i++) {
        const char *text = texts->data[i].data;
        size_t size = mlc_ptx_param_bytes(entry, i);
        MlcBuf *bytes = &args->bytes[i];
        bool is_number = isdigit((unsigned char)text[0]) || text[0] == '-';
        ok = is_number && !strstr(text, ".npy") ? read_number(text, size, bytes)
             : strncmp(text, "out:", 4) == 0    ? make_buffer(args, text, size, bytes)
                                                : read_file(args, text, size, bytes);
        args->values[i] = bytes->data;
    }
    return ok;
}

bool
args_write(Args *args)
{
    bool ok = true;
    MlcBuf error = {0};
    for (size_t i = 0; i < args->buffers.size && ok; i++) {
        Buffer *buffer = &args->buffers.data[i];
        if (!buffer->out)
            continue;
        uint64_t missing = mlc_ptx_num_unwritten(args->device, buffer->address, buffer->num_bytes);
        if (missing) {
            ok = tool_error("the kernel has not written %llu of the bytes of '%s'",
                            (unsigned long long)missing, buffer->out);
            break;
        }
        char *to = mlc_buf_reserve(&buffer->header, buffer->num_bytes);
        ok = mlc_ptx_read(args->device, buffer->address, to, buffer->num_bytes);
        buffer->header.size += buffer->num_bytes;
        if (ok &&
            !mlc_file_write_atomic(buffer->out, buffer->header.data, buffer->header.size, &error))
            ok = tool_error("%s", mlc_buf_c_str(&error));
    }
    mlc_buf_release(&error);
    return ok;
}

void
args_release(Args *args)
{
    for (size_t i = 0; i < args->num; i++)
        mlc_buf_release(&args->bytes[i]);
    for (size_t i = 0; i < args->buffers.size; i++)
        mlc_buf_release(&args->buffers.data[i].header);
    mlc_vec_release(&args->buffers);
    mlc_free(args->bytes);
    mlc_free(args->values);
}
