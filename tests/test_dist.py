# SPDX-License-Identifier: MIT
"""`scons dist`: the tarball has exactly the tracked files, the same files make the same bytes, a release without news is
refused, and the recipes for conda and Arch Linux are well formed."""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

import sources

sys.path.insert(0, str(sources.ROOT / 'site_scons'))
import dist  # noqa: E402

NEEDED = ('lib/status.h', 'NEWS', 'debian/changelog', 'debian/libgraphws1.symbols', *dist.TEMPLATES)


def skip(what):
    """Prints, at the start of a line, the part of a test that is skipped."""
    print(f'\nskipped: {what}', flush=True)


@unittest.skipIf(os.environ.get('GRAPHWS_SAN'), 'no code of the build')
class Dist(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = Path(holder.name)
        cls.tarball, cls.recipe, cls.pkgbuild = dist.write(cls.folder / 'dist')

    def test_tarball(self):
        top = f'graphws-{dist.version()}'
        self.assertEqual(self.tarball.name, f'{top}.tar.gz')
        with tarfile.open(self.tarball) as packed:
            members = {member.name: member for member in packed}
        self.assertEqual(set(members), {f'{top}/{path}' for path in sources.tracked()})
        self.assertEqual({(one.uid, one.gid, one.uname) for one in members.values()}, {(0, 0, '')})
        self.assertEqual(members[f'{top}/bootstrap'].mode, 0o755)
        self.assertEqual(members[f'{top}/README.md'].mode, 0o644)

    def small_tree(self):
        root = Path(tempfile.mkdtemp(dir=self.folder))
        for path in NEEDED:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(sources.ROOT / path, root / path)
        return root

    def test_same_bytes(self):
        one, other = self.small_tree(), self.small_tree()
        os.environ['SOURCE_DATE_EPOCH'] = '1700000000'
        try:
            first, second = (dist.write(root / 'dist', root)[0].read_bytes() for root in (one, other))
        finally:
            del os.environ['SOURCE_DATE_EPOCH']
        self.assertEqual(first, second)

    def test_version_in_one_place(self):
        self.assertEqual([line for line in dist.problems() if 'symbols' not in line], [])
        root = self.small_tree()
        text = (root / 'lib/status.h').read_text()
        (root / 'lib/status.h').write_text(text.replace(f'GWS_VERSION "{dist.version()}"', 'GWS_VERSION "7.8.9"'))
        found = dist.problems(root)
        self.assertIn('NEWS has no section 7.8.9', found)
        self.assertIn('debian/changelog does not begin with 7.8.9', found)
        self.assertTrue(any('symbols is out of date' in line for line in found))  # this tree has no headers

    def test_a_full_disk_leaves_no_tarball(self):
        if not os.access('/dev/full', os.W_OK):
            return skip('a full disk: there is no /dev/full')
        root = self.small_tree()
        (root / 'full.tar.gz.part').symlink_to('/dev/full')
        with self.assertRaises(OSError):
            dist.write_tarball(root / 'full.tar.gz', root)
        self.assertFalse((root / 'full.tar.gz').exists())

    def test_pkgbuild(self):
        text = self.pkgbuild.read_text()
        self.assertNotIn('@', re.sub(r'<\S+@\S+>|"\$@"', '', text))
        self.assertIn(hashlib.sha256(self.tarball.read_bytes()).hexdigest(), text)
        subprocess.run(['bash', '-n', self.pkgbuild], check=True)
        if shutil.which('shellcheck'):
            subprocess.run(['shellcheck', '-s', 'bash', '-e', 'SC2034,SC2154,SC2164', self.pkgbuild], check=True)
        else:
            skip('shellcheck of the PKGBUILD')

    def test_conda_recipe(self):
        text = self.recipe.read_text()
        self.assertNotRegex(text, '@[a-z0-9]+@')
        plain = re.sub(r'\{\{ *version *\}\}', dist.version(), re.sub(r'^\{%.*%\}$', '', text, flags=re.M))
        plain = re.sub(r'\{\{ *(\w+)\(.*\) *\}\}', r'\1', plain)
        try:
            import yaml
        except ImportError:
            return skip('the recipe for conda, without PyYAML')
        recipe = yaml.safe_load(plain)
        self.assertEqual(set(recipe), {'package', 'source', 'build', 'requirements', 'test', 'about'})
        self.assertEqual(recipe['package'], {'name': 'graphws', 'version': dist.version()})
        self.assertEqual(len(recipe['source']['sha256']), 64)
        names = [name.split()[0] for part in recipe['requirements'].values() for name in part]
        self.assertTrue(all(re.fullmatch('[a-z0-9_-]+', name) for name in names), names)


if __name__ == '__main__':
    unittest.main()
