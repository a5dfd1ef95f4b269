-- Whoever keeps out of statistics: their seats are anonymous from then on, and what was counted before is not shown.
ALTER TABLE users ADD COLUMN stats_off INTEGER NOT NULL DEFAULT 0 CHECK (stats_off IN (0, 1));
CREATE INDEX users_off ON users (id, stats_off) WHERE stats_off = 1;

-- The matches that were played to their end, in the order in which they ended. This is a part of the log, not of the
-- statistics: whoever rebuilds those needs the order, the numbers that people know the games by, and who kept out.
CREATE TABLE ends (
    nth INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL UNIQUE REFERENCES tables (id) ON DELETE CASCADE,
    guild INTEGER NOT NULL,
    number INTEGER NOT NULL,      -- the game's number in its server: 1, 2, 3 …
    off INTEGER NOT NULL,         -- the seats that kept out of statistics: bit 0 for seat 0, and so on
    UNIQUE (guild, number)
) STRICT;
INSERT INTO ends
    SELECT row_number() OVER ended, id, guild, row_number() OVER (PARTITION BY guild ORDER BY at, id), 0
    FROM (SELECT id, guild, max(at) AS at FROM tables JOIN actions ON table_id = id WHERE stage = 'over' GROUP BY id)
    WINDOW ended AS (ORDER BY at, id);

-- Seasons that were closed; the next one runs. `until` is the last of `ends` that belongs to it.
CREATE TABLE seasons (
    guild INTEGER NOT NULL,
    number INTEGER NOT NULL,
    until INTEGER NOT NULL,
    closed INTEGER NOT NULL,
    PRIMARY KEY (guild, number)
) STRICT, WITHOUT ROWID;

-- People who were looked for and are no longer in the server; the next game that they finish there forgets it.
CREATE TABLE absent (
    guild INTEGER NOT NULL,
    user INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (guild, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX absent_by_user ON absent (user);

-- From here on everything can be rebuilt from the log.

CREATE TABLE games (
    nth INTEGER PRIMARY KEY REFERENCES ends (nth) ON DELETE CASCADE,
    guild INTEGER NOT NULL,
    number INTEGER NOT NULL,
    table_id TEXT NOT NULL,
    game TEXT NOT NULL,
    edition TEXT NOT NULL,
    variant INTEGER NOT NULL,
    players INTEGER NOT NULL,
    rounds INTEGER NOT NULL,
    started INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    ai INTEGER NOT NULL,          -- an AI has played in it
    counted INTEGER NOT NULL,     -- it is in the totals
    season INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX games_by_number ON games (guild, number);

-- One seat of one game. `user` is NULL for AI seats and for whoever kept out; `rating` is the shown number after it.
CREATE TABLE game_seats (
    nth INTEGER NOT NULL REFERENCES games (nth) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    user INTEGER,
    guild INTEGER NOT NULL,
    ai INTEGER NOT NULL,
    place INTEGER NOT NULL,
    survived INTEGER NOT NULL,
    taken INTEGER NOT NULL,
    dealt INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    calls_right INTEGER NOT NULL,
    bids INTEGER NOT NULL,
    caught INTEGER NOT NULL,
    exact INTEGER NOT NULL,
    thought INTEGER NOT NULL,     -- milliseconds, over so many `thoughts`
    thoughts INTEGER NOT NULL,
    rating INTEGER,               -- over all editions; NULL: this game was not rated
    edition_rating INTEGER,
    PRIMARY KEY (nth, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX game_seats_by_user ON game_seats (user, guild, nth) WHERE user IS NOT NULL;

-- A board is one server, one edition ('' for all of Coyote's) and one period ('all', '2026-11', 'season-3'). What is
-- counted on it names it without a foreign key: hundreds of rows change with every game, and boards go with their server.
CREATE TABLE boards (
    id INTEGER PRIMARY KEY,
    guild INTEGER NOT NULL,
    edition TEXT NOT NULL,
    period TEXT NOT NULL,
    minimum INTEGER NOT NULL,     -- so many games make one ranked
    ranked INTEGER NOT NULL,      -- how many are
    UNIQUE (guild, edition, period)
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
    survived INTEGER NOT NULL,
    taken INTEGER NOT NULL,
    dealt INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    calls_right INTEGER NOT NULL,
    bids INTEGER NOT NULL,
    caught INTEGER NOT NULL,
    exact INTEGER NOT NULL,
    thought INTEGER NOT NULL,
    thoughts INTEGER NOT NULL,
    run INTEGER NOT NULL,         -- wins in a row until now
    best_run INTEGER NOT NULL,
    rated INTEGER NOT NULL,       -- rated games
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    rating INTEGER NOT NULL,      -- the shown number
    win_rate INTEGER NOT NULL,    -- wins in a thousand games
    ranked INTEGER NOT NULL CHECK (ranked IN (0, 1)),
    PRIMARY KEY (board, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX totals_by_user ON totals (user);
-- `ranked` is in them although it is always 1: SQLite would fetch the row to see that.
CREATE INDEX totals_by_rating ON totals (board, rating DESC, user, ranked) WHERE ranked = 1;
CREATE INDEX totals_by_wins ON totals (board, wins DESC, user, ranked) WHERE ranked = 1;
CREATE INDEX totals_by_win_rate ON totals (board, win_rate DESC, user, ranked) WHERE ranked = 1;
CREATE INDEX totals_by_calls_right ON totals (board, calls_right DESC, user, ranked) WHERE ranked = 1;
CREATE INDEX totals_by_exact ON totals (board, exact DESC, user, ranked) WHERE ranked = 1;
CREATE INDEX totals_by_dealt ON totals (board, dealt DESC, user, ranked) WHERE ranked = 1;
CREATE INDEX totals_by_best_run ON totals (board, best_run DESC, user, ranked) WHERE ranked = 1;
CREATE INDEX totals_by_games ON totals (board, games DESC, user, ranked) WHERE ranked = 1;

-- How many of the ranked have which score: a rank is a sum over few rows, however many people there are.
CREATE TABLE ladder (
    board INTEGER NOT NULL,
    by TEXT NOT NULL,
    score INTEGER NOT NULL,
    people INTEGER NOT NULL,
    PRIMARY KEY (board, by, score)
) STRICT, WITHOUT ROWID;

-- What somebody did to somebody else; every pair has a row for each of the two.
CREATE TABLE pairs (
    board INTEGER NOT NULL,
    user INTEGER NOT NULL,
    other INTEGER NOT NULL,
    games INTEGER NOT NULL,
    ahead INTEGER NOT NULL,       -- games in which `user` had the better place
    behind INTEGER NOT NULL,
    dealt INTEGER NOT NULL,       -- coins that `user` dealt out to `other`
    taken INTEGER NOT NULL,
    PRIMARY KEY (board, user, other)
) STRICT, WITHOUT ROWID;
