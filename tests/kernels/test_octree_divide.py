#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels that divide the buckets of an octree (kernels/cuda/octree_one_pass.cuh, octree_divide.cuh), played by the threads
of a block."""
import unittest

from played import PlayedTest


class Divide(PlayedTest):
    def setUp(self):
        super().setUp()
        self.take_kernels()
        for path in ('tests/kernels/mesh/cuda.h', 'tests/kernels/octree/divide.cpp'):
            self.take(path)

    def test_buckets(self):
        self.play('divide.cpp')

    def test_without_races(self):
        self.play_under_thread_sanitizer('divide.cpp')


if __name__ == '__main__':
    unittest.main()
