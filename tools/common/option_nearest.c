/* SPDX-License-Identifier: MIT */
/* Finds the option that a misspelt name means: the optimal string alignment distance, which is the edit distance with
 * swaps of neighbours. */
#include <string.h>

#include "options.h"

enum { MAX_NAME = 31, FAR = 99 };

static int min(int a, int b)
{
    return a < b ? a : b;
}

/* Returns the distance of two names, of a and b characters. */
static int distance(const char *from, size_t a, const char *to, size_t b)
{
    int cost[MAX_NAME + 1][MAX_NAME + 1];
    if (a > MAX_NAME || b > MAX_NAME) return FAR;
    for (size_t i = 0; i <= a; i++) {
        for (size_t k = 0; k <= b; k++) {
            cost[i][k] = i && k ? cost[i - 1][k - 1] + (from[i - 1] != to[k - 1]) : (int)(i + k);
            if (i && k) cost[i][k] = min(cost[i][k], 1 + min(cost[i - 1][k], cost[i][k - 1]));
            if (i > 1 && k > 1 && from[i - 1] == to[k - 2] && from[i - 2] == to[k - 1])
                cost[i][k] = min(cost[i][k], cost[i - 2][k - 2] + 1);
        }
    }
    return cost[a][b];
}

/* The nearest of the candidates so far. NULL: none is near, or two are equally near. */
struct nearest_name {
    const char *name;
    int distance;
};

/* candidate NULL: an option with only a letter. */
static void consider(struct nearest_name *best, const char *name, size_t length, const char *candidate)
{
    if (!candidate) return;
    const int far = distance(name, length, candidate, strlen(candidate));
    if (far < best->distance)
        *best = (struct nearest_name){candidate, far};
    else if (far == best->distance && best->name && strcmp(best->name, candidate) != 0)
        best->name = NULL;
}

const char *options_nearest(const struct command_line *line, const char *name, size_t length)
{
    struct nearest_name best = {NULL, length > 5 ? 3 : 2};
    consider(&best, name, length, "help");
    consider(&best, name, length, "version");
    for (uint32_t i = 0; i < line->groups; i++)
        for (uint32_t k = 0; k < line->group[i].rows; k++) consider(&best, name, length, line->group[i].row[k].name);
    return best.name;
}
