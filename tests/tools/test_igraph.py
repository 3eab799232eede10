# SPDX-License-Identifier: MIT
"""Formats and generators of igraph in the tools, and the messages of a build without igraph."""
import gzip
import unittest

from tool import ToolTest

GML = 'graph [\n node [ id 40 ]\n node [ id 20 ]\n node [ id 30 ]\n edge [ source 40 target 20 ]\n ' \
      'edge [ source 20 target 30 ]\n]\n'


class Igraph(ToolTest):
    def setUp(self):
        super().setUp()
        listed = self.good('gconvert', '--from=help')
        for name in ('graphml', 'gml', 'pajek', 'lgl', 'ncol'):
            self.assertRegex(listed, rf'(?m)^{name} ')
        self.with_igraph = 'without igraph' not in listed

    def test_files(self):
        if not self.with_igraph:
            self.skipTest('this build is without igraph')
        for name, content in (('a.gml', GML), ('b.gml.gz', gzip.compress(GML.encode()))):
            path = self.write(name, content)
            self.assertEqual(self.search(path, '--source=40', '--verify'),
                             {40: (0, 40), 20: (1, 40), 30: (2, 20)})
        path = self.write('names', '40 20\n20 30\n')
        self.assertEqual(self.search(path, '--format=ncol', '--source=30'), {40: (2, 20), 20: (1, 30), 30: (0, 30)})
        out = self.folder / 'c.mtx'
        self.good('gconvert', '--quiet', self.write('d.gml', GML), out)
        self.assertIn('3 3 2', out.read_text())

    def test_mistakes(self):
        if not self.with_igraph:
            self.skipTest('this build is without igraph')
        path = self.write('a.gml', 'graph [\n node [ id 4 ]\n edge [ source 4 target 5 ]\n]\n')
        self.assertIn(path, self.bad(1, 'gbfs', path))
        self.assertIn('ends too early',
                      self.bad(1, 'gbfs', self.write('b.gml.gz', gzip.compress(GML.encode())[:-20])))
        self.assertIn('igraph:star:5:1:8: expected', self.bad(1, 'gbfs', 'igraph:star:5'))
        self.bad(2, 'gconvert', '--to=graphml', 'grid:3x3', self.folder / 'c')

    def test_generators(self):
        if not self.with_igraph:
            self.skipTest('this build is without igraph')
        for name, vertices in (('igraph:barabasi:500:2', 500), ('igraph:watts:100:3:0.25:9', 100),
                               ('igraph:tree:77', 77)):
            found = self.json('gbfs', name, '--verify')
            self.assertEqual((found['graph']['vertices'], found['verified']), (vertices, True))

    def test_without(self):
        if self.with_igraph:
            self.skipTest('this build is with igraph')
        for name in (self.write('a.graphml.gz', ''), self.write('a.ncol', '1 2\n'), 'igraph:tree:5'):
            self.assertIn('this build is without igraph', self.bad(1, 'gbfs', name))
        self.assertIn('this build is without igraph', self.bad(1, 'gbfs', '--format=lgl', self.write('names', '# a\nb\n')))
        self.assertIn('this build is without igraph', self.bad(1, 'gconvert', '--from=pajek', '-', 'x.gr', cwd=self.folder))


if __name__ == '__main__':
    unittest.main()
