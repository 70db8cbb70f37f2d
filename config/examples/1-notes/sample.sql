-- Fills an empty store of version “Notas”. Dates are seconds since 2001-01-01 00:00:00 UTC.
-- “montaña” occurs in both normal forms: char(241) is ñ, and char(771) is the tilde that follows an n.
BEGIN;
INSERT INTO ZNOTA (Z_PK, Z_ENT, Z_OPT, ZFECHA, ZCATEGORIA, ZTEXTO) VALUES
  (1, 1, 1, 725846400, 'compras', 'Pan y leche'),
  (2, 1, 3, 725932800, 'compras', 'Tomates'),
  (3, 1, 1, 726019200, NULL, 'Una idea'),
  (4, 1, 1, 726105600, 'monta' || char(241) || 'a', 'Refugio'),
  (5, 1, 2, 726192000, 'montan' || char(771) || 'a', 'Cuerda'),
  (6, 1, 1, 726278400, 'monta' || char(241) || 'a', 'Botas'),
  (7, 1, 1, 726364800, '', NULL);
UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_NAME = 'Nota';
COMMIT;
