-- The plan updates all records after they were read, and a test result of a plan takes twice the space of one that was read. With room for them,
-- these updates write to no index, and leave no dead entries in the index of records that wait.
alter table import_records set (fillfactor = 30);
