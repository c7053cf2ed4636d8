-- In which stores this database has files: 0 for a directory, 1 for S3. A store that is empty although it is named here is not
-- the one that it was: a disk that is not mounted. Empty for a database of an earlier version, until a server has looked.
alter table instance_settings add column file_locations smallint[] not null default '{}';
