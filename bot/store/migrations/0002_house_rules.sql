-- What a server has set, as bot/house_rules/documents.py writes it. `seq` counts the changes.
CREATE TABLE house_rules (
    guild INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    document TEXT NOT NULL
) STRICT;

-- Who changed what and when. `old` and `new` are JSON; NULL stands for "as the edition has it".
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
