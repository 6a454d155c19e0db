// target_desc.c -- machine descriptions, and the host's: the architecture level by cpuid, caches and cores from the system.
#include "mlc/target_desc.h"

#include <pthread.h>
#include <unistd.h>

// Caches are those of common machines of each level; the host's own are asked for. Latencies: Agner Fog, instruction tables.
static const MlcTargetDesc targets[] = {
    {"x86-64-v2", "x86_64-unknown-linux-gnu", "x86-64-v2", "", 128, 16, 1, 8, false, false, 32768, 262144, 8 << 20, 1},
    {"x86-64-v3", "x86_64-unknown-linux-gnu", "x86-64-v3", "", 256, 16, 2, 4, false, false, 32768, 524288, 16 << 20, 1},
    {"x86-64-v4", "x86_64-unknown-linux-gnu", "x86-64-v4", "-prefer-256-bit", 512, 32, 2, 4, true, true, 32768, 1 << 20, 32 << 20, 1},
    {"aarch64", "aarch64-unknown-linux-gnu", "generic", "+neon", 128, 32, 2, 4, false, false, 65536, 524288, 8 << 20, 1},
    {"nvptx64-sm_80", "nvptx64-nvidia-cuda", "sm_80", "+ptx70", 128, 255, 1, 4, true, false, 128 << 10, 40 << 20, 0, 108},
    {"nvptx64-sm_90a", "nvptx64-nvidia-cuda", "sm_90a", "+ptx80", 128, 255, 1, 4, true, false, 256 << 10, 50 << 20, 0, 132},
};
enum { NUM_TARGETS = sizeof targets / sizeof *targets };

static MlcTargetDesc host;
static pthread_once_t host_once = PTHREAD_ONCE_INIT;

static MlcStr
host_level(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("x86-64-v4"))
        return mlc_str("x86-64-v4");
    if (__builtin_cpu_supports("x86-64-v3"))
        return mlc_str("x86-64-v3");
    return mlc_str("x86-64-v2");
#else
    return mlc_str("aarch64");
#endif
}

static size_t
ask(int name, size_t otherwise)
{
    long value = sysconf(name);
    return value > 0 ? (size_t)value : otherwise;
}

static void
detect_host(void)
{
    host = *mlc_target_desc_find(host_level());
#ifdef _SC_LEVEL1_DCACHE_SIZE
    host.l1d_bytes = ask(_SC_LEVEL1_DCACHE_SIZE, host.l1d_bytes);
    host.l2_bytes = ask(_SC_LEVEL2_CACHE_SIZE, host.l2_bytes);
    host.l3_bytes = ask(_SC_LEVEL3_CACHE_SIZE, host.l3_bytes);
#endif
    host.cores = (unsigned)ask(_SC_NPROCESSORS_ONLN, 1);
}

const MlcTargetDesc *
mlc_target_desc_host(void)
{
    pthread_once(&host_once, detect_host);
    return &host;
}

const MlcTargetDesc *
mlc_target_desc_find(MlcStr name)
{
    if (mlc_str_equal(name, mlc_str("host")))
        return mlc_target_desc_host();
    for (size_t i = 0; i < NUM_TARGETS; i++)
        if (mlc_str_equal(name, mlc_str(targets[i].name)))
            return &targets[i];
    return NULL;
}

size_t
mlc_num_target_descs(void)
{
    return NUM_TARGETS;
}

const MlcTargetDesc *
mlc_target_desc_at(size_t i)
{
    return &targets[i];
}
