import { toSingleLine } from '@caseward/ci-run/plain-text'

import { startAttachedEvidence } from './attached-evidence.ts'
import { createFileSpool, type FileRefusal } from './file-spool.ts'
import type { EvidenceOf } from './options.ts'
import { isRecord, parseAttachments, parseSteps } from './parse-attempt.ts'
import type { Settings } from './settings.ts'
import type { SpooledFile } from './spooled-file.ts'
import type { Attachment, RecordedAttempt } from './test-attempt.ts'

/** Chooses the files and steps of attempts that are reported, and copies the files to the spool. */
export interface EvidenceCollector {
  /** Allows the files of a directory outside of the working directory, such as the output directory of the framework. */
  allowDirectory(directory: string): void
  /**
   * Returns the attempt with its files in the spool.
   * @param value the attempt as the framework's reporter passes it
   * @throws any error that a getter of the value throws
   */
  collect(attempt: RecordedAttempt, value: unknown): RecordedAttempt
  /** Call it when the suite has ended. */
  close(): void
  /** Sentences about files that are not sent. */
  describeProblems(): string[]
}

/** Most files of an attempt that the server keeps. */
const MAX_FILES = 20
const MAX_EXAMPLES = 3
const MAX_EXAMPLE_LENGTH = 100

export function createEvidenceCollector(settings: Settings, spool: string, cwd: string): EvidenceCollector {
  const directories = [cwd]
  const refusals: FileRefusal[] = []
  let surplusCount = 0
  const files = createFileSpool(spool, {
    limitBytes: settings.spoolLimitBytes,
    getDirectories: () => directories,
  })
  const isUsed = !settings.isDisabled && (settings.attachments !== 'none' || settings.steps !== 'none')
  const attached = isUsed ? startAttachedEvidence(spool, cwd) : null
  const addFiles = (attachments: readonly Attachment[]): SpooledFile[] => {
    surplusCount += Math.max(0, attachments.length - MAX_FILES)
    return attachments.slice(0, MAX_FILES).flatMap((attachment) => {
      const file = files.add(attachment)
      if ('sha256' in file) return [file]
      refusals.push(file)
      return []
    })
  }
  return {
    allowDirectory: (directory) => void directories.push(directory),
    collect({ steps: reported = [], files: _files, ...attempt }, value) {
      const own = isRecord(value) ? parseAttachments(value['attachments']) : []
      const others = attached?.take(attempt) ?? { attachments: [], steps: [] }
      const spooled = isWanted(attempt, settings.attachments)
        ? addFiles([...own, ...parseAttachments(others.attachments)])
        : []
      const steps = [...reported, ...parseSteps(others.steps)]
      return {
        ...attempt,
        ...(spooled.length === 0 ? {} : { files: spooled }),
        ...(steps.length === 0 || !isWanted(attempt, settings.steps) ? {} : { steps }),
      }
    },
    close: () => attached?.remove(),
    describeProblems() {
      const dropped = files.getDropped()
      const limitMb = Math.floor(settings.spoolLimitBytes / 1_048_576)
      return [
        ...describeRefusals(refusals),
        ...(surplusCount === 0
          ? []
          : [`${surplusCount} files are not sent: an attempt at a test can have ${MAX_FILES}.`]),
        ...(dropped.length === 0
          ? []
          : [
              `${formatExamples(dropped)} left the spool unsent, because its files may take ${limitMb} MB (SERVICE_SPOOL_LIMIT_MB).`,
            ]),
      ]
    },
  }
}

const isWanted = ({ status }: RecordedAttempt, wanted: EvidenceOf): boolean =>
  wanted === 'all' || (wanted === 'failed' && (status === 'failed' || status === 'interrupted'))

/** One line for each kind of refusal, with the first reasons. */
function describeRefusals(refusals: readonly FileRefusal[]): string[] {
  const codes = [...new Set(refusals.map(({ code }) => code))]
  return codes.map((code) => {
    const group = refusals.filter((refusal) => refusal.code === code)
    return `${formatExamples(group)} not sent (${code}): ${toSingleLine(group[0]?.reason ?? '', 300)}.`
  })
}

/** Formats names such as `2 files (“a.png”, “b.png”)`. */
function formatExamples(files: readonly { readonly name: string }[]): string {
  const examples = files.slice(0, MAX_EXAMPLES).map(({ name }) => `“${toSingleLine(name, MAX_EXAMPLE_LENGTH)}”`)
  const more = files.length > MAX_EXAMPLES ? ', …' : ''
  return `${files.length} ${files.length === 1 ? 'file' : 'files'} (${examples.join(', ')}${more})`
}
