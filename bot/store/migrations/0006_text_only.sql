-- Whether a person wants no pictures in what is shown to them alone.
ALTER TABLE users ADD COLUMN text_only INTEGER NOT NULL DEFAULT 0;
CREATE INDEX users_with_text_only ON users (id) WHERE text_only = 1;
