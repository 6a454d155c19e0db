// list.c -- lists of what was made: who is asked with a handle finds out whether there is such a
// one.
#include "emulator.h"

bool
list_has(const MlcPtrVec *list, const void *item)
{
    for (size_t i = 0; i < list->size; i++)
        if (list->data[i] == item)
            return true;
    return false;
}

void
list_remove(MlcPtrVec *list, const void *item)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->size; i++)
        if (list->data[i] != item)
            list->data[kept++] = list->data[i];
    list->size = kept;
}
