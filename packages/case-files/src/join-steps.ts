/** What an expected result is indented by, below its numbered action. */
export const INDENT = '   '

/** The steps of a test case as one text: numbered actions, with the expected results below them. A single action is the text. */
export function joinSteps(steps: readonly { action: string; expected?: string }[]): string {
  const [first] = steps
  if (first === undefined) return ''
  if (steps.length === 1 && (first.expected ?? '') === '') return first.action
  return steps
    .map(({ action, expected = '' }, index) =>
      [`${index + 1}. ${action}`, ...(expected === '' ? [] : expected.split('\n').map((line) => INDENT + line))].join(
        '\n',
      ),
    )
    .join('\n')
}
