-- An upload of a whole run updates every row of its pages in one transaction, so that a page needs room for a second
-- version of all its rows. Otherwise the updates are not heap-only (HOT): they write to both indexes, and the new rows
-- need new pages. Measured for 10,000 results with titles of 45 characters and a first upload: share of HOT updates,
-- write-ahead log, and size of a result with its indexes after that upload and after a second one in which one test in
-- twenty has a stack trace:
--   fill factor 80:  22 %, 4.1 MB, 588 and 754 bytes
--   fill factor 50:  83 %, 1.6 MB, 497 and 588 bytes
--   fill factor 45: 100 %, 1.0 MB, 452 and 618 bytes
--   fill factor 35: 100 %, 1.0 MB, 543 and 543 bytes
-- This applies to pages that are filled from now on. Existing rows stay where they are.
alter table test_results set (fillfactor = 45);

-- The runs of a project are numbered, and 16 consecutive runs form a group. An index by test case and run touches another
-- page for each test case of a new run, and creating a run gets slower with every run. Within a group, the entries of a
-- new run are next to those of the runs before it. The results of one test case in all runs are found by looking into
-- each group. Measured in a project with 10,000 test cases and 1,000 runs: write-ahead log for creating another run after
-- a checkpoint, and pages read for the results of one test case:
--   by test case:     68 MB (8 MB with one run),   138 pages
--   in groups of 16:  10 MB (8 MB with one run),   428 pages
--   by run:            4 MB (4 MB with one run), 4,224 pages
-- Existing results are in group 0, so that the table is not rewritten.
alter table projects add column last_run_number integer not null default 0;
update projects set last_run_number = 15 where run_count > 0;
alter table runs add column run_group integer not null default 0;
alter table test_results add column run_group integer not null default 0;
alter table runs alter column run_group drop default;
alter table test_results alter column run_group drop default;

alter table test_results add unique (project_id, run_group, case_number, run_id);
alter table test_results drop constraint test_results_project_id_case_number_run_id_key;
