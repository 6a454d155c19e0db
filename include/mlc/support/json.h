// json.h -- writes JSON into a buffer: commas, indentation, escapes.
//
//     MlcJson json;
//     mlc_json_init(&json, &buf);
//     mlc_json_begin_object(&json);
//     mlc_json_key(&json, "times");
//     mlc_json_begin_array(&json);
//     mlc_json_double(&json, 0.25);
//     mlc_json_end_array(&json);
//     mlc_json_end_object(&json);
//
// Ownership: it writes to a buffer that is borrowed.
// Threads: a writer belongs to one at a time.
#ifndef MLC_SUPPORT_JSON_H
#define MLC_SUPPORT_JSON_H

#include "mlc/support/base.h"
#include "mlc/support/buf.h"

MLC_BEGIN_DECLS

typedef struct MlcJson {
    MlcBuf *out;
    unsigned depth;
    bool is_first;  // nothing stands yet in the innermost object or array
    bool after_key; // a value is due
} MlcJson;

// Appends to `out`, which must outlive it.
MLC_API void mlc_json_init(MlcJson *json, MlcBuf *out);
// What begins must end; commas come by themselves.
MLC_API void mlc_json_begin_object(MlcJson *json);
MLC_API void mlc_json_end_object(MlcJson *json);
MLC_API void mlc_json_begin_array(MlcJson *json);
MLC_API void mlc_json_end_array(MlcJson *json);
// A member of the object that is open: its value comes next.
MLC_API void mlc_json_key(MlcJson *json, const char *key);
MLC_API void mlc_json_str(MlcJson *json, MlcStr value); // bytes that are not UTF-8 become U+FFFD
// Values: text, escaped where it must be, and numbers.
MLC_API void mlc_json_c_str(MlcJson *json, const char *value);
MLC_API void mlc_json_int(MlcJson *json, int64_t value);
MLC_API void mlc_json_uint(MlcJson *json, uint64_t value);
// The shortest text that reads back; infinities and NaNs are null.
MLC_API void mlc_json_double(MlcJson *json, double value);
MLC_API void mlc_json_bool(MlcJson *json, bool value);
MLC_API void mlc_json_null(MlcJson *json);

MLC_END_DECLS

#endif
