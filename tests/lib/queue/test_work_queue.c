/* SPDX-License-Identifier: MIT */
/* The contract of every work queue (lib/queue/work_queue.h). The same tests run on all queues. Each line of the table
 * describes one queue. For every partition, the workers acquire each index exactly once, in whatever order they
 * try. */
#include "../../harness.h"

#include <pthread.h>
#include <stdint.h>

#include "../../../lib/queue/work_queue.h"
#include "../../../lib/random.h"

static const struct work_queue_kind {
    const char *name;
    const struct gws_work_queue *ops;
    bool by_chunk; /* all ranges have `chunk` indexes, except the last range of each part */
    bool steals;
    bool owner_only;
} kinds[] = {
    {"static", &gws__work_queue_static, false, false, true},
    {"cursor", &gws__work_queue_cursor, true, false, false},
    {"chunked", &gws__work_queue_chunked, true, true, false},
    {"central", &gws__work_queue_central, true, false, false},
};

enum { kind_count = sizeof kinds / sizeof kinds[0], max_workers = 9, line = 128 };

struct queue_state {
    void *memory, *aligned;
};

static struct queue_state state_new(const struct gws_work_queue *ops, uint32_t workers)
{
    const size_t bytes = ops->bytes + workers * ops->worker_bytes;
    struct queue_state state = {.memory = malloc(bytes + line)};
    state.aligned = (char *)state.memory + (line - (uintptr_t)state.memory % line);
    memset(state.aligned, 0xa5, bytes);
    return state;
}

/* Marks a range as seen. Returns false if the range is empty, out of bounds, or contains an index seen before. */
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

/* Makes one attempt of a worker, as in the pool. Pops from the worker's own queue, otherwise steals from the victims.
 * The answer LOST means that more work may appear soon. */
static enum gws_acquire take(const struct gws_work_queue *ops, void *state, uint32_t worker, uint32_t victims,
                             struct gws_range *range)
{
    enum gws_acquire own = ops->pop(state, worker, range);
    if (own != GWS_ACQUIRE_EMPTY || !ops->steal) return own;
    for (uint32_t victim = 0; victim < victims;) {
        enum gws_acquire acquired = victim == worker ? GWS_ACQUIRE_EMPTY : ops->steal(state, victim, range);
        if (acquired == GWS_ACQUIRED) return GWS_ACQUIRED;
        victim += acquired == GWS_ACQUIRE_EMPTY;
    }
    return GWS_ACQUIRE_EMPTY;
}

/* Fills and empties a queue serially. The test draws the next worker at random from those that have not finished. */
static void drain(const struct work_queue_kind *kind, const struct gws_loop_partition *partition, uint64_t seed)
{
    const struct gws_work_queue *ops = kind->ops;
    uint32_t capacity = partition->parts > partition->workers ? partition->parts : partition->workers,
             here = partition->workers, worker[max_workers];
    struct queue_state state = state_new(ops, capacity);
    uint8_t *seen = calloc(partition->count + 1, 1);
    uint32_t victims = ops->fill(state.aligned, partition);
    if (victims < partition->workers || victims > capacity) ck_abort_msg("%s: %u victims", kind->name, victims);
    for (uint32_t w = 0; w < here; w++) worker[w] = w;
    while (here) {
        struct gws_range range = {UINT64_MAX, UINT64_MAX};
        uint32_t at = gws_random_below(gws_random_next(&seed), here);
        enum gws_acquire acquired = take(ops, state.aligned, worker[at], victims, &range);
        if (acquired == GWS_ACQUIRE_EMPTY) worker[at] = worker[--here];
        if (acquired != GWS_ACQUIRED) continue;
        if (!mark(seen, partition->count, range) || (kind->by_chunk && range.end - range.begin > partition->chunk))
            ck_abort_msg("%s: %llu .. %llu of %llu, chunk %u, %u workers, %u parts", kind->name,
                         (unsigned long long)range.begin, (unsigned long long)range.end,
                         (unsigned long long)partition->count, partition->chunk, partition->workers, partition->parts);
    }
    if (missing(seen, partition->count))
        ck_abort_msg("%s: %llu of %llu indexes missing, chunk %u, %u workers, %u parts", kind->name,
                     (unsigned long long)missing(seen, partition->count), (unsigned long long)partition->count,
                     partition->chunk, partition->workers, partition->parts);
    free(seen);
    free(state.memory);
}

START_TEST(table_says_what_each_can)
{
    const struct work_queue_kind *kind = &kinds[_i];
    ck_assert_int_eq(kind->ops->steal != NULL, kind->steals);
    ck_assert_int_eq(kind->ops->owner_only, kind->owner_only);
    ck_assert_uint_gt(kind->ops->bytes + kind->ops->worker_bytes, 0);
}
END_TEST

START_TEST(every_index_once_serially)
{
    static const uint64_t counts[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 100, 1000, 4097};
    static const uint32_t chunks[] = {1, 2, 3, 7, 64, 1000, 5000, UINT32_MAX};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        for (size_t k = 0; k < sizeof chunks / sizeof chunks[0]; k++)
            for (uint32_t workers = 1; workers <= max_workers; workers++) {
                struct gws_loop_partition partition = {.count = counts[c], .chunk = chunks[k], .workers = workers};
                for (uint64_t seed = 1; seed <= 3; seed++) drain(&kinds[_i], &partition, seed);
            }
}
END_TEST

/* Divides 0 .. count - 1 at random places and assigns the pieces, some empty, to workers in random order. */
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
        struct gws_range part[max_workers];
        uint32_t parts = 1 + gws_random_below(gws_random_next(&random), max_workers);
        uint32_t workers = 1 + gws_random_below(gws_random_next(&random), parts);
        uint64_t count = gws_random_next(&random) % 500;
        uint32_t chunk = 1 + gws_random_below(gws_random_next(&random), 70);
        random_parts(part, parts, count, &random);
        struct gws_loop_partition partition = {
            .count = count, .chunk = chunk, .workers = workers, .parts = parts, .part = part};
        drain(&kinds[_i], &partition, round);
    }
}
END_TEST

/* The counts are at the limit of the contract. The test takes a few ranges, which must be inside the count and
 * disjoint. */
START_TEST(counts_near_the_limit)
{
    static const uint32_t chunks[] = {1, 2, 4096, UINT32_MAX - 1};
    for (size_t k = 0; k < sizeof chunks / sizeof chunks[0]; k++)
        for (uint32_t workers = 1; workers <= max_workers; workers += 4) {
            const struct gws_work_queue *ops = kinds[_i].ops;
            struct gws_loop_partition partition = {
                .count = chunks[k] * (uint64_t)UINT32_MAX, .chunk = chunks[k], .workers = workers};
            struct queue_state state = state_new(ops, workers);
            uint32_t victims = ops->fill(state.aligned, &partition);
            struct gws_range got[max_workers * 3], range;
            uint32_t many = 0;
            for (uint32_t w = 0; w < workers; w++) {
                if (ops->pop(state.aligned, w, &range) == GWS_ACQUIRED) got[many++] = range;
                if (ops->steal && ops->steal(state.aligned, (w + 1) % victims, &range) == GWS_ACQUIRED)
                    got[many++] = range;
            }
            ck_assert_uint_gt(many, 0);
            for (uint32_t i = 0; i < many; i++) {
                ck_assert_uint_lt(got[i].begin, got[i].end);
                ck_assert_uint_le(got[i].end, partition.count);
                if (kinds[_i].by_chunk) ck_assert_uint_eq(got[i].end - got[i].begin, partition.chunk);
                for (uint32_t j = 0; j < i; j++) ck_assert(got[i].end <= got[j].begin || got[j].end <= got[i].begin);
            }
            free(state.memory);
        }
}
END_TEST

/* ---- with threads ---- */

struct queue_team {
    const struct gws_work_queue *ops;
    void *state;
    uint64_t count;
    uint32_t victims;
    uint8_t *seen; /* plain bytes, so ThreadSanitizer reports two workers with the same index */
    pthread_barrier_t gate;
    uint32_t rounds;
    const struct gws_loop_partition *partition;
    _Atomic uint64_t wrong;
};

struct queue_member {
    struct queue_team *team;
    uint32_t worker;
};

static void *member_live(void *argument)
{
    struct queue_member *me = argument;
    struct queue_team *team = me->team;
    for (uint32_t round = 0; round < team->rounds; round++) {
        if (me->worker == 0) {
            memset(team->seen, 0, team->count);
            team->victims = team->ops->fill(team->state, team->partition);
        }
        pthread_barrier_wait(&team->gate);
        enum gws_acquire acquired;
        for (struct gws_range range;
             (acquired = take(team->ops, team->state, me->worker, team->victims, &range)) != GWS_ACQUIRE_EMPTY;)
            if (acquired == GWS_ACQUIRED && !mark(team->seen, team->count, range)) atomic_fetch_add(&team->wrong, 1);
        pthread_barrier_wait(&team->gate);
        if (me->worker == 0 && missing(team->seen, team->count)) atomic_fetch_add(&team->wrong, 1);
    }
    return NULL;
}

static void contend(const struct work_queue_kind *kind, const struct gws_loop_partition *partition, uint32_t rounds)
{
    struct queue_state state = state_new(kind->ops, partition->workers + partition->parts);
    struct queue_team team = {
        .ops = kind->ops, .state = state.aligned, .count = partition->count, .partition = partition};
    struct queue_member member[max_workers];
    pthread_t thread[max_workers];
    team.seen = malloc(partition->count + 1);
    team.rounds = rounds;
    pthread_barrier_init(&team.gate, NULL, partition->workers);
    for (uint32_t w = 0; w < partition->workers; w++) {
        member[w] = (struct queue_member){&team, w};
        ck_assert_int_eq(pthread_create(&thread[w], NULL, member_live, &member[w]), 0);
    }
    for (uint32_t w = 0; w < partition->workers; w++) pthread_join(thread[w], NULL);
    pthread_barrier_destroy(&team.gate);
    ck_assert_msg(team.wrong == 0, "%s: %llu ranges were wrong", kind->name, (unsigned long long)team.wrong);
    free(team.seen);
    free(state.memory);
}

START_TEST(every_index_once_with_threads)
{
    uint32_t rounds = gws_test_quick() ? 50 : 1000;
    for (uint32_t workers = 2; workers <= 4; workers++) {
        struct gws_loop_partition many = {.count = 2000, .chunk = 1, .workers = workers};
        struct gws_loop_partition few = {.count = 3, .chunk = 1, .workers = workers};
        struct gws_loop_partition odd = {.count = 1001, .chunk = 7, .workers = workers};
        struct gws_range part[4] = {{0, 0}, {500, 1001}, {0, 500}, {1001, 1001}};
        struct gws_loop_partition given = {.count = 1001, .chunk = 3, .workers = workers, .parts = 4, .part = part};
        contend(&kinds[_i], &many, rounds / 5);
        contend(&kinds[_i], &few, rounds);
        contend(&kinds[_i], &odd, rounds);
        contend(&kinds[_i], &given, rounds);
    }
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {
        {table_says_what_each_can, kind_count},        {every_index_once_serially, kind_count},
        {every_index_once_of_given_parts, kind_count}, {counts_near_the_limit, kind_count},
        {every_index_once_with_threads, kind_count},   {0}};
    return gws_test_run("work_queue", test);
}
