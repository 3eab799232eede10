#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang accepts every shared program without a warning as OpenCL C 3.0 (as 2.0 with the group scan, which clang takes
for optional in 3.0), and NVRTC as CUDA C++; nvcc accepts the programs for CUDA alone. The output contains each kernel. A
missing compiler skips its tests."""
import ctypes
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
import parts  # noqa: E402  (where CUDA is)

ENTRY = re.compile(r'^kernel_entry (\w+)\(', re.M)
OUTPUT = re.compile(r'\.entry (\w+)\(')
# Options that the library adds to a program in OpenCL C, one case of many; in CUDA there is a kernel for each case.
WITH = {'madness': ['-DMADNESS_ORDER=6']}
CLANG = shutil.which('clang-14') or shutil.which('clang')
NVCC, INCLUDE, LIB = parts.cuda_toolkit() or (None, None, None)
NVRTC = os.path.join(LIB, 'libnvrtc.so') if LIB else ''


def nvrtc(name, text, options):
    """(success, log, PTX) of NVRTC, which is nvcc's compiler as a library."""
    library, program = ctypes.CDLL(NVRTC), ctypes.c_void_p()

    def output(kind):
        size = ctypes.c_size_t()
        getattr(library, f'nvrtcGet{kind}Size')(program, ctypes.byref(size))
        out = ctypes.create_string_buffer(size.value)
        getattr(library, f'nvrtcGet{kind}')(program, out)
        return out.value.decode()

    library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), name.encode(), 0, None, None)
    listed = (ctypes.c_char_p * len(options))(*map(str.encode, options))
    made = library.nvrtcCompileProgram(program, len(options), listed) == 0
    result = made, output('ProgramLog'), output('PTX') if made else ''
    library.nvrtcDestroyProgram(ctypes.byref(program))
    return result


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

    # CUDA programs are translated for the oldest devices, which have the fewest features, with little optimisation: the
    # build optimises.

    @unittest.skipUnless(NVCC, 'nvcc is missing')
    def test_cuda_programs(self):
        for path in kernels.cuda_programs(ROOT).values():
            ptx = self.folder / f'{path.stem}.ptx'
            self.compile([NVCC, f'-arch=compute_{kernels.known_architectures(NVCC)[0]}', *kernels.NVCC_FLAGS[1:],
                          '-Xcicc', '-O0', '-ptx', path, '-o', ptx])
            self.assertTrue(OUTPUT.findall(ptx.read_text()), path)

    @unittest.skipUnless(os.path.exists(NVRTC), 'NVRTC is missing')
    def test_cuda(self):
        # Without the precompiled header, <cuda/atomic> would take most of the time of each program.
        options = [f'-arch=compute_{kernels.known_architectures(NVCC)[0]}', '-std=c++17', f'-I{INCLUDE}', f'-I{INCLUDE}/cccl',
                   f'-DGWS_GROUP_SIZE={kernels.CUDA_GROUP_SIZE}', '--pch', '--pch-messages=false',
                   f'--pch-dir={self.folder}', '-diag-suppress=1866']  # a struct's alignment after its members
        fast = '--Ofast-compile=max'  # from CUDA 12.9 on
        options += [fast] if nvrtc('empty.cu', '', [fast])[0] else []
        for program, names in (kernels.SHARED | kernels.TESTS).items():
            path = self.folder / f'{program}.cu'
            path.write_text(kernels.join('cuda', names, ROOT))
            made, log, ptx = nvrtc(path.name, f'#include <cuda/atomic>\n#pragma nv_hdrstop\n#include "{path}"\n', options)
            self.assertEqual((made, log), (True, ''))
            for entry in ENTRY.findall(path.read_text()):
                self.assertIn(f'{entry}_1' if program in WITH else entry, OUTPUT.findall(ptx), program)


if __name__ == '__main__':
    unittest.main()
