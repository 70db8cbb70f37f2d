"""Checks the end: each store has one result, every result verifies, and the broken stores are named."""
import base64
import concurrent.futures
import glob
import hashlib
import json
import os
import subprocess
import tempfile

import stores as content


def judge(stores, output, workers):
    """Returns a summary as text, and the faults as a list of sentences; an empty list is a success."""
    faults = []
    lines = last_lines(os.path.join(output, 'ledger'))
    done = {path for path, line in lines.items() if line['result'] in ('done', 'current')}
    refused = {path: line for path, line in lines.items() if line['result'] == 'refused'}
    for path in stores.good:
        if path not in done:
            faults.append(f'{path!r} has no result: {lines.get(path)}')
    for path, kind in stores.broken.items():
        if path not in refused:
            faults.append(f'{path!r} ({kind}) isn\'t refused: {lines.get(path)}')
        elif not refused[path].get('reason') or not refused[path].get('message'):
            faults.append(f'{path!r} ({kind}) is refused without a reason.')
    for path in lines.keys() - set(stores.good) - stores.broken.keys():
        faults.append(f'{path!r} is in a ledger, but not in the manifest.')
    faults += sums(stores, output)
    faults += leftovers(stores, output)
    results, different, wrong = Verification(stores, output, workers).run(lines)
    words = (f'{len(done):,} done, {len(refused):,} refused of {len(stores.good) + len(stores.broken):,} stores; '
             f'{results:,} results compared, {different:,} different ones')
    return words, faults + wrong


def last_lines(folder):
    """The line that counts for each store: a result, or else the newest line. Sources and settings don't change here."""
    lines = {}
    for file in sorted(glob.glob(os.path.join(folder, '*.jsonl'))):
        with open(file, 'rb') as text:
            for line in text:
                record = json.loads(line)
                if 'path' not in record:
                    continue
                path = base64.b64decode(record['pathBytes']) if 'pathBytes' in record else os.fsencode(record['path'])
                if lines.get(path, {}).get('result') not in ('done', 'current') or record['result'] in ('done', 'current'):
                    lines[path] = record
    return lines


def sums(stores, output):
    """Checks that “decant ledger” gives the same numbers; returns the faults."""
    run = subprocess.run([stores.decant, 'ledger', os.path.join(output, 'ledger'), '--manifest', stores.manifest, '--json'],
                         capture_output=True, text=True)
    if run.returncode != (65 if stores.broken else 0):
        return [f'decant ledger ended with {run.returncode}: {run.stderr}']
    sum = json.loads(run.stdout)
    wanted = {'refused': len(stores.broken), 'later': 0, 'missing': 0, 'twice': 0, 'unreadableLines': 0,
              'unfinishedShards': []}
    faults = [f'decant ledger: {key} is {sum[key]}, not {number}.' for key, number in wanted.items() if sum[key] != number]
    if sum['done'] != len(stores.good):
        faults.append(f'decant ledger: {sum["done"]} done, not {len(stores.good)}.')
    return faults


def leftovers(stores, output):
    """Checks that the output has only ledgers, and one folder of results for each store; returns the faults."""
    faults, found = [], 0
    for name in os.listdir(output):
        if name == 'ledger':
            continue
        if name == '.unfinished':
            faults += [f'{each} is left in .unfinished.' for each in os.listdir(os.path.join(output, name))]
            continue
        if len(name) != 2:
            faults.append(f'{name} is left in the output.')
            continue
        for inner in os.listdir(os.path.join(output, name)):
            found += len(os.listdir(os.path.join(output, name, inner)))
    if found != len(stores.good):
        faults.append(f'The output has {found} folders of results, not {len(stores.good)}.')
    return faults


class Verification:
    """“decant verify” for each result; an equal result of an equal store isn't compared a second time."""

    def __init__(self, stores, output, workers):
        self.stores, self.output, self.workers = stores, os.fsencode(output), workers

    def run(self, lines):
        """The number of results, that of the different ones among them, and the faults as sentences."""
        pairs = [(path, self.result(lines[path])) for path in self.stores.good
                 if lines.get(path, {}).get('result') in ('done', 'current')]
        faults = [f'{path!r}: its result is missing: {result!r}' for path, result in pairs if not os.path.isfile(result)]
        if faults:
            return len(pairs), 0, faults
        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            digests = list(pool.map(lambda pair: (digest(pair[0]), digest(pair[1])), pairs))
            different = {}
            for pair, key in zip(pairs, digests):
                different.setdefault(key, pair)
            faults = [fault for fault in pool.map(lambda pair: self.verify(*pair), different.values()) if fault]
        return len(pairs), len(different), faults

    def result(self, line):
        place = base64.b64decode(line['outputBytes']) if 'outputBytes' in line else os.fsencode(line['output'])
        return os.path.join(self.output, place)

    def verify(self, path, result):
        # A command line takes only text, so both get copies with names that are text.
        if '\ufffd' in (path + result).decode(errors='replace'):
            with tempfile.TemporaryDirectory(dir=self.stores.place) as place:
                return self.compare(path, *(self.copy(source, os.path.join(place, str(number)))
                                            for number, source in enumerate((path, result))))
        return self.compare(path, path, result)

    def copy(self, source, folder):
        os.mkdir(folder)
        copy = os.path.join(folder, 'copy.sqlite')
        self.stores.copy(source, os.fsencode(copy))
        return copy

    def compare(self, path, source, result):
        run = subprocess.run([self.stores.decant, 'verify', source, result, '--models', self.stores.catalogue, '--quiet'],
                             capture_output=True, text=True)
        return None if run.returncode == 0 else f'{path!r}: verify ended with {run.returncode}: {run.stdout}{run.stderr}'


def digest(store):
    """The SHA-256 of a store and of its log and external data.

    Association files don't count: those of equal stores have different bytes.
    """
    whole = hashlib.sha256()
    for path, label in files(store):
        with open(path, 'rb') as file:
            data = file.read()
        whole.update(b'%s\0%d\0' % (label, len(data)) + data)
    return whole.digest()


def files(store):
    yield store, b''
    for suffix in (b'-wal', b'-journal'):
        if os.path.exists(store + suffix):
            yield store + suffix, suffix
    root = content.support(store)
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            yield path, path[len(root):]
