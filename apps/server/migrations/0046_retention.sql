-- Retention deletes old runs. What they counted for the progress of a finished milestone stays with the milestone.
alter table milestones
  add column deleted_tested_count bigint not null default 0,
  add column deleted_result_count bigint not null default 0;

-- Since when a test is no longer recognized, because retention will delete it: an upload that began before may still need
-- it. Its digests are replaced, so that the next upload of the same test creates it anew.
alter table tests add column retired_at timestamptz(3);
