#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gbfs: an error is reported in one line and leaves no partial output."""
import gzip
import os
import resource
import shutil
import subprocess
import unittest

from tool import BUILD, SOURCE, ToolTest, skip, strict_json

BROKEN_CHECK = '''
#include "graphws.h"
gws_status broken_check(struct gws_runtime *r, const struct gws_graph *g, const struct gws_bfs_result *b,
                        struct gws_diagnostic *where)
{
    (void)r, (void)g, (void)b;
    return gws_diagnostic_set(where, GWS_WRONG_RESULT, NULL, 0, 0, "vertex 3 floats");
}
'''


class Inputs(ToolTest):
    def test_missing_file_and_directory(self):
        missing = str(self.folder / 'missing.gr')
        self.assertIn(missing, self.bad(1, 'gbfs', missing))
        self.assertIn(str(self.folder), self.bad(1, 'gbfs', str(self.folder)))

    def test_file_without_permission(self):
        path = self.write('secret.el', '1 2\n')
        os.chmod(path, 0)
        if os.access(path, os.R_OK):
            skip('a file without permission: this user may read all files')
            return
        self.assertIn(path, self.bad(1, 'gbfs', path))

    def test_empty_files(self):
        for name in ('empty.gr', 'empty.el', 'empty.mtx', 'empty.graph', 'empty.gwsg', 'empty', 'empty.el.gz'):
            self.assertIn(name, self.bad(1, 'gbfs', self.write(name, '')))
        self.bad(1, 'gbfs', '-', input=b'')

    def test_place_of_a_mistake(self):
        path = self.write('bad.gr', 'c bad\np sp 3 2\na 1 2 5\na 1 x 5\n')
        self.assertIn(f'gbfs: {path}:4:5: ', self.bad(1, 'gbfs', path))
        path = self.write('range.gr', 'p sp 3 2\na 1 2 5\na 1 4 5\n')
        self.assertIn(f'gbfs: {path}:3:5: ', self.bad(1, 'gbfs', path))
        self.assertRegex(self.bad(1, 'gbfs', '-', input=b'p sp 2 1\na 1 b 3\n'), r'^gbfs: .+:2:5: ')

    def test_truncated_gzip(self):
        text = ''.join(f'{i} {i * 7 % 1000}\n' for i in range(5000)).encode()
        whole = gzip.compress(text)
        for length in (5, len(whole) // 2, len(whole) - 1):
            path = self.write('cut.el.gz', whole[:length])
            self.assertIn(path, self.bad(1, 'gbfs', path))

    def test_bad_generators(self):
        for name in ('kron:', 'kron:x', 'kron:64', 'grid:5', 'grid:0x5x', 'road:-1', 'uniform:4:5:6:7',
                     'grid:99999999999x99999999999'):
            self.bad(1, 'gbfs', name)

    def test_sources_that_are_not_there(self):
        path = self.write('g.gr', 'p sp 3 2\na 1 2 5\na 2 3 5\n')
        for source in ('0', '4', '18446744073709551615'):
            complaint = self.bad(1, 'gbfs', path, '--source', source)
            self.assertIn(f'no vertex {source}', complaint)
            self.assertIn('1 to 3', complaint)
        sparse = self.write('g.el', '10 20\n20 900\n')
        self.bad(1, 'gbfs', sparse, '--source=11')

    def test_bad_lists_of_sources(self):
        path = self.write('g.gr', 'p sp 3 2\na 1 2 5\na 2 3 5\n')
        self.assertIn('none.ss', self.bad(1, 'gbfs', path, '--source', 'none.ss'))
        for name, text in (('empty.ss', ''), ('zero.ss', 'p aux sp ss 0\n'), ('out.ss', 'p aux sp ss 1\ns 4\n'),
                           ('short.ss', 'p aux sp ss 2\ns 1\n'), ('junk.ss', 'p aux sp ss 1\nq 1\n')):
            source = self.write(name, text)
            self.assertIn(source, self.bad(1, 'gbfs', path, '--source', source))

    def test_a_wrong_format_is_not_guessed_past(self):
        path = self.write('g.el', '1 2\n')
        self.assertIn(path, self.bad(1, 'gbfs', path, '--format=matrix-market'))


class Outputs(ToolTest):
    def test_no_such_folder(self):
        out = str(self.folder / 'no' / 'x.csv')
        self.assertIn(out, self.bad(1, 'gbfs', 'grid:3x3', '--out', out))

    def test_a_file_in_place_outlives_failures(self):
        out = self.write('x.csv', 'precious')
        missing = str(self.folder / 'missing')
        for arguments in (['grid:3x3', '--source=99'], [missing], ['grid:3x3', '--source=none.ss'],
                          ['grid:3x3', '--repeat=0']):
            self.assertNotEqual(self.run_tool('gbfs', *arguments, '--out', out).returncode, 0)
            self.assertEqual(os.listdir(self.folder), ['x.csv'])
            with open(out, encoding='ascii') as file:
                self.assertEqual(file.read(), 'precious')

    def test_a_full_disk_leaves_no_half_file(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        for suffix in ('.csv', '.npy', '.csv.gz'):
            out = self.write('x' + suffix, 'precious')
            # Python ignores SIGXFSZ; without restore_signals the tool does too, and the write fails instead.
            complaint = self.bad(1, 'gbfs', 'grid:200x200', '--out', out, preexec_fn=small_files, restore_signals=False)
            self.assertIn(out, complaint)
            self.assertEqual(os.listdir(self.folder), ['x' + suffix])
            with open(out, encoding='ascii') as file:
                self.assertEqual(file.read(), 'precious')
            os.remove(out)

    def test_a_trace_is_whole_or_not_there(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        trace = self.write('t.json', 'precious')
        complaint = self.bad(1, 'gbfs', 'kron:12', '--trace', trace, preexec_fn=small_files, restore_signals=False)
        self.assertIn(trace, complaint)
        self.assertEqual(os.listdir(self.folder), ['t.json'])
        with open(trace, encoding='ascii') as file:
            self.assertEqual(file.read(), 'precious')

    def test_a_directory_as_output(self):
        out = self.folder / 'x.csv'
        out.mkdir()
        self.bad(1, 'gbfs', 'grid:3x3', '--out', str(out))
        self.assertEqual(os.listdir(self.folder), ['x.csv'])


class WrongResult(ToolTest):
    """gbfs built with a check that always fails."""

    def build(self):
        compiler = shutil.which('cc') or shutil.which('gcc')
        if os.environ.get('GRAPHWS_SAN') or compiler is None:
            skip('a search that fails its check: needs a C compiler and a plain build')
            return None
        stub, tool = self.write('broken.c', BROKEN_CHECK), self.folder / 'gbfs'
        sources = [SOURCE / 'tools/gbfs.c', *sorted((SOURCE / 'tools/common').glob('*.c')),
                   SOURCE / 'tools/common/adapter/none.c',
                   *sorted((SOURCE / 'tools/gbfs').glob('*.c')), stub]
        subprocess.run([compiler, '-std=c11', '-Dgws_bfs_check=broken_check', '-I', SOURCE, *sources,
                        BUILD / 'lib/libgraphws.so', f'-Wl,-rpath,{BUILD.resolve() / "lib"}', '-lz', '-lm', '-o', tool], check=True,
                       timeout=100)
        return tool

    def test_status_3(self):
        tool = self.build()
        if tool is None:
            return
        out = self.folder / 'x.csv'
        run = subprocess.run([tool, 'grid:3x3', '--source=4', '--verify', '--repeat=2', '--json', '--out', out],
                             capture_output=True, check=False, timeout=60)
        self.assertEqual(run.returncode, 3)
        self.assertEqual(run.stderr, b'gbfs: grid:3x3: the search from 4 is wrong: vertex 3 floats\n')
        found = strict_json(run.stdout.decode())
        self.assertIs(found['verified'], False)
        self.assertEqual(len(found['runs']), 1)
        self.assertFalse(out.exists())
        run = subprocess.run([tool, 'grid:3x3', '--verify'], capture_output=True, check=False, timeout=60)
        self.assertEqual(run.returncode, 3)
        self.assertIn(b'NO', run.stdout)


if __name__ == '__main__':
    unittest.main()
