/* SPDX-License-Identifier: MIT */
/* Translated programs on disk. A file is named by a key: a hash of everything the translation depends on. Whatever is
 * wrong with the folder or a file counts as not found; the file is then written anew. */
#ifndef GWS_DEVICE_CACHE_H
#define GWS_DEVICE_CACHE_H

#include "../base/services.h"

enum { gws__cache_path = 4096 };

/* The folder that was asked for (a device's options say how), or NULL: where the environment has caches. Too long a
 * path is none. */
void gws__cache_folder(char path[gws__cache_path], const char *asked);

struct gws__cache_key {
    uint64_t low, high;
};

/* The key of these pieces in this order, after those of an earlier key ({0, 0}: none). Where one ends counts, too. */
struct gws__cache_key gws__cache_key_of(struct gws__cache_key earlier, const char *const *piece, uint32_t pieces);

/* What was stored under the key, bytes of it from the runtime's allocator, or NULL if nothing was found (an empty
 * folder is none). Errors: GWS_NO_MEMORY. */
gws_status gws__cache_load(struct gws_runtime *runtime, const char *folder, struct gws__cache_key key, void **data,
                           uint64_t *bytes);

/* Makes the folder if need be, and the file whole or not at all, whoever else writes it. */
void gws__cache_store(struct gws_runtime *runtime, const char *folder, struct gws__cache_key key, const void *data,
                      uint64_t bytes);

#endif
