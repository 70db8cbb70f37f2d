"""The content of a result, with and without its primary keys, to compare the results of all contenders."""
import contextlib
import sqlite3

import contenders

# For each workload its objects and pairs: the columns of keys, the columns of values, and the tables. Titles, bodies
# and most names contain the number of their row, so that equal texts mean equal objects.
CONTENT = {
    'notes': {
        'categories': ('c.Z_PK', 'c.Z_ENT, c.ZNOMBRE', 'ZCATEGORIA AS c'),
        'notes': ('n.Z_PK, n.ZCATEGORIA', 'n.Z_ENT, n.ZCONTENIDO, n.ZETIQUETAS, n.ZFECHA, typeof(n.ZFECHA), c.ZNOMBRE',
                  'ZNOTA AS n LEFT JOIN ZCATEGORIA AS c ON c.Z_PK = n.ZCATEGORIA'),
    },
    'contacts': {
        'contacts': ('Z_PK', 'Z_ENT, ZFIRSTNAME, ZLASTNAME, ZIDENTIFIER, typeof(ZIDENTIFIER)', 'ZCONTACT'),
    },
    'events': {
        'seconds': ('Z_PK', 'Z_ENT, ZSECONDS, typeof(ZSECONDS)', 'ZDOUBLEEVENT'),
        'dates': ('Z_PK', 'Z_ENT, ZDATESTRING', 'ZDATEEVENT'),
    },
    'graph': {
        'writers': ('Z_PK', 'Z_ENT, ZNAME', 'ZWRITER'),
        'labels': ('Z_PK', 'Z_ENT, ZNAME', 'ZLABEL'),
        'volumes': ('v.Z_PK', 'v.Z_ENT, v.ZTITLE, w.ZNAME', 'ZVOLUME AS v LEFT JOIN ZWRITER AS w ON w.Z_PK = v.ZWRITER'),
        'labels of volumes': ('j.Z_1LABELS, j.Z_2VOLUMES', 'l.ZNAME, v.ZTITLE',
                              'Z_1VOLUMES AS j LEFT JOIN ZLABEL AS l ON l.Z_PK = j.Z_1LABELS '
                              'LEFT JOIN ZVOLUME AS v ON v.Z_PK = j.Z_2VOLUMES'),
    },
    'inferred': {
        'notes': ('Z_PK', 'Z_ENT, ZFAVORITA, ZPRIORIDAD, ZMOMENTO, ZCONTENIDO, ZTITULO', 'ZNOTA'),
        'attachments': ('Z_PK', 'Z_ENT, ZBYTES, ZNOTA, ZPAGINAS, ZALTO, ZANCHO, Z_FOK_NOTA, ZNOMBRE', 'ZADJUNTO'),
        'tags': ('Z_PK', 'Z_ENT, ZNOMBRE', 'ZETIQUETA'),
        'tags of notes': ('Z_4ETIQUETAS, Z_5NOTAS', 'NULL', 'Z_4NOTAS'),
    },
    'light': {
        'notes': ('Z_PK', 'Z_ENT, Z_OPT, ZLEIDA, ZFECHA, typeof(ZFECHA), ZCATEGORIA, ZCONTENIDO, ZETIQUETAS', 'ZNOTA'),
    },
}
SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY 1, 2"
# Without a mapping model, a table may stay and get its new columns at its end.
UNORDERED = '''
    SELECT 'table', t.name, c.name, c.type, c."notnull", c.dflt_value, c.pk
      FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c
      WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
    UNION ALL
    SELECT type, name, tbl_name, sql, NULL, NULL, NULL
      FROM sqlite_master WHERE type <> 'table' AND name NOT LIKE 'sqlite_%'
    ORDER BY 1, 2, 3'''
ENTITIES = 'SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY 1'


def picture(workload, path):
    """Tables and indexes, entities, and for each kind of object the number of rows and two sums: with and without keys.

    Without a mapping model, the order of a table's columns doesn't count. A sum adds the hashes of the rows, so it
    doesn't depend on their order. Sums of different processes can't be compared.
    """
    with contextlib.closing(sqlite3.connect(f'file:{path}?mode=ro&immutable=1', uri=True)) as store:
        schema = UNORDERED if workload in contenders.INFERRED else SCHEMA
        found = {'schema': store.execute(schema).fetchall(), 'entities': store.execute(ENTITIES).fetchall()}
        found['keys above Z_MAX'] = [name for _, name, parent in found['entities'] if not parent and store.execute(
            f'SELECT max(Z_PK) > (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = ?) FROM "Z{name.upper()}"',
            (name,)).fetchone()[0]]
        for name, (keys, values, origin) in CONTENT[workload].items():
            found[name] = {
                'rows': store.execute(f'SELECT count(*) FROM {origin}').fetchone()[0],
                'values': sum(map(hash, store.execute(f'SELECT {values} FROM {origin}'))),
                'with keys': sum(map(hash, store.execute(f'SELECT {keys}, {values} FROM {origin}'))),
            }
        return found


def differences(expected, found, with_keys):
    """Returns the differences of two pictures as a list of texts."""
    words = []
    for name, first in expected.items():
        second = found[name]
        if isinstance(first, dict):
            for sort in ('rows', 'values', 'with keys'):
                if first[sort] != second[sort] and (with_keys or sort != 'with keys'):
                    words.append(f'{name}: {sort} differ ({first[sort]}, {second[sort]})')
        elif first != second:
            words += [f'{name}: {row}' for row in set(first) ^ set(second)]
    return words
