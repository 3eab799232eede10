# SPDX-License-Identifier: MIT
"""Makes the declarations of the Python package from the public headers: structs, enums and functions for ctypes.

The C compiler preprocesses the headers, and this script parses what they declare. Then it writes a C source with the
size of each struct, the offset of each member and the value of each constant as ctypes computes them, and the compiler
checks it. So a header that this script misunderstands ends the build. So does a name gws_* or GWS_* in the package
that no header declares, and a member that a result names and its struct lacks."""
import ctypes
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HEADERS = ('graphws.h', 'workloads/bpc.h', 'workloads/uts.h')
MACROS = {'GWS_NO_VERTEX': 2**32 - 1, 'GWS_NO_DISTANCE': 2**64 - 1, 'GWS_OCTREE_NONE': 2**64 - 1, 'GWS_INDEX_ALL': None}
NUMBERS = {'void': 'None', 'bool': 'c_bool', '_Bool': 'c_bool', 'char': 'c_char', 'int': 'c_int', 'double': 'c_double',
           'float': 'c_float', 'size_t': 'c_size_t', 'int8_t': 'c_int8', 'int16_t': 'c_int16', 'int32_t': 'c_int32',
           'int64_t': 'c_int64', 'uint8_t': 'c_uint8', 'uint16_t': 'c_uint16', 'uint32_t': 'c_uint32', 'uint64_t': 'c_uint64'}
TOKEN = re.compile(r'[A-Za-z_]\w*|0[xX][0-9a-fA-F]+|\d+|<<|"(?:[^"\\]|\\.)*"|\.\.\.|\S')
HEAD = '''# Made by site_scons/declarations.py from the public headers.
from ctypes import (CFUNCTYPE, Structure, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int8, c_int16, c_int32, c_int64,
                    c_size_t, c_uint, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p)

'''


def includes(root):
    return ''.join(f'#include "{root}/{header}"\n' for header in HEADERS)


def preprocessed(compiler, root):
    """The text of the project's own headers after the preprocessor."""
    text = subprocess.run([*compiler, '-std=c11', '-E', '-xc', '-'], input=includes(root), text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    lines, own = [], False
    for line in text.splitlines():
        mark = re.match(r'# \d+ "([^"]*)"', line)
        if mark:
            own = mark[1].startswith(str(root) + '/')
        elif own:
            lines.append(line)
    return '\n'.join(lines)


class Parser:
    """Reads declarations. Every pointer is a c_void_p, except text, which is a c_char_p."""

    def __init__(self, text):
        text = re.sub(r'__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)', ' ', text)
        self.tokens, self.place = TOKEN.findall(text), 0
        self.enums, self.structs, self.functions, self.callbacks = {}, {}, {}, {}
        self.enum_names = {'gws_status'}
        while self.place < len(self.tokens):
            self.declaration()

    def until(self, *ends):
        """Takes the tokens up to one of `ends` outside brackets, and that token."""
        begin, depth = self.place, 0
        while depth or self.tokens[self.place] not in ends:
            depth += (self.tokens[self.place] in '([{') - (self.tokens[self.place] in ')]}')
            self.place += 1
        self.place += 1
        return self.tokens[begin:self.place]

    def declaration(self):
        words = self.until(';', '{')
        if words[-1] == '{':
            body = self.until('}')[:-1]
            if words[0] == 'static':
                return
            if 'enum' in words:
                self.enum_names.add(words[-2])
                self.enum(body)
            elif 'struct' in words:
                self.structs[words[-2]] = self.members(body)
            else:
                raise ValueError(f'unexpected declaration: {" ".join(words)}')
            self.until(';')
        elif '(' in words and words[0] != '_Static_assert':
            self.function([word for word in words if word not in ('extern', 'static', 'inline')])

    def value(self, words):
        return eval(' '.join(words), {}, self.enums)  # sums and shifts of constants from our own headers

    def enum(self, body):
        after = 0
        for entry in split(body):
            self.enums[entry[0]] = self.value(entry[2:]) if len(entry) > 1 else after
            after = self.enums[entry[0]] + 1

    def kind(self, words):
        """The ctypes type of a type's words, pointers included."""
        plain = [word for word in words if word not in ('const', 'restrict', 'struct', 'enum')]
        if '*' in plain or '(' in plain or '[' in plain:
            text = plain[0] == 'char' and plain.count('*') == 1 and 'const' in words and '[' not in plain
            return 'c_char_p' if text else 'c_void_p'
        if plain[0] in self.enum_names:
            return 'c_uint'
        return NUMBERS.get(plain[0], plain[0])

    def members(self, body):
        """[(name, type)] of a struct, in order."""
        found = []
        for statement in split(body, ';'):
            if '(' in statement:
                found.append((statement[statement.index('(') + 2], 'c_void_p'))  # a pointer to a function
                continue
            first, *more = split(statement)
            stars = first.index('*') if '*' in first else len(first) - (first[-1] == ']') * 3 - 1
            base = first[:stars]
            for words in [first[stars:], *more]:
                name = next(word for word in words if word not in ('*', 'const'))
                kind = self.kind(base + ['*'] * words.count('*'))
                if '[' in words:
                    kind += f' * {self.value(words[words.index("[") + 1:-1])}'
                found.append((name, kind))
        return found

    def function(self, words):
        is_type = words[0] == 'typedef'
        head = words[is_type:words.index('(')]
        arguments = split(words[words.index('(') + 1:-2])
        kinds = [] if arguments in ([], [['void']]) else [self.argument(argument) for argument in arguments]
        table = self.callbacks if is_type else self.functions
        table[head[-1]] = (self.kind(head[:-1]), kinds)

    def argument(self, words):
        if words == ['...']:
            return None
        named = len(words) > 1 and re.match(r'[a-z_]\w*$', words[-1]) and words[-2] not in ('struct', 'enum', 'const')
        return self.kind(words[:-1] if named else words)


def split(words, at=','):
    """Divides tokens at `at` outside brackets."""
    parts, depth = [[]], 0
    for word in words:
        depth += (word in '([{') - (word in ')]}')
        if word == at and depth == 0:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def module(parser, version, library):
    """The text of the module. Structs without members are private, and only pointers to them exist."""
    lines = [HEAD, f'VERSION = {version!r}\n', f'LIBRARY = {library!r}\n\n']
    lines += [f'{name} = {value}\n' for name, value in {**parser.enums, **{n: v for n, v in MACROS.items() if v is not None}}.items()]
    for name, members in parser.structs.items():
        fields = ', '.join(f'({member!r}, {kind})' for member, kind in members)
        lines.append(f'\n\nclass {name}(Structure):\n    __slots__ = ()  # an unknown member is an error\n    _fields_ = [{fields}]\n')
    lines.append('\n\n# name: (type of the result, types of the arguments)\nFUNCTIONS = {\n')
    for name, (result, arguments) in parser.functions.items():
        if None not in arguments:
            lines.append(f'    {name!r}: ({result}, ({"".join(f"{one}, " for one in arguments)})),\n')
    lines.append('}\n\n')
    for name, (result, arguments) in parser.callbacks.items():
        lines.append(f'{name} = CFUNCTYPE({", ".join([result, *arguments])})\n')
    return ''.join(lines)


def layout(parser, made, root):
    """A C source that compiles only if ctypes' layout is the compiler's."""
    lines = ['#include <stddef.h>\n', includes(root)]
    claim = '_Static_assert({} == {}, "python: {}");\n'.format
    for name, members in parser.structs.items():
        lines.append(claim(f'sizeof(struct {name})', ctypes.sizeof(made[name]), name))
        lines += [claim(f'offsetof(struct {name}, {member})', getattr(made[name], member).offset, f'{name}.{member}')
                  for member, _ in members]
    lines += [claim(name, f'{value}u', name) for name, value in parser.enums.items()]
    lines += [claim(name, f'{value}u', name) for name, value in MACROS.items() if value is not None]
    return ''.join(lines)


def unknown_names(made, folder):
    """[a name of the library, or the beginning of some, that the package uses and no header declares]"""
    known = {*made, *made['FUNCTIONS']}
    known |= {name[:place] for name in known for place, at in enumerate(name) if at == '_'}
    return [f'{path}: no public header declares {name}' for path in sorted(Path(folder).glob('*.py'))
            for name in sorted(set(re.findall(r'\b(?:gws|GWS)_\w+', path.read_text()))) if name.rstrip('_') not in known]


def import_problems(source, folder):
    """What Python says when it imports the package with this module: results look up the members that they name."""
    with tempfile.TemporaryDirectory() as scratch:
        package = Path(scratch) / 'graphws'
        package.mkdir()
        (package / '_declarations.py').write_text(source)
        for path in Path(folder).glob('*.py'):
            (package / path.name).symlink_to(path.resolve())
        done = subprocess.run([sys.executable, '-B', '-c', 'import graphws'], cwd=scratch, env={**os.environ, 'PYTHONPATH': scratch},
                              check=False, text=True, stderr=subprocess.PIPE)
    return [done.stderr] if done.returncode else []


def text(compiler, root, package, version, library):
    """The module's text. Raises an error if it does not fit the headers or the package's sources."""
    parser = Parser(preprocessed(compiler, root))
    source, made = module(parser, version, library), {}
    exec(source, made)
    check = subprocess.run([*compiler, '-std=c11', '-fsyntax-only', '-xc', '-'], input=layout(parser, made, root), text=True,
                           check=False, stderr=subprocess.PIPE)
    problems = [check.stderr] if check.returncode else unknown_names(made, package) or import_problems(source, package)
    if problems:
        raise ValueError('the Python package does not fit the headers:\n' + '\n'.join(problems))
    return source
