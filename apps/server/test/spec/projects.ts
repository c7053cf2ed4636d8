import { type Requirement, testsIn } from './requirement.ts'

const file = 'src/features/projects/projects.test.ts'
const create = testsIn(file, 'POST /v1/projects')
const list = testsIn(file, 'GET /v1/projects')
const project = testsIn(file, 'a project')
const createCase = testsIn('src/features/test-cases/create-test-case.test.ts', 'POST /v1/projects/:pid/test-cases')
const lists = testsIn('src/http/lists.test.ts', 'the list of %s')
const answers = testsIn('src/http/answers.test.ts', 'in every answer')
const ciTokens = testsIn('src/features/tokens/tokens.test.ts', 'CI tokens')
const problem = testsIn('src/http/order-of-checks.test.ts', 'a problem')

const asRead = project('is read with exactly its fields: description and counts, too')
const listed = list('gives each as it is read alone, without description and member_count')
const updated = project('keeps its prefix when it is updated, and answers with exactly what may change')
const created = create('creates a project with counts of zero and its creator as the only member')

export const projects: readonly Requirement[] = [
  ['id: string', asRead],
  ['name: the display name', asRead, created],
  [
    'prefix: 2 to 5 uppercase letters',
    create('takes the prefix %s'),
    create('refuses the prefix %j and names the field'),
  ],
  ['test case ids are <PREFIX>-<number>', createCase('gives ids that begin with the prefix of the project: %s')],
  ['description is in the single read', asRead],
  ['description is in the answer to an update', updated],
  ['description is absent from list items', listed],
  ['test_case_count: integer', asRead, listed, answers('each count and number of seconds is a whole number')],
  ['run_count: integer', asRead, listed, answers('each count and number of seconds is a whole number')],
  ['member_count is in the single read', asRead, project('counts who joins and who leaves')],
  ['member_count is in the answer to a creation', created],
  ['member_count is absent from list items', listed],
  ['created_at: timestamp', asRead, answers('each timestamp is ISO 8601 in UTC, or null where there is none')],
  [
    'updated_at: timestamp',
    project('moves its updated_at when it is updated'),
    answers('each timestamp is ISO 8601 in UTC, or null where there is none'),
  ],
  [
    'further configuration of a project: decided',
    project('keeps its prefix when it is updated, and answers with exactly what may change'),
    project('does not move its updated_at for test cases'),
    create('keeps the description that is sent'),
    ciTokens('are listed, made and revoked by admins of their project alone'),
  ],
  ['GET all: paginated', lists('gives its first 20 items where nothing is asked for, and how many there are')],
  [
    'GET all: those that the caller can reach',
    list('lists the projects of the caller alone, the most recently updated first'),
  ],
  [
    'GET all: the most recently updated first',
    list('lists the projects of the caller alone, the most recently updated first'),
  ],
  ['GET all: items without description and member_count', listed],
  ['GET one: with description and member_count', asRead],
  [
    'POST: name is required',
    create('names every bad field at once'),
    problem('has exactly the fields of RFC 9457 and ours'),
  ],
  ['POST: prefix is required', create('names every bad field at once')],
  [
    'POST: prefix of 2 to 5 uppercase letters',
    create('takes the prefix %s'),
    create('refuses the prefix %j and names the field'),
  ],
  ['POST: answers counts of 0, 0 and 1 member', created],
  ['PATCH: name is optional', project('changes only the fields sent: %j')],
  ['PATCH: description is optional', project('changes only the fields sent: %j')],
  ['PATCH: answers id, name, prefix, description, updated_at', updated],
  ['DELETE: answers a message', project('is gone with everything in it once deleted')],
  ['DELETE: takes test cases, runs and results along for good', project('is gone with everything in it once deleted')],
]
