import { LINKS_OF_RUNS, linksOf, listSources, sourcesOf, toIso } from './case-sql.ts'

/*
 * What a project contains besides its test cases, as statements that return a JSON object a row. `$1` is the project. References are
 * ids, as everywhere in an export.
 */

export const PEOPLE = `
  select json_build_object('key', u.id, 'name', u.name, 'email', u.email) from users u
  where u.id in (
    select user_id from project_people where project_id = $1 union select user_id from memberships where project_id = $1
  )
  union all
  select json_build_object('key', i.id, 'name', i.name, 'email', i.email, 'imported_from', i.label) from imported_people i
  where i.project_id = $1 and i.joined_at is null`

export const FOLDERS = `
  select json_build_object('key', f.id, 'name', f.name, 'parent', f.parent_id, 'position', f.position,
    'sources', ${sourcesOf('folder', 'f.id::text')})
  from folders f where f.project_id = $1 order by f.created_at, f.id`

export const SHARED_STEPS = `
  select json_build_object('key', s.id, 'title', s.title, 'steps', s.steps, 'version', s.version,
    'created_by', s.created_by, 'created_at', ${toIso('s.created_at')}, 'updated_by', s.updated_by,
    'updated_at', ${toIso('s.updated_at')})
  from shared_steps s where s.project_id = $1 order by s.id`

/** What shared steps were in versions that have ended: test cases may have stayed at one. */
export const SHARED_STEP_VERSIONS = `
  select json_build_object('key', v.shared_step_id || '/' || v.version, 'shared', v.shared_step_id, 'version', v.version,
    'title', v.title, 'steps', v.steps, 'person', v.changed_by, 'at', ${toIso('v.changed_at')})
  from shared_step_versions v where v.project_id = $1 order by v.shared_step_id, v.version`

export const CONFIGURATIONS = `
  select json_build_object('key', k.id, 'group', k.group_name, 'group_key', k.group_key, 'value', k.name, 'value_key', k.key,
    'variants', k.variants, 'position', k.position, 'retired_at', ${toIso('k.retired_at')})
  from configurations k where k.project_id = $1 order by k.id`

export const MILESTONES = `
  with ${listSources('milestone')}
  select json_build_object('key', m.id, 'name', m.name, 'description', m.description, 'parent', m.parent_id,
    'start', ${toIso('m.start_date')}, 'due', ${toIso('m.due_date')}, 'date_mode', m.date_mode, 'status', m.status,
    'completed', m.status = 'completed', 'created_at', ${toIso('m.created_at')},
    'sources', coalesce(s.list, '[]'))
  from milestones m left join sources_of s on s.target = m.id::text where m.project_id = $1 order by m.parent_id is not null, m.id`

const UPLOAD = `'number', u.number, 'source', u.source, 'job', u.job, 'instance', u.instance, 'shard', u.shard,
  'variant', u.variant, 'report', u.report, 'label', u.label, 'job_url', u.job_url, 'build_attempt', u.build_attempt,
  'is_rerun', u.is_rerun, 'test_count', u.test_count, 'failed_count', u.failed_count, 'executed_count', u.executed_count,
  'elapsed_ms', u.elapsed_ms, 'is_excluded', u.is_excluded, 'finished_at', ${toIso('u.finished_at')},
  'at', ${toIso('u.uploaded_at')}`

export const RUNS = `
  with ${listSources('run')}, ${LINKS_OF_RUNS}
  select json_build_object('key', r.id, 'name', r.name, 'description', r.description, 'milestone', r.milestone_id,
    'status', r.status, 'run_key', r.run_key, 'rerun_of', r.rerun_of, 'root_run', r.root_run_id,
    'rerun_number', r.rerun_number, 'metadata', r.metadata, 'fields', r.fields,
    'adds_test_cases', r.adds_test_cases, 'created_by', coalesce(r.created_by, r.created_by_person),
    'created_at', ${toIso('r.created_at')}, 'completed_by', coalesce(r.completed_by, r.completed_by_person), 'completed_at', ${toIso('r.completed_at')},
    'configurations', coalesce((
      select json_agg(json_build_object('place', k.place, 'name', k.name, 'values', k.configurations, 'for_all', k.for_all)
        order by k.place)
      from run_configurations k where k.project_id = $1 and k.run_id = r.id), '[]'),
    'last_configuration_place', r.last_configuration_place, 'expected_shards', r.expected_shards, 'shards_done', r.shards_done,
    'jobs', coalesce((
      select json_agg(json_build_object('job', j.job, 'expected_shards', j.expected_shards, 'shards_done', j.shards_done) order by j.job)
      from run_jobs j where j.project_id = $1 and j.run_id = r.id), '[]'),
    'uploads', case when r.upload_count > 0 then (
      select json_agg(json_build_object(${UPLOAD}) order by u.number)
      from run_uploads u where u.project_id = $1 and u.run_id = r.id) end,
    'sources', coalesce(s.list, '[]'), 'links', coalesce(l.list, '[]'))
  from runs r left join sources_of s on s.target = r.id::text left join links_of l on l.run_id = r.id
  where r.project_id = $1 order by r.created_at, r.id`

const COMBINATIONS = `(
  select json_agg(json_build_object('place', k.place, 'configuration', k.configuration, 'status', k.status, 'note', k.note,
    'elapsed_seconds', k.elapsed, 'person', k.tested_by, 'at', ${toIso('k.tested_at')}, 'assigned_to', k.assigned_to)
    order by k.place)
  from result_combinations k where k.project_id = $1 and k.run_id = r.run_id and k.result_id = r.id)`

const STEPS = `(
  select json_agg(json_build_object('place', s.place, 'steps', s.steps, 'case_steps', s.case_steps) order by s.place)
  from step_results s where s.project_id = $1 and s.run_id = r.run_id and s.result_id = r.id)`

/** Current results, each with its earlier values. @param cases a condition on test cases `c`, null for all */
export const buildResults = (cases: string | null): string => `
  select json_build_object('key', r.id, 'run', r.run_id, 'case_number', r.case_number, 'title', r.title, 'status', r.status,
    'note', r.note, 'elapsed_seconds', r.elapsed, 'person', r.tested_by, 'at', ${toIso('r.tested_at')},
    'assigned_to', r.assigned_to, 'case_version', r.case_version, 'fields', r.fields,
    'links', ${linksOf('l.run_id = r.run_id and l.result_id = r.id')},
    'combinations', case when r.combination_state is not null then ${COMBINATIONS} end, 'steps', case when r.step_state is not null or r.combination_state is not null then ${STEPS} end,
    'earlier', case when r.change_count > 0 then (
      select json_agg(json_build_object('place', e.place, 'status', e.status, 'note', e.note, 'elapsed_seconds', e.elapsed,
        'person', e.tested_by, 'at', ${toIso('e.tested_at')}, 'replaced_at', ${toIso('e.replaced_at')}, 'fields', e.fields,
        'steps', e.steps, 'combinations', e.combinations) order by e.place)
      from result_changes e where e.project_id = $1 and e.run_id = r.run_id and e.result_id = r.id) end)
  from test_results r where r.project_id = $1 ${ofCases('r.case_number', cases)}
  order by r.run_id, r.id`

const ofCases = (column: string, cases: string | null): string =>
  cases === null ? '' : `and ${column} in (select c.number from test_cases c where c.project_id = $1 and ${cases})`

/** Earlier versions of test cases. */
export const buildVersions = (cases: string | null): string => `
  select json_build_object('key', v.case_number || '/' || v.version, 'case_number', v.case_number, 'version', v.version,
    'next_version', v.next_version, 'before', v.before, 'changed', v.changed, 'changed_at', ${toIso('v.changed_at')},
    'started_at', ${toIso('v.started_at')}, 'changed_by', v.changed_by, 'via', v.via, 'summary', v.summary)
  from case_versions v where v.project_id = $1 ${ofCases('v.case_number', cases)} order by v.case_number, v.version`

/** Comments of test cases with their earlier texts; with runs, also theirs. */
export const buildComments = (cases: string | null, { hasRuns }: { hasRuns: boolean }): string => `
  select json_build_object('key', k.id, 'case_number', k.case_number, 'run', k.run_id, 'result', k.result_id,
    'person', k.created_by, 'text', k.body, 'at', ${toIso('k.created_at')}, 'edited_at', ${toIso('k.edited_at')},
    'deleted_at', ${toIso('k.deleted_at')}, 'deleted_by', k.deleted_by, 'versions', coalesce((
      select json_agg(json_build_object('text', v.body, 'replaced_at', ${toIso('v.replaced_at')}) order by v.place)
      from comment_versions v where v.project_id = $1 and v.comment_id = k.id), '[]'))
  from comments k where k.project_id = $1 and (
    (k.case_number is not null ${ofCases('k.case_number', cases)}) ${hasRuns ? 'or k.case_number is null' : ''}
  ) order by k.id`

/** Automated tests, and what came of them in runs. */
export const TESTS = `
  select json_build_object('key', t.id, 'file', t.file, 'suite', t.suite, 'name', t.name, 'module', t.module,
    'variant', t.variant, 'report_suite', t.report_suite, 'title_key', t.title_key,
    'created_at', ${toIso('t.created_at')}, 'retired_at', ${toIso('t.retired_at')},
    'cases', coalesce((
      select json_agg(json_build_object('case_number', l.case_number, 'source', l.source) order by l.case_number)
      from test_links l where l.project_id = $1 and l.test_id = t.id), '[]'))
  from tests t where t.project_id = $1 order by t.id`

export const TEST_OUTCOMES = `
  select json_build_object('run', o.run_id, 'test', o.test_id, 'status', o.status, 'is_flaky', o.is_flaky,
    'is_matched', o.is_matched, 'attempt_count', o.attempt_count, 'attempts', o.attempts, 'elapsed_ms', o.elapsed_ms,
    'at', ${toIso('o.tested_at')}, 'source', o.source, 'parts', (
      select json_agg(json_build_object('source', p.source, 'status', p.status, 'is_flaky', p.is_flaky,
        'attempt_count', p.attempt_count, 'attempts', p.attempts, 'elapsed_ms', p.elapsed_ms, 'at', ${toIso('p.tested_at')})
        order by p.source)
      from outcome_parts p where p.project_id = $1 and p.run_id = o.run_id and p.test_id = o.test_id))
  from test_outcomes o where o.project_id = $1 order by o.run_id, o.test_id`

/** Errors outside of tests. */
export const SUITE_ERRORS = `
  select json_build_object('key', e.id, 'run', e.run_id, 'location', e.location, 'message', e.message, 'shard', e.shard,
    'source', e.source, 'at', ${toIso('e.reported_at')})
  from suite_errors e where e.project_id = $1 order by e.run_id, e.id`

/** Tests and errors that people have left out of runs, as they were. */
export const LEFT_OUT = `
  select json_build_object('key', l.id, 'run', l.run_id, 'of', l.kind, 'name', l.name, 'content', l.content, 'parts', l.parts,
    'person', l.left_out_by, 'at', ${toIso('l.left_out_at')})
  from left_out l where l.project_id = $1 order by l.run_id, l.id`

/** Times in which failures of tests do not block, or did not. */
export const QUARANTINES = `
  select json_build_object('key', q.id, 'test', q.test_id, 'reason', q.reason, 'owner', q.owner_id, 'link', q.link,
    'branches', q.branches, 'is_automatic', q.is_automatic, 'created_by', q.created_by,
    'created_at', ${toIso('q.created_at')}, 'expires_at', ${toIso('q.expires_at')}, 'ended_at', ${toIso('q.ended_at')},
    'ended_by', q.ended_by, 'end_reason', q.end_reason)
  from quarantines q where q.project_id = $1 order by q.id`

/** Files with a name at a test case. */
export const buildCaseAttachments = (cases: string | null): string => `
  select json_build_object('key', a.id, 'name', a.name, 'case_number', a.case_number, 'step', a.step, 'comment', a.comment_id,
    'created_by', a.created_by, 'created_at', ${toIso('a.created_at')},
    'sha256', encode(f.digest, 'hex'), 'byte_count', f.byte_count, 'media_type', f.media_type, 'is_lost', f.is_lost)
  from case_attachments a join files f on f.project_id = $1 and f.id = a.file_id
  where a.project_id = $1 ${ofCases('a.case_number', cases)} order by a.case_number, a.id`

/** Files with a name at a run or result. Those that were removed have no content. */
export const RUN_ATTACHMENTS = `
  select json_build_object('key', a.id, 'name', a.name, 'run', a.run_id, 'result', a.result_id, 'step', a.step, 'place', a.place,
    'test', a.test_id, 'attempt', a.attempt, 'source', a.source, 'comment', a.comment_id, 'created_by', a.created_by,
    'created_at', ${toIso('a.created_at')}, 'sha256', encode(coalesce(f.digest, a.digest), 'hex'),
    'byte_count', coalesce(f.byte_count, a.byte_count), 'media_type', f.media_type, 'removed_at', ${toIso('a.removed_at')},
    'is_waiting', a.file_id is null and a.removed_at is null, 'is_lost', coalesce(f.is_lost, true))
  from run_attachments a left join files f on f.project_id = $1 and f.id = a.file_id
  where a.project_id = $1 order by a.run_id, a.id`

/** The contents of the files, each once. @param parts which attachments count */
export const buildFiles = (cases: string | null, { hasRuns }: { hasRuns: boolean }): string => `
  select json_build_object('id', f.id, 'location', f.location, 'sha256', encode(f.digest, 'hex'), 'byte_count', f.byte_count)
  from files f where f.project_id = $1 and not f.is_lost and (
    f.id in (select a.file_id from case_attachments a where a.project_id = $1 ${ofCases('a.case_number', cases)})
    ${hasRuns ? 'or f.id in (select a.file_id from run_attachments a where a.project_id = $1 and a.file_id is not null)' : ''}
  ) order by f.id`
