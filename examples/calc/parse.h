// parse.h -- what lexer and parser share.
#ifndef PARSE_H
#define PARSE_H

#include "calc.h"

typedef MLC_VEC(CalcExpr *) CalcExprVec;
typedef MLC_VEC(MlcStr) CalcNameVec;

typedef struct CalcParse {
    MlcContext *ctx;
    MlcArena *arena;
    MlcStr name; // of the text, for messages
    CalcProgram *program;
    int line, column;
    int depth; // brackets that are open
    bool failed;
} CalcParse;

#endif
