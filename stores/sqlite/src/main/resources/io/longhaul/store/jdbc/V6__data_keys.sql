-- Schema 6. The data keys that have sealed blobs of this file, each with a blob that it has sealed: see KnownKeys. A sealed
-- blob starts with 0, 'L', 'H', 1, and says which key has sealed it: see RowSeal.
CREATE TABLE data_key (
    id    TEXT NOT NULL PRIMARY KEY,
    proof BLOB NOT NULL
) WITHOUT ROWID;
