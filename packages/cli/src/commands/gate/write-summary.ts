import { appendFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { Context } from '../../context.ts'
import { findSetting } from '../../settings.ts'
import { getErrorMessage } from '../../text.ts'

/** Appends the summary to the file of `--summary-file`, else to that of GitHub Actions. The exit code does not depend on it. */
export async function writeSummary(
  summary: string,
  { summaryFile }: { readonly summaryFile?: string },
  { runtime, terminal }: Context,
): Promise<void> {
  const option = { name: '--summary-file', value: summaryFile }
  const file = findSetting(option, 'GITHUB_STEP_SUMMARY', runtime.env)
  if (file === null) return
  try {
    await appendFile(resolve(runtime.cwd(), file.value), `${summary}\n`)
  } catch (error) {
    terminal.warn([`The summary could not be written to ${file.value} (${file.from}): ${getErrorMessage(error)}`])
  }
}
