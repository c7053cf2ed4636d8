import { type Requirement, testsIn } from './requirement.ts'

const answers = testsIn('src/http/answers.test.ts', 'in every answer')
const lists = testsIn('src/http/lists.test.ts', 'the list of %s')
const bodies = testsIn('src/http/requests.test.ts', 'bodies')
const operation = testsIn('src/http/operations.test.ts', '%s %s')
const project = testsIn('src/features/projects/projects.test.ts', 'a project')
const createRun = testsIn('src/features/runs/create-run.test.ts', 'POST /v1/projects/:project_id/runs')
const readCase = testsIn('src/features/test-cases/read-test-case.test.ts', 'GET /v1/projects/:pid/test-cases/:id')
const createCase = testsIn('src/features/test-cases/create-test-case.test.ts', 'POST /v1/projects/:pid/test-cases')
const updateCase = testsIn('src/features/test-cases/update-test-case.test.ts', '%s /v1/projects/:pid/test-cases/:id')
const deleteCase = testsIn(
  'src/features/test-cases/update-test-case.test.ts',
  'DELETE /v1/projects/:pid/test-cases/:id',
)
const bulkCases = testsIn(
  'src/features/test-cases/bulk-create-test-cases.test.ts',
  'POST /v1/projects/:pid/test-cases/bulk',
)
const putResult = testsIn('src/features/results/update-result.test.ts', 'PUT /v1/runs/:run_id/results/:result_id')
const bulkResults = testsIn('src/features/results/bulk-update-results.test.ts', 'POST /v1/runs/:run_id/results/bulk')
const createMilestone = testsIn(
  'src/features/milestones/create-milestone.test.ts',
  'POST /v1/projects/:project_id/milestones',
)
const oneMilestone = testsIn(
  'src/features/milestones/one-milestone.test.ts',
  'GET /v1/projects/:project_id/milestones/:milestone_id',
)
const patchMilestone = testsIn(
  'src/features/milestones/update-milestone.test.ts',
  'PATCH /v1/projects/:project_id/milestones/:milestone_id',
)
const changeRole = testsIn('src/features/members/members.test.ts', 'PATCH /v1/projects/:project_id/members/:user_id')
const invite = testsIn('src/features/invitations/invitations.test.ts', 'POST /v1/projects/:project_id/members/invite')

/** What holds for all resources, and the conventions of the endpoints. */
export const conventions: readonly Requirement[] = [
  ['identifiers are strings', answers('each identifier is a string, or null where it refers to nothing')],
  ['timestamps are ISO 8601 in UTC', answers('each timestamp is ISO 8601 in UTC, or null where there is none')],
  [
    'a nullable field without a value is there, as null',
    createRun('takes the test cases named, each once, untested'),
    createMilestone('creates an active milestone with progress 0, at top level of the answer, with every field'),
  ],
  ['bodies of answers are JSON', answers('the body is JSON, and says so')],
  ['bodies of requests are JSON and say so', bodies('are JSON as %s'), bodies('are not taken as %s')],
  [
    'page: integer, default 1',
    lists('gives its first 20 items where nothing is asked for, and how many there are'),
    lists('gives the page that is asked for'),
    lists('refuses ?%s'),
  ],
  [
    'per_page: integer, default 20',
    lists('gives its first 20 items where nothing is asked for, and how many there are'),
    lists('refuses ?%s'),
  ],
  ['per_page: at most 100', lists('gives as many to a page as are asked for, up to 100'), lists('refuses ?%s')],
  [
    'lists answer data and meta of page, per_page, total',
    lists('gives its first 20 items where nothing is asked for, and how many there are'),
  ],
  ['a single project is wrapped in data', project('is read with exactly its fields: description and counts, too')],
  ['a single test case is wrapped in data', readCase('shows all fields, with steps, tags, automation key and author')],
  [
    'a single result is wrapped in data',
    putResult('sets a result by the id of its test case, and answers it as it is listed'),
  ],
  ['a milestone is at top level', oneMilestone('gives the milestone at top level with linked_runs and sub_milestones')],
  [
    'members and invitations are at top level',
    changeRole('changes the role and answers with the member and updated_at, at the top level'),
    invite('answers 201 with the pending invitation at the top level, valid for seven days'),
  ],
  [
    'optional fields may be left out',
    createCase('needs a title only, fills in the rest, and answers without tags, automation key and author'),
    createMilestone('creates an active milestone with progress 0, at top level of the answer, with every field'),
  ],
  [
    'updates change only the fields sent',
    project('changes only the fields sent: %j'),
    patchMilestone('takes %j alone, and keeps all other fields'),
    updateCase('changes %s to %j and nothing else, and answers with that'),
    putResult('keeps the note and the time that are not sent'),
    bulkResults('keeps the note and the time that an item does not send, and clears those sent as null'),
  ],
  [
    'success codes not stated: decided, 201 for what is created, 200 for the rest',
    createCase('needs a title only, fills in the rest, and answers without tags, automation key and author'),
    bulkCases('creates all in order, and answers with how many and with their ids and titles'),
    updateCase('changes %s to %j and nothing else, and answers with that'),
    deleteCase('answers with a message, and the case is gone'),
    project('is read with exactly its fields: description and counts, too'),
    project('keeps its prefix when it is updated, and answers with exactly what may change'),
    putResult('sets a result by the id of its test case, and answers it as it is listed'),
    bulkResults('stores every result and answers 200 with what was stored'),
  ],
  ['a body that is stated is required', bodies('may not be empty where one is needed, and the answer says so')],
  ['all operations are there under their methods', operation('is there: without a token it is 401, not 404')],
]
