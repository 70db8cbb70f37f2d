-- Splits a name at its first space into two parts. A single word is only a first name, and an empty last name is NULL.
CREATE TABLE ZCONTACT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFIRSTNAME VARCHAR, ZIDENTIFIER VARCHAR, ZLASTNAME VARCHAR );
INSERT INTO ZCONTACT SELECT Z_PK, 1, 1,
    iif(instr(ZFULLNAME, ' '), substr(ZFULLNAME, 1, instr(ZFULLNAME, ' ') - 1), ZFULLNAME),
    CAST(ZIDENTIFIER AS TEXT),
    iif(instr(ZFULLNAME, ' '), nullif(substr(ZFULLNAME, instr(ZFULLNAME, ' ') + 1), ''), NULL)
  FROM source.ZCONTACT;
INSERT INTO Z_PRIMARYKEY VALUES (1, 'Contact', 0, (SELECT max(Z_PK) FROM ZCONTACT));
