"""The rows of the source stores. The same workload and count give the same rows on every machine."""
import random

WORDS = ('mar río monte camino ciudad jardín cocina ventana lunes mañana tarde verano otoño abril reunión informe '
         'presupuesto factura médico escuela niño canción película receta viaje hotel billete maleta correo llamada '
         'comprar pagar leer escribir limpiar arreglar ¿cuándo? sí después quizá pronto 3 12 2024').split()
GIVEN = 'Ana Luis Íñigo Zoë Jürgen Noa Lucía Hugo Sofía Björn Chloé Omar Leila Ewa Iván Mei Kenji Aoife Núria Pau'.split()
FAMILY = ("García López Núñez Müller Smith Rossi Dubois Kowalski Ivanov Tanaka Haddad Silva Olsen Weiß O'Brien "
          'Fernández Ortega Vidal Castro Peña').split()
TAGS = 'casa trabajo viaje salud libros cine ideas urgente compras familia música deporte'.split()
DATES = (220_924_800, 788_918_400)      # 2008 to 2025, in seconds since 2001


def stream(workload, count):
    return random.Random(f'{workload} {count}')


def notes(count):
    """ZNOTA: 200 categories, of which the first ones are more frequent; 5 % of the notes have no category."""
    chance = stream('notes', count)
    categories = [f'{chance.choice(WORDS).capitalize()} {number:03}' for number in range(200)]
    bodies = [' '.join(chance.choices(WORDS, k=chance.randint(6, 60))) for _ in range(4096)]
    labels = [','.join(chance.sample(TAGS, chance.randint(1, 4))) for _ in range(512)]

    def rows():
        for key in range(1, count + 1):
            category = None if chance.random() < 0.05 else categories[int(200 * chance.random() ** 2)]
            yield (key, 1, 1 + key % 4, chance.uniform(*DATES), category,
                   f'Nota {key}: {bodies[chance.randrange(4096)]}', labels[chance.randrange(512)])
    yield ('INSERT INTO ZNOTA (Z_PK, Z_ENT, Z_OPT, ZFECHA, ZCATEGORIA, ZCONTENIDO, ZETIQUETAS) '
           'VALUES (?,?,?,?,?,?,?)', rows())


def contacts(count):
    """ZCONTACT: 3 % of the names are one word, the others three."""
    chance = stream('contacts', count)

    def rows():
        for key in range(1, count + 1):
            name = chance.choice(GIVEN)
            if chance.random() >= 0.03:
                name = f'{name} {chance.choice(FAMILY)} {chance.choice(FAMILY)}'
            yield key, 1, 1, chance.randrange(1, 1 << 40), name
    yield 'INSERT INTO ZCONTACT (Z_PK, Z_ENT, Z_OPT, ZIDENTIFIER, ZFULLNAME) VALUES (?,?,?,?,?)', rows()


def events(count):
    """ZEVENT: times with fractions of a second."""
    chance = stream('events', count)
    yield ('INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (?,1,1,?)',
           ((key, chance.uniform(*DATES)) for key in range(1, count + 1)))


def graph(count):
    """ZBOOK; a tenth as many rows of ZAUTHOR; up to 5,000 rows of ZTAG; three tags for each book in Z_2TAGS."""
    chance = stream('graph', count)
    authors, tags = max(1, count // 10), min(5000, max(3, count))
    yield ('INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?,1,1,?)',
           ((key, f'{chance.choice(GIVEN)} {chance.choice(FAMILY)} {key}') for key in range(1, authors + 1)))
    yield ('INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?,3,1,?)',
           ((key, f'{chance.choice(TAGS)}-{key}') for key in range(1, tags + 1)))
    yield ('INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZAUTHOR, ZTITLE) VALUES (?,2,1,?,?)',
           ((key, chance.randrange(1, authors + 1), f'{" ".join(chance.choices(WORDS, k=4))} {key}')
            for key in range(1, count + 1)))

    def joins():
        for key in range(1, count + 1):
            chosen = set()
            while len(chosen) < 3:
                chosen.add(chance.randrange(1, tags + 1))
            for tag in sorted(chosen):
                yield key, tag
    yield 'INSERT INTO Z_2TAGS (Z_2BOOKS, Z_3TAGS) VALUES (?,?)', joins()


WORKLOADS = {'notes': notes, 'contacts': contacts, 'events': events, 'graph': graph, 'light': notes}
