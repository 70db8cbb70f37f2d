"""The model of the fleet's small store: thirty entities in two versions; the second has one more attribute in each."""
import os

ENTITIES = 30
ATTRIBUTES = [('title', 'String'), ('body', 'String'), ('moment', 'Date'), ('count', 'Integer 32'), ('size', 'Double'),
              ('isDone', 'Boolean')]
HEAD = ('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<model type="com.apple.IDECoreDataModeler.DataModel" '
        'documentVersion="1.0" userDefinedModelVersionIdentifier="{}">\n')


def write(catalogue):
    """Writes the family “Fleet” into a catalogue, and returns the path of its bundle."""
    bundle = os.path.join(catalogue, 'Fleet', 'Fleet.xcdatamodeld')
    for version, further in (('Fleet', []), ('Fleet 2', [('note', 'String')])):
        folder = os.path.join(bundle, f'{version}.xcdatamodel')
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, 'contents'), 'w', encoding='utf-8') as file:
            file.write(HEAD.format(version) + ''.join(entity(number, further) for number in range(ENTITIES)) + '</model>\n')
    with open(os.path.join(bundle, '.xccurrentversion'), 'w', encoding='utf-8') as file:
        file.write('<plist version="1.0"><dict><key>_XCCurrentVersionName</key>'
                   '<string>Fleet 2.xcdatamodel</string></dict></plist>\n')
    return bundle


def name(number):
    return f'Entity{number % ENTITIES:02}'


def entity(number, further):
    """The text of an entity with attributes, the relationship `owner` to the entity before, and its inverse."""
    lines = [f'<entity name="{name(number)}" syncable="YES">']
    lines += [f'<attribute name="{key}" optional="YES" attributeType="{kind}"/>' for key, kind in ATTRIBUTES + further]
    for key, other, inverse, count in (('owner', number - 1, 'parts', 'maxCount="1"'),
                                       ('parts', number + 1, 'owner', 'toMany="YES"')):
        lines.append(f'<relationship name="{key}" optional="YES" {count} deletionRule="Nullify" '
                     f'destinationEntity="{name(other)}" inverseName="{inverse}" inverseEntity="{name(other)}"/>')
    return ''.join(f'  {line}\n' for line in [*lines, '</entity>'])
