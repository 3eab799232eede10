#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The six algorithms of LDBC Graphalytics on its two example graphs, with the results that it publishes (specification
1.0.4, appendix "Example Graphs for Validation": example-directed and example-undirected)."""
import csv
import io
import unittest

from tool import ToolTest

DIRECTED = {
    'vertices': range(1, 11),
    'edges': ((1, 3, .5), (1, 5, .3), (2, 4, .1), (2, 5, .3), (2, 10, .12), (3, 1, .53), (3, 5, .62), (3, 8, .21),
              (3, 10, .52), (5, 3, .69), (5, 4, .53), (5, 8, .1), (6, 3, .23), (6, 4, .39), (7, 4, .83), (8, 1, .39),
              (9, 4, .69)),
    'source': 1,
    'bfs': (0, None, 1, 2, 1, None, None, 2, None, 2),
    'sssp': (0, None, .5, .83, .3, None, None, .4, None, 1.02),
    'wcc': (1,) * 10,
    'cdlp': (1, 2, 3, 4, 1, 1, 2, 3, 2, 1),
    'lcc': (2 / 3, 1 / 6, .15, .05, .25, 0, 0, 5 / 6, 0, 0),
    'pr': (.1477629166666667, .04753375, .1550469444444444, .1597573611111111, .14624, .04753375, .04753375,
           .1135740277777778, .04753375, .08748375),
}
UNDIRECTED = {
    'vertices': range(2, 11),
    'edges': ((2, 3, .9), (2, 4, .69), (3, 4, .13), (3, 5, .5), (3, 8, .32), (5, 6, .63), (5, 8, .12), (6, 7, .53),
              (6, 8, .64), (6, 9, .23), (6, 10, .63), (7, 9, .36)),
    'source': 2,
    'bfs': (0, 1, 1, 2, 3, 4, 2, 4, 4),
    'sssp': (0, .82, .69, 1.26, 1.78, 2.31, 1.14, 2.01, 2.41),
    'wcc': (2,) * 9,
    'cdlp': (2, 3, 2, 2, 6, 5, 2, 5, 5),
    'lcc': (1, 1 / 3, 1, 2 / 3, .2, 1, 2 / 3, 1, 0),
    'pr': (.09084490740740739, .1424089506172839, .09084490740740739, .1249891975308642, .1686172839506173,
           .09749537037037037, .1249891975308642, .09749537037037037, .06231481481481481),
}


class Graphalytics(ToolTest):
    def compare(self, name, column, *command):
        """Runs the command on both graphs and compares a column of its table with the published values."""
        for direction, example in (('--directed', DIRECTED), ('--undirected', UNDIRECTED)):
            path = self.write('example.e', ''.join(f'{u} {v} {weight}\n' for u, v, weight in example['edges']))
            self.write('example.v', ''.join(f'{v}\n' for v in example['vertices']))
            words = [word.format(source=example['source']) for word in command]
            text = self.good('graphws', *words, path, direction, '--verify', '--quiet', '--out=-')
            rows = list(csv.DictReader(io.StringIO(text)))
            self.assertEqual([int(row['vertex']) for row in rows], list(example['vertices']), name)
            for row, wanted in zip(rows, example[name]):
                if wanted is None:
                    self.assertEqual(row[column], '', (direction, row))
                else:
                    self.assertAlmostEqual(float(row[column]), wanted, places=6, msg=(direction, row))

    def test_breadth_first_search(self):
        self.compare('bfs', 'depth', 'bfs', '--source={source}')

    def test_pagerank(self):
        self.compare('pr', 'rank', 'pagerank', '--damping=0.85', '--iterations=2', '--tolerance=0')

    def test_weakly_connected_components(self):
        self.compare('wcc', 'component', 'cc')

    def test_community_detection_by_label_propagation(self):
        self.compare('cdlp', 'community', 'communities', '--method=cdlp', '--iterations=2')

    def test_local_clustering_coefficient(self):
        self.compare('lcc', 'clustering', 'triangles', '--lcc')

    def test_single_source_shortest_paths(self):
        self.compare('sssp', 'distance', 'sssp', '--source={source}')


if __name__ == '__main__':
    unittest.main()
