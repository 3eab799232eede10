/* SPDX-License-Identifier: MIT */
/* A model check of the chunked deque. The program includes lib/queue/chunked.c with steps of an explorer in place of
 * its atomic operations. The explorer tries every interleaving of an owner and two thieves, and every result that C11
 * allows for relaxed operations on one word. A load may return any value that is not older than a value that the
 * thread has seen. A weak compare-and-swap may fail spuriously.
 *
 * The state is the word's modification order, and for each thread the results of its operations so far. To advance a
 * thread, the explorer runs the thread again from its start. The thread gets its old results and a new one, and
 * longjmp() ends the thread at the next operation. So the explorer copies only these few numbers.
 *
 * An explorer that finds no error proves little, so it must also detect the errors of two broken deques. */
#include "../../harness.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

enum { max_threads = 3, max_answers = 12, max_values = 16, max_chunks = 4 };

/* AddressSanitizer keeps the frames that longjmp() skips, and searches all of them, so only the smallest model runs. */
#ifdef __SANITIZE_ADDRESS__
enum { frames_pile_up = true };
#else
enum { frames_pile_up = false };
#endif

struct answer {
    uint64_t value;
    bool ok;
};

struct thread {
    struct answer answer[max_answers];
    uint32_t answers;
    uint32_t seen; /* the newest value that the thread has seen, as an index into the modification order */
};

struct world {
    uint64_t value[max_values]; /* the word's modification order */
    uint32_t values;
    struct thread thread[max_threads];
};

enum step_kind { STEP_LOAD, STEP_CAS, STEP_WEAK_CAS, STEP_STORE };

/* The pending operation of a thread, and the progress of its run. */
static struct {
    struct thread *thread;
    uint32_t answers; /* number of results used in this run */
    enum step_kind kind;
    uint64_t expected, desired;
    jmp_buf out;
} run;

static struct answer step(enum step_kind kind, uint64_t expected, uint64_t desired)
{
    if (run.answers < run.thread->answers) return run.thread->answer[run.answers++];
    run.kind = kind;
    run.expected = expected;
    run.desired = desired;
    longjmp(run.out, 1);
}

static uint64_t model_load(void)
{
    return step(STEP_LOAD, 0, 0).value;
}

static bool model_cas(enum step_kind kind, uint64_t *expected, uint64_t desired)
{
    struct answer answer = step(kind, *expected, desired);
    if (!answer.ok) *expected = answer.value;
    return answer.ok;
}

static void model_store(uint64_t value)
{
    step(STEP_STORE, 0, value);
}

/* Includes chunked.c with these macros in place of its atomics. fill() stores directly, before the model starts. */
#include <stdatomic.h>
static uint64_t filled;
#undef atomic_load_explicit
#undef atomic_store_explicit
#undef atomic_compare_exchange_weak_explicit
#undef atomic_compare_exchange_strong_explicit
#define atomic_load_explicit(word, order) ((void)(word), model_load())
#define atomic_store_explicit(word, new, order) ((void)(word), (void)(filled = (new)))
#define atomic_compare_exchange_weak_explicit(word, old, new, order, failed)                                           \
    ((void)(word), model_cas(STEP_WEAK_CAS, old, new))
#define atomic_compare_exchange_strong_explicit(word, old, new, order, failed)                                         \
    ((void)(word), model_cas(STEP_CAS, old, new))
#define gws__work_queue_chunked modelled
#include "../../../lib/queue/chunked.c" /* NOLINT(bugprone-suspicious-include): checks the shipped source */
#undef gws__work_queue_chunked

/* Pops without a compare-and-swap and publishes the new head too late, as a broken owner would. */
static enum gws_acquire pop_by_store(void *state, uint32_t worker, struct gws_range *out)
{
    struct chunked_deque *q = (struct chunked_deque *)state + worker;
    uint64_t ends = model_load(), head = (uint32_t)ends, tail = ends >> 32;
    if (head >= tail) return GWS_ACQUIRE_EMPTY;
    model_store(ends_of(head + 1, tail));
    return acquired(q, head, out);
}

/* Ignores the result of the compare-and-swap, as a broken thief would. */
static enum gws_acquire steal_regardless(void *state, uint32_t victim, struct gws_range *out)
{
    struct chunked_deque *q = (struct chunked_deque *)state + victim;
    uint64_t ends = model_load(), head = (uint32_t)ends, tail = ends >> 32;
    if (head >= tail) return GWS_ACQUIRE_EMPTY;
    (void)model_cas(STEP_CAS, &ends, ends_of(head, tail - 1));
    return acquired(q, tail - 1, out);
}

/* ---- the explorer ---- */

static struct chunked_deque deque;
static struct gws_work_queue explored;
static uint32_t tries; /* number of attempts of each thief; the owner pops until the deque is empty */
static uint64_t worlds, broken;

struct got {
    uint32_t times[max_chunks];
    bool invalid;
};

static void record(struct got *got, struct gws_range range)
{
    uint64_t chunk = range.begin / deque.chunk, end = (chunk + 1) * deque.chunk;
    if (range.begin % deque.chunk || chunk >= max_chunks || range.end != (end < deque.part.end ? end : deque.part.end))
        got->invalid = true;
    else
        got->times[chunk]++;
}

/* Runs a thread from its start. */
static void live(uint32_t number, struct got *got)
{
    struct gws_range range;
    if (number == 0)
        while (explored.pop(&deque, 0, &range) == GWS_ACQUIRED) record(got, range);
    for (uint32_t i = 0; number != 0 && i < tries; i++)
        if (explored.steal(&deque, 0, &range) == GWS_ACQUIRED) record(got, range);
}

/* Runs a thread until it has used all results so far. Returns true if it needs another operation, which is then in
 * `run`.
 */
static bool replay(struct thread *thread, uint32_t number, struct got *got)
{
    run.thread = thread;
    run.answers = 0;
    if (setjmp(run.out)) return true;
    live(number, got);
    return false;
}

static void explore(const struct world *world);

/* Continues with a copy of world, in which the thread gets this result. */
static void answer(const struct world *world, uint32_t number, struct answer its, uint32_t seen,
                   const uint64_t *written)
{
    struct world next = *world;
    struct thread *thread = &next.thread[number];
    if (thread->answers == max_answers || next.values == max_values) return; /* the bound on the exploration */
    thread->answer[thread->answers++] = its;
    thread->seen = seen;
    if (written) {
        next.value[next.values] = *written;
        thread->seen = next.values++;
    }
    explore(&next);
}

static void every_answer(const struct world *world, uint32_t number, enum step_kind kind, uint64_t expected,
                         uint64_t desired)
{
    uint32_t newest = world->values - 1;
    uint64_t now = world->value[newest];
    if (kind == STEP_STORE) {
        answer(world, number, (struct answer){0, true}, newest, &desired);
        return;
    }
    if (kind != STEP_LOAD && now == expected) answer(world, number, (struct answer){now, true}, newest, &desired);
    for (uint32_t i = world->thread[number].seen; i <= newest; i++) {
        uint64_t value = world->value[i];
        if (kind == STEP_CAS && value == expected) continue;
        answer(world, number, (struct answer){value, false}, i, NULL);
    }
}

/* Checks a world in which all threads have finished. Pops the remaining chunks, and expects that each chunk was
 * acquired once. */
static void judge(const struct world *world)
{
    struct got got = {0};
    worlds++;
    for (uint32_t t = 0; t < max_threads; t++) {
        struct thread thread = world->thread[t];
        (void)replay(&thread, t, &got);
    }
    uint64_t ends = world->value[world->values - 1], chunks = (deque.part.end + deque.chunk - 1) / deque.chunk;
    for (uint64_t i = (uint32_t)ends; i < ends >> 32 && i < max_chunks; i++) got.times[i]++;
    bool wrong = got.invalid;
    for (uint64_t i = 0; i < chunks; i++) wrong |= got.times[i] != 1;
    broken += wrong;
}

static void explore(const struct world *world)
{
    bool all_done = true;
    for (uint32_t t = 0; t < max_threads; t++) {
        if (t == 2 && world->thread[1].answers == 0) continue; /* thread 1 starts first, as the thieves are symmetric */
        struct got got = {0};
        struct thread thread = world->thread[t];
        if (replay(&thread, t, &got)) {
            all_done = false;
            every_answer(world, t, run.kind, run.expected, run.desired);
        }
    }
    if (all_done) judge(world);
}

static void check(const struct gws_work_queue *ops, uint64_t count, uint32_t chunk, uint32_t thief_tries)
{
    explored = *ops;
    tries = thief_tries;
    worlds = broken = 0;
    struct gws_loop_partition partition = {.count = count, .chunk = chunk, .workers = 1};
    ck_assert_uint_eq(ops->fill(&deque, &partition), 1);
    struct world world = {.value = {filled}, .values = 1};
    explore(&world);
}

START_TEST(every_interleaving_of_the_deque)
{
    static const struct {
        uint64_t count; /* number of chunks of two indexes */
        uint32_t tries;
        bool long_run;
    } sizes[] = {{0, 2, false}, {1, 1, false}, {2, 2, true}, {3, 1, true}, {5, 1, true}};
    if (sizes[_i].count > 0 && frames_pile_up) return;
    if (sizes[_i].long_run && gws_test_quick()) return;
    check(&modelled, sizes[_i].count, 2, sizes[_i].tries);
    ck_assert_msg(worlds > 0 && broken == 0, "%llu of %llu ends are wrong", (unsigned long long)broken,
                  (unsigned long long)worlds);
    ck_assert(sizes[_i].count == 0 || worlds > 1000);
}
END_TEST

START_TEST(broken_deques_are_caught)
{
    if (frames_pile_up) return;
    struct gws_work_queue plain_store = modelled, careless = modelled;
    plain_store.pop = pop_by_store;
    careless.steal = steal_regardless;
    check(&plain_store, 2, 1, 1);
    ck_assert_uint_gt(broken, 0);
    check(&careless, 2, 1, 1);
    ck_assert_uint_gt(broken, 0);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{every_interleaving_of_the_deque, 5}, {broken_deques_are_caught, 1}, {0}};
    return gws_test_run("chunked_model", test);
}
