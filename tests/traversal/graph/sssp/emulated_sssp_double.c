/* SPDX-License-Identifier: MIT */
#define DISTANCES "../../../../kernels/operator/sssp_double.h"
#define OPERATOR "../../../../kernels/operator/sssp.cl"
#define EMULATED emulated_sssp_double
#include "emulated_rounds.h"
