import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

/** A person whom a text may name. */
export interface Person {
  name: string
  email: string
}

/** What stands for a person. */
export const SOMEONE = 'someone'
/** Of a project; more would take longer to read than the report. */
const MAX_PEOPLE = 5000

const MENTION = /@\[([^\]\n]{1,255})\]\(user:[0-9a-f-]{36}\)/g
const EMAIL = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}.-]{1,255}/gu
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu
const LETTER = /^[\p{L}\p{M}\p{N}]/u

/** Shows mentions in a text as names. */
export const showMentions = (text: string): string => text.replaceAll(MENTION, (_, name: string) => `@${name}`)

/**
 * Creates a function that removes people from texts: mentions, email addresses, names of several words, and names of one word
 * after `@`. A single word elsewhere stays, because it can be any word. It takes time in proportion to the text only.
 */
export function createHidePeople(people: readonly Person[]): (text: string) => string {
  const emails = new Set(people.map(({ email }) => email.toLowerCase()))
  const names = new Map<string, string[]>()
  for (const { name } of people) {
    const [first] = name.match(WORD) ?? []
    if (first !== undefined && name.startsWith(first)) names.set(first, [...(names.get(first) ?? []), name])
  }
  for (const list of names.values()) list.sort((a, b) => b.length - a.length)
  const findName = (text: string, index: number, word: string) =>
    names.get(word)?.find((name) => {
      const isWhole =
        text.startsWith(name, index) && !LETTER.test(text.slice(index + name.length, index + name.length + 2))
      return isWhole && (name !== word || text[index - 1] === '@')
    })
  return (text) => {
    const withoutAddresses = text
      .replaceAll(MENTION, `@${SOMEONE}`)
      .replaceAll(EMAIL, (address) => (emails.has(address.toLowerCase()) ? SOMEONE : address))
    let result = ''
    let end = 0
    for (const { 0: word, index } of withoutAddresses.matchAll(WORD)) {
      const name = index < end ? undefined : findName(withoutAddresses, index, word)
      if (name === undefined) continue
      result += withoutAddresses.slice(end, index) + SOMEONE
      end = index + name.length
    }
    return result + withoutAddresses.slice(end)
  }
}

/** The members of a project, and those who have worked in it. */
export async function selectPeople(db: Database, projectId: string): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select name, email from users where id in (
      select user_id from memberships where project_id = ${projectId}
      union select user_id from project_people where project_id = ${projectId}
    )
    union all
    select name, coalesce(email, '') from imported_people where project_id = ${projectId} and forgotten_at is null
    limit ${sql.lit(MAX_PEOPLE)}`.execute(db)
  return rows
}
