-- The module of a test: the directory of its package, relative to the repository. '' for tests of earlier versions, which the
-- first test that fits takes over.
-- report_suite: what tests of one suite of a report have in common if the report does not name their file.
-- foreign_ids: ids in a report that are of another tool.
alter table tests
  add column module text not null default '',
  add column report_suite text not null default '',
  add column foreign_ids text[];
