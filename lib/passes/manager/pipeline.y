/* pipeline.y -- builtin.module(func.func(cse,canonicalize{max-iterations=3}),symbol-dce) */
%define api.pure full
%define api.prefix {mlc_pipeline_}
%define parse.error verbose
%lex-param {void *scanner}
%parse-param {struct PipelineParse *parse}
%parse-param {void *scanner}
%code requires {
#include "manager/pipeline_parse.h"
}
%code {
#include "pipeline_lex.h"
static void
mlc_pipeline_error(struct PipelineParse *parse, void *scanner, const char *message)
{
    (void)scanner;
    pipeline_syntax_error(parse, message);
}
}
%union {
    MlcStr text;
}
%token <text> NAME "pass name"
%token <text> OPTIONS_TEXT "options"
%token UNCLOSED "options without '}'"
%token UNKNOWN "unknown character"
%type <text> options
%%
pipeline: %empty | elements
elements: element | elements ',' element
element: NAME options           { if (!pipeline_pass(parse, $1, $2)) YYABORT; }
       | NAME '('               { if (!pipeline_open(parse, $1)) YYABORT; }
         pipeline ')'           { pipeline_close(parse); }
options: %empty                 { $$ = mlc_str_n("", 0); }
       | OPTIONS_TEXT
%%
