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

type Delivered = Extract<Delivery, { kind: 'delivered' }>

/** Describes the links that the server refused, by their reason. */
export function describeRefusedLinks({ receipts }: Pick<Delivered, 'receipts'>): string[] {
  const refused = receipts.flatMap(({ links }) => links?.refused ?? [])
  return formatRefused(
    // That a test has no result is said already.
    refused.filter(({ code }) => code !== 'result_not_stored').map(({ url, error }) => ({ name: url, error })),
    { one: 'link was not added', many: 'links were not added' },
  )
}

/** Describes the values of fields that the server ignored, by their reason. */
export function describeIgnoredFields({ run, receipts }: Pick<Delivered, 'run' | 'receipts'>): string[] {
  return [run.ignoredFields, ...receipts.map((receipt) => receipt.ignored_fields)]
    .flatMap((ignored) => ignored?.fields ?? [])
    .filter(({ code }) => code !== 'result_not_stored')
    .slice(0, MAX_EXAMPLES)
    .map(({ key, value, error, count }) => {
      const values = pluralize(count, 'value')
      return `${values} of the field ${toSingleLine(key, MAX_EXAMPLE_LENGTH)} ignored (“${toSingleLine(value, MAX_EXAMPLE_LENGTH)}”): ${toSentence(error)}`
    })
}

/** Describes the attachments that the server refused, by their reason. */
export function describeRefusedFiles({
  receipts,
  unsupportedFileCount,
}: Pick<Delivered, 'receipts' | 'unsupportedFileCount'>): string[] {
  const refused = receipts.flatMap(({ attachments }) => attachments?.refused ?? [])
  return [
    // That their results were not stored is said already.
    ...formatRefused(
      refused.filter(({ code }) => code !== 'result_not_stored'),
      { one: 'file was refused', many: 'files were refused' },
    ),
    ...(unsupportedFileCount === 0
      ? []
      : [
          `${pluralize(unsupportedFileCount, 'file')} not sent: the server does not take files yet. Update it, or set SERVICE_ATTACHMENTS=none.`,
        ]),
  ]
}

/** One line for each reason. */
function formatRefused(
  refused: readonly { readonly name: string; readonly error: string }[],
  words: Parameters<typeof formatGroup>[1],
): string[] {
  return [...new Set(refused.map(({ error }) => error))].map((reason) => {
    const group = refused.filter(({ error }) => error === reason)
    const names = formatGroup(
      group.map(({ name }) => quote(toSingleLine(name, MAX_EXAMPLE_LENGTH))),
      words,
    )
    return `${names.join('')}: ${toSentence(reason)}`
  })
}
