/* SPDX-License-Identifier: MIT */
#define DISTANCES "../../../../kernels/operator/sssp_word.h"
#define OPERATOR "../../../../kernels/operator/sssp.cl"
#define EMULATED emulated_sssp_word
#include "emulated_rounds.h"
