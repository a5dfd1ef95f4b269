-- How far people have come in the lessons. `moves` is a JSON array of their moves in this step; `interaction_id` is the press
-- that brought them here, so that it counts only once.
CREATE TABLE lessons (
    user_id bigint NOT NULL,
    game text COLLATE "C" NOT NULL,
    step text NOT NULL,
    moves text NOT NULL,
    interaction_id bigint NOT NULL,
    PRIMARY KEY (user_id, game)
);
