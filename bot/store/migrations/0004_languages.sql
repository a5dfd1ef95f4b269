-- The language that a person wants to be spoken to; NULL: the one that their Discord is set to.
ALTER TABLE users ADD COLUMN language TEXT;
CREATE INDEX users_by_language ON users (id, language) WHERE language IS NOT NULL;
