# SPDX-License-Identifier: MIT
"""The common parts of the check_* scripts: the repository's files, and the report."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def tracked(root=ROOT):
    """The files of the project, relative to root: the tracked files, or without git all files outside builds."""
    if shutil.which('git'):
        git = subprocess.run(['git', '-C', root, 'ls-files', '-z'], capture_output=True, text=True, check=False)
        names = git.stdout.rstrip('\0').split('\0') if git.returncode == 0 else []
        if any(names):
            return [Path(name) for name in names if (root / name).is_file()]
    return sorted(path.relative_to(root) for path in root.rglob('*') if path.is_file()
                  and not any(part.startswith(('build', '.')) for part in path.relative_to(root).parts[:-1]))


def c_files(root=ROOT):
    return [path for path in tracked(root) if path.suffix in ('.c', '.h')]


def declared(folders, root=ROOT):
    """The functions that the public headers in these folders mark GWS_API."""
    headers = [path for folder in folders for path in sorted((root / folder).glob('*.h'))]
    return {name for path in headers
            for name in re.findall(r'^GWS_API\b[^;]*?\b(gws_\w+)\(', path.read_text(), re.M)}


def finish(problems, fine):
    """Prints the problems, or one line of success, and ends the script."""
    print('\n'.join(problems) if problems else fine)
    sys.exit(1 if problems else 0)
