-- The language that a person wants to be spoken to; NULL: the one that their Discord is set to.
ALTER TABLE users ADD COLUMN language text;
CREATE INDEX users_by_language ON users (id) WHERE language IS NOT NULL;
