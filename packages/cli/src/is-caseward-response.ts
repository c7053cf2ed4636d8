/**
 * Whether the body of an answer can be Caseward's: whatever it tells of has an id, and a name or title. The client looks
 * at the outermost fields only, which other services have, too.
 */
export function isCasewardResponse(body: unknown): boolean {
  if (!isRecord(body)) return false
  const { data } = body
  return Array.isArray(data) ? data.every(isNamed) : isNamed(data)
}

const isNamed = (thing: unknown): boolean =>
  isRecord(thing) && typeof thing['id'] === 'string' && [thing['name'], thing['title']].some(isText)

const isText = (value: unknown): boolean => typeof value === 'string'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
