-- Fills an empty store of version “Personas”.
BEGIN;
INSERT INTO ZPERSONA (Z_PK, Z_ENT, Z_OPT, ZNOMBRECOMPLETO) VALUES
  (1, 1, 1, 'García Márquez, Gabriel'),
  (2, 1, 1, 'Storni Martignoni, Alfonsina'),
  (3, 1, 2, 'de la Cruz, Juana Inés'),
  (4, 1, 1, 'Quevedo'),
  (5, 1, 1, NULL);
UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME = 'Persona';
COMMIT;
