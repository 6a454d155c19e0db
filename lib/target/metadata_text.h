// metadata_text.h -- attributes of the llvm dialect as LLVM's assembly text for metadata.
#ifndef MLC_LIB_TARGET_METADATA_TEXT_H
#define MLC_LIB_TARGET_METADATA_TEXT_H

#include "mlc/ir/attr.h"
#include "mlc/ir/loc.h"
#include "mlc/support/buf.h"
#include "mlc/support/map.h"
#include "mlc/support/vec.h"

// Node i of the text is that of `attrs.data[i]` (NULL: only another's part).
typedef struct MetadataText {
    MlcContext *ctx;
    MlcBuf lines;
    MlcMap numbers; // attribute -> node + 1
    MLC_VEC(MlcAttr) attrs;
    MLC_VEC(MlcAttr) units;   // compile units, written last
    MLC_VEC(MlcAttr) globals; // expressions of global variables
    MlcAttr unknown;          // the first attribute that has no such text
} MetadataText;

unsigned mlc_metadata_node(MetadataText *m, MlcAttr attr);   // an array is a list of nodes
void mlc_metadata_text_finish(MetadataText *m, MlcBuf *out); // a module with `!mlc.nodes`
void mlc_metadata_text_release(MetadataText *m);
// Whether locations may have it as their scope.
bool mlc_is_debug_scope(MlcAttr attr);
bool mlc_is_definition(MlcAttr subprogram);

#endif
