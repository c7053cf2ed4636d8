import type { Locator, Page, Route } from 'playwright-core'

/**
 * Lets requests fail until “Try again” is clicked, and not only until a moment before it: the app also tries again by itself, every few
 * seconds and when the page becomes live. If that succeeded, there would be no button any more.
 * @param url of the requests, as for `page.route`
 * @param fail what happens to them
 * @returns a function that clicks the button
 */
export async function failUntilTriedAgain(
  page: Page,
  url: string,
  fail: (route: Route) => Promise<void> = (route) => route.abort(),
): Promise<(button?: Locator) => Promise<void>> {
  let wasClicked = false
  const isClicked = () => page.evaluate(() => 'clicked' in document.documentElement.dataset).catch(() => false)
  await page.route(url, async (route) =>
    wasClicked || (await isClicked()) ? await route.continue() : await fail(route),
  )
  return async (button = page.getByRole('button', { name: 'Try again' })) => {
    await page.evaluate(() => {
      addEventListener('click', () => (document.documentElement.dataset['clicked'] = ''), { capture: true, once: true })
    })
    await button.click()
    // Later documents do not know it.
    wasClicked = true
  }
}
