# SPDX-License-Identifier: MIT
"""The requirements of the build, and the optional parts, whose tools a machine may lack."""
import os
import shutil
import subprocess
import sys

import kernels


def pkg_config_has(module):
    """True if pkg-config is installed and knows the module."""
    return shutil.which('pkg-config') is not None and subprocess.run(
        ['pkg-config', '--exists', module], check=False).returncode == 0


def pkg_config(*arguments):
    """The output of pkg-config, divided at blanks."""
    return subprocess.run(['pkg-config', *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def has_program(name, *folders):
    path = os.pathsep.join([os.environ.get('PATH', '')] + [folder for folder in folders if folder])
    return shutil.which(name, path=path) is not None


def cuda_toolkit():
    """(nvcc, the folder of its headers, the folder of its libraries), or None."""
    folders = [os.environ.get('PATH', ''), os.environ.get('CUDA_HOME', '/usr/local/cuda') + '/bin', '/usr/local/cuda/bin']
    nvcc = shutil.which('nvcc', path=os.pathsep.join(folders))
    if nvcc is None:
        return None
    root = os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))
    lib = next((path for path in (root + '/lib64', root + '/lib/x86_64-linux-gnu', root + '/lib/aarch64-linux-gnu')
                if os.path.exists(path + '/libcudart_static.a')), root + '/lib')
    return nvcc, root + '/include', lib


def compiles_cxx():
    """True if gcc, the compiler that nvcc calls, compiles C++."""
    return has_program('gcc') and subprocess.run(
        ['gcc', '-fsyntax-only', '-xc++', '-'], input='#include <cstdint>', text=True, check=False,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def cuda_works(env):
    """True if CUDA programs can be built: nvcc has a C++ compiler, and its runtime can load fatbins."""
    toolkit = cuda_toolkit()
    if toolkit is None or not compiles_cxx():
        return False
    _, include, lib = toolkit
    return links(env, CUDA, '-isystem', include, '-L' + lib, *('-l' + name for name in CUDA_LIBS))


def links(env, program, *libraries, compiler=None):
    """True if the compiler builds a program from this text with these libraries."""
    command = [*(compiler or env['CC']).split(), *env['CFLAGS'], '-xc', '-', '-o', os.devnull, *env['LINKFLAGS'], *libraries]
    return subprocess.run(command, input=program, text=True, check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def links_statically(env, name):
    """True if a program that uses this part can be wholly static: its library, and those that it needs, have archives."""
    program, *libraries = STATIC[name]
    command = [*env['CC'].split(), '-static', '-xc', '-', '-o', os.devnull, *libraries]
    return subprocess.run(command, input=program, text=True, check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def without_archives(env, chosen):
    """The parts that libgraphws.a leaves out, so that a program that links it can be wholly static."""
    return [name for name in STATIC if chosen[name][0] and not env['san'] and not links_statically(env, name)]


def mpi_works(env):
    """True if MPI's compiler builds a program of MPI-3."""
    return has_program(env['MPICC'].split()[0]) and links(env, MPI, compiler=env['MPICC'])


def archive(env, name):
    """The path of a library's static archive, or None."""
    path = subprocess.run([*env['CC'].split(), f'-print-file-name=lib{name}.a'], check=False, stdout=subprocess.PIPE,
                          text=True).stdout.strip()
    return path if os.path.isabs(path) else None


def relacy_missing(compiler):
    """The missing requirement of tests that use the model checker Relacy, or None."""
    if not has_program(compiler):
        return f'{compiler} is missing (on Debian and Ubuntu: g++)'
    found = subprocess.run([compiler, '-E', '-xc++', '-'], input='#include <relacy/relacy.hpp>', text=True, check=False,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    return None if found else 'Relacy is missing (on Debian and Ubuntu: relacy-dev)'


ISAL = """#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
static struct inflate_state state;
int main(void) { isal_inflate_init(&state); return isal_inflate(&state) + (int)crc32_gzip_refl(0, 0, 0); }
"""

HWLOC = """#include <hwloc.h>
int main(void) { hwloc_topology_t machine; return hwloc_topology_init(&machine) + hwloc_topology_load(machine); }
"""

OPENCL = """#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
int main(void) { cl_uint platforms; return clGetPlatformIDs(0, NULL, &platforms); }
"""

MPI = """#include <mpi.h>
int main(void) { MPI_Request barrier; return MPI_Init(NULL, NULL) + MPI_Ibarrier(MPI_COMM_WORLD, &barrier); }
"""

CUDA = """#include <cuda_runtime_api.h>
int main(void) { const char *name; size_t at, bytes; cudaLibrary_t library; void *entry; unsigned long long flags = 0;
    return cudaLibraryLoadData(&library, NULL, NULL, NULL, 0, NULL, NULL, 0) + cudaFuncGetName(&name, NULL)
        + cudaFuncGetParamInfo(NULL, 0, &at, &bytes) + cudaGetDriverEntryPointByVersion("", &entry, 12000, flags, NULL); }
"""
CUDA_LIBS = ('cudart_static', 'dl', 'rt')  # the last two for glibc before 2.34

# The parts whose libraries a static program needs; the others are loaded at run time or contained in graphws.
STATIC = {'isal': (ISAL, '-lisal'), 'hwloc': (HWLOC, '-lhwloc'), 'opencl': (OPENCL, '-lOpenCL')}
# Their sources, and the source that replaces them in a build without the part.
SOURCES = {'isal': ('io/input/inflate_backends.c', 'io/input/inflate_backends.c'),
           'hwloc': ('lib/pool/topology.c', 'lib/pool/topology.c'),
           'opencl': ('lib/device/opencl/*.c', 'lib/device/none/opencl.c')}

# name: (its benefit, a function that finds its toolkit, the toolkit's name and Debian package)
PARTS = {
    'isal': ('.gz files read twice as fast', lambda env: links(env, ISAL, '-lisal'), 'ISA-L (libisal-dev)'),
    'hwloc': ('victims in topology order, nearest cache first', lambda env: links(env, HWLOC, '-lhwloc'),
              'hwloc (libhwloc-dev)'),
    'opencl': ('OpenCL devices', lambda env: links(env, OPENCL, '-lOpenCL'), 'OpenCL (ocl-icd-opencl-dev)'),
    'cuda': ('NVIDIA devices', cuda_works, 'CUDA 12.8 or later (nvcc, cudart_static, g++)'),
    'mpi': ('ranks: several processes and machines', mpi_works, 'MPI (libopenmpi-dev or libmpich-dev)'),
    'hdf5': ("snapshots of Gadget and AREPO, in HDF5", lambda _: pkg_config_has('hdf5'), 'HDF5 (libhdf5-dev)'),
    'python': ('the Python package, in python', lambda env: has_program('python3') and not env['san'],
               'python3 for a build without sanitizers'),
    'igraph': ('graphs from and to igraph, and its formats', lambda _: pkg_config_has('igraph'), 'igraph (libigraph-dev)'),
}


def decide(env, name):
    """(on, reason) for a part whose option is 'auto', 'on' or 'off'."""
    _, toolkit_found, toolkit = PARTS[name]
    if env[name] == 'off':
        return False, 'by option'
    if name == 'cuda' and env['cuda_arch'] == 'native' and not kernels.devices():
        return False, 'no NVIDIA device is here to compile for; cuda_arch=all compiles for any'
    found = toolkit_found(env)
    return found, f'{toolkit} is {"installed" if found else "missing"}'


def choose(env):
    """Decides every part; ends the build if one is on and cannot be built. Returns {name: (on, reason)}."""
    chosen = {name: decide(env, name) for name in PARTS}
    impossible = [f'{name}=on is impossible: {reason}' for name, (on, reason) in chosen.items()
                  if env[name] == 'on' and not on]
    if impossible:
        sys.exit('\n'.join(impossible))
    return chosen


def summary(env, chosen, left_out):
    """A description of the build for its user. left_out: the parts that libgraphws.a leaves out."""
    sanitizer = env['san'] or 'none'
    lines = [f"graphws: {env['CC']}, build in {env['build']}, sanitizers: {sanitizer}"]
    for name, (on, reason) in chosen.items():
        lines.append(f"  {name:<7} {'on ' if on else 'off'}  {PARTS[name][0]} ({reason})")
    if left_out:
        lines.append(f"  libgraphws.a is without {', '.join(left_out)} (no archives here; libgraphws.so has all parts)")
    return '\n'.join(lines)


def require(env, log_folder):
    """Ends the build with a message if the compiler, zlib or xxhash's header is missing."""
    conf = env.Configure(conf_dir=os.path.join(log_folder, 'probes'), log_file=os.path.join(log_folder, 'config.log'),
                         help=False)
    missing = []
    if not conf.CheckCC():
        missing.append(f"a C compiler that works (CC={env['CC']}; on Debian and Ubuntu: gcc libc6-dev)")
    else:
        if not conf.CheckLibWithHeader('z', 'zlib.h', 'c', autoadd=False):
            missing.append('zlib (on Debian and Ubuntu: zlib1g-dev)')
        if not conf.CheckCHeader('xxhash.h'):
            missing.append("xxhash's header (on Debian and Ubuntu: libxxhash-dev)")
    if missing:
        sys.exit('graphws needs\n  ' + '\n  '.join(missing) + f"\n{log_folder}/config.log has details; "
                 './bootstrap build installs what is missing on Debian and Ubuntu')
    return conf.Finish()
