import { type Requirement, testsIn } from './requirement.ts'

const unauthenticated = testsIn('src/http/order-of-checks.test.ts', '401')
const operation = testsIn('src/http/operations.test.ts', '%s %s')
const everyRoute = testsIn('src/http/surface.test.ts', 'every route of the API')
const uploader = testsIn('src/features/uploads/upload-rights.test.ts', 'who may upload')
const matrix = testsIn('src/http/permissions.test.ts', 'the permission matrix')
const anyToken = testsIn('src/features/tokens/tokens.test.ts', 'a $kind token')
const ciTokens = testsIn('src/features/tokens/tokens.test.ts', 'CI tokens')
const personal = testsIn('src/features/tokens/tokens.test.ts', 'personal tokens')
const secret = testsIn('src/features/tokens/secret.test.ts', 'a new secret')
const invite = testsIn('src/features/invitations/invitations.test.ts', 'POST /v1/projects/:project_id/members/invite')
const change = testsIn('src/features/members/members.test.ts', 'PATCH /v1/projects/:project_id/members/:user_id')
const remove = testsIn('src/features/members/members.test.ts', 'DELETE /v1/projects/:project_id/members/:user_id')
const milestones = testsIn('src/features/milestones/milestone-rights.test.ts', '%s')
const createCase = testsIn('src/features/test-cases/create-test-case.test.ts', 'POST /v1/projects/:pid/test-cases')
const put = testsIn('src/features/results/update-result.test.ts', 'PUT /v1/runs/:run_id/results/:result_id')
const project = testsIn('src/features/projects/projects.test.ts', 'a project')
const listCases = testsIn('src/features/test-cases/list-test-cases.test.ts', 'GET /v1/projects/:pid/test-cases')

export const authentication: readonly Requirement[] = [
  [
    'every request carries Authorization: Bearer',
    operation('is 401 with %s'),
    operation('is there: without a token it is 401, not 404'),
    everyRoute('declares a permission, asks for a token unless it is public, and lists 401 and 429 among its answers'),
    unauthenticated('answers %j, and says how to sign in'),
  ],
  ['the CI upload needs a CI token', uploader('is no person, not even an admin, and the answer says what is needed')],
  [
    'a CI token is scoped to its project',
    uploader('is no CI token of another project, for which the run does not exist'),
    ciTokens('reach their own project alone'),
  ],
  [
    'a CI token is made in the token settings',
    anyToken('is made with write access and no end where nothing else is said, and works'),
    ciTokens('are listed, made and revoked by admins of their project alone'),
  ],
  ['a CI token must have write access', uploader('is no CI token that only reads')],
  ['inviting is for admins, 403 for others', invite('is for admins only')],
  ['changing roles is for admins, 403 for others', change('is for admins only, who learn nothing of the body')],
  [
    'removing members is for admins, 403 for others',
    remove('is for admins only: nobody else removes anybody, themselves neither'),
  ],
  [
    'eight permissions over three roles',
    matrix('has a row for every route, and a route for every row'),
    matrix('tells everybody what the contract says: %s'),
  ],
  [
    'permission: view test cases and runs',
    listCases('may be read by every member, viewers and CI tokens too, and by nobody else'),
  ],
  [
    'permission: create and edit test cases',
    createCase('is for admins and members: viewers, CI tokens, read tokens and strangers get 403'),
  ],
  [
    'permission: execute test runs',
    put('is closed to viewers, strangers, CI tokens and tokens that read, who learn nothing of the body'),
  ],
  [
    'permission: manage milestones',
    milestones('is open to an %s'),
    milestones('is for viewers and CI tokens only where it reads'),
  ],
  ['permission: project settings, delete project', project('may be changed and deleted by its admins only')],
  ['which role holds what: decided', matrix('tells everybody what the contract says: %s')],
  [
    'issuance, lifetime, format and scopes of tokens: decided',
    anyToken('is made with write access and no end where nothing else is said, and works'),
    anyToken('stops working when it expires'),
    anyToken('stops working the moment it is revoked'),
    anyToken('that only reads cannot change anything, whatever is sent'),
    secret('is its prefix, 43 characters of base62 and a checksum of 6'),
    personal('act as their user in every project of that user'),
  ],
]
