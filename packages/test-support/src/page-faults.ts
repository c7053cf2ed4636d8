import type { Page } from 'playwright-core'

/**
 * Collects from now on uncaught errors of a page, and violations of its Content-Security-Policy, which Chromium writes to
 * the console.
 * @param faults the list that they are added to
 */
export function recordPageFaults(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && text.includes('Content Security Policy')) faults.push(text)
  })
}
