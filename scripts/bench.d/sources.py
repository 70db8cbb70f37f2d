"""Makes the source stores: “decant generate” makes an empty store of the model version, and SQL here fills it."""
import contextlib
import os
import sqlite3
import subprocess

import programs
import rows


def source(place, workload, count):
    """The path of a workload's source store, which is made if it is missing."""
    path = os.path.join(place, f'{workload}-{count}.sqlite')
    if os.path.exists(path):
        return path
    programs.say(f'— writing {os.path.basename(path)}')
    begun = f'{path}.begun'
    remove(begun)
    empty = 0 if workload in rows.WORKLOADS else count
    subprocess.run([programs.DECANT, 'generate', programs.source_model(workload), '--rows', str(empty), '--seed', '1',
                    '--output', begun, '--force', '--quiet'], check=True, stdout=subprocess.DEVNULL)
    if workload in rows.WORKLOADS:
        fill(begun, rows.WORKLOADS[workload](count))
    os.rename(begun, path)
    return path


def fill(path, parts):
    """Writes rows into an empty store, and then its indexes. The file is then as an app leaves it when it ends."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as store:
        for setting in ('journal_mode=OFF', 'synchronous=OFF', 'cache_size=-65536', 'locking_mode=EXCLUSIVE'):
            store.execute(f'PRAGMA {setting}').fetchall()
        store.execute('BEGIN')
        indexes = store.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").fetchall()
        for name, _ in indexes:
            store.execute(f'DROP INDEX "{name}"')
        for statement, values in parts:
            store.executemany(statement, values)
        for _, statement in indexes:
            store.execute(statement)
        for (name,) in store.execute('SELECT Z_NAME FROM Z_PRIMARYKEY').fetchall():
            highest = f'SELECT ifnull(max(Z_PK), 0) FROM "Z{name.upper()}"'
            store.execute(f'UPDATE Z_PRIMARYKEY SET Z_MAX = ({highest}) WHERE Z_NAME = ?', (name,))
        store.execute('COMMIT')
        store.execute('PRAGMA locking_mode=NORMAL').fetchall()
        store.execute('PRAGMA journal_mode=WAL').fetchall()
        store.execute('PRAGMA wal_checkpoint(TRUNCATE)').fetchall()
    with open(path, 'rb+') as file:
        os.fsync(file.fileno())


def remove(path):
    for end in ('', '-wal', '-shm', '-journal'):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path + end)
