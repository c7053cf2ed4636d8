/**
 * How a text is split into steps:
 *
 * - `crlf`: CR LF parts steps, LF is a line within one (TestRail)
 * - `combined`: blocks of an action, `Expected Result:` and a text (TestRail)
 * - `json_lines`: each line is a number and a JSON string (Qase)
 * - `positions`: numbered lines in texts for actions, expected results and data that belong together (Qase)
 * - `numbered`: numbered lines, a list, or numbers within one line
 * - `gherkin`: one step a line
 * - `whole`: one step
 */
export type StepRule = 'crlf' | 'combined' | 'json_lines' | 'positions' | 'numbered' | 'gherkin' | 'whole'

/** What a text became. */
export interface SplitSteps {
  readonly steps: readonly { readonly action: string; readonly expected: string }[]
  /** The text before the first number. */
  readonly precondition: string
  /** Expected results that belong to no single step. */
  readonly expected_result: string
  /** Expected results could not be given to their steps. */
  readonly isNotSplit: boolean
}
