import { type Requirement, testsIn } from './requirement.ts'

const operation = testsIn('src/http/operations.test.ts', '%s %s')
const everyRoute = testsIn('src/http/surface.test.ts', 'every route of the API')
const createProject = testsIn('src/features/projects/projects.test.ts', 'POST /v1/projects')
const readCase = testsIn('src/features/test-cases/read-test-case.test.ts', 'GET /v1/projects/:pid/test-cases/:id')
const createRun = testsIn('src/features/runs/create-run.test.ts', 'POST /v1/projects/:project_id/runs')
const addCases = testsIn('src/features/runs/add-test-cases.test.ts', 'POST /v1/runs/:run_id/test-cases')
const oneMilestone = testsIn(
  'src/features/milestones/one-milestone.test.ts',
  'GET /v1/projects/:project_id/milestones/:milestone_id',
)
const listMembers = testsIn('src/features/members/members.test.ts', 'GET /v1/projects/:project_id/members')
const format = testsIn('src/features/uploads/upload-json.test.ts', 'the format of an upload')
const upload = testsIn('test/cli-upload.test.ts', 'caseward upload')
const refused = testsIn('test/cli-upload.test.ts', 'what the server refuses')
const settings = testsIn('../../packages/cli/src/command.test.ts', 'settings')

/** The introduction, and what the service does. */
export const service: readonly Requirement[] = [
  [
    'every path starts with /v1',
    everyRoute('declares a permission, asks for a token unless it is public, and lists 401 and 429 among its answers'),
    operation('is there: without a token it is 401, not 404'),
  ],
  [
    'announced endpoints: decided, they are there like the others',
    operation('is there: without a token it is 401, not 404'),
  ],
  ['stores projects', createProject('creates a project with counts of zero and its creator as the only member')],
  [
    'stores test cases inside projects, with steps',
    readCase('shows all fields, with steps, tags, automation key and author'),
  ],
  ['stores test runs', createRun('answers 201 with every field of the new run')],
  [
    'stores one result for each test case in a run',
    createRun('takes the test cases named, each once, untested'),
    addCases('lets each test case join once when many are added at the same time'),
  ],
  [
    'stores milestones that runs can be linked to',
    oneMilestone('gives the milestone at top level with linked_runs and sub_milestones'),
  ],
  [
    'stores members with roles',
    listMembers('lists the members in the order in which they joined, each with exactly the fields of a member'),
  ],
  [
    'results are pushed as JSON or as JUnit XML',
    format('takes %s'),
    format('stores what a JUnit document in JSON says'),
  ],
  ['who reports from a suite calls the CI upload', upload('stores a JUnit file, says what, and ends with 0')],
  [
    'a token and a run id come from SERVICE_TOKEN and SERVICE_RUN_ID',
    upload('stores a JUnit file, says what, and ends with 0'),
    refused('ends it at once, and says what to do: %s'),
    settings('are all named at once when they are missing, with what each is for'),
  ],
]
