-- The status that follows from the steps of one combination, as the place in RESULT_STATUSES; null without step results, which
-- takes no space. Its steps are in step_results at its place.
alter table result_combinations add column step_state smallint;
-- The combination of a result that a file belongs to; null for the result as a whole.
alter table run_attachments add column place smallint;
