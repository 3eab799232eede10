/* SPDX-License-Identifier: MIT */
#define DISTANCES "../../../../kernels/operator/sssp_double.h"
#define OPERATOR "../../../../kernels/operator/sssp_parents.cl"
#define EMULATED emulated_sssp_double_parents
#include "emulated_rounds.h"
