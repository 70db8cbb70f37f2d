-- Fills an empty store of version “Events”. Dates are seconds since 2001-01-01 00:00:00 UTC.
BEGIN;
INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES
  (1, 1, 1, -978307200),
  (2, 1, 1, -0.5),
  (3, 1, 1, 0),
  (4, 1, 1, 757382399.25),
  (5, 1, 1, 757382400),
  (6, 1, 1, NULL);
UPDATE Z_PRIMARYKEY SET Z_MAX = 6 WHERE Z_NAME = 'Event';
COMMIT;
