"""The usual way in Python: read each row, compute its values here, and insert the rows in batches.

    row_loop.py WORKLOAD SOURCE RESULT

SQLite has its default settings (rollback journal, synchronous), and there is one transaction. Objects get new keys.
RESULT.associations has a row for each object that says which object it became.
"""
import datetime
import os
import sqlite3
import sys

BATCH = 1000
UTC = datetime.timezone.utc


class Loop:
    def __init__(self, source, result):
        self.source = sqlite3.connect(f'file:{source}?mode=ro&immutable=1', uri=True)
        self.result = sqlite3.connect(result, isolation_level=None)
        self.result.execute('PRAGMA auto_vacuum = 2')
        self.result.execute('ATTACH ? AS kept', (f'{result}.associations',))
        self.result.execute('BEGIN')
        self.table('Z_PRIMARYKEY', 'Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER', space='')
        self.table('Z_METADATA', 'Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB', space='')
        self.table('Z_MODELCACHE', 'Z_CONTENT BLOB', space='')
        self.result.executemany('INSERT INTO Z_METADATA VALUES (?,?,?)', self.source.execute('SELECT * FROM Z_METADATA'))

    def table(self, name, columns, space=' '):
        self.result.execute(f'CREATE TABLE {name} ({space}{columns}{space})')

    def entity(self, name, columns):
        self.table(name, f'Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, {columns}')

    def insert(self, statement, rows):
        batch = []
        for row in rows:
            batch.append(row)
            if len(batch) == BATCH:
                self.result.executemany(statement, batch)
                batch.clear()
        self.result.executemany(statement, batch)

    def each(self, query, statement, association, work):
        """Makes an object from each row; `work` computes its values from all columns except the key."""
        self.result.execute(f'CREATE TABLE kept.{association} (source INTEGER PRIMARY KEY, result INTEGER NOT NULL)')
        rows, pairs, key = [], [], 0

        def flush():
            self.result.executemany(statement, rows)
            self.result.executemany(f'INSERT INTO kept.{association} VALUES (?,?)', pairs)
            rows.clear()
            pairs.clear()
        for row in self.source.execute(query):
            key += 1
            rows.append((key, *work(*row[1:])))
            pairs.append((row[0], key))
            if key % BATCH == 0:
                flush()
        flush()

    def associations(self, name):
        return dict(self.result.execute(f'SELECT source, result FROM kept.{name}'))

    def finish(self, *entities):
        for number, name in enumerate(entities, 1):
            self.result.execute(
                f'INSERT INTO Z_PRIMARYKEY SELECT ?, ?, 0, max(Z_PK) FROM Z{name.upper()}', (number, name))
        self.result.execute('COMMIT')
        self.result.close()


def notes(loop):
    loop.entity('ZCATEGORIA', 'ZNOMBRE VARCHAR')
    loop.entity('ZNOTA', 'ZCATEGORIA INTEGER, ZFECHA TIMESTAMP, ZCONTENIDO VARCHAR, ZETIQUETAS VARCHAR')
    known = {}

    def work(moment, category, body, tags):
        key = None
        if category is not None:
            key = known.setdefault(category, len(known) + 1)
        return key, moment, body, tags
    loop.each('SELECT Z_PK, ZFECHA, ZCATEGORIA, ZCONTENIDO, ZETIQUETAS FROM ZNOTA',
              'INSERT INTO ZNOTA VALUES (?,2,1,?,?,?,?)', 'notes', work)
    loop.insert('INSERT INTO ZCATEGORIA VALUES (?,1,1,?)', ((key, name) for name, key in known.items()))
    loop.result.execute('CREATE INDEX ZNOTA_ZCATEGORIA_INDEX ON ZNOTA (ZCATEGORIA)')
    loop.finish('Categoria', 'Nota')


def contacts(loop):
    loop.entity('ZCONTACT', 'ZFIRSTNAME VARCHAR, ZIDENTIFIER VARCHAR, ZLASTNAME VARCHAR')

    def work(name, identifier):
        first, _, last = name.partition(' ')
        return first, str(identifier), last or None
    loop.each('SELECT Z_PK, ZFULLNAME, ZIDENTIFIER FROM ZCONTACT',
              'INSERT INTO ZCONTACT VALUES (?,1,1,?,?,?)', 'contacts', work)
    loop.finish('Contact')


def events(loop):
    loop.entity('ZDATEEVENT', 'ZDATESTRING VARCHAR')
    loop.entity('ZDOUBLEEVENT', 'ZSECONDS FLOAT')

    def text(time):
        return datetime.datetime.fromtimestamp(int(time) + 978_307_200, UTC).strftime('%Y-%m-%d %H:%M:%S'),
    query = 'SELECT Z_PK, ZTIMESTAMP FROM ZEVENT'
    loop.each(query, 'INSERT INTO ZDOUBLEEVENT VALUES (?,2,1,?)', 'seconds', lambda time: (time,))
    loop.each(query, 'INSERT INTO ZDATEEVENT VALUES (?,1,1,?)', 'dates', text)
    loop.finish('DateEvent', 'DoubleEvent')


def graph(loop):
    loop.entity('ZLABEL', 'ZNAME VARCHAR')
    loop.table('Z_1VOLUMES', 'Z_1LABELS INTEGER, Z_2VOLUMES INTEGER, PRIMARY KEY (Z_1LABELS, Z_2VOLUMES)')
    loop.entity('ZVOLUME', 'ZWRITER INTEGER, ZTITLE VARCHAR')
    loop.entity('ZWRITER', 'ZNAME VARCHAR')
    loop.each('SELECT Z_PK, ZNAME FROM ZAUTHOR', 'INSERT INTO ZWRITER VALUES (?,3,1,?)', 'writers', lambda name: (name,))
    loop.each('SELECT Z_PK, ZNAME FROM ZTAG', 'INSERT INTO ZLABEL VALUES (?,1,1,?)', 'labels', lambda name: (name,))
    writers = loop.associations('writers')
    loop.each('SELECT Z_PK, ZAUTHOR, ZTITLE FROM ZBOOK', 'INSERT INTO ZVOLUME VALUES (?,2,1,?,?)', 'volumes',
              lambda author, title: (writers.get(author), title))
    labels, volumes = loop.associations('labels'), loop.associations('volumes')
    joins = loop.source.execute('SELECT Z_3TAGS, Z_2BOOKS FROM Z_2TAGS ORDER BY Z_3TAGS, Z_2BOOKS')
    loop.insert('INSERT INTO Z_1VOLUMES VALUES (?,?)', ((labels[tag], volumes[book]) for tag, book in joins))
    loop.result.execute('CREATE INDEX Z_1VOLUMES_Z_2VOLUMES_INDEX ON Z_1VOLUMES (Z_2VOLUMES, Z_1LABELS)')
    loop.result.execute('CREATE INDEX ZVOLUME_ZWRITER_INDEX ON ZVOLUME (ZWRITER)')
    loop.finish('Label', 'Volume', 'Writer')


WORKLOADS = {'notes': notes, 'contacts': contacts, 'events': events, 'graph': graph}

if __name__ == '__main__':
    if len(sys.argv) != 4 or sys.argv[1] not in WORKLOADS:
        sys.exit(__doc__)
    WORKLOADS[sys.argv[1]](Loop(*sys.argv[2:]))
    with open(sys.argv[3], 'rb+') as finished:
        os.fsync(finished.fileno())
