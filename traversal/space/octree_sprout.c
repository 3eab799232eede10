/* SPDX-License-Identifier: MIT */
/* Arenas of twigs; see octree_state.h. Chunks grow, so that a small tree takes little and a large one few. */
#include "octree_state.h"

enum { least_words = 1 << 9, most_words = 1 << 16 };

struct gws__octree_chunk {
    struct gws__octree_chunk *before;
    uint64_t words;
    uint64_t room[];
};

static bool grow(struct gws_runtime *runtime, struct gws__octree_arena *arena)
{
    struct gws__octree_chunk *chunk =
        arena->failed ? NULL : gws_allocate(runtime, sizeof *chunk / 8 + arena->words, sizeof(uint64_t));
    if (!chunk) {
        arena->failed = true;
        return false;
    }
    chunk->before = arena->chunk;
    chunk->words = arena->words;
    arena->chunk = chunk;
    arena->next = chunk->room;
    arena->left = chunk->words;
    if (arena->words < most_words) arena->words *= 2;
    return true;
}

struct gws__octree_twig *gws__octree_twig_new(struct gws_runtime *runtime, struct gws__octree_arena *arena,
                                              unsigned mask)
{
    uint64_t words = 1 + (uint64_t)__builtin_popcount(mask);
    if (arena->left < words && !grow(runtime, arena)) return NULL;
    struct gws__octree_twig *twig = (struct gws__octree_twig *)(void *)arena->next;
    arena->next += words;
    arena->left -= words;
    twig->mask = mask;
    return twig;
}

struct gws__octree_arena *gws__octree_arenas_new(struct gws_runtime *runtime)
{
    uint64_t workers = gws_runtime_workers(runtime);
    struct gws__octree_arena *arena = gws_allocate(runtime, workers, sizeof *arena);
    if (!arena) return NULL;
    for (uint64_t w = 0; w < workers; w++) arena[w] = (struct gws__octree_arena){.words = least_words};
    return arena;
}

bool gws__octree_arenas_failed(const struct gws_runtime *runtime, const struct gws__octree_arena *arena)
{
    bool failed = false;
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) failed |= arena[w].failed;
    return failed;
}

static void free_chunks(struct gws_runtime *runtime, struct gws__octree_arena *arena)
{
    struct gws__octree_chunk *chunk = arena->chunk;
    while (chunk) {
        struct gws__octree_chunk *before = chunk->before;
        gws_release(runtime, chunk, sizeof *chunk / 8 + chunk->words, sizeof(uint64_t));
        chunk = before;
    }
}

void gws__octree_arenas_free(struct gws_runtime *runtime, struct gws__octree_arena *arena)
{
    if (!arena) return;
    for (uint32_t w = 0; w < gws_runtime_workers(runtime); w++) free_chunks(runtime, &arena[w]);
    gws_release(runtime, arena, gws_runtime_workers(runtime), sizeof *arena);
}
