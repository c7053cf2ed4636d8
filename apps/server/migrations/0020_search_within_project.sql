-- A search by title or tag is always within one project. An index over the titles of all projects returns every title
-- that contains the word, of whatever project: with a word that a million titles have in common, a search in a project
-- of 200 test cases read a million index entries. With the project in the same index, GIN intersects both lists and
-- skips the titles of other projects. One index for title and tags stores the projects once and costs less than two.
create extension if not exists btree_gin;

-- New entries wait in a list that every search reads: 4 MB by default, with searches of up to 16 ms beside it. With 1 MB
-- creating 10,000 test cases takes as long, searches take a third of that, and the longest pause for merging half.
create index test_cases_search on test_cases using gin (project_id, title gin_trgm_ops, tags)
  with (gin_pending_list_limit = 1024);
drop index test_cases_title_search;
drop index test_cases_tags;
