import type { Permission } from '@caseward/contract/endpoint'
import fc from 'fast-check'

import { permissionGrants, isProjectPermission } from '../../src/access/permissions.ts'
import type { Operation } from './document.ts'

export type Headers = Record<string, string>

/** The token of something that has one. */
export const bearer = (kind: string): Headers => ({ authorization: `Bearer {{${kind}.token}}` })
const cookie = (kind: string): Headers => ({
  cookie: `caseward-session={{${kind}.secret}}`,
  origin: '{{server.origin}}',
})

const nobody: Headers = {}
const admin = bearer('admin')
const host = cookie('host')
const ofRole = { admin: [admin, host], member: [bearer('member')], viewer: [bearer('viewer')] }
const ofCiTokens = { any: [bearer('ci'), bearer('ci_reader')], write: [bearer('ci')], none: [] }

/** Those who may do what an operation does. */
export function entitled({ permission, path, method }: Operation): fc.Arbitrary<Headers> {
  if (path === '/v1/session' && method === 'DELETE') return fc.constant(cookie('new session'))
  if (permission === 'public') return fc.constantFrom(nobody, nobody, admin, { origin: '{{server.origin}}' })
  if (permission === 'public-or-own-account') return fc.constant(nobody)
  // What is one's own is the admin's here, and so is a project made for the request.
  if (permission === 'project:delete' || (permission === 'own-account' && path.includes('{'))) return fc.constant(admin)
  return fc.constantFrom(...listPrincipals(permission))
}

function listPrincipals(permission: Permission): Headers[] {
  if (!isProjectPermission(permission)) return [admin, admin, host]
  const { roles, ci } = permissionGrants[permission]
  return [...roles.flatMap((role) => ofRole[role]), ...ofCiTokens[ci]]
}

const everybody: Headers[] = [
  nobody,
  admin,
  host,
  ...ofRole.member,
  ...ofRole.viewer,
  ...ofCiTokens.any,
  bearer('reader'),
  bearer('outsider'),
  { authorization: '' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer x' },
  { authorization: 'Bearer {{admin.token}}x' },
  { authorization: 'bearer   {{admin.token}} ' },
  { authorization: 'Basic YTpi' },
  { authorization: `Bearer ${'x'.repeat(6000)}` },
  { authorization: 'Bearer \u00FF\u0080' },
  { authorization: 'Bearer {{admin.token}}, Bearer {{ci.token}}' },
  { ...host, ...admin },
  { ...host, origin: 'https://elsewhere.example' },
  { ...host, origin: 'null' },
  { cookie: 'caseward-session={{host.secret}}' },
  { cookie: 'caseward-session=' },
  { cookie: 'caseward-session=%zz; caseward-session=%00; =; ;;' },
  { cookie: `caseward-session="${'x'.repeat(3000)}"` },
]

/** Anybody, and what is nobody's. Where sessions begin and end, nobody brings the one that others go on with. */
export function anybody(operation: Operation): fc.Arbitrary<Headers> {
  const endsSession = operation.permission === 'public' || operation.path === '/v1/session'
  return fc.constantFrom(...everybody.filter((who) => !endsSession || !who['cookie']?.includes('{{host.')))
}

/** Headers that say nothing that the service asked for. */
export const strangeHeaders: fc.Arbitrary<Headers> = fc.constantFrom<Headers[]>(
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
