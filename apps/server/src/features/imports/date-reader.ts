import type { ImportSettings } from '@caseward/contract/import-settings'
import type { DateColumn } from '@caseward/importers/read-statistics'
import type { DateOrder } from '@caseward/importers/steps/date-orders'
import { readTime } from '@caseward/importers/steps/read-time'

import type { ImportReading } from './import-summary.ts'

export const DEFAULT_TIME_ZONE = 'UTC'

/** Reads times of a file. */
export interface DateReader {
  read(column: DateColumn, text: string | null | undefined): Date | null
  /**
   * What was chosen or assumed about days and months, and chosen as the zone; empty if all dates are clear. Digests of records with times
   * have it.
   */
  signature: readonly string[]
}

/** Reads dates such as `03/04/2025` as their column says, else as the user has chosen; and times without a zone in the chosen one. */
export function createDateReader(
  { dates, local_time: localTime = null }: ImportReading,
  { date_order: chosen, time_zone: zone = DEFAULT_TIME_ZONE }: ImportSettings,
): DateReader {
  const orders = new Map<string, DateOrder>(dates?.columns)
  const isAsked = dates !== undefined && dates.assumed !== null
  const assumed = isAsked ? (chosen ?? dates.assumed) : null
  const timeZone = localTime === null ? DEFAULT_TIME_ZONE : zone
  return {
    signature: [...(assumed === null ? [] : [assumed]), ...(timeZone === DEFAULT_TIME_ZONE ? [] : [timeZone])],
    read: (column, text) => readTime(text ?? '', orders.get(column) ?? assumed, timeZone),
  }
}
