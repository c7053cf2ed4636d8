import type { Page } from 'playwright-core'

/**
 * Lets the page learn nothing from others, as with a connection that is slow or lost in this moment. With `page.route`, it would
 * also load the whole app again, because that switches off the cache.
 */
export async function blockEvents(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.setBlockedURLs', { urls: ['*/events'] })
}
