import { pluralize } from '@caseward/ci-run/wording'

import { CommandError } from '../../command-error.ts'
import type { Context } from '../../context.ts'
import { ERRORS_FILE_HINT } from '../../errors-file.ts'
import { limitLines } from '../../limit-lines.ts'
import { createPrompter } from '../../prompt.ts'
import type { ExistingTestCase } from './find-existing.ts'
import { formatLineError } from './line-errors.ts'

export const ON_CONFLICT = ['skip', 'update', 'fail'] as const

/** What happens to lines whose test cases exist already. */
export type OnConflict = (typeof ON_CONFLICT)[number]

/**
 * Chooses what to do with lines whose test cases exist already: as the option says, or as the user at a terminal answers.
 * @throws {CommandError} that lists them, if they must not exist or nobody can be asked
 */
export async function chooseOnConflict(
  existing: readonly ExistingTestCase[],
  option: OnConflict | undefined,
  { runtime, terminal, json }: Context,
): Promise<'skip' | 'update'> {
  if (existing.length === 0) return 'skip'
  if (option === 'skip' || option === 'update') return option
  const isAsking = option === undefined && !json && runtime.stdin.isTTY
  const answer = isAsking ? await ask(existing, { runtime, terminal }) : 'fail'
  if (answer !== 'fail') return answer
  throw new CommandError(
    [
      `Nothing was stored: ${describeExisting(existing)}.`,
      ...(option === 'fail' || isAsking
        ? []
        : ['Use --on-conflict skip to keep them as they are, or --on-conflict update to change them.']),
    ],
    { code: 'conflict', items: isAsking ? [] : existing.map(formatExisting), itemsHint: ERRORS_FILE_HINT },
  )
}

async function ask(
  existing: readonly ExistingTestCase[],
  { runtime, terminal }: Pick<Context, 'runtime' | 'terminal'>,
): Promise<OnConflict> {
  terminal.warn([
    `Not stored yet: ${describeExisting(existing)}.`,
    ...limitLines(existing.map((item) => `  ${formatExisting(item)}`)),
  ])
  const prompter = createPrompter(runtime)
  try {
    const answer = await prompter.ask(
      'Skip these lines, update the test cases, or cancel (skip, update, cancel)?',
      'cancel',
    )
    if (/^s/i.test(answer)) return 'skip'
    return /^u/i.test(answer) ? 'update' : 'fail'
  } finally {
    prompter.close()
  }
}

const describeExisting = ({ length }: { readonly length: number }) =>
  `${pluralize(length, 'test case')} of the file ${length === 1 ? 'exists' : 'exist'} already`

const formatExisting = ({ testCase: { line }, existingId, foundBy }: ExistingTestCase): string =>
  formatLineError({
    line,
    message: foundBy === 'id' ? `${existingId} exists already` : `${existingId} has the same automation key`,
  })
