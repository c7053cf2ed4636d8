-- The file store that belongs to this database: the same id is in its `store.json`. Null until the first file is stored.
alter table instance_settings add column file_store_id uuid;
