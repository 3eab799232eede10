#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels that divide the buckets of an octree (kernels/cuda/octree_settle.cuh, octree_divide.cuh) where there is no
NVIDIA device: threads play a block (tests/kernels/octree/, by the words of tests/kernels/mesh/cuda.h), plainly and under
ThreadSanitizer. A compiler that is missing is skipped."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
CXX = os.environ.get('CXX') or shutil.which('g++')
FLAGS = ['-std=gnu++20', '-O1', '-g', '-pthread', '-w']


@unittest.skipUnless(CXX, 'g++ is missing')
class Divide(unittest.TestCase):
    def divide(self, *flags):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / 'divide'
            done = subprocess.run([CXX, *FLAGS, *flags, f'-I{ROOT}/tests/kernels/mesh', f'-I{ROOT}/kernels/cuda',
                                   ROOT / 'tests/kernels/octree/divide.cpp', '-o', program], check=False, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode and ('<barrier>' in done.stdout or 'libtsan' in done.stdout):
                print(f'skipped: {CXX} has no barriers or no ThreadSanitizer')
                return
            self.assertEqual((done.returncode, done.stdout), (0, ''))
            done = subprocess.run([program], check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=200)
            self.assertEqual((done.returncode, done.stdout), (0, ''))

    def test_buckets(self):
        self.divide()

    def test_without_races(self):
        self.divide('-fsanitize=thread', '-DSOME')


if __name__ == '__main__':
    unittest.main()
