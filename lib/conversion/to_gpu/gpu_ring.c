// gpu_ring.c -- builds what moves tiles through a ring of slots.
//
// A barrier's phases have numbers, and who waits says whether the phase is even or odd: the first
// one, 0, is even, and the one before it counts as over. So a writer begins with odd phases, and
// finds the slots empty.
#include "gpu_ring.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/nvgpu.h"

enum { TICKS = 10000000 }; // how long one try may take, as MLIR's users have it

static MlcValue *
create_group(const Ring *ring, MlcBuilder *b)
{
    MlcAttr params[2] = {
        mlc_enum_attr_get(b->ctx, &mlc_gpu_address_space_attr_def, MLC_GPU_ADDRESS_SPACE_WORKGROUP),
        mlc_i32_attr_get(b->ctx, (int32_t)ring->slots)};
    return mlc_nvgpu_mbarrier_create(
        b, mlc_dialect_type_get(b->ctx, &mlc_nvgpu_mbarrier_group_type_def, params, 2));
}

void
gpu_ring_create(Ring *ring, MlcBuilder *b, MlcValue *first)
{
    ring->full = create_group(ring, b);
    ring->empty = create_group(ring, b);
    MlcValue *one = mlc_build_index(b, 1), *readers = mlc_build_index(b, ring->readers);
    for (int64_t i = 0; i < ring->slots; i++) {
        MlcValue *slot = mlc_build_index(b, i);
        mlc_nvgpu_mbarrier_init(b, ring->full, one, slot, first);
        mlc_nvgpu_mbarrier_init(b, ring->empty, readers, slot, first);
    }
}

static MlcValue *
build_bool(MlcBuilder *b, bool value)
{
    return mlc_build_int(b, mlc_integer_type_get(b->ctx, 1, MLC_SIGNLESS), value);
}

RingPlace
gpu_ring_start(MlcBuilder *b, bool writes)
{
    return (RingPlace){mlc_build_index(b, 0), build_bool(b, writes)};
}

RingPlace
gpu_ring_next(const Ring *ring, MlcBuilder *b, RingPlace at)
{
    MlcValue *next = mlc_arith_addi(b, at.slot, mlc_build_index(b, 1)),
             *end = mlc_build_index(b, ring->slots);
    MlcValue *wraps = mlc_arith_cmpi(b, next, end, MLC_ARITH_CMPI_PREDICATE_EQ);
    return (RingPlace){mlc_build_select(b, wraps, mlc_build_index(b, 0), next),
                       mlc_arith_xori(b, at.phase, wraps)};
}

static void
wait_for(MlcBuilder *b, MlcValue *group, RingPlace at)
{
    mlc_nvgpu_mbarrier_try_wait_parity(b, group, at.phase, mlc_build_index(b, TICKS), at.slot);
}

void
gpu_ring_put(const Ring *ring, MlcBuilder *b, RingPlace at)
{
    wait_for(b, ring->empty, at);
    mlc_nvgpu_mbarrier_arrive_expect_tx(b, ring->full, mlc_build_index(b, ring->slot_bytes),
                                        at.slot, NULL);
}

void
gpu_ring_get(const Ring *ring, MlcBuilder *b, RingPlace at)
{
    wait_for(b, ring->full, at);
}

void
gpu_ring_release(const Ring *ring, MlcBuilder *b, MlcValue *slot)
{
    (void)mlc_nvgpu_mbarrier_arrive(b, ring->empty, slot);
}
