#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels are accepted, without a warning, by clang as OpenCL C 3.0 (as 2.0 with the group scan, which clang takes to
be optional in 3.0) and by nvcc as CUDA C++, with every container; with nvcc each kernel is in what comes out. A
compiler that is missing is skipped."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

KERNELS = Path(os.environ.get('GRAPHWS_SOURCE', Path(__file__).resolve().parents[2])) / 'kernels'
ENTRIES = ('bfs_fill', 'bfs_top_down', 'bfs_bottom_up')


def text(dialect, container):
    names = (f'dialect_{dialect}.h', 'queue_words.h', f'queue_{container}.cl', 'push.cl', 'bfs.cl')
    return '\n'.join((KERNELS / name).read_text() for name in names)


def run(command):
    done = subprocess.run(command, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode or done.stdout:
        sys.exit(f'{" ".join(command)}\n{done.stdout}')


def check_opencl(clang, path, container):
    path.write_text(text('opencl', container))
    for more in (['-cl-std=CL3.0'], ['-cl-std=CL2.0', '-DGWS_WITH_GROUP_SCAN']):
        run([clang, '-x', 'cl', '-Xclang', '-finclude-default-header', '-Wall', '-Wextra', '-Werror',
             '-DGWS_GROUP_SIZE=64', *more, '-fsyntax-only', str(path)])


def check_cuda(nvcc, path, container):
    path.write_text(text('cuda', container))
    ptx = path.with_suffix('.ptx')
    run([nvcc, '-arch=sm_80', '-std=c++17', '-DGWS_GROUP_SIZE=256', '-ptx', str(path), '-o', str(ptx)])
    for entry in ENTRIES:
        if f'.entry {entry}(' not in ptx.read_text():
            sys.exit(f'{container}: nvcc made no kernel {entry}')


def main():
    clang = shutil.which('clang-14') or shutil.which('clang')
    nvcc = shutil.which('nvcc') or shutil.which('nvcc', path='/usr/local/cuda/bin')
    with tempfile.TemporaryDirectory() as folder:
        for tool, name, check, suffix in ((clang, 'clang', check_opencl, 'cl'), (nvcc, 'nvcc', check_cuda, 'cu')):
            if tool is None:
                print(f'skipped: {name} is missing, so its dialect is not compiled')
                continue
            for container in ('static', 'cursor', 'chunked', 'abp'):
                check(tool, Path(folder) / f'kernels.{suffix}', container)


if __name__ == '__main__':
    main()
