# SPDX-License-Identifier: MIT
"""Checks JSON against docs/schemas. It supports only the keywords of JSON Schema (2020-12) that these schemas use; any other
keyword is an error, so no keyword goes unchecked."""
import functools
import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / 'docs' / 'schemas'
KINDS = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'null': type(None), 'integer': int,
         'number': (int, float)}
SILENT = {'$schema', '$defs', 'title', 'description'}


@functools.lru_cache(None)
def load(name):
    return json.loads((FOLDER / name).read_text())


def find(reference, name):
    """Resolves a $ref in file `name`. Returns the schema and its file."""
    path, _, inside = reference.partition('#/')
    schema = load(path or name)
    for word in inside.split('/'):
        schema = schema[word]
    return schema, path or name


def is_a(value, kind):
    return isinstance(value, KINDS[kind]) and (kind == 'boolean' or not isinstance(value, bool))


class Judge:
    """Checks one value against one schema of a file. problems: the errors; seen: the members that the schema covers."""

    def __init__(self, value, schema, name, place):
        self.value, self.schema, self.name, self.place = value, schema, name, place
        self.problems, self.seen = [], set()
        unchecked = [word for word in schema if word not in SILENT and not hasattr(self, 'do_' + word.strip('$'))]
        if unchecked:
            raise ValueError(f'{name}: unsupported keywords {unchecked}')
        for word in schema:
            if word not in SILENT and word != 'unevaluatedProperties':
                getattr(self, 'do_' + word.strip('$'))(schema[word])
        if 'unevaluatedProperties' in schema:
            self.do_unevaluatedProperties(schema['unevaluatedProperties'])

    def blame(self, what):
        self.problems.append(f'{self.place or "the whole"}: {what}')

    def judge(self, value, schema, place, name=None):
        return Judge(value, schema, name or self.name, place)

    def do_ref(self, reference):
        schema, name = find(reference, self.name)
        other = self.judge(self.value, schema, self.place, name)
        self.problems += other.problems
        self.seen |= other.seen

    def do_type(self, kinds):
        if not any(is_a(self.value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
            self.blame(f'{self.value!r} is not of type {kinds}')

    def do_const(self, only):
        if self.value != only:
            self.blame(f'{self.value!r} is not {only!r}')

    def do_enum(self, values):
        if self.value not in values:
            self.blame(f'{self.value!r} is none of {values}')

    def do_minimum(self, low):
        if is_a(self.value, 'number') and self.value < low:
            self.blame(f'{self.value} is below {low}')

    def do_maximum(self, high):
        if is_a(self.value, 'number') and self.value > high:
            self.blame(f'{self.value} is above {high}')

    def do_minItems(self, low):
        if isinstance(self.value, list) and len(self.value) < low:
            self.blame(f'fewer than {low} entries')

    def do_maxItems(self, high):
        if isinstance(self.value, list) and len(self.value) > high:
            self.blame(f'more than {high} entries')

    def do_items(self, schema):
        for i, entry in enumerate(self.value if isinstance(self.value, list) else []):
            self.problems += self.judge(entry, schema, f'{self.place}[{i}]').problems

    def members(self):
        return self.value if isinstance(self.value, dict) else {}

    def do_properties(self, properties):
        for key in self.members().keys() & properties.keys():
            self.seen.add(key)
            self.problems += self.judge(self.value[key], properties[key], f'{self.place}.{key}').problems

    def do_required(self, keys):
        if isinstance(self.value, dict) and set(keys) - set(self.value):
            self.blame(f'without {sorted(set(keys) - set(self.value))}')

    def do_dependentRequired(self, needs):
        for key in needs.keys() & self.members().keys():
            self.do_required(needs[key])

    def do_additionalProperties(self, allowed):
        if not allowed and self.members().keys() - self.schema['properties'].keys():
            self.blame(f'{sorted(self.members().keys() - self.schema["properties"].keys())} should not be there')

    def do_oneOf(self, schemas):
        tried = [self.judge(self.value, schema, self.place) for schema in schemas]
        good = [one for one in tried if not one.problems]
        if len(good) != 1:
            self.blame(f'fits {len(good)} of {len(schemas)} forms: {min((one.problems for one in tried), key=len)}')
        self.seen |= set().union(*(one.seen for one in good))

    def do_unevaluatedProperties(self, allowed):
        if not allowed and self.members().keys() - self.seen:
            self.blame(f'{sorted(self.members().keys() - self.seen)} should not be there')


def problems(value, tool):
    """Returns the errors in an output of the tool's --json."""
    return Judge(value, load(f'{tool}.json'), f'{tool}.json', '').problems


def parts(schema):
    """Yields the schema and every schema in it."""
    yield schema
    for word, inner in schema.items():
        if word in ('properties', '$defs'):
            for one in inner.values():
                yield from parts(one)
        elif word == 'items':
            yield from parts(inner)
        elif word == 'oneOf':
            for one in inner:
                yield from parts(one)


def is_described(schema, name):
    if '$ref' in schema and 'description' not in schema:
        return is_described(*find(schema['$ref'], name))
    return 'const' in schema or schema.get('description', '').endswith('.')


def undocumented(name):
    """Returns the object members of a file that have no description."""
    return [key for part in parts(load(name)) for key, inner in part.get('properties', {}).items()
            if not is_described(inner, name)]
