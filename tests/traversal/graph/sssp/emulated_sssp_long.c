/* SPDX-License-Identifier: MIT */
#define DISTANCES "../../../../kernels/operator/sssp_long.h"
#define OPERATOR "../../../../kernels/operator/sssp.cl"
#define EMULATED emulated_sssp_long
#include "emulated_rounds.h"
