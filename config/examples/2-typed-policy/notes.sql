-- Fills an empty store of version “Apuntes”. Dates are seconds since 2001-01-01 00:00:00 UTC.
BEGIN;
INSERT INTO ZNOTA (Z_PK, Z_ENT, Z_OPT, ZFECHA, ZCATEGORIA, ZCONTENIDO) VALUES
  (1, 1, 1, 725846400, 'trabajo', 'Llamar a Inés'),
  (2, 1, 1, 725932800.5, NULL, 'Sin categoría'),
  (3, 1, 4, 726019200, 'trabajo', 'Informe'),
  (4, 1, 1, NULL, 'casa', NULL),
  (5, 1, 1, 726105600, '', 'Categoría vacía');
UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME = 'Nota';
COMMIT;
