// gpu_check_host_access.c -- refuses ops of the host that read or write device memory.
//
// Buffers of the memory space `#gpu.address_space<global>` are touched by what is inside launches
// and GPU modules, and by the ops of the gpu dialect that ask the device to (gpu.memcpy,
// gpu.memset, launches). Anything else would follow an address that means nothing to the host.
#include "mlc/ir.h"
#include "mlc/pass.h"

#include "mlc/dialects/gpu.h"

static bool
is_device_memory(MlcValue *value)
{
    MlcType type = mlc_value_type(value);
    MlcAttr space = mlc_type_is(type, MLC_TYPE_MEMREF) ? mlc_memref_type_memory_space(type) : NULL;
    return space &&
           space == mlc_enum_attr_get(mlc_type_context(type), &mlc_gpu_address_space_attr_def,
                                      MLC_GPU_ADDRESS_SPACE_GLOBAL);
}

static bool
check(MlcOp *op)
{
    MlcEffectVec effects = {0};
    bool ok = true;
    if (mlc_op_effects(op, &effects))
        for (size_t i = 0; i < effects.size && ok; i++) {
            const MlcMemoryEffect *e = &effects.data[i];
            bool reads = e->effect == MLC_EFFECT_READ, writes = e->effect == MLC_EFFECT_WRITE;
            if ((reads || writes) && e->value && is_device_memory(e->value))
                ok = mlc_op_error(op, "the host %s device memory: only launches and copies may",
                                  reads ? "reads" : "writes");
        }
    mlc_vec_release(&effects);
    return ok;
}

static bool
is_of_device(const MlcOp *op)
{
    return mlc_gpu_module_isa(op) || mlc_gpu_launch_isa(op);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    bool ok = true;
    for (MlcOp *op = root, *next; op; op = next) {
        next = mlc_op_preorder_next(op, root);
        if (is_of_device(op))
            while (next && mlc_op_is_ancestor(op, next))
                next = mlc_op_preorder_next(next, root);
        else if (mlc_op_num_regions(op) == 0 && !mlc_gpu_memcpy_isa(op) && !mlc_gpu_memset_isa(op))
            ok = check(op) && ok;
    }
    return ok;
}

MLC_PASS(gpu_check_host_access, .flag = "gpu-check-host-access",
         .summary = "Refuse host code that touches device memory", .run = run)
