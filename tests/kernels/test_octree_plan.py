#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernel that plans an octree's buckets (kernels/cuda/octree_plan.cuh), played by the threads of some blocks: the
shipped texts but for the three instructions of the barrier between blocks."""
import re
import unittest

from played import PlayedTest

ORDERED = 'std::atomic_ref<u64>(*all->arrived).fetch_add(1, std::memory_order_acq_rel);'
INSTRUCTIONS = {'ld': 'value = emulated_acquire(at);', 'red': ORDERED, 'atom': 'before = ' + ORDERED}
INSTRUCTION = re.compile(r'asm volatile\("(ld|red|atom)\.\w+\.gpu\.global[^;]*;"?[^;]*;')


class Plan(PlayedTest):
    def setUp(self):
        super().setUp()
        self.take_kernels(lambda text: INSTRUCTION.sub(lambda found: INSTRUCTIONS[found[1]], text))
        for path in ('tests/kernels/mesh/cuda.h', 'tests/kernels/octree/plan.cpp'):
            self.take(path)

    def test_plans(self):
        self.play('plan.cpp')

    def test_without_races(self):
        self.play_under_thread_sanitizer('plan.cpp')


if __name__ == '__main__':
    unittest.main()
