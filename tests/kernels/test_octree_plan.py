#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernel that plans an octree's buckets (kernels/cuda/octree_plan.cuh) where there is no NVIDIA device: threads play
blocks (tests/kernels/octree/), plainly and under ThreadSanitizer, with the shipped texts but for the three
instructions of the barrier between blocks. A compiler that is missing is skipped."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
CXX = os.environ.get('CXX') or shutil.which('g++')
FLAGS = ['-std=gnu++20', '-O1', '-g', '-pthread', '-w']
ORDERED = 'std::atomic_ref<u64>(*all->arrived).fetch_add(1, std::memory_order_acq_rel);'
INSTRUCTIONS = {'ld': 'value = played_acquire(at);', 'red': ORDERED, 'atom': 'before = ' + ORDERED}
INSTRUCTION = re.compile(r'asm volatile\("(ld|red|atom)\.\w+\.gpu\.global[^;]*;"?[^;]*;')


class Plan(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        for path in (ROOT / 'kernels/cuda').glob('*.cuh'):
            (self.folder / path.name).write_text(INSTRUCTION.sub(lambda found: INSTRUCTIONS[found[1]], path.read_text()))
        for path in (ROOT / 'tests/kernels/mesh/cuda.h', ROOT / 'tests/kernels/octree/plan.cpp'):
            shutil.copy(path, self.folder)

    def plan(self, *flags):
        program = self.folder / 'plan'
        done = subprocess.run([CXX, *FLAGS, *flags, self.folder / 'plan.cpp', '-o', program], check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode and ('<barrier>' in done.stdout or 'libtsan' in done.stdout):
            print(f'skipped: {CXX} has no barriers or no ThreadSanitizer')
            return
        self.assertEqual((done.returncode, done.stdout), (0, ''))
        done = subprocess.run([program], check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
        self.assertEqual((done.returncode, done.stdout), (0, ''))

    @unittest.skipUnless(CXX, 'g++ is missing')
    def test_plans(self):
        self.plan()

    @unittest.skipUnless(CXX, 'g++ is missing')
    def test_without_races(self):
        self.plan('-fsanitize=thread', '-DSOME')


if __name__ == '__main__':
    unittest.main()
