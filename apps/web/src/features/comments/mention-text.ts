import { findMentions, formatMention, type Mention, replaceMentions } from '@caseward/matching/comment-references'

/** Somebody who can be mentioned. */
export interface Mentionable {
  readonly id: string
  readonly name: string
}

/** The name as it stands in a text: characters that would end a mention are left out. */
export const cleanName = (name: string): string => name.replaceAll(/[[\]\n]/g, '').trim() || 'user'

/** Shows a stored text as it is typed: `@Ada Lovelace` for a mention. Two users with one name keep their ids. */
export function toTyped(stored: string): string {
  const ids = new Map<string, string>()
  for (const { userId, name } of findMentions(stored)) if (!ids.has(name)) ids.set(name, userId)
  return replaceMentions(stored, (mention) =>
    ids.get(mention.name) === mention.userId ? mention.name : formatMention(mention).slice(1),
  )
}

/** Turns the names that were chosen into mentions. A name that was changed meanwhile is text. */
export function toStored(typed: string, chosen: readonly Mention[]): string {
  const names = chosen.map(({ name }) => name).toSorted((a, b) => b.length - a.length)
  if (names.length === 0) return typed
  const escaped = names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  const pattern = new RegExp(String.raw`@(${escaped.join('|')})(?![\p{L}\p{N}])`, 'gu')
  return typed.replaceAll(pattern, (_, name: string) => {
    const mention = chosen.find((other) => other.name === name)
    return mention === undefined ? `@${name}` : formatMention(mention)
  })
}

/** What is being typed after an `@`. */
export interface MentionQuery {
  readonly start: number
  readonly text: string
}

/** Finds the name that is being typed before the caret; null if none is. */
export function findMentionQuery(typed: string, caret: number): MentionQuery | null {
  const match = /(?:^|[\s(])@([^\s@[\]()]{0,40}(?: [^\s@[\]()]{0,40})?)$/u.exec(
    typed.slice(Math.max(0, caret - 90), caret),
  )
  const [, text] = match ?? []
  return text === undefined ? null : { start: caret - text.length - 1, text }
}

const MAX_SUGGESTIONS = 8

/** The people whose names contain what is typed, those whose name begins with it first. */
export function findSuggestions<P extends Mentionable>(people: readonly P[], text: string): P[] {
  const wanted = text.toLocaleLowerCase()
  const hasStart = ({ name }: P) =>
    name
      .toLocaleLowerCase()
      .split(/\s+/)
      .some((part) => part.startsWith(wanted)) || name.toLocaleLowerCase().startsWith(wanted)
  return [...people.filter(hasStart), ...people.filter((person) => !hasStart(person))]
    .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
    .slice(0, MAX_SUGGESTIONS)
}
