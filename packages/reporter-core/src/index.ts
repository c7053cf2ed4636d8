/*
 * What a reporter uses. Nothing here loads the upload, so that it does not delay the start of a suite.
 */

export {
  createReporter,
  type FinishOptions,
  type FinishResult,
  type Reporter,
  type RuntimeEnvironment,
} from './reporter.ts'
export { prepareAttachments } from './attached-evidence.ts'
export type { ReporterOptions } from './options.ts'
export type { Attachment, AttemptStatus, SuiteError, TestAttempt, TestError, TestStep } from './test-attempt.ts'
export { appendToSharedJournal, type SharedJournal, startSharedJournal } from './shared-journal.ts'
export { createGuard, type Guard } from './shared/guard.ts'
export { toRelativePath } from './shared/relative-path.ts'
export { createOccurrenceCounter, createTestId, type TestPosition } from './shared/test-ids.ts'
