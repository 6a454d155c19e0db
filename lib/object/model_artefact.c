// model_artefact.c -- an artefact from a lowered model: code by LLVM, everything else from the
// module's attributes.
//
//   mlc.inputs, mlc.outputs  [{name = "x", type = tensor<?x16xf32>, dims = ["batch", ""]}, ...];
//                            dims may be absent; size_of = array<i64: output, dim> of an
//                            output: the number it gives is that dimension of that output
//   mlc.kernels              [{name = "kernel_0", nodes = ["conv1", "relu1"], notes = ["..."],
//                            flops = 2, bytes = 8}, ...], by the index given to kernel_begin;
//                            notes and costs may be absent
//   mlc.constants            [dense<...>, dense_resource<...>, ...]: laid out in order, each
//                            aligned to 64 bytes
//   mlc.input_values, mlc.output_values
//                            [{name = "y", form = "sequence(tensor, tensor)", type = f32}, ...],
//                            where one is no tensor; type is of elements, and may be absent
//   mlc.shapes               how sizes follow from those of inputs (plan_sizes.c); may be absent
//   mlc.literals             the model's strings, whose numbers the code has
//   mlc.operators            what its code calls of libraries, by number (operator_fields.c)
//   mlc.device_kernels       ["kernel_0_gpu", ...]: functions of gpu.modules, by the number that
//                            launches have; may be absent
//   mlc.arena_bytes, mlc.scratch_bytes, mlc.prepared_bytes, mlc.init_arena_bytes
//                            integers; absent: 0
#include "operator_fields.h"

#include "mlc/target.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/blob.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/op.h"
#include "mlc/ir/runtime_type.h"
#include "mlc/ir/type.h"
#include "mlc/object.h"
#include "mlc/ir/work.h"
#include "mlc/support/budget.h"

#include "device_images.h"

typedef MLC_VEC(MlcRtTensorInfo) InfoVec;
typedef MLC_VEC(MlcArtefactKernelSpec) KernelVec;

typedef struct Builder {
    MlcOp *module;
    MlcArena arena;
    InfoVec inputs, outputs;
    KernelVec kernels;
    MLC_VEC(MlcArtefactValueSpec) values;
    MlcStrVec literals, operators;
    MLC_VEC(MlcArtefactConstant) constants;
    MlcArtefactShapesSpec shapes;
    DeviceImages device;
    MlcImage image;
    MlcJit **jit; // where code goes instead; NULL: into the image
    MlcArtefactSpec spec;
} Builder;

static MlcAttr
element(MlcOp *op, const char *name, size_t i)
{
    MlcAttr list = mlc_op_attr(op, name);
    return mlc_attr_is(list, MLC_ATTR_ARRAY) && i < mlc_array_attr_size(list)
               ? mlc_array_attr_element(list, i)
               : NULL;
}

static MlcAttr
member(MlcAttr dict, const char *name)
{
    return mlc_attr_is(dict, MLC_ATTR_DICT) ? mlc_dict_attr_find(dict, mlc_str(name)) : NULL;
}

static const char *
string(Builder *b, MlcAttr attr)
{
    return mlc_attr_is(attr, MLC_ATTR_STRING)
               ? mlc_arena_strdup(&b->arena, mlc_string_attr_value(attr)).data
               : "";
}

bool
mlc_target_runtime_type(MlcType type, MlcRtType *out)
{
    return mlc_type_to_runtime(type, out);
}

// The name of a dimension, without the backticks that texts of sizes need around some.
static const char *
plain_name(Builder *b, MlcAttr attr)
{
    MlcStr name = mlc_attr_is(attr, MLC_ATTR_STRING) ? mlc_string_attr_value(attr) : mlc_str("");
    if (name.size > 2 && memchr(name.data + 1, '`', name.size - 1) == name.data + name.size - 1)
        name = mlc_str_n(name.data + 1, name.size - 2);
    return mlc_arena_strdup(&b->arena, name).data;
}

static bool
add_tensor(Builder *b, const char *list, MlcAttr entry, InfoVec *infos)
{
    MlcAttr type_attr = member(entry, "type"), dims = member(entry, "dims");
    MlcType type = mlc_attr_is(type_attr, MLC_ATTR_TYPE) ? mlc_type_attr_value(type_attr) : NULL;
    MlcRtTensorInfo info = {.name = string(b, member(entry, "name"))};
    if (!type || !mlc_type_is_shaped(type) || !mlc_type_has_rank(type) ||
        !mlc_target_runtime_type(mlc_type_element(type), &info.type))
        return mlc_op_error(
            b->module,
            "entry %zu of '%s' needs a name and a ranked type of elements that the runtime has",
            infos->size, list);
    size_t rank = mlc_type_rank(type);
    int64_t *sizes = MLC_NEW_ARRAY(&b->arena, int64_t, rank + 1);
    const char **names = MLC_NEW_ARRAY(&b->arena, const char *, rank + 1);
    for (size_t i = 0; i < rank; i++) {
        bool named = mlc_attr_is(dims, MLC_ATTR_ARRAY) && i < mlc_array_attr_size(dims);
        sizes[i] = mlc_type_dim(type, i) == MLC_DYNAMIC ? -1 : mlc_type_dim(type, i);
        names[i] = named ? plain_name(b, mlc_array_attr_element(dims, i)) : "";
    }
    info.rank = (int32_t)rank;
    info.dims = sizes;
    info.dim_names = names;
    mlc_vec_push(infos, info);
    return true;
}

// `size_of` of an entry: that dimension of that output is found in the data, and its type has the
// most it may be.
static bool
open_dim(Builder *b, MlcAttr size_of, InfoVec *infos)
{
    int64_t output, dim;
    if (mlc_int_list_attr_size(size_of) != 2 || !mlc_int_list_attr_get(size_of, 0, &output) ||
        !mlc_int_list_attr_get(size_of, 1, &dim) || output < 0 || (size_t)output >= infos->size ||
        dim < 0 || dim >= infos->data[output].rank || infos->data[output].dims[dim] < 0)
        return mlc_op_error(b->module, "a size in 'mlc.outputs' is of no dimension of an output");
    MlcRtTensorInfo *info = &infos->data[output];
    int64_t *sizes = MLC_NEW_ARRAY(&b->arena, int64_t, (size_t)info->rank);
    memcpy(sizes, info->dims, (size_t)info->rank * sizeof *sizes);
    sizes[dim] = -1;
    info->bounds = info->bounds ? info->bounds : info->dims;
    info->dims = sizes;
    return true;
}

static bool
add_tensors(Builder *b, const char *list, InfoVec *infos)
{
    MlcAttr entry;
    for (size_t i = 0; (entry = element(b->module, list, i)); i++) {
        MlcAttr size_of = member(entry, "size_of");
        if (size_of ? !open_dim(b, size_of, infos) : !add_tensor(b, list, entry, infos))
            return false;
    }
    return true;
}

// "conv1 relu1" or ["conv1", "relu1"], as lines.
static const char *
lines(Builder *b, MlcAttr names)
{
    MlcBuf buf = {0};
    if (mlc_attr_is(names, MLC_ATTR_STRING))
        mlc_buf_append_str(&buf, mlc_string_attr_value(names));
    for (size_t i = 0; i < buf.size; i++)
        buf.data[i] = buf.data[i] == ' ' ? '\n' : buf.data[i];
    for (size_t i = 0; mlc_attr_is(names, MLC_ATTR_ARRAY) && i < mlc_array_attr_size(names); i++)
        mlc_buf_printf(&buf, "%s%s", i ? "\n" : "", string(b, mlc_array_attr_element(names, i)));
    const char *text = mlc_arena_strdup(&b->arena, mlc_buf_str(&buf)).data;
    mlc_buf_release(&buf);
    return text;
}

static uint64_t
number(MlcAttr attr)
{
    int64_t value = 0;
    return attr && mlc_attr_try_as_int(attr, &value) && value > 0 ? (uint64_t)value : 0;
}

static void
add_kernels(Builder *b)
{
    MlcAttr entry;
    for (size_t i = 0; (entry = element(b->module, "mlc.kernels", i)); i++) {
        const char *name =
            string(b, mlc_attr_is(entry, MLC_ATTR_STRING) ? entry : member(entry, "name"));
        MlcAttr nodes = member(entry, member(entry, "nodes") ? "nodes" : "source");
        mlc_vec_push(&b->kernels, (MlcArtefactKernelSpec){name, lines(b, nodes),
                                                          lines(b, member(entry, "notes")),
                                                          number(member(entry, "flops")),
                                                          number(member(entry, "bytes"))});
    }
}

// ---- shapes

static size_t
count(MlcAttr list)
{
    return mlc_attr_is(list, MLC_ATTR_ARRAY) ? mlc_array_attr_size(list) : 0;
}

static int64_t
int_at(MlcAttr list, size_t i)
{
    int64_t value = -1;
    return i < mlc_int_list_attr_size(list) && mlc_int_list_attr_get(list, i, &value) ? value : -1;
}

static const char **
strings(Builder *b, MlcAttr list)
{
    const char **all = MLC_NEW_ARRAY(&b->arena, const char *, count(list) + 1);
    for (size_t i = 0; i < count(list); i++)
        all[i] = string(b, mlc_array_attr_element(list, i));
    return all;
}

// The number of the size that the code computes, from 1; 0: it does not.
static uint32_t
number_of_computed(const Builder *b, MlcAttr size)
{
    MlcAttr names = mlc_op_attr(b->module, "mlc.computed_sizes");
    for (size_t i = 0; i < count(names); i++)
        if (mlc_array_attr_element(names, i) == size)
            return (uint32_t)i + 1;
    return 0;
}

static void
add_steps(Builder *b, MlcAttr lists, MlcAttr sizes_of_lists)
{
    MlcArtefactSize *sizes = MLC_NEW_ARRAY(&b->arena, MlcArtefactSize, count(lists) + 1);
    uint32_t total = 0;
    for (size_t i = 0; i < count(lists); i++) {
        uint32_t n = (uint32_t)(mlc_int_list_attr_size(mlc_array_attr_element(lists, i)) / 2);
        sizes[i] = (MlcArtefactSize){.first_step = total, .num_steps = n};
        if (i < count(sizes_of_lists))
            sizes[i].computed = number_of_computed(b, mlc_array_attr_element(sizes_of_lists, i));
        total += n;
    }
    MlcArtefactStep *steps = MLC_NEW_ARRAY(&b->arena, MlcArtefactStep, total + 1);
    for (size_t i = 0; i < count(lists); i++)
        for (size_t k = 0; k < sizes[i].num_steps; k++) {
            MlcAttr pairs = mlc_array_attr_element(lists, i);
            steps[sizes[i].first_step + k] =
                (MlcArtefactStep){int_at(pairs, 2 * k), int_at(pairs, 2 * k + 1)};
        }
    b->shapes.sizes = sizes;
    b->shapes.num_sizes = (uint32_t)count(lists);
    b->shapes.steps = steps;
    b->shapes.num_steps = total;
}

static void
add_checks(Builder *b, MlcAttr list)
{
    MlcArtefactCheck *checks = MLC_NEW_ARRAY(&b->arena, MlcArtefactCheck, count(list) + 1);
    const char **places = MLC_NEW_ARRAY(&b->arena, const char *, count(list) + 1);
    for (size_t i = 0; i < count(list); i++) {
        MlcAttr check = mlc_array_attr_element(list, i);
        checks[i] = (MlcArtefactCheck){(uint32_t)number(mlc_array_attr_element(check, 0)),
                                       (uint32_t)number(mlc_array_attr_element(check, 1)), 0, 0};
        places[i] = string(b, mlc_array_attr_element(check, 2));
    }
    b->shapes.checks = checks;
    b->shapes.places = places;
    b->shapes.num_checks = (uint32_t)count(list);
}

static void
add_buffers(Builder *b, MlcAttr list)
{
    MlcArtefactBuffer *buffers = MLC_NEW_ARRAY(&b->arena, MlcArtefactBuffer, count(list) + 1);
    for (size_t i = 0; i < count(list); i++) {
        MlcAttr row = mlc_array_attr_element(list, i);
        buffers[i] = (MlcArtefactBuffer){(uint32_t)int_at(row, 0), (uint32_t)int_at(row, 1),
                                         (uint32_t)int_at(row, 2), (uint32_t)int_at(row, 3)};
    }
    b->shapes.buffers = buffers;
    b->shapes.num_buffers = (uint32_t)count(list);
}

static void
add_caches(Builder *b, MlcAttr list)
{
    MlcArtefactCache *caches = MLC_NEW_ARRAY(&b->arena, MlcArtefactCache, count(list) + 1);
    for (size_t i = 0; i < count(list); i++) {
        MlcAttr row = mlc_array_attr_element(list, i);
        caches[i] = (MlcArtefactCache){(uint32_t)int_at(row, 0), (uint32_t)int_at(row, 1),
                                       (uint32_t)int_at(row, 2), (uint32_t)int_at(row, 3),
                                       (uint32_t)int_at(row, 4), (uint32_t)int_at(row, 5)};
    }
    b->shapes.caches = caches;
    b->shapes.num_caches = (uint32_t)count(list);
    // People are told what comes out, not how much room there is for it.
    for (size_t i = 0; i < count(list); i++)
        if (caches[i].output < b->outputs.size && caches[i].present < b->shapes.num_sizes) {
            const char **names =
                (const char **)(uintptr_t)b->outputs.data[caches[i].output].dim_names;
            names[caches[i].dim] = b->shapes.texts[caches[i].present];
        }
}

// Which size each dimension is, of inputs and then of outputs.
static void
add_dims(Builder *b, MlcAttr shapes)
{
    size_t total = 0, next = 0;
    for (size_t i = 0; i < b->inputs.size; i++)
        total += (size_t)b->inputs.data[i].rank;
    for (size_t i = 0; i < b->outputs.size; i++)
        total += (size_t)b->outputs.data[i].rank;
    uint32_t *dims = MLC_NEW_ARRAY(&b->arena, uint32_t, total + 1);
    for (int side = 0; side < 2; side++) {
        MlcAttr lists = member(shapes, side ? "outputs" : "inputs");
        const InfoVec *infos = side ? &b->outputs : &b->inputs;
        for (size_t i = 0; i < infos->size; i++)
            for (size_t k = 0; k < (size_t)infos->data[i].rank; k++)
                dims[next++] = i < count(lists)
                                   ? (uint32_t)(int_at(mlc_array_attr_element(lists, i), k) + 1)
                                   : 0;
    }
    b->shapes.dims = dims;
}

// `mlc.shapes`, as plan-memory writes it.
static void
add_shapes(Builder *b)
{
    MlcAttr shapes = mlc_op_attr(b->module, "mlc.shapes");
    if (!shapes)
        return;
    b->shapes.symbols = strings(b, member(shapes, "symbols"));
    b->shapes.num_symbols = (uint32_t)count(member(shapes, "symbols"));
    b->shapes.texts = strings(b, member(shapes, "sizes"));
    b->shapes.size = sizeof b->shapes;
    add_steps(b, member(shapes, "steps"), member(shapes, "sizes"));
    add_checks(b, member(shapes, "checks"));
    add_buffers(b, member(shapes, "buffers"));
    add_caches(b, member(shapes, "caches"));
    add_dims(b, shapes);
}

static void
make_blob(void *to, void *blob)
{
    mlc_blob_copy_to(blob, to);
}

// A splat is stored as one element, and a constant in memory has all of them.
static MlcArtefactConstant
expand_splat(Builder *b, MlcAttr attr, const char *data, size_t bytes)
{
    size_t count = (size_t)mlc_type_num_elements(mlc_attr_type(attr));
    char *all = mlc_arena_alloc(&b->arena, count * bytes + 1, 64);
    for (size_t i = 0; i < count; i++)
        memcpy(all + i * bytes, data, bytes);
    return (MlcArtefactConstant){.size = count * bytes, .data = all};
}

static MlcArtefactConstant
constant_of(Builder *b, MlcAttr attr)
{
    MlcBlob *blob =
        mlc_attr_is(attr, MLC_ATTR_DENSE_RESOURCE) ? mlc_dense_resource_attr_blob(attr) : NULL;
    MlcArtefactConstant constant = {0};
    if (blob && mlc_blob_is_deferred(blob))
        return (MlcArtefactConstant){mlc_blob_size(blob), NULL, make_blob, blob};
    constant.data = mlc_elements_attr_data(attr, &constant.size);
    return mlc_elements_attr_is_splat(attr) ? expand_splat(b, attr, constant.data, constant.size)
                                            : constant;
}

static bool
add_constants(Builder *b)
{
    MlcAttr attr;
    for (size_t i = 0; (attr = element(b->module, "mlc.constants", i)); i++) {
        if (!mlc_elements_attr_has_data(attr))
            return mlc_op_error(b->module, "entry %zu of 'mlc.constants' has no data", i);
        mlc_vec_push(&b->constants, constant_of(b, attr));
    }
    return true;
}

static uint64_t
bytes_attr(Builder *b, const char *name)
{
    return number(mlc_op_attr(b->module, name));
}

static bool
link_or_load(Builder *b, const MlcStrVec *objects)
{
    MlcBuf error = {0};
    const MlcTargetApi *api = mlc_target_open(&error);
    bool ok;
    if (b->jit)
        ok = (*b->jit = api->jit_create(objects->data, objects->size, &error)) != NULL;
    else
        ok = mlc_image_link(&b->image, objects->data, objects->size, &error);
    if (!ok)
        mlc_op_unsupported(b->module, "its code cannot be linked: %s", mlc_buf_c_str(&error));
    mlc_buf_release(&error);
    return ok;
}

static bool
compile(Builder *b, const MlcTargetOptions *options, struct MlcPool *pool)
{
    MlcObjects objects;
    if (!mlc_target_emit_objects(b->module, options, pool, &objects))
        return false;
    MlcStrVec bytes = {0};
    for (size_t i = 0; i < objects.num_objects; i++)
        mlc_vec_push(&bytes, mlc_buf_str(&objects.buffers[i]));
    bool ok = link_or_load(b, &bytes);
    mlc_vec_release(&bytes);
    mlc_target_objects_release(&objects);
    return ok;
}

// What the processor must have. Tuning flags in a description ("-prefer-256-bit") ask for nothing.
static const char *
required_features(Builder *b, const MlcTargetDesc *desc)
{
    static const struct {
        const char *cpu, *features;
    } levels[] = {
        {"x86-64-v2", "sse3,ssse3,sse4.1,sse4.2,popcnt"},
        {"x86-64-v3", "sse4.2,popcnt,avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe"},
        {"x86-64-v4", "sse4.2,popcnt,avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe,avx512f,avx512bw,"
                      "avx512cd,avx512dq,avx512vl"},
    };
    MlcBuf buf = {0};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        if (strcmp(levels[i].cpu, desc->cpu) == 0)
            mlc_buf_append_c(&buf, levels[i].features);
    for (const char *at = desc->features; *at != '\0';) {
        size_t n = strcspn(at, ",");
        if (*at == '+')
            mlc_buf_printf(&buf, "%s%.*s", buf.size ? "," : "", (int)n - 1, at + 1);
        at += n + (at[n] == ',');
    }
    const char *text = mlc_arena_strdup(&b->arena, mlc_buf_str(&buf)).data;
    mlc_buf_release(&buf);
    return text;
}

static void
add_values(Builder *b, const char *list, bool is_output)
{
    MlcAttr entry;
    for (size_t i = 0; (entry = element(b->module, list, i)); i++) {
        MlcAttr type = member(entry, "type");
        MlcArtefactValueSpec value = {.name = string(b, member(entry, "name")),
                                      .form = string(b, member(entry, "form")),
                                      .is_output = is_output};
        if (!mlc_attr_is(type, MLC_ATTR_TYPE) ||
            !mlc_target_runtime_type(mlc_type_attr_value(type), &value.type))
            value.type = 0;
        mlc_vec_push(&b->values, value);
    }
}

static bool
add_operators(Builder *b)
{
    MlcAttr entry;
    MlcBuf fields = {0};
    bool ok = true;
    for (size_t i = 0; ok && (entry = element(b->module, "mlc.operators", i)); i++) {
        mlc_buf_clear(&fields);
        ok = mlc_operator_fields(b->module, entry, &fields);
        if (ok)
            mlc_vec_push(&b->operators, mlc_arena_strdup(&b->arena, mlc_buf_str(&fields)));
    }
    mlc_buf_release(&fields);
    return ok;
}

static bool
fill_spec(Builder *b, const MlcTargetOptions *options, struct MlcPool *pool)
{
    const MlcTargetDesc *desc = options && options->desc ? options->desc : mlc_target_desc_host();
    if (!add_tensors(b, "mlc.inputs", &b->inputs) || !add_tensors(b, "mlc.outputs", &b->outputs) ||
        !add_constants(b) || !add_operators(b))
        return false;
    add_shapes(b);
    add_kernels(b);
    add_values(b, "mlc.input_values", false);
    add_values(b, "mlc.output_values", true);
    MlcAttr literal;
    for (size_t i = 0; (literal = element(b->module, "mlc.literals", i)); i++)
        mlc_vec_push(&b->literals, mlc_attr_is(literal, MLC_ATTR_STRING)
                                       ? mlc_string_attr_value(literal)
                                       : mlc_str(""));
    MlcAttr name = mlc_op_attr(b->module, "sym_name");
    b->spec = (MlcArtefactSpec){
        .name = string(b, name),
        .isa = desc->name,
        .features = required_features(b, desc),
        .inputs = b->inputs.data,
        .num_inputs = b->inputs.size,
        .outputs = b->outputs.data,
        .num_outputs = b->outputs.size,
        .kernels = b->kernels.data,
        .num_kernels = b->kernels.size,
        .arena_bytes = bytes_attr(b, "mlc.arena_bytes"),
        .scratch_bytes = bytes_attr(b, "mlc.scratch_bytes"),
        .prepared_bytes = bytes_attr(b, "mlc.prepared_bytes"),
        .init_arena_bytes = bytes_attr(b, "mlc.init_arena_bytes"),
        .constants = b->constants.data,
        .num_constants = b->constants.size,
        .pool = pool,
        .image = b->jit ? NULL : &b->image,
        .values = b->values.data,
        .num_values = b->values.size,
        .literals = b->literals.data,
        .num_literals = b->literals.size,
    };
    return true;
}

static bool
write_artefact(Builder *b, const MlcTargetOptions *options, struct MlcPool *pool,
               MlcFileWriter *writer)
{
    MlcTargetOptions own = {MLC_SIZED(MlcTargetOptions)};
    if (options)
        mlc_sized_copy(&own, sizeof own, options, "MlcTargetOptions");
    MlcBuf error = {0};
    MlcWork work;
    mlc_work_begin(&work, mlc_op_context(b->module), mlc_op_loc(b->module), "generating code",
                   NULL);
    bool ok = fill_spec(b, &own, pool) && compile(b, &own, pool) &&
              device_images_emit(&b->device, b->module, &own, pool);
    if (ok) {
        b->spec.left_out = (uint64_t)mlc_budget_left_out(own.budget);
        MlcArtefactParts parts = {
            MLC_SIZED(MlcArtefactParts),
            .shapes = mlc_op_attr(b->module, "mlc.shapes") ? &b->shapes : NULL,
            .device = b->device.spec.num_kernels ? &b->device.spec : NULL,
            .operators = b->operators.data,
            .num_operators = b->operators.size,
        };
        ok = mlc_artefact_write_parts(&b->spec, &parts, writer, &error);
        if (!ok)
            mlc_error(mlc_op_context(b->module), mlc_op_loc(b->module),
                      "the artefact is not written: %s", mlc_buf_c_str(&error));
        mlc_image_release(&b->image);
    }
    mlc_work_end(&work);
    device_images_release(&b->device);
    mlc_buf_release(&error);
    mlc_vec_release(&b->inputs);
    mlc_vec_release(&b->outputs);
    mlc_vec_release(&b->kernels);
    mlc_vec_release(&b->values);
    mlc_vec_release(&b->literals);
    mlc_vec_release(&b->operators);
    mlc_vec_release(&b->constants);
    mlc_arena_release(&b->arena);
    return ok;
}

bool
mlc_target_write_artefact(MlcOp *module, const MlcTargetOptions *options, struct MlcPool *pool,
                          MlcFileWriter *writer)
{
    Builder b = {.module = module};
    return write_artefact(&b, options, pool, writer);
}

bool
mlc_target_jit(MlcOp *module, const MlcTargetOptions *options, struct MlcPool *pool,
               MlcFileWriter *writer, MlcJit **jit)
{
    Builder b = {.module = module, .jit = jit};
    return write_artefact(&b, options, pool, writer);
}

void *
mlc_target_jit_lookup(void *jit, const char *symbol)
{
    return mlc_target_open(NULL)->jit_lookup(jit, symbol);
}
