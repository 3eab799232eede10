/* SPDX-License-Identifier: MIT */
#ifndef GWS_TRAVERSAL_COMPONENTS_RESULT_H
#define GWS_TRAVERSAL_COMPONENTS_RESULT_H

#include "../../components.h"

/* Makes the array large enough; releases the old array if it is too small. GWS_NO_MEMORY leaves the result
 * unchanged. */
gws_status gws__components_reserve(struct gws_runtime *runtime, uint64_t vertices,
                                   struct gws_components_result *result);

#endif
