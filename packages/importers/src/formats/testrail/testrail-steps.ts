import type { StepRecord } from '../../records.ts'

/** The usual name of the field of steps. A template can have others, of the same type and with any name. */
export const USUAL_FIELD = 'steps_separated'

/**
 * Chooses the field that the steps of a test case are in: the usual one, else the first that has any. What other fields of steps
 * have becomes a text.
 * @param fields steps by the name of their field
 */
export function chooseSteps(fields: ReadonlyMap<string, readonly StepRecord[]>): {
  steps: readonly StepRecord[]
  texts: ReadonlyMap<string, string>
} {
  const written = [...fields].filter(([, steps]) => steps.some(isWritten))
  const chosen = written.find(([name]) => name === USUAL_FIELD) ?? written[0]
  const others = written.filter((field) => field !== chosen)
  return { steps: chosen?.[1] ?? [], texts: new Map(others.map(([name, steps]) => [name, toText(steps)])) }
}

export const isWritten = ({ action, expected, shared }: StepRecord): boolean =>
  action !== '' || expected !== '' || shared !== undefined

const toText = (steps: readonly StepRecord[]): string =>
  steps
    .map(({ action, expected, notes = [], shared }, index) =>
      [
        `${index + 1}. ${action}`,
        ...notes,
        ...(shared === undefined ? [] : [`Shared step ${shared}`]),
        ...(expected === '' ? [] : ['Expected Result:', expected]),
      ].join('\n'),
    )
    .join('\n')
