/* SPDX-License-Identifier: MIT */
/* Opening an input on all ranks, and its head. */
#include <string.h>

#include "ranks.h"

/* Opens the input on rank 0 only. */
static gws_status open_first(struct gws_runtime *runtime, const char *path, struct gws__input *input,
                             struct gws_diagnostic *where)
{
    gws_status status = gws__input_open(input, runtime, path, where);
    return status == GWS_OK && strcmp(path, "-") == 0 ? gws__input_make_stream(input) : status;
}

gws_status gws__read_ranks_open(struct gws__read_ranks *ranks, struct gws_runtime *runtime, const char *path,
                                struct gws__input *input, struct gws_diagnostic *where)
{
    if (!ranks) return gws__input_open(input, runtime, path, where);
    const bool first = gws__read_ranks_first(ranks);
    gws_status status = GWS_OK;
    if (first)
        status = open_first(runtime, path, input, where);
    else
        gws__input_prepare(input, runtime, path, where);
    uint64_t total = first && input->file ? input->total : 0; /* no file is empty */
    status = gws__read_ranks_sum(ranks, status, &total, 1);
    if (status == GWS_OK) {
        if (!first && total > 0) status = gws__input_open(input, runtime, path, where);
        status = gws__read_ranks_same(ranks, status, input->file ? input->total : 0);
    }
    input->ranks = ranks;
    input->bytes_read = &ranks->bytes_read;
    return status;
}

gws_status gws__read_ranks_fill(struct gws__input *input, void *bytes, uint64_t size, uint64_t *got)
{
    struct gws__read_ranks *ranks = input->ranks;
    const bool first = gws__read_ranks_first(ranks);
    struct gws__gathered gathered;
    gws_status status = GWS_OK;
    *got = 0;
    if (first) {
        input->ranks = NULL;
        status = gws__input_fill(input, bytes, size, got);
        input->ranks = ranks;
    }
    const uint64_t own = *got;
    status = gws__read_ranks_sum(ranks, status, got, 1);
    if (status != GWS_OK) return status;
    status = gws__read_ranks_gather(ranks, input->runtime, GWS_OK, bytes, own, &gathered);
    if (status == GWS_OK && !first && *got > 0) memcpy(bytes, gathered.all, *got);
    gws__gathered_free(ranks, input->runtime, &gathered);
    return status;
}
