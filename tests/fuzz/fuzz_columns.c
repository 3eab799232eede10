/* SPDX-License-Identifier: MIT */
/* Fuzzes the lists of columns of --columns. The first line of the input is the list, and the remaining lines are the
 * file. The size of the input determines the format. */
#include "read_points.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum gws_points_format format[] = {GWS_POINTS_TEXT, GWS_POINTS_RAW, GWS_POINTS_NPY, GWS_POINTS_AUTO};
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    if (!end) return 0;
    size_t length = (size_t)(end - data);
    char *list = malloc(length + 1);
    fuzz_demand(list != NULL, "no memory");
    memcpy(list, data, length);
    list[length] = '\0';
    fuzz_points(end + 1, size - length - 1, format[size % 4], list);
    free(list);
    return 0;
}
