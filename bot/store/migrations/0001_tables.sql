-- A table: columns that are asked for, and two texts that bot/host/codec.py writes and reads.
CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    stage TEXT NOT NULL CHECK (stage IN ('lobby', 'playing', 'over', 'closed')),
    seq INTEGER NOT NULL,
    next_due INTEGER,             -- when the clock must look again, less `shift`: comparable whenever it was written
    shift INTEGER NOT NULL,       -- by how much all clocks had been put off when the row was written
    opened INTEGER NOT NULL,
    setup TEXT NOT NULL,
    document TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX one_open_table_per_channel ON tables (channel) WHERE stage IN ('lobby', 'playing');
CREATE INDEX tables_by_channel ON tables (channel, opened);
CREATE INDEX open_tables_by_guild ON tables (guild) WHERE stage IN ('lobby', 'playing');

-- Who sits where. `still` is 0 for those who left the match.
CREATE TABLE seats (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    user INTEGER NOT NULL,
    still INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_by_user ON seats (user);

-- The log: inputs only, by which a match can be played again.
CREATE TABLE actions (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    part INTEGER NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL CHECK (actor IN ('user', 'ai', 'clock', 'dealer')),
    user INTEGER,
    action TEXT NOT NULL,
    thought INTEGER,
    interaction_id INTEGER,
    PRIMARY KEY (table_id, seq, part)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX each_interaction_once ON actions (interaction_id) WHERE interaction_id IS NOT NULL;

-- What must still be told. `user` and `nth` are 0 where nothing is meant. Of what is the same in these
-- and in `kind`, the newest replaces what waits; what must be told each has an `nth` of its own.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    user INTEGER NOT NULL,
    nth INTEGER NOT NULL,
    payload TEXT,
    made_at INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    UNIQUE (table_id, kind, user, nth)
) STRICT;

-- What stands in Discord.
CREATE TABLE messages (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    user INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    sent_at INTEGER NOT NULL,
    PRIMARY KEY (table_id, kind, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    slow INTEGER NOT NULL CHECK (slow IN (1, 2, 4)),
    pinged INTEGER NOT NULL CHECK (pinged IN (0, 1)),
    dm TEXT NOT NULL
) STRICT;

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
