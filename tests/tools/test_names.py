#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names as ids in all tools and formats, and the columns of tables."""
import csv
import gzip
import json
import unittest
from pathlib import Path

from tool import ToolTest

FRIENDS = 'source,target,weight\nalice,bob,2\nbob,"Smith, J.",0.5\nzoe,"a ""b""",1\n'


class Names(ToolTest):
    def rows(self, path):
        with open(path, newline='', encoding='utf-8') as file:
            return list(csv.reader(file))

    def convert(self, graph, name, *options):
        out = str(self.folder / name)
        self.good('gconvert', graph, out, '--quiet', *options)
        return out

    def test_search_by_name(self):
        graph, out = self.write('f.csv', FRIENDS), str(self.folder / 'o.csv')
        found = self.json('gbfs', graph, '--source=alice', '--out', out, '--verify')
        self.assertEqual((found['runs'][0]['source'], found['runs'][0]['reached'], found['verified']), ('alice', 3, True))
        self.assertEqual(self.rows(out), [['vertex', 'depth', 'parent'], ['Smith, J.', '2', 'bob'], ['a "b"', '', ''],
                                          ['alice', '0', 'alice'], ['bob', '1', 'alice'], ['zoe', '', '']])
        self.assertIn(' levels from alice', self.good('gbfs', graph, '--source=alice'))
        self.assertEqual(self.json('gbfs', graph, '--source=Smith, J.')['runs'][0]['reached'], 1)
        self.assertIn("no vertex 'al'", self.bad(1, 'gbfs', graph, '--source=al'))
        self.assertIn("no vertex '0'", self.bad(1, 'gbfs', graph, '--source=0'))
        self.bad(2, 'gbfs', 'grid:3x3', '--source=alice')
        self.bad(2, 'gbfs', graph, '--source=')

    def test_list_of_sources(self):
        graph, listed = self.write('f.csv', FRIENDS), self.write('l.ss', 'p aux sp ss 2\ns zoe\ns Smith, J.\n')
        self.assertEqual([run['source'] for run in self.json('gbfs', graph, '--source', listed)['runs']], ['zoe', 'Smith, J.'])
        self.assertIn(':2:3: the graph has no vertex', self.bad(1, 'gbfs', graph, '--source', self.write('m.ss', 'p aux sp ss 1\ns joe\n')))
        self.assertIn('have names', self.bad(2, 'gconvert', graph, self.folder / 'x.gwsg', '--positions', self.write('p.co', 'p aux sp co 1\nv 1 1 1\n')))

    def test_there_and_back(self):
        start = self.write('f.csv', FRIENDS)
        arcs = [['alice', 'bob', '2'], ['bob', 'Smith, J.', '0.5'], ['zoe', 'a "b"', '1']]
        for name in ('a.el', 'a.csv', 'a.csv.gz', 'a.tsv', 'a.txt', 'a.gwsg', 'a.gwsg.gz'):
            out = self.convert(self.convert(start, name), 'b.csv')
            self.assertEqual([row for row in self.rows(out) if not row[0].startswith('# ')], arcs, name)
        found = self.json('gconvert', '--info', self.convert(start, 'r.gwsg', '--relabel=degree', '--largest-component'))
        self.assertEqual(found['ids'] | {'first': None}, {'kind': 'names', 'first': None, 'last': 'Smith, J.'})
        self.assertEqual(self.json('gbfs', str(self.folder / 'r.gwsg'), '--source=bob', '--mmap', '--trust')['runs'][0]['reached'], 2)
        self.assertIn(b'names are left out', self.run_tool('gconvert', start, self.folder / 'x.mtx').stderr)

    def test_numbers_as_names(self):
        graph = self.write('n.el', '1 2\n10 2\n')
        self.assertEqual(self.json('gconvert', '--info', graph)['ids']['kind'], 'sparse')
        self.assertEqual(self.json('gconvert', '--info', graph, '--names')['ids'], {'kind': 'names', 'first': '1', 'last': '2'})
        again = self.convert(graph, 'again.el', '--names')
        self.assertEqual(self.json('gconvert', '--info', again)['ids']['kind'], 'names')
        self.assertIn('names only works', self.bad(2, 'gconvert', '--info', '--names', self.convert('grid:3x3', 'g.mtx')))
        self.assertIn('names only works', self.bad(2, 'gconvert', '--info', '--names', self.convert('grid:3x3', 'g.gwsg')))
        self.bad(2, 'gconvert', '--info', '--names', 'grid:3x3')

    def test_same_with_any_threads(self):
        lines = ''.join(f'v{n * 7919 % 1009},v{n * n % 997},{n % 5}.5\n' for n in range(200000))
        graph = self.write('t.csv', lines)
        files = [self.convert(graph, f't{threads}.gwsg', f'--threads={threads}') for threads in (1, 2, 7)]
        self.assertEqual(len({Path(file).read_bytes() for file in files}), 1)

    def test_components_and_table(self):
        graph, out = self.write('f.csv', FRIENDS), str(self.folder / 'c.tsv.gz')
        found = self.json('graphws', 'cc', graph, '--top=1', '--out', out)
        self.assertEqual((found['components'], found['top'][0]['id']), (2, 'Smith, J.'))
        text = gzip.open(out, 'rt', encoding='utf-8').read()
        self.assertEqual(text, 'vertex\tcomponent\nSmith, J.\tSmith, J.\n"a ""b"""\t"a ""b"""\nalice\tSmith, J.\nbob\tSmith, J.\nzoe\t"a ""b"""\n')

    def test_path(self):
        graph = self.write('f.csv', FRIENDS)
        found = self.json('graphws', 'path', graph, '--source=alice', '--target=Smith, J.')
        self.assertEqual(found['runs'][0]['source'], 'alice')
        self.assertEqual(found['distance'], 2.5)
        self.assertIn('no vertex joe', self.bad(1, 'graphws', 'path', graph, '--source=alice', '--target=joe'))

    def test_skipped_columns_and_header(self):
        timed = self.write('s.txt', '1 2 5 1289241911\n2 3 6 1289241912\n')
        run = self.run_tool('gconvert', '--info', '--json', timed)
        self.assertEqual(json.loads(run.stdout)['weights'], {'kind': 'integer', 'min': 5, 'max': 6})
        self.assertIn(b'1 of 4 columns is skipped: column 4', run.stderr)
        table = self.write('g.csv', 'Id;Label;Target;Source;Weight\n0;x;2;1;1.5\n1;"y;z";3;2;2.5\n')
        run = self.run_tool('gconvert', '--info', '--json', table)
        found = json.loads(run.stdout)
        self.assertIn(b'2 of 5 columns are skipped: column 1 and others', run.stderr)
        self.assertEqual((found['graph']['arcs'], found['weights']), (2, {'kind': 'real', 'min': 1.5, 'max': 2.5}))

    def test_mistakes(self):
        for text, where in (('a,b\nb\n', ':2:2:'), ('a,b\nb,"c\n', ':2:3:'), ('1,2\n1,b\n', ':2:3:'), ('a,b\nb,\n', ':2:3:'),
                            ('a,b\n' + 'b' * 5000 + ',c\n', ':2:1:'), ('a,b\nb,c,d\n', ':2:5:')):
            path = self.write('m.csv', text)
            self.assertIn(path + where, self.bad(1, 'gconvert', '--info', path), text[:20])


if __name__ == '__main__':
    unittest.main()
