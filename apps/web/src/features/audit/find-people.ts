import type { AuditEntry } from '@caseward/client/endpoints'

import { describeActor } from './audit-words.ts'

/** Somebody whose changes can be shown: a user, or a CI token. */
export interface AuditPerson {
  readonly id: string
  readonly name: string
  /** Null in projects, which do not show the addresses of former members. */
  readonly email: string | null
}

/** The people and CI tokens that made entries, each once. */
export function collectActors(entries: readonly Pick<AuditEntry, 'actor'>[]): AuditPerson[] {
  const actors = new Map<string, AuditPerson>()
  for (const { actor } of entries) {
    const { id, email } = actor
    if (id !== null && !actors.has(id)) actors.set(id, { id, name: describeActor(actor), email })
  }
  return [...actors.values()]
}

/** Those whose name or email address contains a text, each once, by name. */
export function findPeople(people: readonly AuditPerson[], text: string): AuditPerson[] {
  const searched = text.trim().toLowerCase()
  const byId = new Map(people.toReversed().map((person) => [person.id, person]))
  return [...byId.values()]
    .filter(({ name, email }) => `${name} ${email ?? ''}`.toLowerCase().includes(searched))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}
