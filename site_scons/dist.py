# SPDX-License-Identifier: MIT
"""Writes a release: the tarball of the project's files, and the conda recipe and the Arch Linux PKGBUILD with its version
and checksum. The same files make the same bytes. It needs no SCons and also runs alone:

    python3 site_scons/dist.py FOLDER"""
import gzip
import hashlib
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'tests'))
import sources  # noqa: E402

TEMPLATES = {'packaging/conda/meta.yaml.in': 'meta.yaml', 'packaging/arch/PKGBUILD.in': 'PKGBUILD'}


def version(root=ROOT):
    return re.search(r'GWS_VERSION "(.*)"', (root / 'lib/status.h').read_text())[1]


def problems(root=ROOT):
    """The files that do not know this version, or the exported functions that Debian's list lacks or has in excess."""
    found, name = [], version(root)
    if name not in (root / 'NEWS').read_text().splitlines():
        found.append(f'NEWS has no section {name}')
    if not (root / 'debian/changelog').read_text().startswith(f'graphws ({name}-'):
        found.append(f'debian/changelog does not begin with {name}')
    listed = set(re.findall(r'^ (\w+)@', (root / 'debian/libgraphws1.symbols').read_text(), re.M))
    if listed != sources.declared(('lib', 'io', 'traversal'), root):
        found.append('debian/libgraphws1.symbols is out of date: tests/check_exports --update rewrites it')
    return found


def changed_at(root):
    """The time of the files in seconds: $SOURCE_DATE_EPOCH, or that of the last commit, or that of NEWS."""
    if 'SOURCE_DATE_EPOCH' in os.environ:
        return int(os.environ['SOURCE_DATE_EPOCH'])
    try:
        git = subprocess.run(['git', '-C', root, 'log', '-1', '--format=%ct'], capture_output=True, text=True, check=True)
        return int(git.stdout)
    except (OSError, subprocess.CalledProcessError, ValueError):
        return int((root / 'NEWS').stat().st_mtime)


def write_tarball(path, root=ROOT):
    """Writes a complete tarball or none."""
    name, time = f'graphws-{version(root)}', changed_at(root)

    def plain(info):
        info.uid = info.gid = 0
        info.uname = info.gname = ''
        info.mtime, info.mode = time, 0o755 if info.mode & 0o100 else 0o644
        return info

    draft = path.with_name(path.name + '.part')
    with open(draft, 'wb') as out, gzip.GzipFile('', 'wb', 9, out, mtime=time) as packed, \
            tarfile.open(fileobj=packed, mode='w', format=tarfile.PAX_FORMAT) as tar:
        for file in sorted(sources.tracked(root)):
            tar.add(root / file, f'{name}/{file}', recursive=False, filter=plain)
    draft.replace(path)


def write(folder, root=ROOT):
    """Writes all files of the release into folder. Returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    tarball = folder / f'graphws-{version(root)}.tar.gz'
    write_tarball(tarball, root)
    words = {'@version@': version(root), '@sha256@': hashlib.sha256(tarball.read_bytes()).hexdigest()}
    written = [tarball]
    for template, name in TEMPLATES.items():
        text = (root / template).read_text()
        for word, value in words.items():
            text = text.replace(word, value)
        (folder / name).write_text(text)
        written.append(folder / name)
    return written


def main(folder):
    found = problems()
    if found:
        sys.exit('no release: ' + '; '.join(found))
    for path in write(Path(folder)):
        print(f'wrote {path}')


if __name__ == '__main__':
    main(*sys.argv[1:])
