#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang accepts every program without a warning as OpenCL C 3.0 (as 2.0 with the group scan, which clang takes for
optional in 3.0), and nvcc as CUDA C++; nvcc's output contains each kernel. A missing compiler skips its tests."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(ROOT / 'site_scons'))
import kernels  # noqa: E402  (the build's list of programs)

ENTRY = re.compile(r'^kernel_entry (\w+)\(', re.M)
# Options that the library adds to a program in OpenCL C, one case of many; in CUDA there is a kernel for each case.
WITH = {'madness': ['-DMADNESS_ORDER=6']}
CLANG = shutil.which('clang-14') or shutil.which('clang')
NVCC = shutil.which('nvcc') or shutil.which('nvcc', path='/usr/local/cuda/bin')


class Dialects(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def compile(self, command):
        done = subprocess.run(command, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual((done.returncode, done.stdout), (0, ''), ' '.join(map(str, command)))

    @unittest.skipUnless(CLANG, 'clang is missing')
    def test_opencl(self):
        for program, parts in (kernels.SHARED | kernels.TESTS).items():
            path = self.folder / f'{program}.cl'
            path.write_text(kernels.join('opencl', parts, ROOT))
            for more in (['-cl-std=CL3.0'], ['-cl-std=CL2.0', '-DGWS_WITH_GROUP_SCAN']):
                self.compile([CLANG, '-x', 'cl', '-Xclang', '-finclude-default-header', '-Wall', '-Wextra', '-Werror',
                              '-DGWS_GROUP_SIZE=64', *WITH.get(program, []), *more, '-fsyntax-only', path])

    def translate(self, path):
        """Translates for the oldest devices, which have the fewest features, without optimisation (the build optimises);
        returns the names of the kernels."""
        ptx = self.folder / f'{path.stem}.ptx'
        oldest = '-arch=compute_' + kernels.known_architectures(NVCC)[0]
        self.compile([NVCC, oldest, *kernels.NVCC_FLAGS[1:], '-Xcicc', '-O0', '-ptx', path, '-o', ptx])
        return set(re.findall(r'\.entry (\w+)\(', ptx.read_text()))

    @unittest.skipUnless(NVCC, 'nvcc is missing')
    def test_cuda_programs(self):
        for path in kernels.cuda_programs(ROOT).values():
            self.assertTrue(self.translate(path), path)

    @unittest.skipUnless(NVCC, 'nvcc is missing')
    def test_cuda(self):
        for program, parts in (kernels.SHARED | kernels.TESTS).items():
            path = self.folder / f'{program}.cu'
            path.write_text(kernels.join('cuda', parts, ROOT))
            made = self.translate(path)
            for entry in ENTRY.findall(path.read_text()):
                self.assertIn(f'{entry}_1' if program in WITH else entry, made, program)


if __name__ == '__main__':
    unittest.main()
