import type { LineError } from '@caseward/case-files/line-error'
import type { NewTestCase } from '@caseward/case-files/parse-test-case'
import { listMembers, listPeople, type Member } from '@caseward/client/endpoints'

import { type Connection, expectSuccess } from '../../connect.ts'
import type { RequestSubject } from '../../describe-failure.ts'
import { isLastPage } from '../../projects.ts'
import type { FolderResolver } from './folder-resolver.ts'

/** What finds the ids of what a file names. */
export interface Resolvers {
  readonly folders: FolderResolver
  readonly owners: OwnerResolver
}

/** Finds owners by their email address or name, in any case. */
export interface OwnerResolver {
  /** Returns the user ids of the members whom a text can mean: one, unless it is wrong. */
  find(owner: string): readonly string[]
}

/** Without owners in the file, members are not read. */
export const noOwners: OwnerResolver = { find: () => [] }

/** Reads the members who may own test cases. */
export async function readOwners(
  projectId: string,
  connection: Connection,
  subject: RequestSubject,
): Promise<OwnerResolver> {
  const members = await readMembers(projectId, connection, subject)
  const owners = members.filter(({ role }) => role !== 'viewer')
  return { find: (owner) => findOwners(owners, owner.toLowerCase()) }
}

/**
 * Reads what a file calls the owners of test cases: email addresses, and for former members their names.
 * @param ids the owners
 * @returns null if the token may not read members, as a CI token
 */
export async function readOwnerNames(
  projectId: string,
  ids: ReadonlySet<string>,
  connection: Connection,
  subject: RequestSubject,
): Promise<ReadonlyMap<string, string> | null> {
  if (ids.size === 0) return new Map()
  const reply = await connection.client.call(listPeople, { params: { project_id: projectId } })
  if (reply.kind === 'problem' && reply.status === 403) return null
  const people = expectSuccess(reply, connection, subject).data.data
  const members = await readMembers(projectId, connection, subject)
  const names = new Map(people.map(({ id, name }) => [id, name]))
  for (const { id, email } of members) names.set(id, email)
  return names
}

async function readMembers(projectId: string, connection: Connection, subject: RequestSubject): Promise<Member[]> {
  const members: Member[] = []
  for (let page = 1; ; page += 1) {
    const query = { per_page: 100, page } as const
    const reply = await connection.client.call(listMembers, { params: { project_id: projectId }, query })
    const { data, meta } = expectSuccess(reply, connection, subject).data
    members.push(...data)
    if (isLastPage(page, data, meta)) return members
  }
}

/** An address is one person's; names can be the same. */
function findOwners(members: readonly Member[], owner: string): readonly string[] {
  const byEmail = members.filter(({ email }) => email.toLowerCase() === owner)
  const found = byEmail.length > 0 ? byEmail : members.filter(({ name }) => name.toLowerCase() === owner)
  return found.map(({ id }) => id)
}

/** Finds the lines whose owner is nobody of the project, or could be several people. */
export const findOwnerErrors = (testCases: readonly NewTestCase[], owners: OwnerResolver): LineError[] =>
  testCases.flatMap(({ line, body: { owner } }) => {
    const count = typeof owner === 'string' ? owners.find(owner).length : 1
    if (count === 1) return []
    const message =
      count === 0
        ? `the owner ${JSON.stringify(owner)} is not the email address or name of an admin or member of the project`
        : `the owner ${JSON.stringify(owner)} is the name of ${count} people: use the email address`
    return [{ line, message }]
  })

/** The fields as requests name them. */
export function toBody<Body extends Partial<NewTestCase['body']>>(
  { owner, ...body }: Body,
  owners: OwnerResolver,
): Omit<Body, 'owner'> & { owner_id?: string | null } {
  if (owner === undefined) return body
  return { ...body, owner_id: owner === null ? null : (owners.find(owner)[0] ?? null) }
}
