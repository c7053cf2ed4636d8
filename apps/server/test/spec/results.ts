import { type Requirement, testsIn } from './requirement.ts'

const folder = 'src/features/results'
const list = testsIn(`${folder}/list-results.test.ts`, 'GET /v1/runs/:run_id/results')
const put = testsIn(`${folder}/update-result.test.ts`, 'PUT /v1/runs/:run_id/results/:result_id')
const orphan = testsIn(`${folder}/update-result.test.ts`, 'a result whose test case was deleted')
const bulk = testsIn(`${folder}/bulk-update-results.test.ts`, 'POST /v1/runs/:run_id/results/bulk')
const upload = testsIn('src/features/uploads/upload-json.test.ts', 'POST /v1/results with JSON')
const outcome = testsIn('src/features/uploads/test-outcome.test.ts', 'the outcome of a test')
const createRun = testsIn('src/features/runs/create-run.test.ts', 'POST /v1/projects/:project_id/runs')
const readRun = testsIn('src/features/runs/one-run.test.ts', 'GET /v1/runs/:run_id')
const answers = testsIn('src/http/answers.test.ts', 'in every answer')
const lists = testsIn('src/http/lists.test.ts', 'the list of %s')

const listed = list('gives every field of a result')
const untested = createRun('takes the test cases named, each once, untested')
const set = put('sets a result by the id of its test case, and answers it as it is listed')
const stored = bulk('stores every result and answers 200 with what was stored')

export const results: readonly Requirement[] = [
  ['id: string', listed],
  [
    'test_case_id: string',
    listed,
    list('keeps results whose test case was deleted, with the title and without the id'),
  ],
  ['test_case_title: string', listed, list('keeps the title that a test case had when it joined')],
  ['status: one of five', put('lets any of the five statuses follow any other'), put('refuses %j')],
  ['status: not_tested where nothing is said', untested],
  ['note: string, nullable', listed, untested, put('clears the note and the time that are sent as null')],
  [
    'elapsed: whole seconds, nullable',
    listed,
    untested,
    put('refuses %j'),
    put('clears the note and the time that are sent as null'),
  ],
  ['tested_by: user id, nullable', untested, listed],
  [
    'tested_by: the authenticated user on update',
    put('makes the last caller the tester, and takes the time of every write'),
    stored,
  ],
  [
    'tested_at: timestamp, nullable',
    untested,
    listed,
    answers('each timestamp is ISO 8601 in UTC, or null where there is none'),
  ],
  ['passed and failed: what a run of a test says', outcome('of one attempt that %s is %s')],
  ['blocked and retest: have been looked at and count as not passed', readRun('gives the counts %j the pass rate %d')],
  ['not_tested: not executed yet', readRun('gives the counts %j the pass rate %d'), untested],
  ['any of the five is taken by an update', put('lets any of the five statuses follow any other')],
  ['any of the five is taken by a bulk update', bulk('takes the status %s')],
  ['any of the five is taken by an upload', upload('takes the status %s')],
  ['an upload overwrites an earlier result', upload('overwrites an earlier result as a whole')],
  ['which status may follow which: decided, any', put('lets any of the five statuses follow any other')],
  [
    'GET: data and meta',
    list('lists in pages of 20 in the order in which the cases joined, whatever has been written since'),
    lists('gives its first 20 items where nothing is asked for, and how many there are'),
  ],
  [
    'GET: query decided',
    list('filters by status %s, with the true total'),
    list('searches titles for %j literally, in upper or lower case'),
    list('combines status and search'),
    list('refuses ?%s'),
  ],
  ['PUT: status is required, one of five', put('refuses %j')],
  ['PUT: note is optional', set, put('keeps the note and the time that are not sent'), put('refuses %j')],
  [
    'PUT: elapsed is optional, whole seconds',
    set,
    put('keeps the note and the time that are not sent'),
    put('refuses %j'),
  ],
  [
    'PUT: answers the result',
    set,
    put('sets a result by its own id'),
    orphan('is set by its own id and no longer by that of the case'),
  ],
  [
    'PUT: the authenticated user becomes tested_by',
    put('makes the last caller the tester, and takes the time of every write'),
    set,
  ],
  ['bulk: results is a required array', bulk('refuses %j')],
  ['bulk: test_case_id is required', bulk('refuses %j')],
  ['bulk: status is required, one of five', bulk('refuses %j'), bulk('names every bad item, and stores nothing')],
  [
    'bulk: note and elapsed are optional',
    stored,
    bulk('keeps the note and the time that an item does not send, and clears those sent as null'),
  ],
  ['bulk: answers updated and test_case_id and status of each', stored],
  [
    'bulk: items are matched by test_case_id in the run',
    stored,
    bulk('does not find a test case of the project that is not in the run'),
  ],
  [
    'bulk with a case that is not in the run: decided, 207',
    bulk('answers 207 with an error for each unknown test case, and stores the others'),
  ],
]
