import type { FileRow } from '@caseward/case-files/to-import-rows'
import type { ImportResult, ImportRow, SimilarTestCase } from '@caseward/client/endpoints'

import { nameField, toSentence } from './transfer-words.ts'

export const PREVIEW_ACTIONS = ['create', 'update', 'none', 'refused'] as const
export type PreviewAction = (typeof PREVIEW_ACTIONS)[number]

/** What an import will do with a test case of the file. */
export interface PreviewRow {
  /** The row in which it begins, as a spreadsheet counts. */
  readonly row: number
  /** Empty for a new test case. */
  readonly id: string
  readonly title: string
  readonly folder: readonly string[]
  readonly action: PreviewAction
  /** The number of its steps; null if the file does not contain them. */
  readonly stepCount: number | null
  /** The fields that change. */
  readonly changed: readonly string[]
  /** Test cases that exist and are like it, if it is new. */
  readonly similar: readonly SimilarTestCase[]
  /** Why it is refused, as sentences. */
  readonly errors: readonly string[]
}

/** What the server said about the rows that it got. */
export interface ServerCheck {
  readonly result?: ImportResult | undefined
  readonly errors?: readonly { readonly path: string; readonly message: string }[] | undefined
}

/** Returns what is sent: the rows without errors. */
export const getInputs = (rows: readonly FileRow[]): ImportRow[] =>
  rows.flatMap(({ input }) => (input === null ? [] : [input]))

/**
 * Combines the rows of a file with what the server said about those of {@link getInputs}.
 */
export function buildPreview(rows: readonly FileRow[], { result, errors = [] }: ServerCheck): PreviewRow[] {
  const sent = rows.filter(({ input }) => input !== null)
  const indexes = new Map(sent.map(({ row }, index) => [row, index]))
  const serverErrors = new Map<number, string[]>()
  for (const { path, message } of errors) {
    const [, index, field = ''] = /^\/rows\/(\d+)\/?(.*)$/.exec(path) ?? []
    if (index === undefined) continue
    const text = describeError(field, message, sent)
    serverErrors.set(Number(index), [...(serverErrors.get(Number(index)) ?? []), text])
  }
  return rows.map(({ row, id, title, folder, errors: fileErrors, input }) => {
    const index = indexes.get(row) ?? -1
    const checked = result?.rows[index]
    const allErrors = [...fileErrors.map(toSentence), ...(serverErrors.get(index) ?? [])]
    const expected = input?.id === undefined ? 'create' : 'update'
    return {
      row,
      id,
      title: title === '' ? (checked?.title ?? '') : title,
      folder,
      stepCount: input?.steps?.length ?? null,
      action: allErrors.length > 0 ? 'refused' : (checked?.action ?? expected),
      changed: checked?.changed.map(nameField) ?? [],
      similar: checked?.similar ?? [],
      errors: allErrors,
    }
  })
}

/** Names rows as the file counts them, not the request. */
function describeError(field: string, message: string, sent: readonly FileRow[]): string {
  const text = message.replace(/in row (\d+) of the request/, (_, row) => `in row ${sent[Number(row) - 1]?.row ?? row}`)
  const name = nameField(field)
  if (name === '') return toSentence(text)
  return toSentence(`the ${name} ${name.endsWith('s') ? text.replace(/^is /, 'are ').replace(/^has /, 'have ') : text}`)
}

/** Counts the rows by what happens with them. */
export function countActions(rows: readonly PreviewRow[]): Readonly<Record<PreviewAction, number>> {
  const counts = { create: 0, update: 0, none: 0, refused: 0 }
  for (const { action } of rows) counts[action] += 1
  return counts
}

/** Lists the refused rows as text, for those who correct the file. */
export const formatRefused = (rows: readonly PreviewRow[]): string =>
  rows.flatMap(({ row, errors }) => errors.map((error) => `Row ${row}: ${error}`)).join('\n')
