-- Everybody whom a table ever named: who sat there, hosted it, was sent away, or stopped it. Whoever has their data
-- deleted is found by it, however large the file is.
CREATE TABLE visits (
    user INTEGER NOT NULL,
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    PRIMARY KEY (user, table_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX visits_by_table ON visits (table_id);
INSERT OR IGNORE INTO visits
    SELECT user, table_id FROM actions WHERE user > 0
    UNION SELECT user, table_id FROM seats WHERE user > 0
    UNION SELECT document ->> 'host', id FROM tables
    UNION SELECT document ->> 'ended_by', id FROM tables WHERE document ->> 'ended_by' > 0
    UNION SELECT value, tables.id FROM tables, json_each(document, '$.kicked');

-- The log names seats; who sat there is said once, in `seats`. So whoever is deleted is not in it, however long it is.
ALTER TABLE actions DROP COLUMN user;
INSERT INTO meta (key, value) SELECT 'wipe:all', '' WHERE EXISTS (SELECT 1 FROM tables);

-- What a server has left behind is found by it.
CREATE INDEX tables_by_guild ON tables (guild);
