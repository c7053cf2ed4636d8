import type { Step } from './cell-text.ts'
import type { LineError } from './line-error.ts'
import { type Column, COLUMNS } from './file-columns.ts'
import type { Row } from './test-case-rows.ts'

/** A row of a file with one step per row. */
export interface StepRow extends Row {
  readonly step: Step
}

/**
 * Joins the rows of a file with one step per row to test cases. A row belongs to the test case above it if its id and its
 * title are empty or the same.
 * @returns a row for each test case, and an error for each row that says something else than the first one
 */
export function groupRows(rows: readonly StepRow[]): { rows: Row[]; errors: LineError[] } {
  const groups: { first: StepRow; steps: Step[] }[] = []
  const errors: LineError[] = []
  for (const row of rows) {
    const group = groups.at(-1)
    if (group === undefined || !continues(row, group.first)) {
      groups.push({ first: row, steps: hasText(row.step) ? [row.step] : [] })
      continue
    }
    if (hasText(row.step)) group.steps.push(row.step)
    const different = COLUMNS.filter((column) => row.texts[column] !== '' && isDifferent(row, group.first, column))
    const custom = Object.entries(row.custom ?? {})
      .filter(([key, text]) => text !== '' && text.trim() !== (group.first.custom?.[key] ?? '').trim())
      .map(([key]) => key)
    const names = [...different, ...custom]
    if (names.length > 0) {
      const message = `${names.join(', ')} ${names.length === 1 ? 'differs' : 'differ'} from row ${group.first.line}, which begins this test case`
      errors.push({ line: row.line, message })
    }
  }
  return { rows: groups.map(({ first, steps }) => ({ ...withoutStep(first), steps })), errors }
}

/** The row itself, whose step is one of several. */
export const withoutStep = ({ line, texts, custom }: StepRow): Row => ({
  line,
  texts,
  ...(custom === undefined ? {} : { custom }),
})

const continues = ({ texts }: Row, { texts: first }: Row) => {
  const isSame = (column: Column) => texts[column].trim() === first[column].trim()
  if (texts.id.trim() === '' && texts.title.trim() === '') return true
  return texts.id.trim() === '' ? isSame('title') && isSame('folder') : isSame('id')
}

const isDifferent = ({ texts }: Row, first: Row, column: Column) => texts[column].trim() !== first.texts[column].trim()

const hasText = ({ action, expected }: Step) => action.trim() !== '' || expected.trim() !== ''
