-- Whether DMs reach somebody is known at each table; nothing was ever kept here.
ALTER TABLE users DROP COLUMN dm;
