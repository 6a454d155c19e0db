// cpu.c -- features by cpuid (x86) and by the auxiliary vector (AArch64). Also part of
// libmlc_runtime.
#include "mlc/support/cpu.h"

#if defined(__aarch64__)
#include <sys/auxv.h>
#elif defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

typedef struct Feature {
    const char *name;
    bool (*has)(void);
} Feature;

#if defined(__x86_64__)

// LLVM's name, gcc's name. __builtin_cpu_supports takes literals only.
// clang-format off
#define X86_FEATURES(X) \
    X(sse3, "sse3") X(ssse3, "ssse3") X(sse4_1, "sse4.1") X(sse4_2, "sse4.2") X(popcnt, "popcnt") \
    X(movbe, "movbe") X(lzcnt, "lzcnt") X(bmi, "bmi") X(bmi2, "bmi2") X(f16c, "f16c") X(fma, "fma") \
    X(avx, "avx") X(avx2, "avx2") X(avxvnni, "avxvnni") \
    X(avx512f, "avx512f") X(avx512cd, "avx512cd") X(avx512bw, "avx512bw") X(avx512dq, "avx512dq") \
    X(avx512vl, "avx512vl") X(avx512vnni, "avx512vnni") X(avx512vbmi, "avx512vbmi") \
    X(avx512vbmi2, "avx512vbmi2") X(avx512bitalg, "avx512bitalg") X(avx512vpopcntdq, "avx512vpopcntdq") \
    X(avx512ifma, "avx512ifma") X(avx512bf16, "avx512bf16") X(avx512fp16, "avx512fp16") \
    X(amx_tile, "amx-tile") X(amx_int8, "amx-int8") X(amx_bf16, "amx-bf16")
// clang-format on

#define DEFINE_HAS(id, name)                                                                       \
    static bool has_##id(void)                                                                     \
    {                                                                                              \
        return __builtin_cpu_supports(name) != 0;                                                  \
    }
X86_FEATURES(DEFINE_HAS)

#define TABLE_ROW(id, name) {name, has_##id},
static const Feature features[] = {X86_FEATURES(TABLE_ROW){NULL, NULL}};
enum { MACHINE = 62 };

#elif defined(__aarch64__)

#define DEFINE_HAS(id, bit)                                                                        \
    static bool has_##id(void)                                                                     \
    {                                                                                              \
        return (getauxval(AT_HWCAP) >> (bit)&1) != 0;                                              \
    }
DEFINE_HAS(neon, 1)
DEFINE_HAS(fullfp16, 10)
DEFINE_HAS(dotprod, 20)
DEFINE_HAS(sve, 22)
static const Feature features[] = {{"neon", has_neon},
                                   {"fullfp16", has_fullfp16},
                                   {"dotprod", has_dotprod},
                                   {"sve", has_sve},
                                   {NULL, NULL}};
enum { MACHINE = 183 };

#else
static const Feature features[] = {{NULL, NULL}};
enum { MACHINE = 0 };
#endif

bool
mlc_cpu_has_feature(MlcStr feature)
{
    for (const Feature *f = features; f->name; f++)
        if (mlc_str_equal(mlc_str(f->name), feature))
            return f->has();
    return false;
}

// The registers of AMX are 8 KiB more of a thread's state, which Linux saves for processes that ask
// for it (Documentation/arch/x86/xstate.rst): all threads of the process have them then.
static bool
ask_for_tiles(void)
{
#if defined(__x86_64__) && defined(__linux__)
    enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
    return syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
#else
    return false;
#endif
}

bool
mlc_cpu_allow(MlcStr feature)
{
    if (!mlc_cpu_has_feature(feature))
        return false;
    return !mlc_str_equal(feature, mlc_str("amx-tile")) || ask_for_tiles();
}

const char *
mlc_cpu_feature_name(size_t i)
{
    return i < sizeof features / sizeof features[0] ? features[i].name : NULL;
}

uint32_t
mlc_cpu_machine(void)
{
    return MACHINE;
}
