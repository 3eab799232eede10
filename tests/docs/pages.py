# SPDX-License-Identifier: MIT
"""Extracts the commands from README, docs, man pages and --help.

In Markdown a block of commands is indented by four blanks or fenced as ```sh. If the block shows output, its commands begin
with "$ "; otherwise each line is a command. Other blocks are fenced and name their language. In man pages .Dl displays a
command, which begins with a tool's name and a blank. In --help commands are the lines under "Examples". A comment precedes a
command that a test cannot run: <!-- not run: WHY -->, or .\\" not run: WHY."""
import collections
import re
import subprocess

Command = collections.namedtuple('Command', 'line text shown why_not')  # shown: lines of output, or None
MARK = re.compile(r'(?:<!--|\.\\") not run: (.*?)(?: -->)?$')
TOOLS = 'gbfs|gconvert|gdevices|goctree|graphws|gsim|gtask'


def blocks(text):
    """Returns the blocks of a Markdown text as [(line, kind, lines, why not run)]."""
    found, lines, why = [], text.splitlines(), None
    i = 0
    while i < len(lines):
        line = lines[i]
        mark = MARK.match(line)
        if mark:
            why = mark[1]
        elif line.startswith('```'):
            end = next(k for k in range(i + 1, len(lines)) if lines[k].startswith('```'))
            found.append((i + 2, line[3:].strip(), lines[i + 1:end], why))
            why, i = None, end
        elif line.startswith('    ') and not lines[i - 1].strip() and not in_list(lines, i):
            end = next((k for k in range(i, len(lines)) if lines[k] and not lines[k].startswith('    ')), len(lines))
            found.append((i + 1, 'sh', [one[4:] for one in lines[i:end]], why))
            why, i = None, end - 1
        elif re.match(r' +\$ ', line):
            raise ValueError(f'line {i + 1}: a command inside a list is not read')
        elif line.strip():
            why = None
        i += 1
    return found


def in_list(lines, i):
    """True if the indented text continues an entry of a list."""
    before = next((line for line in reversed(lines[:i]) if line and not line.startswith('  ')), '')
    return re.match(r'(\d+\.|[-*]) ', before) is not None


def of_block(line, lines, why):
    """Returns the commands of a block. A backslash at the end of a line continues the command."""
    commands, shows = [], any(one.startswith('$ ') for one in lines)
    for number, text in enumerate(lines, line):
        if commands and commands[-1].text.endswith('\\'):
            commands[-1] = commands[-1]._replace(text=commands[-1].text + '\n' + text)
        elif text.startswith('$ ') or (not shows and text.strip()):
            commands.append(Command(number, text[2:] if shows else text, [] if shows else None, why))
        elif shows and commands:
            commands[-1].shown.append(text)
    return commands


def of_markdown(text):
    commands = []
    for line, kind, lines, why in blocks(text):
        if not kind:
            raise ValueError(f'line {line}: the block does not say what it is')
        commands += of_block(line, lines, why) if kind == 'sh' else []
    return commands


def of_man(text):
    commands, why = [], None
    for number, line in enumerate(text.splitlines(), 1):
        mark = MARK.match(line)
        match = re.match(rf'\.Dl ((?:.*[|;] )?(?:{TOOLS}) .*|\S+ .*\| (?:{TOOLS}) .*)', line)
        if match:
            commands.append(Command(number, match[1].replace('\\-', '-'), None, why))
        why = mark[1] if mark else why if match else None
    return commands


def of_help(tool):
    text = subprocess.run([tool, '--help'], capture_output=True, text=True, check=True).stdout
    after = text.partition('\nExamples\n')[2]
    return [Command(number, line.strip(), None, None) for number, line in enumerate(after.splitlines(), 1) if line.strip()]


def spans(text):
    """Returns the calls of tools in running text, such as `gbfs --device opencl`."""
    return [one for one in quoted(text) if re.match(rf'(?:{TOOLS}) ', one)]


def quoted(text):
    """Returns the texts between single backquotes in running text, each on one line."""
    prose = re.sub(r'^```.*?^```|^    .*?$', '', text, flags=re.M | re.S)
    return [' '.join(one.split()) for one in re.findall(r'`([^`]+)`', prose)]


def scripts(text):
    """Returns the calls of scons and of the tree's scripts in running text: `scons test only=bfs`, `tests/device --pack FOLDER`."""
    return [one for one in quoted(text) if re.match(r'scons( |$)|(?:\./bootstrap|tests/[\w/]+|datasets/[\w/]+) ', one)]
