import { join } from 'node:path'

import type { Page } from 'playwright-core'

const directory = process.env['PICTURES'] || undefined

/** Saves a screenshot of the window if the variable PICTURES names a directory. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (directory !== undefined) await page.screenshot({ path: join(directory, `${name}.png`), animations: 'disabled' })
}
