import type { Permission } from '@caseward/contract/endpoint'
import fc from 'fast-check'

import { permissionGrants, isProjectPermission } from '../../src/access/permissions.ts'
import type { Operation } from './read-operations.ts'

export type Headers = Record<string, string>

/** Headers with the token of a resource. */
export const withToken = (kind: string): Headers => ({ authorization: `Bearer {{${kind}.token}}` })
const withSession = (kind: string): Headers => ({
  cookie: `caseward-session={{${kind}.secret}}`,
  origin: '{{server.origin}}',
})

const anonymous: Headers = {}
const admin = withToken('admin')
const sessionAdmin = withSession('admin_session')
const callersByRole = { admin: [admin, sessionAdmin], member: [withToken('member')], viewer: [withToken('viewer')] }
const callersByCiAccess = { any: [withToken('ci'), withToken('ci_reader')], write: [withToken('ci')], none: [] }

/** Callers that have the permission for an operation. */
export function permittedCallers({ permission, path, method }: Operation): fc.Arbitrary<Headers> {
  if (path === '/v1/session' && method === 'DELETE') return fc.constant(withSession('new session'))
  if (revokesOwnToken(method, path)) return fc.constant(withToken('new other_user'))
  if (path.startsWith('/v1/session/second-factor')) {
    return fc.constant({ cookie: 'caseward-sign-in={{new pending_sign_in.secret}}', origin: '{{server.origin}}' })
  }
  if (path.endsWith('/passkey/activate')) return fc.constant(withSession('new passkey_answer'))
  if (path === '/v1/session/confirm/passkey-options') return fc.constant(withSession('new passkey_user'))
  if (path.endsWith('/activate')) return fc.constant(withSession('new pending_factor'))
  if (path.startsWith('/v1/me/second-factors/') && !/\/(?:totp|passkey)$/.test(path)) {
    return fc.constant(withSession('new second_factor'))
  }
  if (path === '/v1/me/review' && method === 'DELETE') return fc.constant(withToken('new user_to_review'))
  // Only its author changes a comment, or a view, and only an admin what others attached.
  if (method === 'PATCH' && /\/(?:comments|views)\//.test(path)) return fc.constant(admin)
  if (/^\/v1\/.*\/attachments\/\{[^/]*\}$/.test(path) && method !== 'GET') return fc.constant(admin)
  if (leavesProject(path)) return fc.constant(withToken('new other_member'))
  if (isOnlyForNewAccounts(method, path)) return fc.constant(withSession('new account'))
  if (isOnlyForSessions(method, path)) return fc.constant(sessionAdmin)
  if (permission === 'public') return fc.constantFrom(anonymous, anonymous, admin, { origin: '{{server.origin}}' })
  if (permission === 'public-or-own-account') return fc.constant(anonymous)
  // Resources of an account belong to the admin, and so does a project that is created for the request.
  if (permission === 'project:delete' || (permission === 'own-account' && path.includes('{'))) return fc.constant(admin)
  return fc.constantFrom(...listPrincipals(permission))
}

function listPrincipals(permission: Permission): Headers[] {
  // Both are instance administrators, so that `instance:manage` and a restriction of who creates projects allow them.
  if (!isProjectPermission(permission)) return [admin, admin, sessionAdmin]
  const { roles, ci } = permissionGrants[permission]
  return [...roles.flatMap((role) => callersByRole[role]), ...callersByCiAccess[ci]]
}

const allCallers: Headers[] = [
  anonymous,
  admin,
  sessionAdmin,
  ...callersByRole.member,
  ...callersByRole.viewer,
  ...callersByCiAccess.any,
  withToken('reader'),
  withToken('outsider'),
  { authorization: '' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer x' },
  { authorization: 'Bearer {{admin.token}}x' },
  { authorization: 'bearer   {{admin.token}} ' },
  { authorization: 'Basic YTpi' },
  { authorization: `Bearer ${'x'.repeat(6000)}` },
  { authorization: 'Bearer \u00FF\u0080' },
  { authorization: 'Bearer {{admin.token}}, Bearer {{ci.token}}' },
  { ...sessionAdmin, ...admin },
  { ...sessionAdmin, origin: 'https://elsewhere.example' },
  { ...sessionAdmin, origin: 'null' },
  { cookie: 'caseward-session={{admin_session.secret}}' },
  { cookie: 'caseward-session=' },
  { cookie: 'caseward-session=%zz; caseward-session=%00; =; ;;' },
  { cookie: `caseward-session="${'x'.repeat(3000)}"` },
]

/** Any caller, also with invalid credentials. Operations that can end a session or tokens never use shared ones. */
export function anyCaller({ permission, method, path }: Operation): fc.Arbitrary<Headers> {
  const endsSession = permission === 'public' || path === '/v1/session'
  const isUsable = ({ cookie = '', authorization = '' }: Headers) => {
    if (revokesOwnToken(method, path) || leavesProject(path) || isOnlyForNewAccounts(method, path))
      return !/\{\{(?!ci)/.test(cookie + authorization)
    return !endsSession || !cookie.includes('{{admin_session.')
  }
  return fc.constantFrom(...allCallers.filter(isUsable))
}

/** Whether an operation revokes all personal tokens of its caller. */
const revokesOwnToken = (method: string, path: string): boolean => method === 'DELETE' && path === '/v1/tokens'

const leavesProject = (path: string): boolean => path.endsWith('/members/me')

/** Whether an operation deletes the account of its caller, or changes its email address. */
const isOnlyForNewAccounts = (method: string, path: string): boolean =>
  (path === '/v1/me' && method === 'DELETE') || (path === '/v1/me/email' && method !== 'GET')

/** Whether an operation requires a session, because tokens cannot prove who uses them. */
const isOnlyForSessions = (method: string, path: string): boolean =>
  path.startsWith('/v1/session/confirm') || (method !== 'GET' && path.startsWith('/v1/me/second-factors'))

/** Headers that the API does not use, with unusual values. */
export const unusualHeaders: fc.Arbitrary<Headers> = fc.constantFrom<Headers[]>(
  { 'x-request-id': '' },
  { 'x-request-id': 'x'.repeat(5000) },
  { 'x-request-id': 'a b\tc' },
  { 'x-request-id': '{"a":1}' },
  { 'x-request-id': '\u00E9\u00FF' },
  { 'x-request-id': 'constructor' },
  { host: 'elsewhere.example' },
  { host: 'a b:c' },
  { host: '' },
  { origin: 'https://elsewhere.example' },
  { origin: 'null' },
  { origin: 'http://[' },
  { accept: 'text/xml' },
  { 'accept-version': '99.x' },
  { 'accept-encoding': 'gzip;q=0, *;q=0' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-1' },
  { 'user-agent': '\u00FF'.repeat(4000) },
  { 'user-agent': '' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-forwarded-for': "'; drop table users; --" },
  { 'x-forwarded-host': 'elsewhere.example' },
  { upgrade: 'websocket', connection: 'upgrade' },
  { connection: 'close' },
)
