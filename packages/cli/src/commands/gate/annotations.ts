import { toSingleLine } from '@caseward/ci-run/plain-text'
import type { TestVerdict } from '@caseward/client/endpoints'

import { formatTestName } from '../tests/format-test.ts'

/** GitHub shows ten of a step. */
const MAX_ANNOTATIONS = 10
const MAX_LENGTH = 1000

/**
 * Formats what blocks as annotations of a workflow, if the file of the test is known. What tests are called cannot begin another
 * command: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export const formatAnnotations = (blocking: readonly TestVerdict[]): readonly string[] =>
  blocking
    .filter(({ file }) => file !== '')
    .slice(0, MAX_ANNOTATIONS)
    .map((test) => {
      const title = escapeProperty(toSingleLine(formatTestName(test), MAX_LENGTH))
      const message = escapeData(toSingleLine(test.message_line ?? 'failed', MAX_LENGTH))
      return `::error file=${escapeProperty(test.file)},title=${title}::${message}`
    })

const escapeData = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
