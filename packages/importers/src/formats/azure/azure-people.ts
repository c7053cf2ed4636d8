import type { PersonRecord } from '../../records.ts'
import { toText } from '../answers.ts'
import { isRaw } from '../caseward/read-values.ts'

/** People as they stand in work items and results: with their name, and an address or account. */
export class AzurePeople {
  readonly #people = new Map<string, PersonRecord>()

  /** @returns the email address, or the name of someone without one; empty for nobody */
  find(identity: unknown): string {
    if (!isRaw(identity)) return ''
    const [name, unique] = [toText(identity['displayName']), toText(identity['uniqueName'])]
    const key = unique || name
    if (key === '') return ''
    const email = unique.includes('@') ? unique : ''
    if (!this.#people.has(key)) {
      this.#people.set(key, { kind: 'person', key, name: name || key, ...(email !== '' && { email }) })
    }
    return email || name || key
  }

  /** Everyone who was found. */
  list(): Iterable<PersonRecord> {
    return this.#people.values()
  }
}
