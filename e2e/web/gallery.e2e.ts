import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { findAxeViolations } from './find-axe-violations.ts'
import { serveGallery } from './serve-gallery.ts'
import { takePicture } from './take-picture.ts'
import { useBrowser } from './use-browser.ts'

/** A directory for screenshots; by default none are taken. */
const pictures = process.env['PICTURES'] || undefined

const browser = useBrowser()
let gallery: Awaited<ReturnType<typeof serveGallery>>
beforeAll(async () => {
  gallery = await serveGallery()
  if (pictures !== undefined) await mkdir(pictures, { recursive: true })
})
afterAll(() => gallery.close())

async function openGallery(width: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })
  await page.goto(gallery.url)
  await page.getByRole('heading', { name: 'Components' }).waitFor()
  // The code for Markdown has been loaded.
  await page.getByRole('cell', { name: 'Germany' }).waitFor()
  return page
}

/** Takes a picture of each group of components. */
async function takePictures(page: Page, appearance: string): Promise<void> {
  if (pictures === undefined) return
  for (const section of await page.locator('main > section').all()) {
    const name = (await section.getAttribute('aria-label'))?.toLowerCase().replaceAll(/\W+/g, '-')
    await section.screenshot({ path: join(pictures, `${name}-${appearance}.png`) })
  }
}

const themes = ['light', 'dark'] as const

/** Overlays by the button that opens them, with a text of each. */
const overlays = [
  { button: 'Open a dialog', shows: 'You are its first administrator.' },
  { button: 'Ask first', shows: 'Its 568 results are deleted with it.' },
  { button: 'Ask for the name', shows: 'Type “Web shop” to confirm' },
  { button: 'More actions', shows: 'Duplicate' },
  { button: 'Priority', shows: 'In the order of the tree' },
  { button: 'Tags', shows: 'Find or add a tag' },
  { button: 'Show a toast', shows: 'Moved 3 test cases to Payment' },
]

describe.each([1440, 390])('the components at a width of %i', (width) => {
  it('have no axe violation and no horizontal scroll', async () => {
    const page = await openGallery(width)
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await takePictures(page, `${colorScheme}-${width}`)
      expect(await findAxeViolations(page, { checksOnlyColors: colorScheme === 'dark' })).toEqual([])
    }
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })

  it('have no axe violation while an overlay is open', async () => {
    const page = await openGallery(width)
    const faults: string[] = []
    for (const { button, shows } of overlays) {
      await page.getByRole('region', { name: 'Overlays' }).getByRole('button', { name: button }).click()
      await page.getByText(shows).first().waitFor()
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme })
        await takePicture(page, `${button.replaceAll(' ', '-').toLowerCase()}-${colorScheme}-${width}`)
        // An overlay is outside of the page's content, whose colors are those without it.
        const found = await findAxeViolations(page, { checksOnlyColors: colorScheme === 'dark', excludes: 'main' })
        faults.push(...found.map((fault) => `${button}: ${fault}`))
      }
      if (width === 1440) faults.push(...(await findAxeViolations(page, { checksAllButColors: true })))
      await page.keyboard.press('Escape')
    }
    expect(faults).toEqual([])
  })
})
