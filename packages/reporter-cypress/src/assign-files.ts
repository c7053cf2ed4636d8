import type { Attachment, TestAttempt } from '@caseward/reporter-core'

import type { CypressSpecResults } from './framework-types.ts'

/** The attempts at one test of a spec. */
export type TestAttempts = readonly TestAttempt[]

/** A video can belong to very many tests of a spec. */
const MAX_TESTS_WITH_VIDEO = 50

/** Cypress cuts names of files at about 220 bytes. */
const CUT_NAME_LENGTH = 180

/**
 * Adds the files of a spec to the attempts at its tests. Since Cypress 13, a screenshot names its test only by its file name.
 * One that fits no test belongs to all tests that failed, as the video does.
 */
export function assignFiles(
  tests: readonly TestAttempts[],
  { screenshots, video }: CypressSpecResults,
): TestAttempts[] {
  const files = new Map<TestAttempt, Attachment[]>()
  const add = (attempt: TestAttempt | undefined, path: string) => {
    if (attempt === undefined) return
    const attachments = files.get(attempt) ?? []
    attachments.push(toAttachment(path))
    files.set(attempt, attachments)
  }
  const addToFailed = (path: string, limit = Infinity) => {
    const failed = tests.flatMap((attempts) => findFailed(attempts) ?? [])
    for (const attempt of failed.slice(0, limit)) add(attempt, path)
  }
  for (const { path } of Array.isArray(screenshots) ? (screenshots as readonly { path: unknown }[]) : []) {
    if (typeof path !== 'string') continue
    const attempt = findAttempt(tests, path)
    if (attempt === null) addToFailed(path)
    else add(attempt, path)
  }
  if (typeof video === 'string' && video !== '') addToFailed(video, MAX_TESTS_WITH_VIDEO)
  return tests.map((attempts) =>
    attempts.map((attempt) => {
      const attachments = files.get(attempt)
      return attachments === undefined
        ? attempt
        : { ...attempt, attachments: [...(attempt.attachments ?? []), ...attachments] }
    }),
  )
}

/** Names a file by the last part of its path. */
export const toAttachment = (path: string): Attachment => ({ name: getFileName(path), path })

const getFileName = (path: string) => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

/** Returns the last attempt that failed, of a test that did not pass in the end. */
function findFailed(attempts: TestAttempts): TestAttempt | undefined {
  return attempts.at(-1)?.status === 'passed'
    ? undefined
    : [...attempts].reverse().find(({ status }) => status === 'failed')
}

/** `Cart -- WEB-1 pays -- before each hook (failed) (attempt 2).png` */
const FILE_NAME = /^(?<titles>.*?)(?: \((?:failed|\d+)\))*(?: \(attempt (?<attempt>\d+)\))?(?: \(\d+\))*\.\w+$/s
const HOOK = / -- (?:before|after) (?:each|all) hook$/

/** Finds the attempt that a file name states; null if it fits no test. */
function findAttempt(tests: readonly TestAttempts[], path: string): TestAttempt | undefined | null {
  const { titles = '', attempt = '1' } = FILE_NAME.exec(getFileName(path))?.groups ?? {}
  const keys = [toKey(titles), toKey(titles.replace(HOOK, ''))]
  const isCut = titles.length >= CUT_NAME_LENGTH
  const fitting = tests.filter(([first]) => {
    const key = toKey(first?.titlePath.join(' -- ') ?? '')
    return key !== '' && keys.some((name) => name === key || (isCut && key.startsWith(name)))
  })
  // Of tests with the same titles, one that failed has left a picture.
  const [test] =
    fitting.length > 1 ? [fitting.find((attempts) => findFailed(attempts) !== undefined) ?? fitting[0]] : fitting
  if (test === undefined) return null
  return test[Math.min(Number(attempt), test.length) - 1]
}

/** What file systems do not allow is missing in file names. */
const toKey = (text: string) => text.normalize('NFC').replaceAll(/[^\p{L}\p{N}]/gu, '')
