/* SPDX-License-Identifier: MIT */
/* The referee of the litmus tests (litmus.h). */
#ifndef GWS_TESTS_LIB_DEVICE_LITMUS_JUDGE_H
#define GWS_TESTS_LIB_DEVICE_LITMUS_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus.h"

/* log[r]: what role r loaded: two words for each round and pair. */
struct litmus_logs {
    const uint32_t *log[2];
    uint32_t test, rounds, pairs;
};

static inline uint32_t litmus_seen(const struct litmus_logs *logs, uint32_t role, uint32_t round, uint32_t pair,
                                   uint32_t which)
{
    return logs->log[role][((uint64_t)(round - 1) * logs->pairs + pair) * 2 + which];
}

/* Returns whether the loads of a round are forbidden. last: the loads of the round before; the function sets them. */
static inline bool litmus_is_forbidden(const struct litmus_logs *logs, uint32_t round, uint32_t pair, uint32_t last[2])
{
    const bool buffers = logs->test == LITMUS_LOAD_BUFFERING;
    const uint32_t one = litmus_seen(logs, buffers ? 0 : 1, round, pair, 0);
    const uint32_t other = litmus_seen(logs, 1, round, pair, buffers ? 0 : 1);
    const bool falls = one < last[0] || other < last[1] || one > logs->rounds || other > logs->rounds;
    last[0] = one;
    last[1] = other;
    if (falls || !buffers) return falls || other < one;
    return one > 0 && litmus_seen(logs, 1, one, pair, 0) >= round;
}

/* Returns the number of rounds with a forbidden outcome. Adds to *news the rounds that saw a new value. Reads the pairs
 * of a cache line together. */
static inline uint64_t litmus_judge(const struct litmus_logs *logs, uint64_t *news)
{
    enum { line = 8 };
    uint64_t forbidden = 0;
    for (uint32_t first = 0; first < logs->pairs; first += line) {
        const uint32_t count = logs->pairs - first < line ? logs->pairs - first : line;
        uint32_t last[line][2] = {{0}};
        for (uint32_t round = 1; round <= logs->rounds; round++)
            for (uint32_t i = 0; i < count; i++) {
                const uint32_t before = last[i][0];
                forbidden += litmus_is_forbidden(logs, round, first + i, last[i]);
                *news += last[i][0] > before;
            }
    }
    return forbidden;
}

#endif
