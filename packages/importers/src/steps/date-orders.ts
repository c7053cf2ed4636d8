/*
 * Whether `03/04/2025` is in March or in April. A column is read as a whole: one number over 12 in it tells.
 */

export const DATE_ORDERS = ['day_first', 'month_first'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

/** What the dates of a file say. */
export interface FoundOrders {
  /** The order of columns with dates that need one. */
  readonly columns: readonly (readonly [column: string, order: DateOrder])[]
  /** What is taken for the other columns, which must be asked; null if there are none. */
  readonly assumed: DateOrder | null
  /** A date that could be either way round. */
  readonly sample: string | null
}

interface Column {
  hasDayFirst: boolean
  hasMonthFirst: boolean
  sample: string | null
  isAmerican: boolean
}

/** Collects dates with slashes, column by column. */
export class DateOrders {
  readonly #columns = new Map<string, Column>()

  add(column: string, text: string | null | undefined): void {
    const [, first, other, half] =
      /^\s*(\d{1,2})\/(\d{1,2})\/\d{4}(?:[\s,]|$)(?:.*\d\s*([AP]M))?/i.exec(text ?? '') ?? []
    if (first === undefined || other === undefined) return
    const [one, two] = [Number(first), Number(other)]
    let found = this.#columns.get(column)
    if (found === undefined) {
      found = { hasDayFirst: false, hasMonthFirst: false, sample: null, isAmerican: false }
      this.#columns.set(column, found)
    }
    if (half !== undefined) found.isAmerican = true
    if (one > 12) found.hasDayFirst = true
    else if (two > 12) found.hasMonthFirst = true
    else if (one !== two) found.sample ??= text?.trim() ?? null
  }

  finish(): FoundOrders {
    const all = [...this.#columns.values()]
    const ofFile = decide({
      hasDayFirst: all.some(({ hasDayFirst }) => hasDayFirst),
      hasMonthFirst: all.some(({ hasMonthFirst }) => hasMonthFirst),
    })
    const columns: [string, DateOrder][] = []
    let sample: string | null = null
    for (const [name, column] of this.#columns) {
      if (column.sample === null) continue
      // A file that is written by one tool has one order.
      const order = decide(column) ?? ofFile
      if (order !== null) columns.push([name, order])
      else sample ??= column.sample
    }
    const isAmerican = all.some((column) => column.isAmerican)
    return { columns, assumed: sample === null ? null : isAmerican ? 'month_first' : 'day_first', sample }
  }
}

/** Both, or none, say nothing. */
const decide = ({ hasDayFirst, hasMonthFirst }: Pick<Column, 'hasDayFirst' | 'hasMonthFirst'>): DateOrder | null =>
  hasDayFirst === hasMonthFirst ? null : hasDayFirst ? 'day_first' : 'month_first'
