// target_desc.c -- machine descriptions (lib/machine/targets.yaml), and the host's: the
// architecture level by cpuid, caches and cores from the system.
#include "target_table.h"

#include "mlc/support/cpu.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

static MlcTargetDesc host;
static pthread_once_t host_once = PTHREAD_ONCE_INIT;

static bool
has(const char *feature)
{
    return mlc_cpu_has_feature(mlc_str(feature));
}

static MlcStr
host_level(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("x86-64-v4") && has("avx512vnni") && has("amx-int8") &&
        mlc_cpu_allow(mlc_str("amx-tile")))
        return mlc_str("x86-64-v4-amx");
    if (__builtin_cpu_supports("x86-64-v4"))
        return mlc_str(has("avx512vnni") ? "x86-64-v4-vnni" : "x86-64-v4");
    if (__builtin_cpu_supports("x86-64-v3"))
        return mlc_str(has("avxvnni") ? "x86-64-v3-vnni" : "x86-64-v3");
    return mlc_str("x86-64-v2");
#else
    return mlc_str(has("dotprod") ? "aarch64-dotprod" : "aarch64");
#endif
}

// AMD's family 25 with AVX-512 (Zen 4) does a 512-bit operation in two halves on its two ports: one
// FMA a cycle (Agner Fog, microarchitecture).
static bool
halves_wide_vectors(void)
{
#if defined(__x86_64__)
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx) || ebx != signature_AMD_ebx)
        return false;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
        return false;
    return (eax >> 8 & 15) + (eax >> 20 & 255) == 25;
#else
    return false;
#endif
}

static size_t
ask(int name, size_t otherwise)
{
    long value = sysconf(name);
    return value > 0 ? (size_t)value : otherwise;
}

// Of one group of cores: on AMD's, sysconf adds up all groups of the package.
static size_t
ask_l3(size_t otherwise)
{
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "re");
    size_t kib = 0;
    if (!file || fscanf(file, "%zuK", &kib) != 1)
        kib = 0;
    if (file)
        fclose(file);
    return kib ? kib << 10 : otherwise;
}

static void
detect_host(void)
{
    host = *mlc_target_desc_find(host_level());
#ifdef _SC_LEVEL1_DCACHE_SIZE
    host.l1d_bytes = ask(_SC_LEVEL1_DCACHE_SIZE, host.l1d_bytes);
    host.l1d_ways = ask(_SC_LEVEL1_DCACHE_ASSOC, host.l1d_ways);
    host.line_bytes = ask(_SC_LEVEL1_DCACHE_LINESIZE, host.line_bytes);
    host.l2_bytes = ask(_SC_LEVEL2_CACHE_SIZE, host.l2_bytes);
    host.l3_bytes = ask_l3(ask(_SC_LEVEL3_CACHE_SIZE, host.l3_bytes));
#endif
    if (host.vector_bits == 512 && halves_wide_vectors())
        host.fma_ports = 1;
    host.cores = (unsigned)ask(_SC_NPROCESSORS_ONLN, 1);
}

const MlcTargetDesc *
mlc_target_desc_host(void)
{
    pthread_once(&host_once, detect_host);
    return &host;
}

// "cuda-sm_80" was called "nvptx64-sm_80".
static bool
is_name(const char *target, MlcStr name)
{
    static const char new[] = "cuda-", former[] = "nvptx64-";
    size_t n = sizeof former - 1;
    if (strncmp(target, new, sizeof new - 1) == 0 && name.size > n &&
        memcmp(name.data, former, n) == 0)
        return mlc_str_equal(mlc_str_n(name.data + n, name.size - n),
                             mlc_str(target + sizeof new - 1));
    return mlc_str_equal(name, mlc_str(target));
}

const MlcTargetDesc *
mlc_target_desc_find(MlcStr name)
{
    if (mlc_str_equal(name, mlc_str("host")))
        return mlc_target_desc_host();
    for (size_t i = 0; i < mlc_target_table_size; i++)
        if (is_name(mlc_target_table[i].name, name))
            return &mlc_target_table[i];
    return NULL;
}

size_t
mlc_num_target_descs(void)
{
    return mlc_target_table_size;
}

const MlcTargetDesc *
mlc_target_desc_at(size_t i)
{
    return &mlc_target_table[i];
}

const MlcTargetDesc *
mlc_target_desc_gpu(const MlcTargetDesc *target)
{
    for (size_t i = 0; target->gpu_block_threads == 0; i++)
        target = &mlc_target_table[i];
    return target;
}
