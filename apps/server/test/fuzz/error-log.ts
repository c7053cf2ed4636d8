/** Reads a growing log for lines that tell of an error. */
export interface ErrorLog {
  /** Those of a request, each once. */
  of(requestId: string): string[]
  /** Those that nobody has asked for yet. */
  left(): string[]
}

const isError = /"level":[56]0\b/

export function watchErrors(logged: readonly string[]): ErrorLog {
  const errors = new Map<string, string[]>()
  let read = 0
  const readOn = () => {
    for (; read < logged.length; read += 1) {
      const line = logged[read] ?? ''
      if (!isError.test(line)) continue
      const { request_id: id = '' } = JSON.parse(line) as { request_id?: string }
      errors.set(id, [...(errors.get(id) ?? []), line])
    }
  }
  return {
    of(requestId) {
      readOn()
      const found = errors.get(requestId) ?? []
      errors.delete(requestId)
      return found.map((line) => `it logged ${line}`)
    },
    left() {
      readOn()
      return [...errors.values()].flat()
    },
  }
}
