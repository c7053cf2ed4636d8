import type { UnknownFieldWarning } from '@caseward/client/endpoints'
import type { Receipt } from '@caseward/ci-run/receipts'
import { pluralize } from '@caseward/ci-run/wording'

import { formatIgnoredFields } from '../../ignored-fields.ts'
import { limitLines } from '../../limit-lines.ts'
import { toTerminalText } from '../../text.ts'
import { countFiles, type FileOutcome, formatOutcome } from './file-outcome.ts'

/** What the server adds to the response of any write. */
interface WithWarnings {
  readonly warnings?: readonly UnknownFieldWarning[]
}

/** Formats what else the receipts say: fields that the server does not know, a run that was opened again, texts that it skipped. */
export function formatNotices(receipts: readonly Receipt[]): string[] {
  const warnings = new Set(receipts.flatMap((receipt) => ((receipt as WithWarnings).warnings ?? []).map(formatWarning)))
  const tests = receipts.flatMap((receipt) => receipt.tests ?? [])
  const unknown = tests.flatMap(({ unknown_status: status }) => status ?? [])
  const unknownCount = unknown.reduce((sum, { count }) => sum + count, 0)
  const examples = [...new Set(unknown.flatMap((status) => status.examples))].slice(0, 3)
  const lacking = [...new Set(tests.flatMap(({ lacking_fields: keys }) => keys ?? []))]
  const skipped = tests.flatMap(({ skipped_text: text }) => text ?? [])
  return [
    ...(receipts.some(({ reopened }) => reopened === true)
      ? ['The run had completed by itself and was opened again.']
      : []),
    ...(unknownCount > 0
      ? [
          `${pluralize(unknownCount, 'test')} with a status that is not known ${unknownCount === 1 ? 'counts' : 'count'} as passed: ${examples.map(toTerminalText).join(', ')}.`,
        ]
      : []),
    ...(lacking.length > 0
      ? [`The created test cases have no value of required fields: ${lacking.map(toTerminalText).join(', ')}.`]
      : []),
    ...(skipped[0] === undefined ? [] : [`Skipped text before the XML: “${toTerminalText(skipped[0])}”.`]),
    ...formatRefusedLinks(receipts),
    ...formatIgnoredFields(receipts.map(({ ignored_fields: ignored }) => ignored)),
    ...limitLines([...warnings]),
  ]
}

/** Tests without a test case have no result to link: their tests are named as unmatched already. */
function formatRefusedLinks(receipts: readonly Receipt[]): string[] {
  const refused = receipts.flatMap(({ links }) => links?.refused ?? [])
  return limitLines(
    refused
      .filter(({ code }) => code !== 'result_not_stored')
      .map(({ url, error }) => `${toTerminalText(url)} is not linked: ${toTerminalText(error)}`),
  )
}

function formatWarning({ field, did_you_mean: known }: UnknownFieldWarning): string {
  const hint = known === undefined ? '' : ` Did you mean ${toTerminalText(known)}?`
  return `The server does not know the field ${toTerminalText(field)}, and ignored it.${hint}`
}

/** Formats what was read when no test was found, and what to check. */
export function formatEmptyUpload(outcomes: readonly FileOutcome[], args: readonly string[]): string[] {
  const read = outcomes.length === 0 ? 'no file' : pluralize(countFiles(outcomes), 'file')
  return [
    `No test was found in ${read} of ${args.map(toTerminalText).join(', ')}:`,
    ...limitLines(outcomes.flatMap((outcome) => formatOutcome(outcome, false))).map((line) => `  - ${line}`),
    'Check that these are the reports of the tests, that the tool writes JUnit XML, and that it ran tests: a filter or a crash leaves empty suites.',
    'If this job may run no tests, use --allow-empty.',
  ]
}
