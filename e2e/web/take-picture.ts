import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { CDPSession, Page } from 'playwright-core'

const directory = process.env['PICTURES'] || undefined

/** Saves a screenshot of the window if the variable PICTURES names a directory. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (directory !== undefined) await page.screenshot({ path: join(directory, `${name}.png`), animations: 'disabled' })
}

/** Saves a screenshot as {@link takePicture} does, of a page whose size is emulated, which a screenshot would end. */
export async function takeEmulatedPicture(devTools: CDPSession, name: string): Promise<void> {
  if (directory === undefined) return
  const { data } = await devTools.send('Page.captureScreenshot')
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, `${name}.png`), data, 'base64')
}
