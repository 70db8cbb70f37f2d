-- Adds an optional attribute without a default, in the copy itself. The journal mode and the metadata stay.
PRAGMA synchronous = OFF;
ALTER TABLE ZNOTA ADD COLUMN ZLEIDA INTEGER;
