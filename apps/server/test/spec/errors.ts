import { type Requirement, testsIn } from './requirement.ts'

const problem = testsIn('src/http/order-of-checks.test.ts', 'a problem')
const order = testsIn('src/http/order-of-checks.test.ts', 'with %s')
const everyRoute = testsIn('src/http/surface.test.ts', 'every route of the API')
const operation = testsIn('src/http/operations.test.ts', '%s %s')
const groups = testsIn('src/http/rate-limit-groups.test.ts', '%s')
const bucket = testsIn('src/http/rate-limit.test.ts', 'a bucket')
const createMilestone = testsIn(
  'src/features/milestones/create-milestone.test.ts',
  'POST /v1/projects/:project_id/milestones',
)
const patchMilestone = testsIn(
  'src/features/milestones/update-milestone.test.ts',
  'PATCH /v1/projects/:project_id/milestones/:milestone_id',
)
const listMilestones = testsIn(
  'src/features/milestones/list-milestones.test.ts',
  'GET /v1/projects/:project_id/milestones',
)
const oneMilestone = testsIn(
  'src/features/milestones/one-milestone.test.ts',
  'GET /v1/projects/:project_id/milestones/:milestone_id',
)
const milestoneRights = testsIn('src/features/milestones/milestone-rights.test.ts', '%s')
const patchUnknown = testsIn('src/features/milestones/milestone-rights.test.ts', 'PATCH')
const change = testsIn('src/features/members/members.test.ts', 'PATCH /v1/projects/:project_id/members/:user_id')
const remove = testsIn('src/features/members/members.test.ts', 'DELETE /v1/projects/:project_id/members/:user_id')
const nowhere = testsIn('src/features/members/members.test.ts', 'the members of a project that does not exist')
const lastAdmin = testsIn('src/features/members/last-admin.test.ts', 'the last admin')
const invite = testsIn('src/features/invitations/invitations.test.ts', 'POST /v1/projects/:project_id/members/invite')
const json = testsIn('src/features/uploads/upload-json.test.ts', 'POST /v1/results with JSON')
const format = testsIn('src/features/uploads/upload-json.test.ts', 'the format of an upload')
const uploader = testsIn('src/features/uploads/upload-rights.test.ts', 'who may upload')
const mayUpload = testsIn('src/features/uploads/upload-rights.test.ts', 'a caller with the right to upload')
const uploadRate = testsIn('src/features/uploads/upload-rights.test.ts', 'the rate limit of uploads')
const failing = testsIn('src/features/uploads/upload-concurrency.test.ts', 'an upload')

const limited = groups(
  'take 60 requests a minute from a token, all together, and answer 429 with Retry-After to any more',
)

export const errors: readonly Requirement[] = [
  ['shape of errors: decided', problem('has exactly the fields of RFC 9457 and ours')],
  ['400 milestones: invalid body', createMilestone('refuses %s, and creates nothing'), patchMilestone('refuses %j')],
  ['400 milestones: invalid query', listMilestones('refuses ?%s')],
  ['400 members: invalid body', change('refuses the role %j'), invite('refuses %j and names the fields')],
  [
    '400 CI upload: invalid structure',
    format('refuses %s, and stores nothing'),
    mayUpload('is told what is wrong with malformed JSON'),
  ],
  ['400 CI upload: missing fields', format('refuses %s, and stores nothing'), format('refuses %j, which names no run')],
  ['400 CI upload: unknown status', format('refuses %s, and stores nothing')],
  [
    '401 milestones, members, CI upload: no token',
    operation('is there: without a token it is 401, not 404'),
    uploader('is nobody without a token'),
  ],
  ['401 milestones, members, CI upload: an invalid token', operation('is 401 with %s')],
  ['403 milestones', milestoneRights('is for viewers and CI tokens only where it reads')],
  [
    '403 members: admins only',
    change('is for admins only, who learn nothing of the body'),
    remove('is for admins only: nobody else removes anybody, themselves neither'),
    invite('is for admins only'),
  ],
  ['403 CI upload: no write access', uploader('is no CI token that only reads')],
  ['404 milestones: no such project', milestoneRights('asks for the token first, then for the project')],
  [
    '404 milestones: no such milestone',
    oneMilestone('does not find %s'),
    oneMilestone('does not find a milestone of another project'),
    patchUnknown('does not find an unknown milestone for a body that is right'),
  ],
  ['404 members: no such project', nowhere('are 404: %s …/members%s')],
  [
    '404 members: no such member',
    change('is 404 for no member of this project, once the body is right'),
    remove('is 404 for no member of this project, also the second time'),
  ],
  ['404 CI upload: no such run', format('does not find the run %j')],
  [
    '404 CI upload: a run of another project',
    uploader('is no CI token of another project, for which the run does not exist'),
  ],
  [
    '409 members: member already, or invitation pending',
    invite('is 409 for who is %s already, in upper or lower case'),
  ],
  [
    '422 members: the last admin',
    lastAdmin('cannot be made a %s'),
    lastAdmin('cannot be removed, however many others there are'),
  ],
  [
    '207 CI upload: partial success',
    json('answers 207 with an error for each result that is not in the run, and stores the others'),
  ],
  ['429 milestones, members, CI upload', limited],
  ['429 CI upload sends Retry-After', limited, uploadRate('is one of its own, and says when to try again')],
  [
    '500 CI upload: unexpected error',
    failing('that fails on its way leaves nothing behind'),
    problem('that nobody foresaw shows a request id and nothing internal'),
    everyRoute('says that it may answer 500 and 503, as any of them may'),
  ],
  [
    'errors of the other endpoints: decided',
    order('the token comes first, then the project, then the right, and only then the body'),
    order('the body comes before the thing itself'),
    bucket('that is empty answers 429 with Retry-After, as a problem'),
  ],
]
