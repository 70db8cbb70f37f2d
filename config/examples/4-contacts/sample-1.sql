-- Fills an empty store of version “Contacts”.
BEGIN;
INSERT INTO ZCONTACT (Z_PK, Z_ENT, Z_OPT, ZIDENTIFIER, ZFULLNAME) VALUES
  (1, 1, 1, 7, 'Ada King Lovelace'),
  (2, 1, 1, 42, 'Hypatia'),
  (3, 1, 1, -1, '  Grace   Hopper '),
  (4, 1, 1, NULL, NULL),
  (5, 1, 1, 2147483647, '');
UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME = 'Contact';
COMMIT;
