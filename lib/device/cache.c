/* SPDX-License-Identifier: MIT */
/* The cache of compiled programs. A file is a head and the data. The head repeats the key and has a hash of the data,
 * to detect damaged and foreign files. Numbers have this machine's byte order, because a compiled program is useless on
 * other machines. The library writes a draft first (base/draft.h), so readers never see an incomplete file. */
#define _POSIX_C_SOURCE 200809L
#define XXH_INLINE_ALL
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "../base/draft.h"
#include "kind.h"

static const char magic[8] = "gwsprog";

struct head {
    char magic[8];
    struct gws__cache_key key;
    uint64_t bytes, checksum;
};

void gws__cache_folder(char path[gws__cache_path], const char *folder)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = 0;
    if (folder)
        length = snprintf(path, gws__cache_path, "%s", folder);
    else if (base && base[0] == '/') /* the XDG specification ignores relative paths */
        length = snprintf(path, gws__cache_path, "%s/graphws", base);
    else if (home && home[0] == '/')
        length = snprintf(path, gws__cache_path, "%s/.cache/graphws", home);
    if (length <= 0 || length >= gws__cache_path) path[0] = '\0';
}

struct gws__cache_key gws__cache_key_of(struct gws__cache_key earlier, const char *const *piece, uint32_t pieces)
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, &earlier, sizeof earlier);
    for (uint32_t i = 0; i < pieces; i++) XXH3_128bits_update(&state, piece[i], strlen(piece[i]) + 1);
    XXH128_hash_t hash = XXH3_128bits_digest(&state);
    return (struct gws__cache_key){hash.low64, hash.high64};
}

/* Sets path to FOLDER/KEY. Returns false if the path is too long. */
static bool file_name(char *path, const char *folder, struct gws__cache_key key)
{
    int length = snprintf(path, gws__cache_path, "%s/%016" PRIx64 "%016" PRIx64, folder, key.high, key.low);
    return folder[0] && length > 0 && length < gws__cache_path;
}

/* ---- loading ---- */

/* Reads a file's head. Returns the size of the data, or 0 if the file does not have this key. */
static uint64_t read_head(FILE *file, struct gws__cache_key key, struct head *head)
{
    struct stat about;
    if (fstat(fileno(file), &about) != 0 || !S_ISREG(about.st_mode) || fread(head, sizeof *head, 1, file) != 1)
        return 0;
    bool ours = memcmp(head->magic, magic, sizeof magic) == 0 && head->key.low == key.low && head->key.high == key.high;
    return ours && head->bytes == (uint64_t)about.st_size - sizeof *head ? head->bytes : 0;
}

static gws_status load(struct gws_runtime *runtime, FILE *file, struct gws__cache_key key, void **data, uint64_t *bytes)
{
    struct head head;
    uint64_t size = read_head(file, key, &head);
    if (size == 0) return GWS_OK;
    void *found = gws_allocate(runtime, size, 1);
    if (!found) return GWS_NO_MEMORY;
    if (fread(found, size, 1, file) != 1 || XXH3_64bits(found, size) != head.checksum) {
        gws_release(runtime, found, size, 1);
        return GWS_OK;
    }
    *data = found;
    *bytes = size;
    return GWS_OK;
}

gws_status gws__cache_load(struct gws_runtime *runtime, const char *folder, struct gws__cache_key key, void **data,
                           uint64_t *bytes)
{
    char path[gws__cache_path];
    *data = NULL;
    *bytes = 0;
    if (!file_name(path, folder, key)) return GWS_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* open() must not block on a pipe */
    FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");
    if (!file && fd >= 0) close(fd);
    if (!file) return GWS_OK;
    gws_status status = load(runtime, file, key, data, bytes);
    fclose(file);
    return status;
}

/* ---- storing ---- */

/* Makes all missing folders of the path, with access for the owner only. */
static void make_folders(const char *folder)
{
    char path[gws__cache_path];
    if (snprintf(path, sizeof path, "%s", folder) >= (int)sizeof path) return;
    for (char *at = path + 1; *at; at++) {
        if (*at != '/') continue;
        *at = '\0';
        (void)mkdir(path, 0700);
        *at = '/';
    }
    (void)mkdir(path, 0700);
}

/* Only the owner may write, because a compiled program that another user changed would run with the owner's rights. */
enum { owner_only = 0600 };

void gws__cache_store(struct gws_runtime *runtime, const char *folder, struct gws__cache_key key, const void *data,
                      uint64_t bytes)
{
    char path[gws__cache_path];
    struct gws__draft draft;
    if (!file_name(path, folder, key)) return;
    make_folders(folder);
    if (gws__draft_open(&draft, runtime, path, owner_only, NULL) != GWS_OK) return;
    struct head head = {.key = key, .bytes = bytes, .checksum = XXH3_64bits(data, bytes)};
    memcpy(head.magic, magic, sizeof magic);
    gws_status status = gws__draft_write(&draft, &head, sizeof head, NULL);
    if (status == GWS_OK) status = gws__draft_write(&draft, data, bytes, NULL);
    if (status == GWS_OK)
        (void)gws__draft_commit(&draft, NULL);
    else
        gws__draft_discard(&draft);
}
