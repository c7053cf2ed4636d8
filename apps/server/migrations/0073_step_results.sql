-- What people say about single steps of a test case. As in test_results there are no foreign keys: whatever deletes results
-- deletes these.
create table step_results (
  project_id uuid not null,
  run_id uuid not null,
  result_id uuid not null,
  -- Of a result that is tested in several combinations; 0 without any.
  place smallint not null default 0,
  -- [{"position", "status", "actual"}], those that have a status or an actual result.
  steps json not null,
  -- Four characters for each step that the test case had then: by them, a result stays at its step when the case is edited.
  case_steps text not null,
  primary key (project_id, run_id, result_id, place)
);

-- The status that follows from the steps, as the place in RESULT_STATUSES; null without step results, which takes no space.
alter table test_results add column step_state smallint;
-- What the steps of an earlier result were.
alter table result_changes add column steps json;

-- Whether the status that follows from the steps is a suggestion, or becomes that of the result.
alter table projects
  add column steps_decide text not null default 'suggest' check (steps_decide in ('suggest', 'derive'));
