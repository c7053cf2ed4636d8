import type { CaseRecord } from '../../records.ts'

/** Words of Qase for no value. */
export const orEmpty = (value: string): string => (/^(?:undefined|unknown|not set|not-set)$/i.test(value) ? '' : value)

/** Parameters with their values, of which the first ones belong together. */
export function toDataSet(values: ReadonlyMap<string, readonly string[]>): CaseRecord['data_set'] {
  if (values.size === 0) return null
  const columns = [...values.keys()]
  const count = [...values.values()].reduce((most, list) => Math.max(most, list.length), 0)
  return {
    columns,
    rows: Array.from({ length: count }, (_, index) => columns.map((name) => values.get(name)?.[index] ?? '')),
  }
}
