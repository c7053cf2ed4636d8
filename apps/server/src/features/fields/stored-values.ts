/** A value as it is stored: options by their numbers. A date is its text. */
export type StoredValue = string | number | boolean | number[]

/** Values by the numbers of their fields. */
export type StoredValues = Readonly<Record<string, StoredValue>>

/** A change of values by the numbers of their fields; null removes a value. */
export type ValueChanges = Readonly<Record<string, StoredValue | null>>

/** Returns values after a change; null for none. */
export function mergeValues(values: StoredValues | null, changes: ValueChanges): StoredValues | null {
  const merged = Object.entries({ ...values, ...changes }).filter(
    (entry): entry is [string, StoredValue] => entry[1] !== null,
  )
  return merged.length === 0 ? null : Object.fromEntries(merged)
}
