# SPDX-License-Identifier: MIT
"""Makes a tool's man page from its --help and a page in mdoc with the remaining text.

The tables of options in tools/ are the source of both: --help prints them, and this script parses --help. In
docs/man/TOOL.1.in the line "@options" marks the position of the options, which get the headings of --help. Blocks of
mdoc follow that line, up to the next section (.Sh). A block begins with a line "@ --name" (for an option with only a letter
"@ -d"; for a heading "@ Heading"), and its text is appended to the sentence from --help. If options under two headings
have the same name, the heading comes first: "@ uts --batch". Blocks in docs/man/common.in apply to every tool without a
block of its own. An option without a block only has its sentence from --help.

A line "@json" stands for the members of the output of --json, as docs/schemas/TOOL.json describes them."""
import re

ROW = re.compile(r'  (?P<short>-[a-zA-Z])?(?:, )?(?P<name>--[a-z0-9-]+)?(?:[= ](?P<argument>\S+))?(?:\s\s+(?P<help>\S.*))?$')


class Option:
    def __init__(self, heading, match):
        self.heading, self.short, self.name = heading, match['short'], match['name']
        self.argument, self.lines = match['argument'], [match['help'] or '']

    def keys(self):
        name = self.name or self.short
        return [f'{self.heading} {name}', name]


def options_of(help_text):
    """The options in the output of --help, in order, with their headings."""
    options, heading, lines = [], None, help_text.splitlines()
    for before, line in zip([''] + lines, lines):
        match = ROW.match(line)
        if line.startswith('  -') and match:
            options.append(Option(heading, match))
        elif options and heading and line.startswith(' ' * 20):
            options[-1].lines.append(line.strip())
        elif not before and line and not line.startswith(' '):
            heading = line
    return options


def split_page(text):
    """The text before the blocks, the blocks by name, and the text after them."""
    before, _, rest = text.partition('@options\n')
    end = rest.find('\n.Sh ') + 1
    inner, after = (rest[:end], rest[end:]) if end else (rest, '')
    parts = re.split(r'^@ (.*)\n', inner, flags=re.M)
    return before, dict(zip(parts[1::2], parts[2::2])), after


def blocks_of(text):
    return split_page('@options\n' + text)[1]


def sentence(option):
    """The sentence of --help: option names in bold, the name of the value in italics."""
    text = ' '.join(option.lines).strip().replace('\\', '\\e')
    text = re.sub(r'(?<![\w-])(--?[a-z][a-z0-9-]*)', lambda match: '\\fB' + match[1].replace('-', '\\-') + '\\fP', text)
    if option.argument and re.fullmatch('[A-Z]+', option.argument):
        text = re.sub(rf'\b{option.argument}\b', rf'\\fI{option.argument}\\fP', text)
    text = re.sub(r'\. (?=[A-Z])', '.\n', text)
    text = text[0].upper() + text[1:]
    return ('\\&' if text[0] in ".'" else '') + text + ('' if text[-1] == '.' else '.')


def item(option):
    names = [f'Fl {option.short[1:]}'] if option.short else []
    names += [f'Fl {option.name[1:]}'] if option.name else []
    line = '.It ' + ' , '.join(names)
    if not option.argument:
        return line
    return line + (' Ns = Ns Ar ' if option.name else ' Ar ') + option.argument


def sections(options, own, common):
    """The mdoc of all options. own and common: blocks by name; a block in own must have an option or heading."""
    lines, heading, unused = [], None, set(own)
    def block(keys):
        name = next((key for key in keys if key in own), None)
        unused.discard(name)
        text = own[name] if name else next((common[key] for key in keys if key in common), '')
        return text.rstrip('\n').splitlines()
    for option in options:
        if option.heading != heading:
            lines += ['.El'] if heading else []
            heading = option.heading
            lines += [f'.Ss {heading}', *block([heading]), '.Bl -tag -width Ds']
        lines += [item(option), sentence(option), *block(option.keys())]
    if unused:
        raise ValueError('no such option or heading in --help: ' + ', '.join(sorted(unused)))
    return '\n'.join([*lines, '.El', ''])


# ---- the members of JSON ----


def resolved(schema, schemas, name):
    """The schema that a $ref refers to, merged with the members beside the $ref, and its file."""
    while '$ref' in schema:
        path, _, inside = schema['$ref'].partition('#/')
        beside, name = {word: schema[word] for word in schema if word != '$ref'}, path or name
        schema = schemas[name]
        for word in inside.split('/'):
            schema = schema[word]
        schema = {**schema, **beside}
    return schema, name


def prose(text):
    """A description in mdoc: a line for each sentence, option names in bold."""
    text = re.sub(r'(?<![\w-])(--[a-z][a-z0-9-]*)', lambda match: '\\fB' + match[1].replace('-', '\\-') + '\\fP', text)
    return re.sub(r'\. (?=[A-Z])', '.\n', text)


def description(schema, schemas, name):
    """Lines for a schema: its sentence, and a list of the members of its objects."""
    schema, name = resolved(schema, schemas, name)
    lines = [prose(schema['description'])] if 'description' in schema else []
    if 'const' in schema and not lines:
        lines = [f'.Sy {schema["const"]}']
    if 'enum' in schema:
        lines += ['One of', '.Sy ' + ' , '.join(map(str, schema['enum'])) + ' .']
    return lines + members(schema, schemas, name)


def members(schema, schemas, name):
    lines = []
    if schema.get('properties'):
        lines += ['.Bl -tag -width Ds -compact']
        for key, inner in schema['properties'].items():
            lines += [f'.It Va {key}', *description(inner, schemas, name)]
        lines += ['.El']
    if 'items' in schema:
        inner, place = resolved(schema['items'], schemas, name)
        lines += members(inner, schemas, place)
    for form in schema.get('oneOf', []):
        lines += ['.Pp', form['title'], *description({word: form[word] for word in form if word != 'title'}, schemas, name)]
    return lines


def page(source, common, help_text, schemas, name):
    """The page from its source, common.in, the tool's --help, and the schemas by name; `name` is the tool's schema."""
    before, own, after = split_page(source)
    json_members = '\n'.join(description(schemas[name], schemas, name)) + '\n'
    return before + sections(options_of(help_text), own, blocks_of(common)) + after.replace('@json\n', json_members)
