import { toSingleLine } from '@caseward/ci-run/plain-text'
import { pluralize } from '@caseward/ci-run/wording'

import type { Delivery } from './deliver.ts'
import type { FilesDelivery } from './deliver-files.ts'
import { formatGroup, MAX_EXAMPLE_LENGTH, MAX_EXAMPLES, quote, toSentence } from './summary-text.ts'

/** Describes what became of files in a few lines; none if there were no files. */
export function describeFiles({ sentCount, remainingCount, givenUp, failure }: FilesDelivery): string[] {
  const sent = sentCount === 0 ? [] : [`${pluralize(sentCount, 'file')} sent`]
  const remaining = remainingCount === 0 ? [] : [`${remainingCount} still to send: caseward replay`]
  const reason = failure === null ? '' : ` (${toSingleLine(failure, 500)})`
  const counts = [...sent, ...remaining].join(', ')
  const lines = givenUp
    .slice(0, MAX_EXAMPLES)
    .map(
      ({ name, reason: cause }) => `“${toSingleLine(name, MAX_EXAMPLE_LENGTH)}” was not stored: ${toSentence(cause)}`,
    )
  return [
    ...(counts === '' ? [] : [`${counts}${reason}`]),
    ...lines,
    ...(givenUp.length > MAX_EXAMPLES ? [`and ${givenUp.length - MAX_EXAMPLES} more files were not stored.`] : []),
  ]
}

/** Describes the attachments that the server refused, by their reason. */
export function describeRefusedFiles({
  receipts,
  unsupportedFileCount,
}: Pick<Extract<Delivery, { kind: 'delivered' }>, 'receipts' | 'unsupportedFileCount'>): string[] {
  const refused = receipts.flatMap(({ attachments }) => attachments?.refused ?? [])
  // That their results were not stored is said already.
  const others = refused.filter(({ code }) => code !== 'result_not_stored')
  const codes = [...new Set(others.map(({ code }) => code))]
  return [
    ...codes.map((code) => {
      const group = others.filter((file) => file.code === code)
      const names = formatGroup(
        group.map(({ name }) => quote(toSingleLine(name, MAX_EXAMPLE_LENGTH))),
        { one: 'file was refused', many: 'files were refused' },
      )
      return `${names.join('')}: ${toSentence(group[0]?.error ?? '')}`
    }),
    ...(unsupportedFileCount === 0
      ? []
      : [
          `${pluralize(unsupportedFileCount, 'file')} not sent: the server does not take files yet. Update it, or set SERVICE_ATTACHMENTS=none.`,
        ]),
  ]
}
