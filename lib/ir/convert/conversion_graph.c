// conversion_graph.c -- how far each pattern is from legal ops: a graph of op names, in which a
// pattern leads from its root to what it says it makes.
//
// The depth of an op is 0 if it may be legal, else the least of its patterns'; that of a pattern
// one more than the greatest of what it makes. Depths start infinite and are lowered until nothing
// changes, so a cycle from which nothing leads out stays infinite.
#include "conversion_impl.h"

static uint32_t
depth_of_name(const MlcConversionTarget *target, const MlcConversionPattern *patterns,
              size_t num_patterns, const uint32_t *depths, const char *name)
{
    uint64_t legality = mlc_conversion_target_legality_of_name(target, mlc_str(name));
    if (legality == MLC_LEGALITY_LEGAL || legality >= MLC_LEGALITY_DYNAMIC)
        return 0;
    uint32_t least = MLC_NO_DEPTH;
    for (size_t i = 0; i < num_patterns; i++)
        if (depths[i] < least && (!patterns[i].root || strcmp(patterns[i].root, name) == 0))
            least = depths[i];
    return least;
}

void
mlc_conversion_depths(const MlcConversionTarget *target, const MlcConversionPattern *patterns,
                      size_t num_patterns, uint32_t *depths)
{
    for (size_t i = 0; i < num_patterns; i++)
        depths[i] = patterns[i].makes ? MLC_NO_DEPTH : 1;
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < num_patterns; i++) {
            uint32_t depth = 0;
            for (const char *const *name = patterns[i].makes; name && *name; name++) {
                uint32_t d = depth_of_name(target, patterns, num_patterns, depths, *name);
                depth = d > depth ? d : depth;
            }
            if (depth != MLC_NO_DEPTH && depth + 1 < depths[i]) {
                depths[i] = depth + 1;
                changed = true;
            }
        }
    }
}
