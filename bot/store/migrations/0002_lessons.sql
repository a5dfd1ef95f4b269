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
