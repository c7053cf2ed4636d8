import { pluralize } from '@caseward/ci-run/wording'
import type { IgnoredFields } from '@caseward/client/endpoints'

import { limitLines } from './limit-lines.ts'
import { toTerminalText } from './text.ts'

/** Formats which values of custom fields the server has ignored, and why. */
export function formatIgnoredFields(receipts: readonly (IgnoredFields | undefined)[]): string[] {
  return limitLines(
    receipts
      .flatMap((ignored) => ignored?.fields ?? [])
      .filter(({ code }) => code !== 'result_not_stored')
      .map(({ key, value, error, count }) => {
        const values = pluralize(count, 'value')
        return `${values} of the field ${toTerminalText(key)} ignored (“${toTerminalText(value)}”): ${toTerminalText(error)}`
      }),
  )
}
