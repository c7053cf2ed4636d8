import { CommandError } from '../../../command-error.ts'
import { toTerminalText } from '../../../text.ts'

export type ToolObject = Readonly<Record<string, unknown>>

/** One page of a list, as a tool answers with it. */
export interface Page {
  readonly items: readonly unknown[]
  readonly next: string | null
  /** How many objects the whole list has; null if the tool does not say. */
  readonly total?: number | null
}

/** Adds parameters to a path that may have some. */
export const addQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`

export const toBearer = (token: string) => ({ authorization: `Bearer ${token}` })

export const isObject = (value: unknown): value is ToolObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A number or a text as text; empty for anything else. */
export function getText(object: unknown, name: string): string {
  const value = isObject(object) ? object[name] : undefined
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** A number, such as how many objects a list has; null for anything else. */
export function getNumber(object: unknown, name: string): number | null {
  const value = isObject(object) ? object[name] : undefined
  return typeof value === 'number' ? value : null
}

/** @throws {CommandError} when an answer is no object */
export function expectObject(value: unknown, title: string, where: string): ToolObject {
  if (isObject(value)) return value
  throw createAnswerError(value, title, where, 'an object')
}

/** @throws {CommandError} when an answer is no list of objects */
export function expectObjects(value: unknown, title: string, where: string): readonly ToolObject[] {
  if (Array.isArray(value) && value.every(isObject)) return value
  throw createAnswerError(value, title, where, 'a list of objects')
}

/** Says what a tool has answered with instead of what it should. */
export function createAnswerError(answer: unknown, title: string, where: string, expected: string): CommandError {
  const shown = toTerminalText((JSON.stringify(answer) ?? 'nothing').slice(0, 120))
  return new CommandError([`${title} answered ${where} with something else than ${expected}: ${shown}`], {
    code: 'tool_answer',
  })
}
