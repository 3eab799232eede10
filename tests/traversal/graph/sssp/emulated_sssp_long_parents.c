/* SPDX-License-Identifier: MIT */
#define DISTANCES "../../../../kernels/operator/sssp_long.h"
#define OPERATOR "../../../../kernels/operator/sssp_parents.cl"
#define EMULATED emulated_sssp_long_parents
#include "emulated_rounds.h"
