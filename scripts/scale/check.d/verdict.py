"""What must hold at the end: each store once, every result verifies, and the broken ones are named."""
import base64
import concurrent.futures
import glob
import json
import os
import subprocess


def judge(stores, output, workers):
    """The faults as sentences; none is a success."""
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
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        faults += [fault for fault in pool.map(lambda path: verify(stores, output, path, lines.get(path)), stores.good)
                   if fault]
    return faults


def last_lines(folder):
    """The line that counts of each store, whose source and settings stay the same: a result, else the newest one."""
    lines = {}
    for file in sorted(glob.glob(os.path.join(folder, '*.jsonl'))):
        with open(file, 'rb') as text:
            for line in text:
                record = json.loads(line)
                if 'run' in record:
                    continue
                path = base64.b64decode(record['pathBytes']) if 'pathBytes' in record else os.fsencode(record['path'])
                if lines.get(path, {}).get('result') not in ('done', 'current') or record['result'] in ('done', 'current'):
                    lines[path] = record
    return lines


def sums(stores, output):
    """“decant ledger” has to say the same."""
    run = subprocess.run([stores.decant, 'ledger', os.path.join(output, 'ledger'), '--manifest', stores.manifest, '--json'],
                         capture_output=True, text=True)
    if run.returncode != (65 if stores.broken else 0):
        return [f'decant ledger ended with {run.returncode}: {run.stderr}']
    sum = json.loads(run.stdout)
    wanted = {'refused': len(stores.broken), 'later': 0, 'missing': 0, 'twice': 0, 'unreadableLines': 0}
    faults = [f'decant ledger: {key} is {sum[key]}, not {number}.' for key, number in wanted.items() if sum[key] != number]
    if sum['done'] + sum['current'] != len(stores.good):
        faults.append(f'decant ledger: {sum["done"] + sum["current"]} done, not {len(stores.good)}.')
    return faults


def leftovers(stores, output):
    """Nothing but ledgers and results, one folder for each store."""
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


def verify(stores, output, path, line):
    if not line or line['result'] not in ('done', 'current'):
        return None
    place = base64.b64decode(line['outputBytes']) if 'outputBytes' in line else os.fsencode(line['output'])
    result = os.path.join(os.fsencode(output), place)
    words = [stores.decant, 'verify', path, result, '--models', stores.catalogue, '--quiet']
    text = (path + result).decode(errors='replace')
    if '\ufffd' in text:
        # A command line takes text only, so both get names that are text.
        return verify_renamed(stores, path, result)
    run = subprocess.run(words, capture_output=True, text=True)
    return None if run.returncode == 0 else f'{path!r}: verify ended with {run.returncode}: {run.stdout}{run.stderr}'


def verify_renamed(stores, path, result):
    import tempfile
    with tempfile.TemporaryDirectory(dir=stores.place) as place:
        copies = []
        for number, source in enumerate((path, result)):
            folder = os.path.join(place, str(number))
            os.mkdir(folder)
            copy = os.path.join(folder, 'copy.sqlite')
            stores.copy(source, os.fsencode(copy))
            copies.append(copy)
        run = subprocess.run([stores.decant, 'verify', *copies, '--models', stores.catalogue, '--quiet'],
                             capture_output=True, text=True)
    return None if run.returncode == 0 else f'{path!r}: verify ended with {run.returncode}: {run.stdout}{run.stderr}'
