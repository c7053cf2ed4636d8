import type { SuiteError } from '../test-attempt.ts'

/**
 * Calls code that reads an event or a test of a framework. What it throws is recorded as an error of the suite: an
 * event in the format of an unknown version must not end the suite, and its result must not be lost unnoticed.
 * @param location the file that the event is about, if it is known
 */
export type Guard = (read: () => void, location?: string) => void

/** @param framework where the errors are if the file is not known */
export function createGuard(framework: string, recordSuiteError: (error: SuiteError) => void): Guard {
  const recorded = new Set<string>()
  return (read, location = framework) => {
    try {
      read()
    } catch (error) {
      const message = `An event of the framework could not be read: ${getErrorMessage(error)}`
      // All events of an unknown version fail for the same reason: it is recorded once for each file.
      const key = JSON.stringify([location, message])
      if (recorded.has(key)) return
      recorded.add(key)
      recordSuiteError({ location, message })
    }
  }
}

/** Never throws, although a thrown value may not be convertible to a string. */
export function getErrorMessage(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'unknown'
  }
}
