import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import type { Page } from 'playwright-core'

/** What a page of the trace says. */
export const TRACED_TEXT = 'The basket is empty'

/** Records a trace, as Playwright does of a test. */
export async function recordTrace(page: Page): Promise<Buffer> {
  const { tracing } = page.context()
  await tracing.start({ snapshots: true, title: 'A customer pays' })
  await page.setContent(`<h1>${TRACED_TEXT}</h1><button>Pay</button>`)
  await page.getByRole('button', { name: 'Pay' }).click()
  const path = join(await createTemporaryDirectory(), 'trace.zip')
  await tracing.stop({ path })
  return await readFile(path)
}
