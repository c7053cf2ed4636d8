import type { Attempt, ReportedAttachment, ReportedStep } from '@caseward/matching/attempt'

import type { AttemptEvidence, NamedFile } from './test-attempt.ts'

type Attempts = readonly [Attempt, ...Attempt[]]

/**
 * Adds files and steps to the attempts that an element describes.
 * @param ownIndex which of them the element itself is about
 */
export function addEvidence(
  attempts: readonly Attempt[],
  { files, steps }: AttemptEvidence,
  ownIndex: number,
): Attempt[] {
  return attempts.map((attempt, index) => {
    const isLast = index === attempts.length - 1
    const own = files.filter(({ attempt: number }) => {
      if (number === 'own') return index === ownIndex
      // Tools count retries that they did not write.
      return number === 'last' || number >= attempts.length ? isLast : index === number
    })
    const attachments = [...(attempt.attachments ?? []), ...own.map(toAttachment)]
    return {
      ...attempt,
      ...(attachments.length === 0 ? {} : { attachments }),
      ...(steps.length === 0 || index !== ownIndex ? {} : { steps: toSteps(attempt, steps) }),
    }
  })
}

/** A step without a status has passed if the test has; otherwise, it is unknown which one failed. */
const toSteps = ({ status: testStatus }: Attempt, steps: AttemptEvidence['steps']): ReportedStep[] =>
  steps.map(({ title, status, message }) => ({
    title,
    status: status ?? (testStatus === 'passed' ? 'passed' : null),
    depth: 0,
    elapsedMs: null,
    message,
  }))

/** Adds the files of a suite to the last attempt of a test, if the test has failed. */
export function addSuiteFiles(attempts: Attempts, files: readonly NamedFile[]): Attempts {
  if (attempts.some(({ status }) => status === 'passed')) return attempts
  const index = attempts.findLastIndex(({ status }) => status === 'failed')
  const failed = attempts[index]
  if (failed === undefined) return attempts
  const attachments = [...(failed.attachments ?? []), ...files.map(toAttachment)]
  const [first, ...others] = attempts
  const add = (attempt: Attempt) => (attempt === failed ? { ...attempt, attachments } : attempt)
  return [add(first), ...others.map(add)]
}

/** Converts a file; without a name, it has the last part of its path. */
export function toAttachment({ path, name, sha256, byteCount }: NamedFile): ReportedAttachment {
  const known = sha256 === undefined || byteCount === undefined ? {} : { sha256, byteCount }
  return { name: name ?? getFileName(path), path, ...known }
}

function getFileName(path: string): string {
  const name = path.replaceAll('\\', '/').replace(/\/+$/, '')
  return name.slice(name.lastIndexOf('/') + 1) || path
}
