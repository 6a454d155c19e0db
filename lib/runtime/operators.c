// operators.c -- operators of a model that are functions of libraries: read from the artefact,
// found when it is loaded, called when it runs.
#include "operators.h"

#include "model.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

// ---- reading

typedef struct Field {
    MlcArtefactField head;
    const char *data; // aligned to 8
} Field;

// The next field; false at the end, or where it is wrong (`*ok` false).
static bool
next_field(const char **at, const char *end, Field *field, bool *ok)
{
    if (*at == end)
        return false;
    size_t rest = (size_t)(end - *at);
    if (rest < sizeof field->head)
        return *ok = false;
    memcpy(&field->head, *at, sizeof field->head);
    field->data = *at + sizeof field->head;
    size_t size = (field->head.size + (size_t)7) / 8 * 8;
    if (size > rest - sizeof field->head)
        return *ok = false;
    *at = field->data + size;
    return true;
}

static const char *
text_of(const Field *field)
{
    bool is_text = field->head.size > 0 && field->data[field->head.size - 1] == '\0';
    return is_text ? field->data : NULL;
}

static bool
take_text(const Field *field, const char **text)
{
    return (*text = text_of(field)) != NULL;
}

static bool
take_tensor(MlcRtOperator *op, const Field *field, bool is_output)
{
    int64_t numbers[2];
    size_t n = op->call.num_inputs + op->call.num_outputs;
    if (field->head.size != sizeof numbers || n == MLC_OPERATOR_MAX_TENSORS ||
        (!is_output && op->call.num_outputs > 0))
        return false;
    memcpy(numbers, field->data, sizeof numbers);
    bool is_none = numbers[0] == 0 && numbers[1] == 0 && !is_output;
    if (!is_none && (numbers[0] <= 0 || numbers[0] >= MLC_RT_NUM_TYPES ||
                     mlc_rt_type_bytes((MlcRtType)numbers[0]) == 0))
        return false;
    if (numbers[1] < 0 || numbers[1] > MLC_OPERATOR_MAX_RANK)
        return false;
    op->tensors[n] = (MlcRtTensor){.type = (MlcRtType)numbers[0], .rank = (int32_t)numbers[1]};
    op->call.num_inputs += !is_output;
    op->call.num_outputs += is_output;
    return true;
}

// The value of the attribute that was named last.
static bool
take_value(MlcOperatorAttribute *a, const Field *field)
{
    if (!a || a->kind)
        return false;
    switch (field->head.kind) {
    case MLC_ARTEFACT_FIELD_INTS:
        a->kind = MLC_OPERATOR_INTS;
        a->ints = (const int64_t *)(const void *)field->data;
        break;
    case MLC_ARTEFACT_FIELD_FLOATS:
        a->kind = MLC_OPERATOR_FLOATS;
        a->floats = (const double *)(const void *)field->data;
        break;
    default:
        a->kind = MLC_OPERATOR_TEXT;
        a->count = field->head.size - (field->head.size > 0);
        return take_text(field, &a->text);
    }
    a->count = field->head.size / 8;
    return field->head.size % 8 == 0;
}

static bool
take_field(MlcRtOperator *op, MlcOperatorAttribute *attributes, const Field *field)
{
    size_t n = op->call.num_attributes;
    switch (field->head.kind) {
    case MLC_ARTEFACT_FIELD_FUNCTION:
        return take_text(field, &op->symbol);
    case MLC_ARTEFACT_FIELD_LIBRARY:
        return take_text(field, &op->library);
    case MLC_ARTEFACT_FIELD_DOMAIN:
        return take_text(field, &op->call.domain);
    case MLC_ARTEFACT_FIELD_NAME:
        return take_text(field, &op->call.name);
    case MLC_ARTEFACT_FIELD_OPSET:
        if (field->head.size != sizeof op->call.opset)
            return false;
        memcpy(&op->call.opset, field->data, sizeof op->call.opset);
        return true;
    case MLC_ARTEFACT_FIELD_INPUT:
    case MLC_ARTEFACT_FIELD_OUTPUT:
        return take_tensor(op, field, field->head.kind == MLC_ARTEFACT_FIELD_OUTPUT);
    case MLC_ARTEFACT_FIELD_ATTRIBUTE:
        op->call.num_attributes++;
        return take_text(field, &attributes[n].name);
    case MLC_ARTEFACT_FIELD_INTS:
    case MLC_ARTEFACT_FIELD_FLOATS:
    case MLC_ARTEFACT_FIELD_TEXT:
        return take_value(n ? &attributes[n - 1] : NULL, field);
    default:
        return false;
    }
}

bool
mlc_rt_operator_read(MlcRtOperator *op, const char *fields, size_t size)
{
    // Their copy is aligned; there are fewer attributes than heads.
    size_t room = (size + 7) / 8 * 8, most = size / sizeof(MlcArtefactField);
    char *copy = op->memory = calloc(1, room + (most + 1) * sizeof(MlcOperatorAttribute));
    if (!copy)
        return false;
    memcpy(copy, fields, size);
    MlcOperatorAttribute *attributes = (MlcOperatorAttribute *)(void *)(copy + room);
    op->call = (MlcOperatorCall){.size = sizeof op->call, .attributes = attributes};
    bool ok = true;
    Field field;
    for (const char *at = copy; ok && next_field(&at, copy + size, &field, &ok);)
        ok = take_field(op, attributes, &field);
    for (size_t i = 0; i < op->call.num_attributes; i++)
        ok = ok && attributes[i].kind != 0;
    return ok && op->symbol && op->library && op->call.domain && op->call.name &&
           op->call.num_outputs > 0;
}

void
mlc_rt_operator_release(MlcRtOperator *op)
{
    free(op->memory);
}

// ---- finding

// Why it is not in this library goes to `why`: a library without the function says more than one
// that is not there.
static bool
find_in(MlcRtOperator *op, const char *path, char *why, size_t size)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library && why[0] == '\0')
        snprintf(why, size, "%s", dlerror());
    if (!library)
        return false;
    *(void **)(void *)&op->function = dlsym(library, op->symbol);
    if (!op->function)
        snprintf(why, size, "'%s' does not define '%s'", path, op->symbol);
    return op->function != NULL;
}

// In the folder of the file at `path`.
static bool
find_beside(MlcRtOperator *op, const char *path, char *why, size_t size)
{
    char file[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) : 1;
    int length = snprintf(file, sizeof file, "%.*s/%s", folder, slash ? path : ".", op->library);
    return length > 0 && (size_t)length < sizeof file && find_in(op, file, why, size);
}

bool
mlc_rt_operator_find(MlcRtOperator *op, const char *const *libraries, size_t num_libraries,
                     const char *path, char *message, size_t size)
{
    char why[256] = "";
    Dl_info runtime;
    for (size_t i = 0; i < num_libraries; i++)
        if (find_in(op, libraries[i], why, sizeof why))
            return true;
    *(void **)(void *)&op->function = dlsym(RTLD_DEFAULT, op->symbol);
    if (op->function || find_beside(op, path, why, sizeof why))
        return true;
    const void *here = (const void *)(uintptr_t)mlc_rt_operator_find;
    if (dladdr(here, &runtime) != 0 && runtime.dli_fname &&
        find_beside(op, runtime.dli_fname, why, sizeof why))
        return true;
    if (find_in(op, op->library, why, sizeof why))
        return true;
    snprintf(message, size,
             "its operator '%s.%s' is the function '%s' of '%s', which is not there: %s",
             op->call.domain, op->call.name, op->symbol, op->library, why);
    return false;
}

// ---- running

bool
mlc_rt_operator_run(const MlcRtOperator *op, const int64_t *tensors, char *message, size_t size)
{
    MlcRtTensor all[MLC_OPERATOR_MAX_TENSORS];
    MlcOperatorCall call = op->call;
    size_t count = call.num_inputs + call.num_outputs, bytes;
    for (size_t i = 0; i < count; i++) {
        all[i] = op->tensors[i];
        if (all[i].type == 0)
            continue;
        all[i].data = (void *)(uintptr_t)tensors[0];
        all[i].dims = tensors + 1;
        tensors += 1 + all[i].rank;
    }
    message[0] = '\0';
    call.inputs = all;
    call.outputs = all + call.num_inputs;
    call.message = message;
    call.message_size = size;
    int32_t code = op->function(&call);
    message[size - 1] = '\0';
    if (code == 0)
        return true;
    if (!message[0])
        snprintf(message, size, "code %d", (int)code);
    for (size_t i = call.num_inputs; i < count; i++)
        if (mlc_rt_tensor_bytes(all[i].type, all[i].rank, all[i].dims, &bytes) && bytes > 0)
            memset(all[i].data, 0, bytes);
    return false;
}
