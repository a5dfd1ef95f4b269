-- How people who did not play guessed along in a match that was played to its end. These rows belong to the log: a rebuild of
-- the statistics reads them. Nobody who had opted out of statistics is here.
CREATE TABLE guesses (
    nth bigint NOT NULL REFERENCES ends (nth) ON DELETE CASCADE,
    user_id bigint NOT NULL,
    made bigint NOT NULL,
    correct bigint NOT NULL,
    PRIMARY KEY (nth, user_id)
);
CREATE INDEX guesses_by_user ON guesses (user_id);
