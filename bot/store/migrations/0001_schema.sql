-- A table: the columns that queries need, and two texts that bot/host/codec.py writes and reads.
CREATE TABLE tables (
    id TEXT PRIMARY KEY,
    guild INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    stage TEXT NOT NULL CHECK (stage IN ('lobby', 'playing', 'over', 'closed')),
    seq INTEGER NOT NULL,
    next_due INTEGER,             -- when the clock must look again, minus `shift`: comparable between all rows
    shift INTEGER NOT NULL,       -- by how much all clocks had been put off when the row was written
    opened INTEGER NOT NULL,
    setup TEXT NOT NULL,
    document TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX one_open_table_per_channel ON tables (channel) WHERE stage IN ('lobby', 'playing');
CREATE INDEX tables_by_channel ON tables (channel, opened);
CREATE INDEX open_tables_by_guild ON tables (guild) WHERE stage IN ('lobby', 'playing');
CREATE INDEX tables_by_guild ON tables (guild);

-- Who sits where. `still` is 0 for people who left the match.
CREATE TABLE seats (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    user INTEGER NOT NULL,
    still INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_by_user ON seats (user);

-- Everybody whom a table ever named: who sat there, hosted it, was kicked, or stopped it. The tables of a person who
-- asks for deletion are found through it, no matter how large the file is.
CREATE TABLE visits (
    user INTEGER NOT NULL,
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    PRIMARY KEY (user, table_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX visits_by_table ON visits (table_id);

-- The log: inputs only, from which a match can be replayed. It names seats; `seats` says who sat there. So it names no
-- person, and deleting a person never touches it.
CREATE TABLE actions (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    part INTEGER NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL CHECK (actor IN ('user', 'ai', 'clock', 'dealer')),
    action TEXT NOT NULL,
    thought INTEGER,
    interaction_id INTEGER,
    PRIMARY KEY (table_id, seq, part)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX each_interaction_once ON actions (interaction_id) WHERE interaction_id IS NOT NULL;

-- What must still be sent. `user` and `nth` are 0 where they mean nothing. A newer row replaces an older one that agrees
-- with it in these and in `kind`; rows that must all be sent have an `nth` of their own.
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

-- The messages that stand in Discord. `prompt` is the question that a ping is about, so that it is deleted once that is
-- answered; NULL for all other messages.
CREATE TABLE messages (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    user INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    sent_at INTEGER NOT NULL,
    prompt INTEGER,
    PRIMARY KEY (table_id, kind, user)
) STRICT, WITHOUT ROWID;

-- A person's private settings. With `stats_off` their seats are anonymous from then on, and what was counted before is
-- hidden.
CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    slow INTEGER NOT NULL CHECK (slow IN (1, 2, 4)),
    pinged INTEGER NOT NULL CHECK (pinged IN (0, 1)),
    stats_off INTEGER NOT NULL DEFAULT 0 CHECK (stats_off IN (0, 1)),
    language TEXT,                -- the one in which to speak to them; NULL: the one that their Discord is set to
    text_only INTEGER NOT NULL DEFAULT 0 CHECK (text_only IN (0, 1))  -- no pictures in what is shown to them alone
) STRICT;
CREATE INDEX users_off ON users (id, stats_off) WHERE stats_off = 1;
CREATE INDEX users_by_language ON users (id, language) WHERE language IS NOT NULL;
CREATE INDEX users_with_text_only ON users (id) WHERE text_only = 1;

-- How far people have come in the lessons. `moves` is a JSON array of their moves in this step; `interaction_id` is the press
-- that brought them here, so that it counts only once.
CREATE TABLE lessons (
    user INTEGER NOT NULL,
    game TEXT NOT NULL,
    step TEXT NOT NULL,
    moves TEXT NOT NULL,
    interaction_id INTEGER NOT NULL,
    PRIMARY KEY (user, game)
) STRICT, WITHOUT ROWID;

-- Facts about the bot itself.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What a guild has set, as bot/house_rules/documents.py writes it. `seq` counts the changes.
CREATE TABLE house_rules (
    guild INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    document TEXT NOT NULL
) STRICT;

-- Who changed what and when. `old` and `new` are JSON; NULL means "as the edition has it".
CREATE TABLE house_log (
    id INTEGER PRIMARY KEY,
    guild INTEGER NOT NULL,
    at INTEGER NOT NULL,
    user INTEGER NOT NULL,
    key TEXT NOT NULL,
    old TEXT,
    new TEXT
) STRICT;
CREATE INDEX house_log_by_guild ON house_log (guild, id);
CREATE INDEX house_log_by_user ON house_log (user);

-- The matches that were played to their end, in that order. They belong to the log, not to the statistics: a rebuild
-- needs the order, the numbers by which people know the games, and who had opted out at the time.
CREATE TABLE ends (
    nth INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL UNIQUE REFERENCES tables (id) ON DELETE CASCADE,
    guild INTEGER NOT NULL,
    number INTEGER NOT NULL,      -- the game's number in its guild: 1, 2, 3 …
    off INTEGER NOT NULL,         -- the seats whose people had opted out of statistics: bit 0 for seat 0, and so on
    UNIQUE (guild, number)
) STRICT;

-- How people who did not play guessed along in a match that was played to its end. These rows belong to the log: a rebuild of
-- the statistics reads them. Nobody who had opted out of statistics is here.
CREATE TABLE guesses (
    nth INTEGER NOT NULL REFERENCES ends (nth) ON DELETE CASCADE,
    user INTEGER NOT NULL,
    made INTEGER NOT NULL,
    right INTEGER NOT NULL,
    PRIMARY KEY (nth, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX guesses_by_user ON guesses (user);

-- The seasons that were closed; the one after them is running. `until` is the last row of `ends` that belongs to it.
CREATE TABLE seasons (
    guild INTEGER NOT NULL,
    number INTEGER NOT NULL,
    until INTEGER NOT NULL,
    closed INTEGER NOT NULL,
    PRIMARY KEY (guild, number)
) STRICT, WITHOUT ROWID;

-- People who were not found in a guild any more; the next game that they finish there removes the row.
CREATE TABLE absent (
    guild INTEGER NOT NULL,
    user INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (guild, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX absent_by_user ON absent (user);

-- Everything from here on can be rebuilt from the log. `figures` is a JSON object of the figures that a game declares
-- (bot/stats/figures.py): the schema knows none of them.

CREATE TABLE games (
    nth INTEGER PRIMARY KEY REFERENCES ends (nth) ON DELETE CASCADE,
    guild INTEGER NOT NULL,
    number INTEGER NOT NULL,
    table_id TEXT NOT NULL,
    game TEXT NOT NULL,
    edition TEXT NOT NULL,        -- '' for a game without editions
    players INTEGER NOT NULL,
    rounds INTEGER NOT NULL,
    started INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    ai INTEGER NOT NULL,          -- an AI played in it
    counted INTEGER NOT NULL,     -- it is in the totals
    season INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX games_by_number ON games (guild, number);

-- One seat of one game. `user` is NULL for AI seats and for people who had opted out.
CREATE TABLE game_seats (
    nth INTEGER NOT NULL REFERENCES games (nth) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    user INTEGER,
    guild INTEGER NOT NULL,
    ai INTEGER NOT NULL,
    place INTEGER NOT NULL,
    thought INTEGER NOT NULL,     -- thinking time in milliseconds, summed over all answers
    thoughts INTEGER NOT NULL,    -- the number of those answers
    rating INTEGER,               -- shown after this game, on the board of the whole game; NULL: it was not rated
    edition_rating INTEGER,       -- the same on the board of its edition; NULL for a game without editions
    figures TEXT NOT NULL,
    PRIMARY KEY (nth, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX game_seats_by_user ON game_seats (user, guild, nth) WHERE user IS NOT NULL;

-- A board: one guild, one game, one edition ('' for the whole game) and one period ('all', '2026-11', 'season-3').
-- The tables below refer to it without a foreign key: hundreds of their rows change with every game, and boards are
-- deleted only together with their guild.
CREATE TABLE boards (
    id INTEGER PRIMARY KEY,
    guild INTEGER NOT NULL,
    game TEXT NOT NULL,
    edition TEXT NOT NULL,
    period TEXT NOT NULL,
    minimum INTEGER NOT NULL,     -- games that a person must have finished to be ranked
    ranked INTEGER NOT NULL,      -- how many people are ranked
    UNIQUE (guild, game, edition, period)
) STRICT;

CREATE TABLE totals (
    board INTEGER NOT NULL,
    user INTEGER NOT NULL,
    games INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    seconds INTEGER NOT NULL,
    thirds INTEGER NOT NULL,
    places INTEGER NOT NULL,      -- the sum of all places
    rounds INTEGER NOT NULL,
    thought INTEGER NOT NULL,
    thoughts INTEGER NOT NULL,
    run INTEGER NOT NULL,         -- wins in a row until now
    best_run INTEGER NOT NULL,
    rated INTEGER NOT NULL,       -- rated games
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    rating INTEGER NOT NULL,      -- the number that people see
    win_rate INTEGER NOT NULL,    -- wins per thousand games
    figures TEXT NOT NULL,
    ranked INTEGER NOT NULL CHECK (ranked IN (0, 1)),
    PRIMARY KEY (board, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX totals_by_user ON totals (user);

-- The ranked people of a board in the order of each figure that ranks them, shared or the game's own.
CREATE TABLE scores (
    board INTEGER NOT NULL,
    by TEXT NOT NULL,             -- the figure
    score INTEGER NOT NULL,
    user INTEGER NOT NULL,
    PRIMARY KEY (board, by, score DESC, user)
) STRICT, WITHOUT ROWID;

-- How many people share each score: a rank is a sum over few rows, no matter how many people there are.
CREATE TABLE ladder (
    board INTEGER NOT NULL,
    by TEXT NOT NULL,
    score INTEGER NOT NULL,
    people INTEGER NOT NULL,
    PRIMARY KEY (board, by, score)
) STRICT, WITHOUT ROWID;

-- Two people who played together; each pair has two rows, one from either side.
CREATE TABLE pairs (
    board INTEGER NOT NULL,
    user INTEGER NOT NULL,
    other INTEGER NOT NULL,
    games INTEGER NOT NULL,
    ahead INTEGER NOT NULL,       -- games in which `user` had the better place
    behind INTEGER NOT NULL,
    given INTEGER NOT NULL,       -- what `user` did to `other` in duels, such as coins dealt
    taken INTEGER NOT NULL,
    PRIMARY KEY (board, user, other)
) STRICT, WITHOUT ROWID;
