# SPDX-License-Identifier: MIT
"""The wheel of the Python package. SCons builds the package with the library inside; this puts it into a wheel, whose
tag says which systems have what it needs. GRAPHWS_PACKAGE: a package that is already built, as `scons wheel` has one.
GRAPHWS_SCONS: options of SCons, instead of kernels for only the NVIDIA devices that are here, which take less time."""
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parent
VERSION = re.search(r'GWS_VERSION "(.*)"', (ROOT / 'lib/status.h').read_text()).group(1)
# The libraries that PEP 600 expects on every system, of those that a build can need.
EVERYWHERE = re.compile(r'(lib(c|m|dl|rt|pthread|z|gcc_s)|ld-linux-.*)\.so\.\d+')


def package():
    """The built package, graphws/ with the library inside."""
    if 'GRAPHWS_PACKAGE' in os.environ:
        return Path(os.environ['GRAPHWS_PACKAGE'])
    scons = [shutil.which('scons')] if shutil.which('scons') else [sys.executable, '-m', 'SCons']
    options = os.environ.get('GRAPHWS_SCONS', 'cuda_arch=native').split()
    subprocess.run([*scons, '-Q', f'-j{os.cpu_count()}', 'wheel-package', *options], cwd=ROOT, check=True)
    return ROOT / 'build/python-wheel/graphws'


def platform_tag(folder):
    """manylinux_2_N if the libraries in folder need no other libraries and glibc 2.N, otherwise linux."""
    inside = {path.name for path in folder.glob('*.so*')}
    assert inside, f'there are no libraries in {folder}'
    needs, glibc = set(), 0
    for name in inside:
        text = subprocess.run(['objdump', '-p', folder / name], check=True, capture_output=True, text=True).stdout
        needs |= set(re.findall(r'NEEDED\s+(\S+)', text))
        glibc = max([glibc, *(int(minor) for minor in re.findall(r'GLIBC_2\.(\d+)', text))])
    missing = sorted(name for name in needs - inside if not EVERYWHERE.fullmatch(name))
    if missing:
        print(f'the wheel is for machines with {", ".join(missing)}, so it has the tag linux', file=sys.stderr)
    return f'{"linux" if missing else f"manylinux_2_{glibc}"}_{platform.machine()}'


class Build(build_py):
    def run(self):
        target = Path(self.build_lib) / 'graphws'
        shutil.rmtree(target, ignore_errors=True)  # of an earlier version
        shutil.copytree(package(), target)


class Binary(Distribution):
    """The package is not pure: it contains libraries, which SCons built."""

    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    def get_tag(self):
        return 'py3', 'none', platform_tag(Path(self.bdist_dir) / 'graphws' / 'lib')


# setuptools' own folders, apart from those of SCons.
SCRATCH = ROOT / 'build/setuptools'
SCRATCH.mkdir(parents=True, exist_ok=True)
# The license is here because setuptools before 77 and from 77 on expect it in pyproject.toml in different forms.
setup(version=VERSION, license='MIT', packages=['graphws'], package_dir={'graphws': 'python/graphws'}, distclass=Binary,
      options={'build': {'build_base': str(SCRATCH)}, 'egg_info': {'egg_base': str(SCRATCH)}},
      cmdclass={'build_py': Build, 'bdist_wheel': Wheel})
