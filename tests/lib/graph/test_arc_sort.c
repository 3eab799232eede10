/* SPDX-License-Identifier: MIT */
/* Compares the sort of a bucket's arcs with qsort(). The tests cover short and long rows, ties, arcs with and without
 * weights, and scratch that is large enough or too small. */
#include "../../harness.h"

#include "../../../lib/graph/build.h"
#include "../../../lib/random.h"

enum { max = 20000 };

struct plain {
    uint32_t low, target;
    int32_t weight;
};

static int compare(const void *left, const void *right)
{
    const struct plain *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->target != b->target) return a->target < b->target ? -1 : 1;
    return (a->weight > b->weight) - (a->weight < b->weight);
}

static const struct {
    uint64_t count;
    uint32_t low_bits, target_bits;
    uint64_t hub; /* number of arcs in one row */
    uint64_t capacity;
} cases[] = {
    {0, 0, 1, 0, 512},          {1, 3, 3, 0, 512},         {600, 0, 32, 0, 512},       {600, 0, 20, 0, 600},
    {511, 8, 22, 0, 4096},      {512, 8, 22, 0, 4096},     {5000, 12, 22, 0, 5000},    {5000, 12, 22, 24, 5000},
    {5000, 12, 22, 25, 5000},   {5000, 12, 22, 600, 5000}, {5000, 12, 1, 0, 5000},     {5000, 12, 32, 0, 4999},
    {20000, 15, 32, 0, 20000},  {5000, 16, 22, 0, 5000},   {20000, 16, 22, 0, 20000},  {20000, 2, 32, 0, 20000},
    {20000, 10, 1, 0, 20000},   {20000, 16, 3, 0, 40000},  {20000, 15, 32, 24, 16384}, {20000, 14, 32, 5000, 600},
    {20000, 16, 32, 20, 32767}, {9, 16, 32, 0, 512},       {600, 9, 1, 0, 256},        {600, 9, 1, 0, 257},
};

static void check(int i, bool weighted)
{
    static uint16_t low[max];
    static uint32_t target[max];
    static int32_t weight[max];
    static struct plain plain[max];
    uint64_t count = cases[i].count, capacity = cases[i].capacity;
    uint64_t random = (uint64_t)i;
    for (uint64_t k = 0; k < count; k++) {
        plain[k].low =
            k < cases[i].hub ? 0 : gws_random_below(gws_random_next(&random), UINT32_C(1) << cases[i].low_bits);
        plain[k].target = (uint32_t)(gws_random_next(&random) >> (64 - cases[i].target_bits));
        plain[k].weight = weighted ? (int32_t)gws_random_below(gws_random_next(&random), 5) - 2 : 0;
    }
    for (uint64_t k = 0; k < count; k++) {
        low[k] = (uint16_t)plain[k].low;
        target[k] = plain[k].target;
        weight[k] = plain[k].weight;
    }
    struct gws__arc_scratch scratch = {.capacity = capacity};
    for (int side = 0; side < 2; side++) {
        scratch.key[side] = malloc(capacity * sizeof *scratch.key[side]);
        scratch.weight[side] = weighted ? malloc(capacity * sizeof *scratch.weight[side]) : NULL;
    }
    struct gws__arcs arcs = {low, target, weighted ? weight : NULL, count, cases[i].low_bits, cases[i].target_bits};
    gws__arcs_sort(&arcs, &scratch);
    if (count > 0) qsort(plain, count, sizeof *plain, compare);
    for (uint64_t k = 0; k < count; k++) {
        if (low[k] != plain[k].low || target[k] != plain[k].target || (weighted && weight[k] != plain[k].weight))
            ck_abort_msg("case %d, arc %d", i, (int)k);
    }
    for (int side = 0; side < 2; side++) free(scratch.key[side]), free(scratch.weight[side]);
}

START_TEST(test_sort)
{
    check(_i, false);
    check(_i, true);
}
END_TEST

int main(void)
{
    const struct gws_test test[] = {{test_sort, sizeof cases / sizeof *cases}, {0}};
    return gws_test_run("arc_sort", test);
}
