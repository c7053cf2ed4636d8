import { type Requirement, testsIn } from './requirement.ts'

const file = 'src/features/invitations/invitations.test.ts'
const invite = testsIn(file, 'POST /v1/projects/:project_id/members/invite')
const list = testsIn(file, 'GET /v1/projects/:project_id/invitations')
const revoking = testsIn(file, 'revoking')
const resending = testsIn(file, 'resending')
const accepting = testsIn(
  'src/features/invitations/accept-invitation.test.ts',
  'accepting as the user who is signed in',
)
const joining = testsIn('src/features/invitations/accept-invitation.test.ts', 'accepting without being signed in')
const useless = testsIn('src/features/invitations/accept-invitation.test.ts', 'a link of no use any more')
const mail = testsIn('src/features/invitations/invitation-mail.test.ts', 'the mail of an invitation')
const answers = testsIn('src/http/answers.test.ts', 'in every answer')

const invited = invite('answers 201 with the pending invitation at the top level, valid for seven days')
const isoTimes = answers('each timestamp is ISO 8601 in UTC, or null where there is none')

export const invitations: readonly Requirement[] = [
  ['id: string', invited],
  ['email: string', invited],
  [
    'role: admin, member or viewer',
    invited,
    accepting('joins them, by an address in upper or lower case, and lets them in at once'),
    invite('refuses %j and names the fields'),
  ],
  ['status: pending on creation', invited],
  ['further values of status: decided', list('filters by the status %s'), list('refuses an unknown status')],
  ['invited_by: user id of the inviter', invited],
  ['expires_at: timestamp', invited, isoTimes],
  ['created_at: timestamp', invited, isoTimes],
  [
    'exactly these fields',
    invite('shows the link only where there is no mail server to send it'),
    list('lists the newest first, each with exactly the fields of an invitation'),
  ],
  [
    'transitions: decided',
    revoking('ends the link at once, and may be said twice'),
    revoking('is 409 once it has been accepted'),
    resending('brings an expired invitation back'),
    joining('makes a user with the password, hashed, who joins with the role'),
    useless('is 410 once %s, to look at and to accept'),
  ],
  [
    'validity: decided, seven days',
    invited,
    resending('answers 200 with a new link and seven more days; the earlier link is 410'),
  ],
  ['POST: email is required', invite('refuses %j and names the fields')],
  ['POST: role is required, one of three', invite('refuses %j and names the fields')],
  ['POST: 201 with the invitation', invited],
  [
    'POST: a mail with a join link goes to the invitee',
    mail('goes to the invitee as text and HTML, with a link that opens the invitation'),
  ],
  ['POST: admins only', invite('is for admins only')],
]
