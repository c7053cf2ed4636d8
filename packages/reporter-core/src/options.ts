import type { RunOptions } from '@caseward/ci-run/settings'

/** Options in the framework's configuration. An option that is not set is read from its environment variable. */
export interface ReporterOptions extends RunOptions {
  /** URL of the Caseward server (`SERVICE_URL`). */
  readonly url?: string | undefined
  /** CI token with write access (`SERVICE_TOKEN`). Use the environment variable to keep it out of your repository. */
  readonly token?: string | undefined
  /**
   * Create a test case for each test that matches none (`SERVICE_CREATE_CASES=1`). Requires a token with the grant
   * `cases:create`. Default: false.
   */
  readonly createCases?: boolean | undefined
  /**
   * Add test cases that match a test to the run (`SERVICE_ADD_TO_RUN=1`). Default: as the run says; one that a reporter
   * has created does.
   */
  readonly addToRun?: boolean | undefined
  /** Fail the suite when a result could not be stored (`SERVICE_STRICT=1`). Default: false. */
  readonly strict?: boolean | undefined
  /**
   * Whose files are sent: those of attempts that failed, also of a test that passed later (`failed`), of all, or none
   * (`SERVICE_ATTACHMENTS`). Default: `failed`.
   */
  readonly attachments?: EvidenceOf | undefined
  /** How long the end of a suite may send files, after the results (`SERVICE_ATTACHMENTS_TIMEOUT`). Default: 60,000. */
  readonly attachmentsTimeoutMs?: number | undefined
  /** How many MB of files the spool may have (`SERVICE_SPOOL_LIMIT_MB`). Default: 1,024. Results are never dropped. */
  readonly spoolLimitMb?: number | undefined
  /** Of which attempts the steps are reported (`SERVICE_STEPS`). Default: `failed`. */
  readonly steps?: EvidenceOf | undefined
}

/** Attempts whose files or steps are reported. */
export type EvidenceOf = (typeof EVIDENCE_OF)[number]
export const EVIDENCE_OF = ['failed', 'all', 'none'] as const
