import { CommandError } from '../../command-error.ts'
import type { Context } from '../../context.ts'
import { createPrompter } from '../../prompt.ts'

/**
 * Asks in a terminal, unless --yes was given.
 * @param texts.refusal what to do without a terminal
 * @throws {CommandError} when it is not confirmed
 */
export async function requireConfirmation(
  { yes = false }: { readonly yes?: boolean },
  { runtime, json }: Context,
  { question, refusal }: { question: string; refusal: string },
): Promise<void> {
  if (yes) return
  if (json || !runtime.stdin.isTTY) throw new CommandError([refusal], { code: 'not_confirmed' })
  const prompter = createPrompter(runtime)
  try {
    if (await prompter.confirm(question)) return
  } finally {
    prompter.close()
  }
  throw new CommandError(['Nothing was changed.'], { code: 'canceled' })
}
