#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The package as a whole: declarations that fit the headers, the wheel, the command line, and the sessions of docs/python.md."""
import contextlib
import doctest
import io
import os
import re
import shutil
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

from package import BUILD, FOLDER, SOURCE, PackageTest, gw

import declarations

CC = os.environ.get('CC', 'gcc').split()


def run(*argv, cwd=None, **env):
    done = subprocess.run([str(word) for word in argv], cwd=cwd, env={**os.environ, 'PYTHONPATH': str(FOLDER), **env}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=250)
    return done.returncode, done.stdout, done.stderr


class Declarations(PackageTest):
    """A header that changes breaks the build."""

    def changed(self, header, old, new):
        """What the build says if a header has another text."""
        root = self.folder / 'tree'
        for path in ('lib', 'io', 'traversal', 'workloads', 'graphws.h'):
            if (SOURCE / path).is_dir():
                shutil.copytree(SOURCE / path, root / path, ignore=lambda folder, names: [
                    name for name in names if (Path(folder) / name).is_file() and not name.endswith('.h')])
            else:
                shutil.copy(SOURCE / path, root)
        text = (root / header).read_text()
        self.assertIn(old, text)
        (root / header).write_text(text.replace(old, new))
        return declarations.text(CC, root, SOURCE / 'python/graphws', '0', '')

    def test_new_member(self):
        """A struct that grows has its new member, and everything else keeps its place by name."""
        text = self.changed('traversal/bfs.h', '    uint64_t reached; /* number', '    uint8_t extra[3];\n    uint64_t reached; /* number')
        self.assertIn("('extra', c_uint8 * 3)", text)

    def test_renamed(self):
        with self.assertRaisesRegex(ValueError, 'algorithms.py: no public header declares gws_bfs_result_clear'):
            self.changed('traversal/bfs.h', 'gws_bfs_result_clear', 'gws_bfs_result_free')

    def test_renamed_member(self):
        with self.assertRaisesRegex(ValueError, "gws_bfs_result has no member {'levels'}"):
            self.changed('traversal/bfs.h', 'levels; ', 'depths; ')

    def test_layout(self):
        """A member that the parser would misread ends the build."""
        with self.assertRaisesRegex(ValueError, 'gws_bfs_level'):
            self.changed('traversal/bfs.h', '    bool bottom_up; ', '    _Alignas(16) bool bottom_up; ')

    def test_unknown_member(self):
        from graphws import _declarations as c
        with self.assertRaises(AttributeError):
            c.gws_options(thread=1)

    def test_versions(self):
        """A library of another version is refused."""
        shutil.copytree(FOLDER / 'graphws', self.folder / 'graphws', ignore=shutil.ignore_patterns('__pycache__'))
        path = self.folder / 'graphws/_declarations.py'
        path.write_text(re.sub("VERSION = '.*'", "VERSION = '99.0'", path.read_text()))
        status, _, error = run(sys.executable, '-B', '-c', 'import graphws; graphws.load("grid:2x2")', PYTHONPATH=str(self.folder))
        self.assertEqual(status, 1)
        self.assertRegex(error, r'the package is of version 99\.0, and .* of version')
        status, _, error = run(sys.executable, '-B', '-c', 'import graphws; graphws.load("grid:2x2")', GRAPHWS_LIBRARY='/none.so')
        self.assertIn('ImportError: graphws: the library does not load: /none.so', error)


class Wheel(PackageTest):
    def test_wheel(self):
        """A wheel of this build has the library inside, the right tag, and works from another folder."""
        try:
            from setuptools import build_meta  # noqa: F401
            try:
                from setuptools.command import bdist_wheel  # noqa: F401
            except ImportError:
                from wheel import bdist_wheel  # noqa: F401
        except ImportError:
            self.skipTest('setuptools or wheel is not installed')
        soname = f'libgraphws.so.{gw.__version__.partition(".")[0]}'
        package, source = self.folder / 'made/graphws', self.folder / 'source'
        shutil.copytree(FOLDER / 'graphws', package, ignore=shutil.ignore_patterns('__pycache__'))
        subprocess.run(['strip', '-o', package / 'lib' / soname, BUILD / 'lib/libgraphws.so'], check=True)
        source.mkdir()
        for name in ('setup.py', 'pyproject.toml', 'lib/status.h', 'docs/python.md', 'python/graphws/__init__.py'):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / name, source / name)
        status, output, error = run(sys.executable, 'setup.py', '-q', 'bdist_wheel', '--compression', 'stored', cwd=source,
                                    GRAPHWS_PACKAGE=str(package))
        self.assertEqual(status, 0, output + error)
        wheel, = (source / 'dist').iterdir()
        self.assertRegex(wheel.name, rf'^graphws-{re.escape(gw.__version__)}-py3-none-(manylinux_2_[1-9]\d|linux)_\w+\.whl$')
        self.assertEqual('manylinux' not in wheel.name, 'so it has the tag linux' in error)
        with zipfile.ZipFile(wheel) as file:
            file.extractall(self.folder / 'site')
        names = {path.name for path in (self.folder / 'site/graphws').iterdir()}
        self.assertLessEqual({'__init__.py', '_declarations.py', 'lib', 'py.typed'}, names)
        program = 'import graphws, graphws._library as l; print(graphws.bfs("grid:9x9").levels, graphws.bpc(10, 10, 0).tasks, l._path())'
        status, output, error = run(sys.executable, '-B', '-c', program, cwd=self.folder, PYTHONPATH=str(self.folder / 'site'))
        self.assertEqual(output.split()[1:], ['111', str(self.folder.resolve() / 'site/graphws/lib' / soname)], error)


class Program(PackageTest):
    def graphws(self, *arguments):
        return run(sys.executable, '-B', '-m', 'graphws', *arguments, cwd=self.folder)

    def test_good(self):
        gw.load('road:100').save(self.folder / 'roads.gr')
        status, output, error = self.graphws('bfs', 'roads.gr', '--source', '1', '--threads', '1')
        self.assertEqual((status, error), (0, ''))
        self.assertIn('graph    roads.gr: 100 vertices', output)
        self.assertRegex(output, r'(?m)^reached  100$')
        status, output, _ = self.graphws('sssp', 'roads.gr', '--source', '1', '--out', '-')
        rows = output.splitlines()
        self.assertEqual((rows[0], rows[1], len(rows)), ('vertex,distance,parent', '1,0,0', 101))

    def test_bad(self):
        for arguments, status, message in ((('bfs', 'none.gr'), 1, 'graphws: none.gr: cannot open'), (('cc', 'grid:2x2', '--source', '1'), 2, 'no effect'),
                                           (('walk', 'grid:2x2'), 2, 'invalid choice'), (('bfs', 'grid:2x2', '--source', '9'), 1, 'no vertex'),
                                           (('bfs', 'grid:2x2', '--out', '/dev/full'), 1, 'No space')):
            found = self.graphws(*arguments)
            self.assertEqual(found[0], status, found)
            self.assertIn(message, found[2])
            self.assertNotIn('Traceback', found[2])


class Documentation(PackageTest):
    def test_sessions(self):
        """The sessions run in order in an empty folder, and print what the page shows."""
        page = SOURCE / 'docs/python.md'
        blocks = re.findall(r'^```python\n(.*?)^```', page.read_text(), re.M | re.S)
        self.assertGreater(len(blocks), 5)
        test = doctest.DocTestParser().get_doctest(''.join(blocks), {}, page.name, str(page), 0)
        output, before = [], os.getcwd()
        os.chdir(self.folder)
        try:
            results = doctest.DocTestRunner(verbose=False).run(test, out=output.append)
        finally:
            os.chdir(before)
        self.assertEqual(results.failed, 0, ''.join(output))
        self.assertGreater(results.attempted, 20)

    def test_names(self):
        """Every public name has a docstring and is documented or belongs to something that is."""
        page = (SOURCE / 'docs/python.md').read_text()
        for name in gw.__all__:
            value = getattr(gw, name)
            if callable(value):
                self.assertTrue(value.__doc__, name)
                if name.islower() and name not in ('default_runtime', 'missing_kinds', 'uts_trees'):
                    self.assertIn(f'{name}(', page)

    def test_readme(self):
        """README's example runs."""
        for block in re.findall(r'^```python\n(.*?)^```', (SOURCE / 'README.md').read_text(), re.M | re.S):
            with contextlib.redirect_stdout(io.StringIO()) as shown:
                exec(block, {})
            self.assertEqual(shown.getvalue().split('\n')[0], re.search('# (\\[.*?\\])', block)[1])


if __name__ == '__main__':
    unittest.main()
