/* SPDX-License-Identifier: MIT */
/* The contract of every level container (lib/queue/container.h), the same for all: a new container is one line below.
 * Whatever is cut, each index is handed out exactly once, to whoever asks in whatever order. */
#include "../../harness.h"

#include <pthread.h>
#include <stdint.h>

#include "../../../lib/queue/container.h"
#include "../../../lib/random.h"

static const struct kind {
    const char *name;
    const struct gws_container *container;
    bool by_chunk; /* ranges are of chunk indexes, but for a last one of each part */
    bool steals;
    bool owner_only;
} kinds[] = {
    {"static", &gws__container_static, false, false, true},
    {"cursor", &gws__container_cursor, true, false, false},
    {"chunked", &gws__container_chunked, true, true, false},
    {"central", &gws__container_central, true, false, false},
};

enum { kind_count = sizeof kinds / sizeof kinds[0], most_workers = 9, line = 128 };

struct state {
    void *memory, *aligned;
};

static struct state state_new(const struct gws_container *container, uint32_t workers)
{
    const size_t bytes = container->bytes + workers * container->worker_bytes;
    struct state state = {.memory = malloc(bytes + line)};
    state.aligned = (char *)state.memory + (line - (uintptr_t)state.memory % line);
    memset(state.aligned, 0xa5, bytes);
    return state;
}

/* Marks a range as seen; false if it is empty, out of bounds, or holds an index that was seen before. */
static bool mark(uint8_t *seen, uint64_t count, struct gws_range range)
{
    if (range.begin >= range.end || range.end > count) return false;
    for (uint64_t i = range.begin; i < range.end; i++)
        if (seen[i]++) return false;
    return true;
}

static uint64_t missing(const uint8_t *seen, uint64_t count)
{
    uint64_t none = 0;
    for (uint64_t i = 0; i < count; i++) none += seen[i] == 0;
    return none;
}

/* One try of worker to get something as the pool does: its own, else from the others, of whom there are victims. LOST:
 * there may be more in a moment. */
static enum gws_grab take(const struct gws_container *container, void *state, uint32_t worker, uint32_t victims,
                          struct gws_range *range)
{
    enum gws_grab own = container->pop(state, worker, range);
    if (own != GWS_GRAB_EMPTY || !container->steal) return own;
    for (uint32_t victim = 0; victim < victims;) {
        enum gws_grab grab = victim == worker ? GWS_GRAB_EMPTY : container->steal(state, victim, range);
        if (grab == GWS_GRAB_TOOK) return GWS_GRAB_TOOK;
        victim += grab == GWS_GRAB_EMPTY;
    }
    return GWS_GRAB_EMPTY;
}

/* Fills and empties serially, the worker who comes next drawn at random from those that have not gone home. */
static void drain(const struct kind *kind, const struct gws_cut *cut, uint64_t seed)
{
    const struct gws_container *container = kind->container;
    uint32_t room = cut->parts > cut->workers ? cut->parts : cut->workers, here = cut->workers, worker[most_workers];
    struct state state = state_new(container, room);
    uint8_t *seen = calloc(cut->count + 1, 1);
    uint32_t victims = container->fill(state.aligned, cut);
    if (victims < cut->workers || victims > room) ck_abort_msg("%s: %u victims", kind->name, victims);
    for (uint32_t w = 0; w < here; w++) worker[w] = w;
    while (here) {
        struct gws_range range = {UINT64_MAX, UINT64_MAX};
        uint32_t at = gws_random_below(gws_random_next(&seed), here);
        enum gws_grab grab = take(container, state.aligned, worker[at], victims, &range);
        if (grab == GWS_GRAB_EMPTY) worker[at] = worker[--here];
        if (grab != GWS_GRAB_TOOK) continue;
        if (!mark(seen, cut->count, range) || (kind->by_chunk && range.end - range.begin > cut->chunk))
            ck_abort_msg("%s: %llu .. %llu of %llu, chunk %u, %u workers, %u parts", kind->name,
                         (unsigned long long)range.begin, (unsigned long long)range.end, (unsigned long long)cut->count,
                         cut->chunk, cut->workers, cut->parts);
    }
    if (missing(seen, cut->count))
        ck_abort_msg("%s: %llu of %llu indexes missing, chunk %u, %u workers, %u parts", kind->name,
                     (unsigned long long)missing(seen, cut->count), (unsigned long long)cut->count, cut->chunk,
                     cut->workers, cut->parts);
    free(seen);
    free(state.memory);
}

START_TEST(table_says_what_each_can)
{
    const struct kind *kind = &kinds[_i];
    ck_assert_int_eq(kind->container->steal != NULL, kind->steals);
    ck_assert_int_eq(kind->container->owner_only, kind->owner_only);
    ck_assert_uint_gt(kind->container->bytes + kind->container->worker_bytes, 0);
}
END_TEST

START_TEST(every_index_once_serially)
{
    static const uint64_t counts[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 100, 1000, 4097};
    static const uint32_t chunks[] = {1, 2, 3, 7, 64, 1000, 5000, UINT32_MAX};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        for (size_t k = 0; k < sizeof chunks / sizeof chunks[0]; k++)
            for (uint32_t workers = 1; workers <= most_workers; workers++) {
                struct gws_cut cut = {.count = counts[c], .chunk = chunks[k], .workers = workers};
                for (uint64_t seed = 1; seed <= 3; seed++) drain(&kinds[_i], &cut, seed);
            }
}
END_TEST

/* Cuts 0 .. count - 1 at random places and deals the pieces, some empty, to parts workers in random order. */
static void random_parts(struct gws_range *part, uint32_t parts, uint64_t count, uint64_t *random)
{
    uint64_t begin = 0;
    for (uint32_t p = 0; p < parts; p++) {
        uint64_t left = count - begin, end = begin + gws_random_next(random) % (left + 1);
        if (gws_random_next(random) % 4 == 0) end = begin;
        if (p + 1 == parts) end = count;
        part[p] = (struct gws_range){begin, end};
        begin = end;
    }
    for (uint32_t p = parts; p > 1; p--) {
        uint32_t other = gws_random_below(gws_random_next(random), p);
        struct gws_range swap = part[p - 1];
        part[p - 1] = part[other];
        part[other] = swap;
    }
}

START_TEST(every_index_once_of_given_parts)
{
    uint64_t random = 5;
    for (uint32_t round = 0; round < 3000; round++) {
        struct gws_range part[most_workers];
        uint32_t parts = 1 + gws_random_below(gws_random_next(&random), most_workers);
        uint32_t workers = 1 + gws_random_below(gws_random_next(&random), parts);
        uint64_t count = gws_random_next(&random) % 500;
        uint32_t chunk = 1 + gws_random_below(gws_random_next(&random), 70);
        random_parts(part, parts, count, &random);
        struct gws_cut cut = {.count = count, .chunk = chunk, .workers = workers, .parts = parts, .part = part};
        drain(&kinds[_i], &cut, round);
    }
}
END_TEST

/* The ends of ranges as large as the contract allows: only a few are taken, all must lie inside and apart. */
START_TEST(counts_near_the_limit)
{
    static const uint32_t chunks[] = {1, 2, 4096, UINT32_MAX - 1};
    for (size_t k = 0; k < sizeof chunks / sizeof chunks[0]; k++)
        for (uint32_t workers = 1; workers <= most_workers; workers += 4) {
            const struct gws_container *container = kinds[_i].container;
            struct gws_cut cut = {.count = chunks[k] * (uint64_t)UINT32_MAX, .chunk = chunks[k], .workers = workers};
            struct state state = state_new(container, workers);
            uint32_t victims = container->fill(state.aligned, &cut);
            struct gws_range got[most_workers * 3], range;
            uint32_t many = 0;
            for (uint32_t w = 0; w < workers; w++) {
                if (container->pop(state.aligned, w, &range) == GWS_GRAB_TOOK) got[many++] = range;
                if (container->steal && container->steal(state.aligned, (w + 1) % victims, &range) == GWS_GRAB_TOOK)
                    got[many++] = range;
            }
            ck_assert_uint_gt(many, 0);
            for (uint32_t i = 0; i < many; i++) {
                ck_assert_uint_lt(got[i].begin, got[i].end);
                ck_assert_uint_le(got[i].end, cut.count);
                if (kinds[_i].by_chunk) ck_assert_uint_eq(got[i].end - got[i].begin, cut.chunk);
                for (uint32_t j = 0; j < i; j++) ck_assert(got[i].end <= got[j].begin || got[j].end <= got[i].begin);
            }
            free(state.memory);
        }
}
END_TEST

/* ---- with threads ---- */

struct crew {
    const struct gws_container *container;
    void *state;
    uint64_t count;
    uint32_t victims;
    uint8_t *seen; /* plain bytes: ThreadSanitizer sees it if two workers get the same index */
    pthread_barrier_t gate;
    uint32_t rounds;
    const struct gws_cut *cut;
    _Atomic uint64_t wrong;
};

struct member {
    struct crew *crew;
    uint32_t worker;
};

static void *member_live(void *argument)
{
    struct member *me = argument;
    struct crew *crew = me->crew;
    for (uint32_t round = 0; round < crew->rounds; round++) {
        if (me->worker == 0) {
            memset(crew->seen, 0, crew->count);
            crew->victims = crew->container->fill(crew->state, crew->cut);
        }
        pthread_barrier_wait(&crew->gate);
        enum gws_grab grab;
        for (struct gws_range range;
             (grab = take(crew->container, crew->state, me->worker, crew->victims, &range)) != GWS_GRAB_EMPTY;)
            if (grab == GWS_GRAB_TOOK && !mark(crew->seen, crew->count, range)) atomic_fetch_add(&crew->wrong, 1);
        pthread_barrier_wait(&crew->gate);
        if (me->worker == 0 && missing(crew->seen, crew->count)) atomic_fetch_add(&crew->wrong, 1);
    }
    return NULL;
}

static void contend(const struct kind *kind, const struct gws_cut *cut, uint32_t rounds)
{
    struct state state = state_new(kind->container, cut->workers + cut->parts);
    struct crew crew = {.container = kind->container, .state = state.aligned, .count = cut->count, .cut = cut};
    struct member member[most_workers];
    pthread_t thread[most_workers];
    crew.seen = malloc(cut->count + 1);
    crew.rounds = rounds;
    pthread_barrier_init(&crew.gate, NULL, cut->workers);
    for (uint32_t w = 0; w < cut->workers; w++) {
        member[w] = (struct member){&crew, w};
        ck_assert_int_eq(pthread_create(&thread[w], NULL, member_live, &member[w]), 0);
    }
    for (uint32_t w = 0; w < cut->workers; w++) pthread_join(thread[w], NULL);
    pthread_barrier_destroy(&crew.gate);
    ck_assert_msg(crew.wrong == 0, "%s: %llu ranges were wrong", kind->name, (unsigned long long)crew.wrong);
    free(crew.seen);
    free(state.memory);
}

START_TEST(every_index_once_with_threads)
{
    uint32_t rounds = gws_test_quick() ? 50 : 1000;
    for (uint32_t workers = 2; workers <= 4; workers++) {
        struct gws_cut many = {.count = 2000, .chunk = 1, .workers = workers};
        struct gws_cut few = {.count = 3, .chunk = 1, .workers = workers};
        struct gws_cut odd = {.count = 1001, .chunk = 7, .workers = workers};
        struct gws_range part[4] = {{0, 0}, {500, 1001}, {0, 500}, {1001, 1001}};
        struct gws_cut given = {.count = 1001, .chunk = 3, .workers = workers, .parts = 4, .part = part};
        contend(&kinds[_i], &many, rounds / 5);
        contend(&kinds[_i], &few, rounds);
        contend(&kinds[_i], &odd, rounds);
        contend(&kinds[_i], &given, rounds);
    }
}
END_TEST

static Suite *container_suite(void)
{
    Suite *suite = suite_create("container");
    TCase *contract = tcase_create("contract");
    tcase_add_loop_test(contract, table_says_what_each_can, 0, kind_count);
    tcase_add_loop_test(contract, every_index_once_serially, 0, kind_count);
    tcase_add_loop_test(contract, every_index_once_of_given_parts, 0, kind_count);
    tcase_add_loop_test(contract, counts_near_the_limit, 0, kind_count);
    tcase_add_loop_test(contract, every_index_once_with_threads, 0, kind_count);
    suite_add_tcase(suite, contract);
    return suite;
}

int main(void)
{
    return gws_test_main(container_suite);
}
