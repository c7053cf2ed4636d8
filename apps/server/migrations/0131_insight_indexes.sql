-- no transaction
-- Find the runs of a commit, and the newest runs of a branch in one series.
create index concurrently if not exists runs_commit on runs (project_id, commit_sha) where commit_sha is not null;
create index concurrently if not exists runs_branch on runs (project_id, series, branch, id) where branch is not null;
-- Finds the runs whose evaluation does not know that they are settled. There are few.
create index concurrently if not exists runs_unsettled on runs (last_upload_at)
where evaluated_at is not null and settled_at is null;
