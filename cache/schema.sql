-- The cache's schema, as numbered migrations. A file at version N gets every section after N, in one transaction; a section that has been
-- released is never edited. Built into the library. The rules of what is kept, and for how long, are in README.md beside this file.

-- migration 1
CREATE TABLE image (
  key             TEXT PRIMARY KEY NOT NULL,   -- BLAKE2b-256 of material
  material        TEXT NOT NULL,               -- what was hashed; compared on a hit
  family          TEXT NOT NULL,               -- the same hash without the compiler: serves machines that have none
  backend         TEXT NOT NULL,
  compiler        TEXT NOT NULL,
  target          TEXT NOT NULL,
  name            TEXT NOT NULL,               -- of the operation
  label           TEXT NOT NULL,               -- placement
  bytes           BLOB NOT NULL,
  length          INTEGER NOT NULL,            -- of bytes; checked, like hash, before an image is used
  hash            TEXT NOT NULL,
  compile_seconds REAL NOT NULL,
  created         INTEGER NOT NULL,            -- seconds since 1970, UTC, like every time here
  last_used       INTEGER NOT NULL             -- written at most once per process and image
) STRICT;
CREATE INDEX image_family ON image (family, created);
CREATE INDEX image_last_used ON image (last_used);

CREATE TABLE decision (
  key           TEXT PRIMARY KEY NOT NULL,
  material      TEXT NOT NULL,
  identity      TEXT NOT NULL,                 -- "posv/1"
  sizes         TEXT NOT NULL,
  type          TEXT NOT NULL,
  options       TEXT NOT NULL,
  measure       TEXT NOT NULL,
  batch_class   INTEGER NOT NULL,
  backend       TEXT NOT NULL,
  target        TEXT NOT NULL,
  fingerprint   TEXT NOT NULL,
  power_class   TEXT NOT NULL,
  candidate_set TEXT NOT NULL,
  placement     TEXT NOT NULL,
  image_key     TEXT NOT NULL,
  runner_up     TEXT NOT NULL,
  ns            REAL NOT NULL,                 -- per problem, medians
  default_ns    REAL NOT NULL,
  samples       INTEGER NOT NULL,              -- of the winner
  complete      INTEGER NOT NULL,
  state         TEXT NOT NULL,                 -- empty: good; else why it may not be used
  driver        TEXT NOT NULL,
  compiler      TEXT NOT NULL,
  created       TEXT NOT NULL,                 -- ISO 8601
  hash          TEXT NOT NULL                  -- over the columns before it
) STRICT;
CREATE INDEX decision_related ON decision (identity, type, options, measure);

CREATE TABLE candidate (
  decision_key    TEXT NOT NULL,
  placement       TEXT NOT NULL,
  state           TEXT NOT NULL,               -- running, ok, wrong, failed, hang
  reason          TEXT NOT NULL,
  ns              BLOB NOT NULL,               -- every sample, per problem: doubles of 8 bytes, little-endian
  compile_seconds REAL NOT NULL,
  image_key       TEXT NOT NULL,
  hash            TEXT NOT NULL,
  PRIMARY KEY (decision_key, placement)
) STRICT;

-- migration 2
CREATE TABLE counter (                         -- what happened, by day (UTC); empty in a pack
  day   TEXT NOT NULL,
  name  TEXT NOT NULL,                         -- lib/store/tally.hpp
  value INTEGER NOT NULL,
  PRIMARY KEY (day, name)
) STRICT, WITHOUT ROWID;
-- What eviction and statistics ask for, without a look at the images, which lie before these columns.
DROP INDEX image_last_used;
CREATE INDEX image_use ON image (last_used, created, length);
