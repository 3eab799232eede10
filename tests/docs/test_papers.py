# SPDX-License-Identifier: MIT
"""docs/papers.md: every file that it names exists, and for each paper one of the files names an author."""
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from sources import ROOT  # noqa: E402

# Author names that a section's files must contain; headers of options and benchmarks may omit them.
AUTHORS = {'Cederman': r'Cederman|Tsigas', 'Abdelmageed': 'Abdelmageed|thesis', 'Dinan': 'Dinan', 'Chen': 'Chen',
           'Rudolph': 'Rudolph'}


def sections(text):
    """Yields (heading, rows of its table as lists of cells)."""
    for part in re.split(r'^## ', text, flags=re.M)[1:]:
        rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in part.splitlines() if line.startswith('| ')]
        yield part.splitlines()[0], rows[1:]


class Papers(unittest.TestCase):
    def setUp(self):
        self.sections = list(sections((ROOT / 'docs/papers.md').read_text()))

    def test_all_five(self):
        self.assertEqual([heading.split(',')[0].split(':')[0] for heading, _ in self.sections], list(AUTHORS))

    def test_files(self):
        for heading, rows in self.sections:
            author = AUTHORS[re.split('[,:]', heading)[0]]
            self.assertTrue(rows)
            for section, what, files in rows:
                named = re.findall(r'`([^`]+)`', files)
                self.assertTrue(named, (heading, section))
                self.assertTrue(what)
                texts = [(ROOT / name).read_text() for name in named]
                self.assertTrue(any(re.search(author, text) for text in texts), (heading, section, named))


if __name__ == '__main__':
    unittest.main()
