"""Simulates power cuts under decantd: no store may be lost, and a store that the log calls done must be in done/."""
import argparse
import contextlib
import fcntl
import hashlib
import json
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

import daemon
import fleet
import fleet_model
import measure
import programs

# ext4 and XFS have this call for tests: the file system stops at once, and the part of its log in memory is lost.
SHUTDOWN, WITHOUT_LOG = 0x8004587D, 2
LONGEST = 300       # seconds within which all stores have to be done after the power is back


def main():
    words = argparse.ArgumentParser(prog='scripts/powercut', description=__doc__)
    words.add_argument('--kind', choices=('ext4', 'xfs'), default='ext4', help='the file system; ext4 by default')
    words.add_argument('--rounds', type=int, default=10, help='cuts; 10 by default')
    words.add_argument('--stores', type=int, default=60, help='stores in each round; 60 by default')
    words.add_argument('--originals', choices=('keep', 'delete'), default='keep', help='as in decantd.json5')
    words = words.parse_args()
    with tempfile.TemporaryDirectory(prefix='powercut-') as place:
        catalogue = os.path.join(place, 'catalogue')
        bundle = fleet_model.write(catalogue)
        source = os.path.join(place, 'source.sqlite')
        subprocess.run([programs.DECANT, 'generate', f'{bundle}#Fleet', '--rows', str(fleet.ROWS), '--output', source,
                        '--quiet'], check=True, stdout=subprocess.DEVNULL)
        truth = content(migrated(place, catalogue, source))
        for number in range(1, words.rounds + 1):
            said, there = one(words, place, catalogue, source, truth)
            print(f'{words.kind}, cut {number} of {words.rounds}: the log called {said} of {words.stores} stores done, '
                  f'and {there} were in done/; all are in done/ after the next start', flush=True)


def migrated(place, catalogue, source):
    result = os.path.join(place, 'truth.sqlite')
    subprocess.run([programs.DECANT, 'migrate', source, '--models', catalogue, '--output', result], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return result


def content(path):
    """A digest of the rows of all tables except Z_METADATA, or “damaged” if SQLite finds the file damaged."""
    digest = hashlib.sha256()
    with contextlib.closing(sqlite3.connect(f'file:{path}?mode=ro&immutable=1', uri=True)) as store:
        if store.execute('PRAGMA integrity_check').fetchone()[0] != 'ok':
            return 'damaged'
        for (table,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall():
            # Each store has other metadata.
            if table != 'Z_METADATA':
                for row in sorted(map(repr, store.execute(f'SELECT * FROM "{table}"'))):
                    digest.update(row.encode())
    return digest.hexdigest()


def one(words, place, catalogue, source, truth):
    image, mount = os.path.join(place, 'image'), os.path.join(place, 'mount')
    os.makedirs(mount, exist_ok=True)
    size = 400 * 2**20 + words.stores * 6 * os.path.getsize(source)
    with open(image, 'wb') as file:
        file.truncate(size)
    run(f'mkfs.{words.kind}', '-q', image)
    run('mount', '-o', 'loop', image, mount)
    process = None
    try:
        spool = os.path.join(mount, 'spool')
        names = drop(words, mount, spool, source)
        settings(words, place, catalogue, spool)
        process = start(place)
        for name in names:
            os.rename(os.path.join(mount, name), os.path.join(spool, 'incoming', name))
        # The user who drops stores has to make them durable.
        os.sync()
        time.sleep(random.uniform(0.1, words.stores / 60))
        said = done_by_log(place)
        cut(mount)
        process.kill()
        process.wait()
        unmount(mount)
        run('mount', '-o', 'loop', image, mount)
        there = os.listdir(os.path.join(spool, 'done'))
        lost = said - set(there)
        if lost:
            raise measure.Failed(f'called done by the log before the cut, but not in done/ after it: {sorted(lost)}')
        look(words, spool, there, source, truth)
        process = start(place)
        wait(words, spool)
        process.send_signal(signal.SIGTERM)
        process.wait()
        found = sorted(os.listdir(os.path.join(spool, 'done')))
        if found != names:
            raise measure.Failed(f'done/ holds {found}')
        look(words, spool, found, source, truth)
        return len(said), len(there)
    finally:
        if process and process.poll() is None:
            process.kill()
            process.wait()
        unmount(mount)


def drop(words, mount, spool, source):
    for name in ('incoming', 'work', 'done', 'failed'):
        os.makedirs(os.path.join(spool, name))
        os.chmod(os.path.join(spool, name), 0o2770)
    names = [f'S{number:04}' for number in range(words.stores)]
    for name in names:
        os.makedirs(os.path.join(mount, name))
        shutil.copyfile(source, os.path.join(mount, name, f'{name}.sqlite'))
    return names


def settings(words, place, catalogue, spool):
    with open(os.path.join(place, 'decantd.json5'), 'w', encoding='utf-8') as file:
        json.dump({'spool': spool, 'catalogue': catalogue, 'socket': f'{place}/health.sock', 'workers': 2,
                   'progressLog': f'{place}/progress.log', 'originals': words.originals, 'minimumFreeBytes': 0}, file)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(f'{place}/progress.log')


def start(place):
    with open(f'{place}/words', 'ab') as said:
        process = subprocess.Popen([programs.DECANTD, '--config', f'{place}/decantd.json5'],
                                   stdin=subprocess.DEVNULL, stdout=said, stderr=said)
    daemon.wait_until_ready(process, f'{place}/health.sock', f'{place}/words')
    return process


def done_by_log(place):
    """The names of the folders that the log calls done; the log is on another file system."""
    with open(f'{place}/progress.log', encoding='utf-8') as file:
        lines = [line for line in file if ' event=done ' in line]
    return {word.strip('"').rsplit('/', 1)[-1] for line in lines for word in line.split() if word.startswith('folder=')}


def cut(mount):
    folder = os.open(mount, os.O_RDONLY)
    try:
        fcntl.ioctl(folder, SHUTDOWN, struct.pack('I', WITHOUT_LOG))
    finally:
        os.close(folder)


def unmount(mount):
    for _ in range(100):
        # The stopped file system can't be asked, so /proc/mounts says whether it is still mounted.
        with open('/proc/mounts', encoding='utf-8') as mounts:
            if not any(line.split()[1] == mount for line in mounts):
                return
        if subprocess.run(['umount', mount], stderr=subprocess.DEVNULL, check=False).returncode:
            time.sleep(0.1)
    raise measure.Failed(f'{mount} can’t be unmounted')


def wait(words, spool):
    end = time.monotonic() + LONGEST
    while True:
        work = [name for name in os.listdir(os.path.join(spool, 'work')) if not name.startswith('.')]
        failed = os.listdir(os.path.join(spool, 'failed'))
        if failed:
            raise measure.Failed(f'failed/ holds {failed}')
        if not work and len(os.listdir(os.path.join(spool, 'done'))) >= words.stores:
            return
        if time.monotonic() > end:
            raise measure.Failed(f'not done after {LONGEST} s; work/ holds {work}')
        time.sleep(0.05)


def look(words, spool, names, source, truth):
    with open(source, 'rb') as file:
        original = file.read()
    for name in names:
        folder = os.path.join(spool, 'done', name)
        if content(os.path.join(folder, f'{name}.sqlite')) != truth:
            raise measure.Failed(f'{name} differs from the result of a migration without a cut')
        with open(os.path.join(folder, 'report.json'), encoding='utf-8') as file:
            if json.load(file)['result'] != 'migrated':
                raise measure.Failed(f'the report of {name} doesn’t have the result “migrated”')
        if words.originals == 'keep':
            with open(os.path.join(folder, 'original', f'{name}.sqlite'), 'rb') as file:
                if file.read() != original:
                    raise measure.Failed(f'the original of {name} isn’t byte for byte what was dropped')


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


if __name__ == '__main__':
    try:
        main()
    except measure.Failed as failure:
        sys.exit(f'powercut: {failure}')
