# SPDX-License-Identifier: MIT
"""The kernels as the library carries them: which texts make a program, in which order, and the C source that holds all of
them. Knows nothing of SCons, so that it also runs where there is none:

    python3 site_scons/kernels.py OUT.c [NAME=FATBIN ...]          the library's programs
    python3 site_scons/kernels.py --tests OUT.c [NAME=FATBIN ...]  those of the tests"""
import hashlib
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path('kernels')
CONTAINERS = ('static', 'cursor', 'chunked', 'abp')

# The shared programs: name: the texts that follow the dialect.
SHARED = {f'bfs_{container}': ('queue/queue_words.h', f'queue/queue_{container}.cl', 'queue/take.cl', 'queue/group_push.cl', 'engine/direction.h', 'bfs/bfs.cl', 'bfs/bfs_level.cl', 'bfs/bfs_alone.cl', 'hetero/flags.cl', 'bfs/bfs_shared.cl') for container in CONTAINERS}


def engine(operator, *parts):
    """Parts of the engine with an operator inlined."""
    return ('hetero/handoff_words.h', 'operator/operator.h', 'engine/direction.h', 'engine/grid.cl', 'engine/state.cl', f'operator/{operator}.cl',
            *(f'engine/{part}.cl' for part in parts))


def rounds(operator, *parts):
    """The engine for an operator that re-enters."""
    return engine(operator, 'push', 'vertex', 'rounds', *parts)


RUN = ('push', 'pull', 'serial', 'run')
SHARED['engine_bfs'] = engine('bfs', *RUN, 'run_many')
SHARED['engine_bfs_handoff'] = engine('bfs', *RUN, 'run_handoff')
SHARED['engine_label_propagation'] = rounds('label_propagation')
SHARED['engine_label_propagation_hybrid'] = rounds('label_propagation', 'rounds_handoff')
SHARED['engine_sssp'] = rounds('sssp')
SHARED['device_graph'] = ('engine/grid.cl', 'engine/narrow.cl', 'engine/index.cl')
SHARED['madness'] = ('madness/madness_words.h', 'madness/madness_state.cl', 'madness/madness_values.cl', 'madness/madness_filter.cl', 'madness/madness_divide.cl', 'madness/madness.cl')
PROTOCOL = ('hetero/protocol_words.h', 'hetero/range.cl')
SHARED['bfs_host_resident'] = (*PROTOCOL, 'bfs/host_resident_words.h', 'engine/split_rows.h', 'engine/split_rows.cl', 'bfs/host_resident.cl')
OCTREE = ('octree/octree_words.h', 'octree/octree_words.cl', 'octree/octree_tasks.cl', 'octree/octree.cl')
SHARED |= {f'octree_{container}': ('queue/deque_words.h', f'queue/deque_{container}.cl', 'octree/rank.cl', *OCTREE, f'octree/octree_{kernels}.cl')
           for container, kernels in (('abp', 'steal'), ('chunked', 'steal'), ('static', 'static'))}

# Those of the tests.
TESTS = {'test_device': ('../tests/lib/device/kernels.cl', '../tests/lib/device/words.cl'),
         'test_protocol': (*PROTOCOL, 'hetero/ring.cl', '../tests/kernels/protocol_litmus.cl')}

# What a shared program is built with for CUDA: items in a group, at most.
CUDA_GROUP_SIZE = 1024

# nvcc, but for the program and the architectures.
NVCC_FLAGS = ['-fatbin', '-std=c++17', '-O3', '-Werror', 'all-warnings', f'-DGWS_GROUP_SIZE={CUDA_GROUP_SIZE}']


def tuned(root=Path('.')):
    """The programs that are for CUDA alone: {name: path}."""
    return {path.stem: path for path in sorted((root / FOLDER / 'cuda').glob('*.cu'))}


def names(programs):
    """The texts that some shared programs are made of, relative to the folder, without a dialect."""
    return sorted({name for parts in programs.values() for name in parts})


def text_of(dialect, parts, root=Path('.')):
    """A shared program as one text."""
    return '\n'.join((root / FOLDER / name).read_text() for name in (f'portability/{dialect}.h', *parts))


OLDEST = 70  # compute capability times ten, as in lib/device/cuda/describe.c


def known_architectures(nvcc):
    """What nvcc knows of those that the kernels are for, the oldest first: ["80", "90", ...]."""
    said = subprocess.run([nvcc, '--list-gpu-arch'], text=True, check=True, stdout=subprocess.PIPE).stdout
    numbers = {int(number) for number in re.findall(r'compute_(\d+)', said)}
    return [str(number) for number in sorted(numbers) if number >= OLDEST]


def architectures(wanted, nvcc):
    """nvcc's words for "all" or a list such as "sm_80,sm_90"; the last one comes as PTX, too, for what is still to come."""
    *first, last = known_architectures(nvcc) if wanted == 'all' else wanted.replace('sm_', '').split(',')
    return [word for arch in first for word in ('-gencode', f'arch=compute_{arch},code=sm_{arch}')] + [
        '-gencode', f'arch=compute_{last},code=[sm_{last},compute_{last}]']


def c_bytes(data):
    """A C initialiser; strings would be longer than C has to allow."""
    rows = [','.join(map(str, data[at:at + 32])) for at in range(0, len(data), 32)]
    return '{' + ',\n'.join(rows) + '}'


def c_image(name, path):
    """The file at path as an array; by the assembler, as compilers take seconds for a megabyte. The hash is there for the
    text to change whenever the file does."""
    symbol = f'gws__image_{name}'
    lines = ('.section .rodata', '.balign 64', f'.globl {symbol}', f'.hidden {symbol}', f'{symbol}:',
             f'.incbin \\"{path}\\"', '.previous')
    return (f'/* {hashlib.sha256(path.read_bytes()).hexdigest()} */\n__asm__("' + '\\n'.join(lines) + '");\n'
            f'extern const unsigned char {symbol}[];\n')


def identifier(name):
    return 'k_' + ''.join(c if c.isalnum() else '_' for c in name)


def program_row(name, parts, images):
    pieces = f'text_of_{identifier(name)}, {len(parts)}' if parts else '0, 0'
    image = f'gws__image_{identifier(name)}, {Path(images[name]).stat().st_size}' if name in images else '0, 0'
    return f'    {{"{name}", {pieces}, {image}}},\n'


def c_source(table, shared, alone, images, root=Path('.')):
    """The C source of a table of struct gws__kernel_program (kernels/kernels.h): the programs shared, and the names of
    those that are CUDA's alone. images: {program: path of its fatbin}, empty without CUDA."""
    out = ['/* Generated by site_scons/kernels.py. */\n', f'#include "{(root / FOLDER / "kernels.h").resolve()}"\n',
           f'_Static_assert(gws__kernel_cuda_group_size == {CUDA_GROUP_SIZE}, "as the images are built");\n']
    for name in ('portability/opencl.h', *names(shared)):
        text = (root / FOLDER / name).read_bytes() + bytes(1)
        out.append(f'static const char {identifier(name)}[] = {c_bytes(text)};\n')
    for name, path in images.items():
        out.append(c_image(identifier(name), Path(path).resolve()))
    for name, parts in shared.items():
        listed = ', '.join(identifier(part) for part in ('portability/opencl.h', *parts))
        out.append(f'static const char *const text_of_{identifier(name)}[] = {{{listed}}};\n')
    rows = [program_row(name, ('portability/opencl.h', *parts), images) for name, parts in shared.items()]
    rows += [program_row(name, (), images) for name in alone]
    return ''.join(out) + f'const struct gws__kernel_program {table}[] = {{\n{"".join(rows)}    {{0, 0, 0, 0, 0}},\n}};\n'


def library_source(images, root=Path('.')):
    return c_source('gws__kernel_programs', SHARED, tuned(root), images, root)


def tests_source(images, root=Path('.')):
    return c_source('gws__test_programs', TESTS, (), images, root)


if __name__ == '__main__':
    words = sys.argv[1:]
    source = tests_source if words[0] == '--tests' else library_source
    out, *listed = words[1:] if words[0] == '--tests' else words
    Path(out).write_text(source(dict(word.split('=', 1) for word in listed)))
