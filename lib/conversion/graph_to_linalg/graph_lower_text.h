// graph_lower_text.h -- lowerings whose steps are written as MLIR's text.
#ifndef MLC_CONVERSION_GRAPH_LOWER_TEXT_H
#define MLC_CONVERSION_GRAPH_LOWER_TEXT_H

#include "graph_lower.h"

// What `$name` stands for in the text.
typedef struct MlcTextWord {
    const char *name;
    MlcStr text;
} MlcTextWord;

// The function in `text`, whose words are replaced first: its ops in place of l->op's, its
// arguments `args`. A name is capital letters; the text is mlc's own, so a fault in it is a bug.
MlcValue *mlc_graph_lower_text(MlcGraphLower *l, const char *text, const MlcTextWord *words,
                               size_t num_words, MlcValue *const *args);

#endif
