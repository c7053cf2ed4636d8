import { type Requirement, testsIn } from './requirement.ts'

const groups = testsIn('src/http/rate-limit-groups.test.ts', '%s')
const others = testsIn('src/http/rate-limit-groups.test.ts', 'everything else')
const bucket = testsIn('src/http/rate-limit.test.ts', 'a bucket')
const milestoneRate = testsIn('src/features/milestones/milestone-rights.test.ts', 'the rate limit')
const uploadSize = testsIn('src/features/uploads/upload-size.test.ts', 'an upload')
const tooLarge = testsIn('src/features/uploads/upload-xml.test.ts', 'an upload that is too large')
const bodies = testsIn('src/http/requests.test.ts', 'bodies')
const lists = testsIn('src/http/lists.test.ts', 'the list of %s')
const bulk = testsIn('src/features/test-cases/bulk-create-test-cases.test.ts', 'POST /v1/projects/:pid/test-cases/bulk')
const sub = testsIn('src/features/milestones/create-milestone.test.ts', 'a sub-milestone')
const createProject = testsIn('src/features/projects/projects.test.ts', 'POST /v1/projects')
const createCase = testsIn('src/features/test-cases/create-test-case.test.ts', 'POST /v1/projects/:pid/test-cases')
const put = testsIn('src/features/results/update-result.test.ts', 'PUT /v1/runs/:run_id/results/:result_id')
const invite = testsIn('src/features/invitations/invitations.test.ts', 'POST /v1/projects/:project_id/members/invite')

const limited = groups(
  'take 60 requests a minute from a token, all together, and answer 429 with Retry-After to any more',
)
const apart = groups('leave room to the same token in the other groups, and to other tokens in this one')

export const limits: readonly Requirement[] = [
  [
    '60 requests a minute for milestones',
    limited,
    milestoneRate('is one bucket for all milestone endpoints of a token, and none for other tokens and groups'),
  ],
  ['60 requests a minute for members', limited],
  ['60 requests a minute for CI upload', limited],
  [
    'a minute: the bucket is full again after 60 seconds',
    bucket('tells on every answer how much it holds, how much is left, and when it is full again'),
  ],
  [
    'for each token, and each of the three apart',
    apart,
    bucket('is one for each token, also of the same user and project'),
  ],
  ['10 MB in a CI upload', uploadSize('may have 10 MB and not a byte more: %s'), tooLarge('is answered with 413: %s')],
  [
    'per_page: 20, at most 100',
    lists('gives its first 20 items where nothing is asked for, and how many there are'),
    lists('gives as many to a page as are asked for, up to 100'),
    lists('refuses ?%s'),
  ],
  ['100 test cases in one bulk creation', bulk('takes a hundred'), bulk('refuses a hundred and one')],
  ['one level of sub-milestones', sub('takes no sub-milestones itself')],
  [
    'prefix of 2 to 5 uppercase letters',
    createProject('takes the prefix %s'),
    createProject('refuses the prefix %j and names the field'),
  ],
  ['rates of other endpoints: decided, 600', others('takes 600 requests a minute from a token')],
  [
    'sizes of other bodies: decided',
    bodies('are taken up to 1 MB and refused past it'),
    bodies('are taken up to 10 MB where results come in, and refused past it'),
  ],
  [
    'validity of an invitation: decided',
    invite('answers 201 with the pending invitation at the top level, valid for seven days'),
  ],
  [
    'lengths of text: decided',
    createCase('takes every length that is allowed'),
    createCase('refuses a %s that is too long'),
    put('cuts a note of more than 65,536 × %s, and takes one of just as many'),
  ],
]
