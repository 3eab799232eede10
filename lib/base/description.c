/* SPDX-License-Identifier: MIT */
#include "description.h"

#include <stdbool.h>

gws_status gws__description_fail(const struct gws__description *description, gws_status status, const char *expected,
                                 const char *what)
{
    uint64_t column = (uint64_t)(description->at - description->text) + 1;
    if (*description->at == 0)
        return gws_diagnostic_set(description->where, status, description->text, 1, column, "%s%s, found the end",
                                  expected, what);
    return gws_diagnostic_set(description->where, status, description->text, 1, column, "%s%s, found '%.20s'", expected,
                              what, description->at);
}

gws_status gws__description_number(struct gws__description *description, const char *what, uint64_t min, uint64_t max,
                                   uint64_t *value)
{
    const char *start = description->at;
    uint64_t sum = 0;
    bool over = false;
    for (; *description->at >= '0' && *description->at <= '9'; ++description->at) {
        uint64_t digit = (uint64_t)(*description->at - '0');
        over = over || sum > (max - digit) / 10 || digit > max;
        sum = over ? sum : sum * 10 + digit;
    }
    if (description->at == start) return gws__description_fail(description, GWS_SYNTAX, "expected ", what);
    if (over || sum < min) {
        description->at = start;
        return over ? gws__description_fail(description, GWS_TOO_LARGE, "too large for ", what)
                    : gws__description_fail(description, GWS_SYNTAX, "too small for ", what);
    }
    *value = sum;
    return GWS_OK;
}

gws_status gws__description_optional(struct gws__description *description, const char *what, uint64_t min, uint64_t max,
                                     uint64_t *value)
{
    if (*description->at != ':') return GWS_OK;
    ++description->at;
    return gws__description_number(description, what, min, max, value);
}

gws_status gws__description_end(const struct gws__description *description, const char *form)
{
    return *description->at == 0 ? GWS_OK : gws__description_fail(description, GWS_SYNTAX, "expected ", form);
}
