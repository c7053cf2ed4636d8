import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { beginElementCheck, setTheme } from '../element-checks.ts'
import { serveGallery } from '../serve-gallery.ts'
import { useBrowser } from '../use-browser.ts'

/** A directory for screenshots; by default none are taken. */
const pictures = process.env['PICTURES'] || undefined

const browser = useBrowser()
let gallery: Awaited<ReturnType<typeof serveGallery>>
beforeAll(async () => {
  gallery = await serveGallery()
  if (pictures !== undefined) await mkdir(pictures, { recursive: true })
})
afterAll(() => gallery.close())

/** Opens all components, in one window for all tests: drawing them takes longer than what most tests do with them. */
async function openGallery(page: Page): Promise<void> {
  await page.goto(gallery.url)
  await page.getByRole('heading', { name: 'Components' }).waitFor()
  // The code for Markdown has been loaded.
  await page.getByRole('cell', { name: 'Germany' }).waitFor()
}
const getPage = browser.sharePage(openGallery)

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

const getFocusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

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

// The tests after these need a wide window.
describe.each([390, 1440])('the components at a width of %i', (width) => {
  const openAt = async () => {
    const page = getPage()
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    return page
  }

  it('have no axe violation and no horizontal scroll', async () => {
    const page = await openAt()
    for (const colorScheme of pictures === undefined ? [] : themes) {
      await setTheme(page, colorScheme)
      await takePictures(page, `${colorScheme}-${width}`)
    }
    await setTheme(page, 'light')
    const elements = beginElementCheck(page, 'components')
    expect(await elements.findFaults(width)).toEqual([])
    elements.accept()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })

  it('have no axe violation while an overlay is open', async () => {
    const page = await openAt()
    const faults: string[] = []
    for (const { button, shows } of overlays) {
      await page.getByRole('region', { name: 'Overlays' }).getByRole('button', { name: button }).click()
      await page.getByText(shows).first().waitFor()
      const elements = beginElementCheck(page, button.replaceAll(' ', '-').toLowerCase())
      const found = await elements.findFaults(width)
      if (found.length === 0) elements.accept()
      faults.push(...found.map((fault) => `${button}: ${fault}`))
      await setTheme(page, 'light')
      await page.keyboard.press('Escape')
    }
    expect(faults).toEqual([])
  })
})

/** Puts the focus on the first row. */
async function focusTable(): Promise<{ page: Page; table: Locator; readSelected: () => Promise<string[]> }> {
  const page = getPage()
  const table = page.getByRole('grid', { name: 'Test cases', exact: true })
  await table.getByRole('row').nth(1).focus()
  await press(page, 'Home')
  const readSelected = () =>
    table.locator('[role=row][aria-selected=true] [role=gridcell]:nth-child(3)').allTextContents()
  return { page, table, readSelected }
}

describe('a table of 10,000 rows', () => {
  it('tells screen readers the number of rows, and which ones are in the page', async () => {
    const { page, table } = await focusTable()
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('10001')
    await press(page, 'End')
    const last = table.locator('[role=row][tabindex="0"]')
    await expect.poll(() => last.getAttribute('aria-rowindex')).toBe('10001')
    await expect.poll(() => getFocusedText(page)).toContain('WEB-10000')
    await expect.poll(() => table.getByRole('row').count()).toBeLessThan(60)
  })

  it('moves one row with J, K and the arrow keys, and has one row in the order of Tab', async () => {
    const { page, table } = await focusTable()
    await press(page, 'j', 'j', 'ArrowDown', 'k')
    await expect.poll(() => getFocusedText(page)).toContain('WEB-3')
    await expect.poll(() => table.locator('[role=row][tabindex="0"]').count()).toBe(1)
  })

  it('keeps the focus while the current row is scrolled out of sight', async () => {
    const { page, table } = await focusTable()
    await press(page, 'j')
    await table.evaluate((grid) => grid.parentElement?.scrollTo(0, 200_000))
    await table.getByText('WEB-5890', { exact: true }).waitFor()
    await expect.poll(() => getFocusedText(page)).toContain('WEB-2')
    await press(page, 'j')
    await expect.poll(() => getFocusedText(page)).toContain('WEB-3')
  })

  it('selects with X, extends with Shift+J and Shift+K, selects all with Ctrl+A and none with Esc', async () => {
    const { page, table, readSelected } = await focusTable()
    await press(page, 'Escape')
    await expect.poll(readSelected).toEqual([])
    await press(page, 'j', 'x', 'Shift+J', 'Shift+J')
    await expect.poll(readSelected).toEqual(['WEB-2', 'WEB-3', 'WEB-4'])
    await press(page, 'Control+a')
    await page.getByText('10,000 selected').waitFor()
    await expect.poll(() => table.getByRole('checkbox', { name: 'Select all' }).isChecked()).toBe(true)
    await press(page, 'Escape')
    await expect.poll(readSelected).toEqual([])
  })

  it('selects a range with a click and a Shift-click on checkboxes', async () => {
    const { page, table, readSelected } = await focusTable()
    await press(page, 'Escape')
    await table.getByRole('checkbox', { name: 'Select WEB-1', exact: true }).click()
    await table.getByRole('checkbox', { name: 'Select WEB-3', exact: true }).click({ modifiers: ['Shift'] })
    await expect.poll(readSelected).toEqual(['WEB-1', 'WEB-2', 'WEB-3'])
  })

  it('opens a row with Enter and with a click', async () => {
    const { page, table } = await focusTable()
    const readOpen = () => table.locator('[role=row][aria-current=true]').textContent()
    await press(page, 'j', 'j', 'Enter')
    await expect.poll(readOpen).toContain('WEB-3')
    await table.getByText('WEB-6', { exact: true }).click()
    await expect.poll(readOpen).toContain('WEB-6')
  })

  it('sorts by the head of a column, and hides a column for good', async () => {
    const { page, table } = await focusTable()
    const head = table.getByRole('columnheader', { name: 'Priority' })
    await head.getByRole('button').click()
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Priority' }).click()
    await expect.poll(() => head.count()).toBe(0)
    await page.reload()
    await table.getByText('WEB-1', { exact: true }).waitFor()
    await expect.poll(() => head.count()).toBe(0)
  })
})

describe('a tree', () => {
  const getItem = (page: Page, name: string) => page.getByRole('treeitem', { name })

  it('opens and closes folders with the arrow keys, and moves by the first letters', async () => {
    const page = getPage()
    await getItem(page, 'Checkout').focus()
    await press(page, 'ArrowLeft')
    await expect.poll(() => getItem(page, 'Payment').count()).toBe(0)
    await press(page, 'ArrowRight')
    await getItem(page, 'Payment').waitFor()
    await press(page, 'a', 'c')
    await expect.poll(() => getFocusedText(page)).toContain('Account')
    await press(page, 'Enter')
    await expect.poll(() => getItem(page, 'Account').getAttribute('aria-selected')).toBe('true')
  })

  it('moves a folder into another one with Ctrl+Shift+D and the arrow keys', async () => {
    const page = getPage()
    await getItem(page, 'Search').focus()
    await press(page, 'Control+Shift+D')
    const description = page
      .getByText(/Search/)
      .filter({ hasText: /position|, / })
      .first()
    for (let step = 0; step < 5 && !/in Account/.test((await description.textContent()) ?? ''); step += 1) {
      await press(page, 'ArrowUp')
    }
    await press(page, 'Enter')
    await expect.poll(() => getItem(page, 'Search').count()).toBe(0)
    await getItem(page, 'Account').focus()
    await press(page, 'ArrowRight')
    await expect.poll(() => getItem(page, 'Search').getAttribute('aria-level')).toBe('2')
  })

  it('renames a folder with F2, and keeps the name with Esc', async () => {
    const page = getPage()
    await getItem(page, 'Account').focus()
    await press(page, 'F2')
    const field = page.getByRole('textbox', { name: 'New name of Account' })
    await field.fill('Customer account')
    await press(page, 'Enter')
    await expect.poll(() => getItem(page, 'Customer account').count()).toBe(1)
    await getItem(page, 'Customer account').focus()
    await press(page, 'F2')
    await page.getByRole('textbox', { name: 'New name of Customer account' }).fill('Something else')
    await press(page, 'Escape')
    // The tree takes the focus back in a later task, which would take a key from the test after this one.
    await getItem(page, 'Customer account').and(page.locator(':focus')).waitFor()
  })
})

describe('other components', () => {
  it('change the width of a panel with the arrow keys, and remember it', async () => {
    const page = getPage()
    const handle = page.getByRole('separator', { name: 'Width of Folders' })
    // A key adds to the width that is drawn.
    for (const width of ['276', '292']) {
      await handle.press('ArrowRight')
      await expect.poll(() => handle.getAttribute('aria-valuenow')).toBe(width)
    }
    await page.reload()
    await expect.poll(() => handle.getAttribute('aria-valuenow')).toBe('292')
  })

  it('keep the focus in a dialog, and return it to the button that opened it', async () => {
    const page = getPage()
    const button = page.getByRole('button', { name: 'Open a dialog' })
    await button.click()
    const dialog = page.getByRole('dialog', { name: 'New project' })
    await dialog.waitFor()
    for (let step = 0; step < 8; step += 1) {
      await press(page, 'Tab')
      await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    }
    await press(page, 'Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('delete only after the name was typed', async () => {
    const page = getPage()
    await page.getByRole('button', { name: 'Ask for the name' }).click()
    const confirm = page.getByRole('button', { name: 'Delete project' })
    await expect.poll(() => confirm.isDisabled()).toBe(true)
    await page.getByLabel('Type “Web shop” to confirm').fill('Web shop')
    expect(await confirm.isDisabled()).toBe(false)
    await press(page, 'Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  })

  it('close a toast with Undo', async () => {
    const page = getPage()
    await page.getByRole('button', { name: 'Show a toast' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.getByText('Moved 3 test cases to Payment').count()).toBe(0)
  })

  it('render Markdown without HTML', async () => {
    const page = getPage()
    await page.getByRole('cell', { name: 'Germany' }).waitFor()
    const text = page.getByRole('blockquote')
    await expect.poll(() => text.textContent()).toContain('<b>not bold</b>')
    expect(await text.locator('b, script').count()).toBe(0)
    // Lines end where they end in a text without Markdown, too.
    expect(await page.getByText('The bank asks').evaluate((paragraph: HTMLElement) => paragraph.innerText)).toBe(
      'Pay by card with 4111 1111 1111 1111, see the list.\nThe bank asks for a code.',
    )
  })
})

describe('a table of 10,000 rows, with letters switched off', () => {
  it('moves with the arrow keys only', async () => {
    const { page } = await focusTable()
    await page.evaluate(() => localStorage.setItem('caseward:preferences', '{"singleLetterKeys":false}'))
    await page.reload()
    await page.getByRole('grid', { name: 'Test cases', exact: true }).getByRole('row').nth(1).focus()
    await press(page, 'Home', 'j', 'x', 'ArrowDown')
    await expect.poll(() => getFocusedText(page)).toContain('WEB-2')
  })
})
