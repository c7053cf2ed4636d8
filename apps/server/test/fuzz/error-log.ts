/** Finds the lines of errors in a growing log. */
export interface ErrorLog {
  /** Returns the errors of a request; each is returned only once. */
  takeErrors(requestId: string): string[]
  /** Returns the errors that were not returned yet. */
  takeRemainingErrors(): string[]
}

const isError = /"level":[56]0\b/

export function watchErrors(logged: readonly string[]): ErrorLog {
  const errors = new Map<string, string[]>()
  let lineCount = 0
  const readNewLines = () => {
    for (; lineCount < logged.length; lineCount += 1) {
      const line = logged[lineCount] ?? ''
      if (!isError.test(line)) continue
      const { request_id: id = '' } = JSON.parse(line) as { request_id?: string }
      errors.set(id, [...(errors.get(id) ?? []), line])
    }
  }
  return {
    takeErrors(requestId) {
      readNewLines()
      const lines = errors.get(requestId) ?? []
      errors.delete(requestId)
      return lines.map((line) => `it logged ${line}`)
    },
    takeRemainingErrors() {
      readNewLines()
      return [...errors.values()].flat()
    },
  }
}
