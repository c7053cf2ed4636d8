-- no transaction
-- Finds where an object comes from. With the kind before the target, PostgreSQL took this index to find links by their keys, too, as long as it
-- knew nothing of those that an import had just written: it read all links of the project for each.
create index concurrently if not exists source_links_object on source_links (project_id, target, kind);
drop index concurrently if exists source_links_target;
