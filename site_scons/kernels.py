# SPDX-License-Identifier: MIT
"""Embeds the kernels in the library: reads the sources of each program (kernels/programs), and writes a C source with
all programs. It needs no SCons and also runs alone:

    python3 site_scons/kernels.py OUT.c [NAME=FATBIN ...]          the library's programs
    python3 site_scons/kernels.py --tests OUT.c [NAME=FATBIN ...]  the programs of the tests"""
import functools
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path('kernels')
TABLE = FOLDER / 'programs'
TESTS_TABLE = Path('tests/kernels/programs')


def read_programs(path):
    """{program: its sources, relative to kernels/ and without a portability header}: an unindented line "NAME:" begins a
    program, and the indented lines below it list its sources."""
    programs = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        tokens = line.partition('#')[0].split()
        if not tokens:
            continue
        if line[0] != ' ':
            name = tokens[0].removesuffix(':')
            if len(tokens) != 1 or name == tokens[0] or name in programs:
                sys.exit(f'{path}:{number}: not "NAME:" with a new name')
            programs[name] = ()
        elif not programs:
            sys.exit(f'{path}:{number}: sources before the first name')
        else:
            programs[name] += tuple(tokens)
    return programs


SHARED = read_programs(ROOT / TABLE)
TESTS = read_programs(ROOT / TESTS_TABLE)

# The largest number of items in a group for which the shared programs are compiled for CUDA.
CUDA_GROUP_SIZE = 1024

# nvcc's options, without the program and the architectures. <cuda/atomic> leaves out headers of small floating-point types,
# which no kernel uses: they take a third of a second for each program and architecture.
NVCC_FLAGS = ['-fatbin', '-std=c++17', '-O3', '-Werror', 'all-warnings', f'-DGWS_GROUP_SIZE={CUDA_GROUP_SIZE}',
              '-DCCCL_DISABLE_FP16_SUPPORT', '-DCCCL_DISABLE_BF16_SUPPORT']


def cuda_programs(root=Path('.')):
    """The programs for CUDA alone: {name: path}."""
    return {path.stem: path for path in sorted((root / FOLDER / 'cuda').glob('*.cu'))}


def included(path):
    """The files that a program for CUDA alone includes, directly or not, relative to the root."""
    found, todo = set(), [path]
    while todo:
        source = todo.pop()
        for name in re.findall(r'^#include "(.*)"', source.read_text(), re.MULTILINE):
            part = Path(os.path.normpath(source.parent / name))
            if part not in found:
                found.add(part)
                todo.append(part)
    return sorted(found)


def source_files(programs):
    """The sources of shared programs, relative to the folder, without portability headers."""
    return sorted({name for parts in programs.values() for name in parts})


def join(language, parts, root=Path('.')):
    """A shared program as one source."""
    return '\n'.join((root / FOLDER / name).read_text() for name in (f'portability/{language}.h', *parts))


OLDEST = 70  # compute capability times ten, as in lib/device/cuda/describe.c


@functools.cache
def known_architectures(nvcc):
    """The architectures that both nvcc and the kernels support, in ascending order: ["80", "90", ...]."""
    listed = subprocess.run([nvcc, '--list-gpu-arch'], text=True, check=True, stdout=subprocess.PIPE).stdout
    numbers = {int(number) for number in re.findall(r'compute_(\d+)', listed)}
    return [str(number) for number in sorted(numbers) if number >= OLDEST]


@functools.cache
def devices():
    """The architectures of this machine's NVIDIA devices, ascending, such as ["80", "90"]; none without a driver."""
    try:
        listed = subprocess.run(['nvidia-smi', '--query-gpu=compute_cap', '--format=csv,noheader'], text=True, check=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    numbers = {10 * int(major) + int(minor) for major, minor in re.findall(r'^(\d+)\.(\d)$', listed, re.M)}
    return [str(number) for number in sorted(numbers) if number >= OLDEST]


def native(found, known):
    """The architectures to compile for these devices; for one that is newer than nvcc, the newest that nvcc knows."""
    return sorted({max((arch for arch in known if int(arch) <= int(device)), key=int, default=known[0]) for device in found},
                  key=int)


def architectures(wanted, nvcc):
    """nvcc's options for "all", "native" (the devices of this machine) or a list such as "sm_80,sm_90"; the last
    architecture is also embedded as PTX, for later devices."""
    known = known_architectures(nvcc) if wanted in ('all', 'native') else []
    *first, last = (known if wanted == 'all' else native(devices(), known) if wanted == 'native'
                    else wanted.replace('sm_', '').split(','))
    return [word for arch in first for word in ('-gencode', f'arch=compute_{arch},code=sm_{arch}')] + [
        '-gencode', f'arch=compute_{last},code=[sm_{last},compute_{last}]']


def c_bytes(data):
    """A C initialiser of numbers; a string could exceed the length that C guarantees."""
    rows = [','.join(map(str, data[at:at + 32])) for at in range(0, len(data), 32)]
    return '{' + ',\n'.join(rows) + '}'


def c_fatbin(name, path):
    """The file at path as an array. The assembler includes it, because compilers take seconds for a megabyte. The hash
    changes the source whenever the file changes."""
    symbol = f'gws__fatbin_{name}'
    lines = ('.section .rodata', '.balign 64', f'.globl {symbol}', f'.hidden {symbol}', f'{symbol}:',
             f'.incbin \\"{path}\\"', '.previous')
    return (f'/* {hashlib.sha256(path.read_bytes()).hexdigest()} */\n__asm__("' + '\\n'.join(lines) + '");\n'
            f'extern const unsigned char {symbol}[];\n')


def identifier(name):
    return 'k_' + ''.join(c if c.isalnum() else '_' for c in name)


def program_row(name, parts, fatbins):
    sources = f'sources_of_{identifier(name)}, {len(parts)}' if parts else '0, 0'
    fatbin = f'gws__fatbin_{identifier(name)}, {Path(fatbins[name]).stat().st_size}' if name in fatbins else '0, 0'
    return f'    {{"{name}", {sources}, {fatbin}}},\n'


def c_source(table, shared, cuda_only, fatbins, root=Path('.')):
    """The C source of a table of struct gws__kernel_program (kernels/kernels.h): the shared programs, and the names of
    the programs for CUDA alone. fatbins: {program: path}, empty without CUDA."""
    out = ['/* Generated by site_scons/kernels.py. */\n', f'#include "{(root / FOLDER / "kernels.h").resolve()}"\n',
           f'_Static_assert(gws__kernel_cuda_group_size == {CUDA_GROUP_SIZE}, "the group size of the fatbins");\n']
    for name in ('portability/opencl.h', *source_files(shared)):
        data = (root / FOLDER / name).read_bytes() + bytes(1)
        out.append(f'static const char {identifier(name)}[] = {c_bytes(data)};\n')
    for name, path in fatbins.items():
        out.append(c_fatbin(identifier(name), Path(path).resolve()))
    for name, parts in shared.items():
        listed = ', '.join(identifier(part) for part in ('portability/opencl.h', *parts))
        out.append(f'static const char *const sources_of_{identifier(name)}[] = {{{listed}}};\n')
    rows = [program_row(name, ('portability/opencl.h', *parts), fatbins) for name, parts in shared.items()]
    rows += [program_row(name, (), fatbins) for name in cuda_only]
    return ''.join(out) + f'const struct gws__kernel_program {table}[] = {{\n{"".join(rows)}    {{0, 0, 0, 0, 0}},\n}};\n'


def library_source(fatbins, root=Path('.')):
    return c_source('gws__kernel_programs', SHARED, cuda_programs(root), fatbins, root)


def tests_source(fatbins, root=Path('.')):
    return c_source('gws__test_programs', TESTS, (), fatbins, root)


if __name__ == '__main__':
    arguments = sys.argv[1:]
    source = tests_source if arguments[0] == '--tests' else library_source
    out, *listed = arguments[1:] if arguments[0] == '--tests' else arguments
    Path(out).write_text(source(dict(pair.split('=', 1) for pair in listed)))
