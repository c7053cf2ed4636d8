import { type Requirement, testsIn } from './requirement.ts'

const folder = 'src/features/runs'
const create = testsIn(`${folder}/create-run.test.ts`, 'POST /v1/projects/:project_id/runs')
const list = testsIn(`${folder}/list-runs.test.ts`, 'GET /v1/projects/:project_id/runs')
const read = testsIn(`${folder}/one-run.test.ts`, 'GET /v1/runs/:run_id')
const patch = testsIn(`${folder}/one-run.test.ts`, 'PATCH /v1/runs/:run_id')
const remove = testsIn(`${folder}/one-run.test.ts`, 'DELETE /v1/runs/:run_id')
const addCases = testsIn(`${folder}/add-test-cases.test.ts`, 'POST /v1/runs/:run_id/test-cases')
const byKey = testsIn(`${folder}/run-keys.test.ts`, 'POST /v1/projects/:project_id/runs with a run_key')
const shards = testsIn(`${folder}/shards.test.ts`, 'POST /v1/runs/:run_id/shards/:name/done')
const put = testsIn('src/features/results/update-result.test.ts', 'PUT /v1/runs/:run_id/results/:result_id')
const bulk = testsIn('src/features/results/bulk-update-results.test.ts', 'POST /v1/runs/:run_id/results/bulk')
const dryRun = testsIn('src/features/uploads/upload-json.test.ts', 'a dry run')
const milestone = testsIn(
  'src/features/milestones/one-milestone.test.ts',
  'GET /v1/projects/:project_id/milestones/:milestone_id',
)

/** The specification shows runs only inside milestones; the rest is decided. */
export const runs: readonly Requirement[] = [
  [
    'id, name, status, pass_rate inside a milestone',
    milestone('gives the milestone at top level with linked_runs and sub_milestones'),
  ],
  [
    'further fields: decided',
    create('answers 201 with every field of the new run'),
    read('gives the counts %j the pass rate %d'),
  ],
  [
    'values of status: decided',
    create('answers 201 with every field of the new run'),
    patch('completes a run, and notes when'),
    patch('refuses %j'),
  ],
  [
    'transitions: decided, in_progress and completed, there and back',
    patch('completes a run, and notes when'),
    patch('reopens a run, which then was never completed and takes results again'),
  ],
  [
    'a completed run is a record: decided, 409',
    put('refuses a completed run'),
    bulk('refuses a completed run, even without items'),
    dryRun('refuses a completed run as the real call does'),
    addCases('refuses a completed run'),
  ],
  [
    'endpoints: decided',
    list('lists the runs of this project alone, the newest first, in pages'),
    list('filters by status, with the true total'),
    create('takes all test cases of the project when none are named, and only its own'),
    patch('changes only the fields sent, and updated_at'),
    remove('deletes the run with its results, says so, and counts one run less'),
    addCases('adds test cases at the end, untested, and answers the run'),
  ],
  [
    'one run for all shards: decided',
    byKey('makes exactly one run when twenty ask for it at once'),
    byKey('answers the run of a known key with 200, as it is, whatever else is sent'),
    shards('completes the run when as many different shards as expected have reported'),
    shards('loses no name and completes the run when twenty report at once, twice each, while results come in'),
  ],
]
