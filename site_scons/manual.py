# SPDX-License-Identifier: MIT
"""Makes a man page of what a tool's --help says and of a page in mdoc that says the rest.

The tables of options in tools/ are the source of both: --help prints them, and this reads --help. In docs/man/TOOL.1.in a
line "@options" stands where the options go, with a heading for each of --help's; what follows it, up to the next section
(.Sh), are blocks of mdoc, each begun by a line "@ --name" (of an option that has a letter alone: "@ -d"; of a heading:
"@ Heading"), which are put behind what --help says there. Where options of two headings have one name, the heading comes
first: "@ uts --batch". Blocks of docs/man/common.in serve every tool that has none of its own. An option without a block
has what --help says and no more.

A line "@json" stands for the members of what --json prints, as docs/schemas/TOOL.json has and describes them."""
import re

ROW = re.compile(r'  (?P<letter>-[a-zA-Z])?(?:, )?(?P<name>--[a-z0-9-]+)?(?:[= ](?P<argument>\S+))?(?:\s\s+(?P<help>\S.*))?$')


class Option:
    def __init__(self, heading, match):
        self.heading, self.letter, self.name = heading, match['letter'], match['name']
        self.argument, self.words = match['argument'], [match['help'] or '']

    def keys(self):
        name = self.name or self.letter
        return [f'{self.heading} {name}', name]


def options_of(help_text):
    """The options that a --help lists, in order, under its headings."""
    options, heading, lines = [], None, help_text.splitlines()
    for before, line in zip([''] + lines, lines):
        match = ROW.match(line)
        if line.startswith('  -') and match:
            options.append(Option(heading, match))
        elif options and heading and line.startswith(' ' * 20):
            options[-1].words.append(line.strip())
        elif not before and line and not line.startswith(' '):
            heading = line
    return options


def parted(text):
    """The text before the blocks, the blocks by name, and the text behind them."""
    before, _, rest = text.partition('@options\n')
    end = rest.find('\n.Sh ') + 1
    inner, behind = (rest[:end], rest[end:]) if end else (rest, '')
    parts = re.split(r'^@ (.*)\n', inner, flags=re.M)
    return before, dict(zip(parts[1::2], parts[2::2])), behind


def blocks_of(text):
    return parted('@options\n' + text)[1]


def sentence(option):
    """What --help says, as a sentence: its own options bold, the name of its value in italics."""
    text = ' '.join(option.words).strip().replace('\\', '\\e')
    text = re.sub(r'(?<![\w-])(--?[a-z][a-z0-9-]*)', lambda match: '\\fB' + match[1].replace('-', '\\-') + '\\fP', text)
    if option.argument and re.fullmatch('[A-Z]+', option.argument):
        text = re.sub(rf'\b{option.argument}\b', rf'\\fI{option.argument}\\fP', text)
    text = re.sub(r'\. (?=[A-Z])', '.\n', text)
    text = text[0].upper() + text[1:]
    return ('\\&' if text[0] in ".'" else '') + text + ('' if text[-1] == '.' else '.')


def called(option):
    words = [f'Fl {option.letter[1:]}'] if option.letter else []
    words += [f'Fl {option.name[1:]}'] if option.name else []
    line = '.It ' + ' , '.join(words)
    if not option.argument:
        return line
    return line + (' Ns = Ns Ar ' if option.name else ' Ar ') + option.argument


def sections(options, own, common):
    """The mdoc of all options. own and common: blocks by name; those of own that no option or heading has are an error."""
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
        lines += [called(option), sentence(option), *block(option.keys())]
    if unused:
        raise ValueError('no such option or heading in --help: ' + ', '.join(sorted(unused)))
    return '\n'.join([*lines, '.El', ''])


# ---- the members of JSON ----


def followed(schema, schemas, name):
    """The schema that a $ref leads to, with what stands beside it, and the file it is in."""
    while '$ref' in schema:
        path, _, inside = schema['$ref'].partition('#/')
        beside, name = {word: schema[word] for word in schema if word != '$ref'}, path or name
        schema = schemas[name]
        for word in inside.split('/'):
            schema = schema[word]
        schema = {**schema, **beside}
    return schema, name


def prose(text):
    """A description in mdoc: a line for each sentence, null and the like in their own letters."""
    text = re.sub(r'(?<![\w-])(--[a-z][a-z0-9-]*)', lambda match: '\\fB' + match[1].replace('-', '\\-') + '\\fP', text)
    return re.sub(r'\. (?=[A-Z])', '.\n', text)


def said_of(schema, schemas, name):
    """Lines for a schema: its sentence, and a list of the members of its objects."""
    schema, name = followed(schema, schemas, name)
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
            lines += [f'.It Va {key}', *said_of(inner, schemas, name)]
        lines += ['.El']
    if 'items' in schema:
        inner, place = followed(schema['items'], schemas, name)
        lines += members(inner, schemas, place)
    for form in schema.get('oneOf', []):
        lines += ['.Pp', form['title'], *said_of({word: form[word] for word in form if word != 'title'}, schemas, name)]
    return lines


def page(source, common, help_text, schemas, name):
    """The page: its source, common.in, the tool's --help, and the schemas by name, of which one is this tool's."""
    before, own, behind = parted(source)
    told = '\n'.join(said_of(schemas[name], schemas, name)) + '\n'
    return before + sections(options_of(help_text), own, blocks_of(common)) + behind.replace('@json\n', told)
