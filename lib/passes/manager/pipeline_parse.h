// pipeline_parse.h -- state shared by the lexer and grammar of pass pipelines.
#ifndef MLC_PASSES_PIPELINE_PARSE_H
#define MLC_PASSES_PIPELINE_PARSE_H

#include "manager.h"

#define YYSTYPE MLC_PIPELINE_STYPE // flex wants the name without bison's prefix

typedef struct PipelineParse {
    MlcPassManager *pm;
    MlcStr text;
    size_t at, length; // of the current token
    size_t options;    // offset after the { being read
    unsigned depth;
    MLC_VEC(PassItem *) open;
    bool failed; // a diagnostic was given
} PipelineParse;

static inline MlcStr
pipeline_slice(const PipelineParse *parse)
{
    return mlc_str_n(parse->text.data + parse->at, parse->length);
}

static inline MlcStr
pipeline_slice_from(const PipelineParse *parse, size_t from)
{
    return mlc_str_n(parse->text.data + from, parse->at - from);
}

bool pipeline_pass(PipelineParse *parse, MlcStr name, MlcStr options);
bool pipeline_open(PipelineParse *parse, MlcStr anchor);
void pipeline_close(PipelineParse *parse);
void pipeline_syntax_error(PipelineParse *parse, const char *message);

#endif
