-- Every workload begins with these statements: they make a file like Core Data's, with SQLite's fastest settings. The
-- word SOURCE is replaced by the source's path. The source is never changed.
PRAGMA page_size = 4096;
PRAGMA auto_vacuum = 2;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -8000;
PRAGMA temp_store = MEMORY;
ATTACH 'file:SOURCE?mode=ro&immutable=1' AS source;
BEGIN;
CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
INSERT INTO Z_METADATA SELECT * FROM source.Z_METADATA;
