// load.c -- by pkg-config's mlc-runtime: loads a compiled model and names its inputs.
#include <stdio.h>

#include "mlc/runtime.h"

int
main(int argc, char **argv)
{
    MlcRtError error;
    MlcModel *model = argc == 2 ? mlc_model_load(argv[1], NULL, &error) : NULL;
    for (int32_t i = 0; model && i < mlc_model_num_inputs(model); i++)
        puts(mlc_model_input(model, i)->name);
    mlc_model_destroy(model);
    return model ? 0 : 1;
}
