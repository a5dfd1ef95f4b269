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
