"""Stores, a catalogue and a manifest for the check: generated stores, genuine stores if there are any, broken stores."""
import os
import random
import shutil
import subprocess

MODEL = '''<?xml version="1.0" encoding="UTF-8"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
  <entity name="Note"><attribute name="text" optional="YES" attributeType="String"/>{}
    <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag"
      inverseName="notes" inverseEntity="Tag"/></entity>
  <entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Note"
      inverseName="tags" inverseEntity="Note"/></entity>
</model>
'''
CURRENT = '''<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>Notes 2.xcdatamodel</string></dict></plist>
'''
# Genuine stores of other apps, in ../shared: some have a -wal, mapping models, or several steps.
GENUINE = ('apple-coredatabooks', 'apptentive')
BROKEN = ('garbage', 'truncated', 'empty', 'missing', 'link', 'folder')


class Stores:
    """The stores of the check. `good` has the paths as bytes; `broken` maps such paths to the kind of fault."""

    def __init__(self, place, decant, count, seed):
        self.place, self.decant, self.dice = place, decant, random.Random(seed)
        self.catalogue = os.path.join(place, 'models')
        self.manifest = os.path.join(place, 'stores.nul')
        self.good, self.broken = [], {}
        bases = self.generated() + self.genuine()
        root = os.fsencode(os.path.join(place, 'stores'))
        for number in range(count):
            base = bases[number % len(bases)]
            folder = os.path.join(root, b'%02d' % (number % 100), b'%06d' % number)
            os.makedirs(folder)
            if number % 100 == 9:
                path = os.path.join(folder, b'broken.sqlite')
                self.broken[path] = self.spoil(path, base, BROKEN[number // 100 % len(BROKEN)])
                continue
            path = os.path.join(folder, self.name(number, base))
            self.copy(base, path)
            self.good.append(path)
        paths = self.good + list(self.broken)
        self.dice.shuffle(paths)
        with open(self.manifest, 'wb') as file:
            # Some stores are named twice: they have to be migrated once.
            file.write(b''.join(path + b'\0' for path in paths + paths[:max(1, count // 200)]))
        self.bases = len(bases)

    def name(self, number, base):
        """The store's file name as bytes; some names have characters that scripts often handle wrongly."""
        if not base.endswith('generated.sqlite'):
            return os.path.basename(os.fsencode(base))
        return {0: b'new\nline.sqlite', 1: b'caf\xe9.sqlite', 2: 'e\u0301 u.sqlite'.encode(), 3: b"it's.sqlite",
                4: b'-dash.sqlite'}.get(number % 50, b'Notes.sqlite')

    def generated(self):
        bundle = os.path.join(self.catalogue, 'Notes', 'Notes.xcdatamodeld')
        for name, own in (('Notes', '<attribute name="mood" optional="YES" attributeType="String"/>'),
                          ('Notes 2', '<attribute name="stars" attributeType="Integer 16" defaultValueString="3"/>')):
            folder = os.path.join(bundle, f'{name}.xcdatamodel')
            os.makedirs(folder)
            with open(os.path.join(folder, 'contents'), 'w') as file:
                file.write(MODEL.format(own))
        with open(os.path.join(bundle, '.xccurrentversion'), 'w') as file:
            file.write(CURRENT)
        bases = []
        for seed, rows in enumerate((10, 50, 200, 500), 1):
            path = os.path.join(self.place, 'bases', str(seed), 'generated.sqlite')
            os.makedirs(os.path.dirname(path))
            self.run('generate', f'{bundle}#Notes', '--rows', str(rows), '--seed', str(seed), '--output', path,
                     '--quiet')
            bases.append(path)
        return bases

    def genuine(self):
        """Stores of other apps that can be migrated and verified; none if ../shared is missing."""
        root = os.path.realpath(os.path.join(os.path.dirname(__file__), '../../../../shared/fixtures/stores'))
        bases = []
        for name in GENUINE if os.path.isdir(root) else []:
            folder = os.path.join(root, name)
            entries = os.listdir(folder) if os.path.isdir(folder) else []
            bundles = [entry for entry in entries if entry.endswith('.xcdatamodeld')]
            if len(bundles) != 1:
                continue
            family = os.path.join(self.catalogue, name)
            os.makedirs(family)
            for entry in bundles + [entry for entry in entries if entry.endswith('.xcmappingmodel')]:
                shutil.copytree(os.path.join(folder, entry), os.path.join(family, entry))
            found = [path for path in (os.path.join(folder, entry) for entry in sorted(entries))
                     if is_database(path) and self.works(path)]
            if found:
                bases += found[:2]
            else:
                shutil.rmtree(family)
        return bases

    def works(self, path):
        output = os.path.join(self.place, 'trial', 'trial.sqlite')
        os.makedirs(os.path.dirname(output), exist_ok=True)
        words = ('migrate', path, '--models', self.catalogue, '--output', output, '--keep-associations', '--quiet')
        done = self.run(*words, check=False) and self.run(
            'verify', path, output, '--models', self.catalogue, '--quiet', check=False)
        shutil.rmtree(os.path.dirname(output))
        return done

    def run(self, *words, check=True):
        code = subprocess.run([self.decant, *words], stdout=subprocess.DEVNULL,
                              stderr=None if check else subprocess.DEVNULL).returncode
        if check and code:
            raise SystemExit(f'check: “decant {" ".join(words)}” ended with {code}.')
        return code == 0

    def copy(self, base, path):
        base = os.fsencode(base)
        shutil.copyfile(base, path)
        for suffix in (b'-wal', b'-journal'):
            if os.path.exists(base + suffix):
                shutil.copyfile(base + suffix, path + suffix)
        old, new = support(base), support(path)
        if os.path.isdir(old):
            shutil.copytree(old, new)

    def spoil(self, path, base, kind):
        if kind == 'garbage':
            with open(path, 'wb') as file:
                file.write(self.dice.randbytes(5000))
        elif kind == 'truncated':
            shutil.copyfile(base, path)
            os.truncate(path, os.path.getsize(path) // 2)
        elif kind == 'empty':
            open(path, 'wb').close()
        elif kind == 'link':
            os.symlink(base, path)
        elif kind == 'folder':
            os.mkdir(path)
        return kind


def support(path):
    folder, name = os.path.split(path)
    return os.path.join(folder, b'.' + os.path.splitext(name)[0] + b'_SUPPORT')


def is_database(path):
    if not os.path.isfile(path):
        return False
    with open(path, 'rb') as file:
        return file.read(16) == b'SQLite format 3\0'
