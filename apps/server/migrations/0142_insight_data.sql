-- What the charts and the drift of a project are made of, besides evaluations.

alter table runs
  -- When its tests got the day and the series of the run; null until then. An evaluation lets it be done again.
  add column tests_seen_at timestamptz(3);

alter table run_uploads
  -- How long its tests took together; null if it says nothing, and for uploads of earlier versions.
  add column elapsed_ms bigint;
