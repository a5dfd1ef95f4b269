-- The question that a ping is about, so that it is deleted once that is answered; NULL for all other messages.
ALTER TABLE messages ADD COLUMN prompt INTEGER;
