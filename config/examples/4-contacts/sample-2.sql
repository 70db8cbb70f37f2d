-- Fills an empty store of version “Contacts 2”, which keeps names as “last, first”.
BEGIN;
INSERT INTO ZCONTACT (Z_PK, Z_ENT, Z_OPT, ZIDENTIFIER, ZSORTNAME) VALUES
  (1, 1, 1, 7, 'Lovelace, Ada King'),
  (2, 1, 1, 42, 'Hypatia'),
  (3, 1, 1, -1, 'Hopper,Grace'),
  (4, 1, 1, NULL, NULL);
UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Contact';
COMMIT;
