import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** What a window needs to copy and paste with the keys of the browser. */
export const withClipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

/** Pastes text into the field that has the focus, as a user does. The window needs {@link withClipboard}. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('ControlOrMeta+v')
}

/** Returns the name of what has the focus: its label, or the beginning of its text. */
export const getFocus = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return 'nothing'
    const labels = 'labels' in element ? [...(element.labels as NodeListOf<HTMLLabelElement>)] : []
    const label = element.getAttribute('aria-label') ?? labels[0]?.textContent ?? element.textContent
    return label.trim().slice(0, 60)
  })

/** Waits until something has the focus, and checks that this can be seen. */
export async function expectFocus(page: Page, name: string | RegExp): Promise<void> {
  await expect.poll(() => getFocus(page)).toMatch(typeof name === 'string' ? new RegExp(`^${name}`) : name)
  await expect.poll(() => hasVisibleFocus(page), { message: `the focus on ${String(name)} is visible` }).toBe(true)
}

/** Whether what has the focus, or the box around it, has an outline. */
export const hasVisibleFocus = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    let element = document.activeElement
    if (element === null || element === document.body) return false
    for (let level = 0; level < 3 && element !== null; level += 1) {
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) return true
      element = element.parentElement
    }
    return false
  })

/** Presses Tab until something has the focus. */
export async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press(key)
    if (name.test(await getFocus(page))) return
  }
  throw new Error(`${key} does not lead to ${String(name)}`)
}

/** Presses Tab until an element has the focus, as a person without a mouse does. */
export async function tabToElement(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The element cannot be reached with Tab.')
}

/** Keeps requests waiting until they are released. */
export async function holdRequests(page: Page, url: string, method: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(url, async (route) => {
    if (route.request().method() === method) await held
    await route.fallback()
  })
  return release
}
