#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernel that plans an octree's buckets (kernels/cuda/octree_plan.cuh), emulated by the threads of some blocks: the
shipped sources, with the three instructions of the barrier between blocks replaced."""
import re
import unittest

from emulated import EmulatedTest

ORDERED = 'std::atomic_ref<u64>(*all->arrived).fetch_add(1, std::memory_order_acq_rel);'
INSTRUCTIONS = {'ld': 'value = emulated_acquire(at);', 'red': ORDERED, 'atom': 'before = ' + ORDERED}
INSTRUCTION = re.compile(r'asm volatile\("(ld|red|atom)\.\w+\.gpu\.global[^;]*;"?[^;]*;')


class Plan(EmulatedTest):
    def setUp(self):
        super().setUp()
        self.copy_kernels(lambda text: INSTRUCTION.sub(lambda found: INSTRUCTIONS[found[1]], text))
        self.copy('tests/kernels/octree/plan.cpp')

    def test_plans(self):
        self.emulate('plan.cpp')

    def test_without_races(self):
        self.emulate_under_thread_sanitizer('plan.cpp')


if __name__ == '__main__':
    unittest.main()
