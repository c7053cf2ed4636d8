import { type Requirement, testsIn } from './requirement.ts'

const file = 'src/features/members/members.test.ts'
const list = testsIn(file, 'GET /v1/projects/:project_id/members')
const change = testsIn(file, 'PATCH /v1/projects/:project_id/members/:user_id')
const remove = testsIn(file, 'DELETE /v1/projects/:project_id/members/:user_id')
const lastAdmin = testsIn('src/features/members/last-admin.test.ts', 'the last admin')
const accept = testsIn('src/features/invitations/accept-invitation.test.ts', 'accepting without being signed in')
const invite = testsIn('src/features/invitations/invitations.test.ts', 'POST /v1/projects/:project_id/members/invite')
const answers = testsIn('src/http/answers.test.ts', 'in every answer')
const lists = testsIn('src/http/lists.test.ts', 'the list of %s')

const listed = list('lists the members in the order in which they joined, each with exactly the fields of a member')
const changed = change('changes the role and answers with the member and updated_at, at the top level')

export const members: readonly Requirement[] = [
  ['id: that of the user', listed],
  ['email: string', listed],
  ['name: string', listed],
  ['avatar_url: string, nullable', listed, list('shows the picture of a member who has one')],
  ['role: admin, member or viewer', listed, change('gives the role %s'), change('refuses the role %j')],
  ['joined_at: timestamp', listed, answers('each timestamp is ISO 8601 in UTC, or null where there is none')],
  [
    'updated_at is only in the answer to a change of role',
    changed,
    listed,
    accept('makes a user with the password, hashed, who joins with the role'),
  ],
  ['GET: 200', listed],
  ['GET: role is admin, member or viewer', list('filters by the role %s'), list('refuses ?%s')],
  [
    'GET: paginated',
    list('gives the page that is asked for, with the true total also past the end'),
    lists('gives the page that is asked for'),
  ],
  ['GET: members without updated_at', listed],
  ['PATCH: role is required, one of three', change('gives the role %s'), change('refuses the role %j')],
  ['PATCH: 200 with the member and updated_at', changed],
  ['PATCH: admins only', change('is for admins only, who learn nothing of the body')],
  ['DELETE: 204 with an empty body', remove('removes the member with an empty 204, and counts one less')],
  ['DELETE: admins only', remove('is for admins only: nobody else removes anybody, themselves neither')],
  ['the last admin cannot be demoted: 422', lastAdmin('cannot be made a %s')],
  ['the last admin cannot be removed: 422', lastAdmin('cannot be removed, however many others there are')],
  [
    'the last admin stays also when two turn on each other',
    lastAdmin('is always left when two admins turn on each other at the same instant'),
  ],
  ['inviting a member is 409', invite('is 409 for who is %s already, in upper or lower case')],
  [
    'inviting again while an invitation is pending is 409',
    invite('is 409 for who is %s already, in upper or lower case'),
    invite('gives one 201 and one 409 when the same address is invited twice at once'),
  ],
  [
    'another role is 400',
    change('refuses the role %j'),
    invite('refuses %j and names the fields'),
    list('refuses ?%s'),
  ],
]
