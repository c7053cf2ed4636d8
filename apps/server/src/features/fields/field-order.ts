import type { FieldRow } from './field-definitions.ts'

export const getActive = (fields: readonly FieldRow[]): FieldRow[] => fields.filter(({ retired_at: at }) => at === null)

/** The ids of fields in use when one has come to another place; null if it stays where it is. */
export function moveTo(fields: readonly FieldRow[], { id }: FieldRow, position: number | undefined): string[] | null {
  const ids = fields.map((field) => field.id)
  if (position === undefined) return null
  const others = ids.filter((other) => other !== id)
  const moved = others.toSpliced(position - 1, 0, id)
  return moved.every((other, index) => other === ids[index]) ? null : moved
}
