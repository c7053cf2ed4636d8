import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startChromium } from '@caseward/test-support/chromium'
import { recordPageFaults } from '@caseward/test-support/page-faults'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { useTestServer } from '@caseward/test-support/test-server'

/** A server that is reached by a host name without HTTPS, as a new installation is. */
const HOST = 'caseward.test'

const server = useTestServer()

let browser: Browser
beforeAll(async () => {
  browser = await startChromium({ hosts: [HOST] })
}, INSTALL_TIMEOUT_MS)
afterAll(() => browser.close())

describe('GET /docs', () => {
  it('shows every operation over plain HTTP at a host that is not localhost, without policy violations', async () => {
    const { body } = await server.request<{ paths: Record<string, object> }>('GET', '/openapi.json')
    const count = Object.values(body.paths).flatMap((methods) => Object.keys(methods)).length
    const { port } = new URL(server.url)
    const page = await browser.newPage()
    const faults: string[] = []
    recordPageFaults(page, faults)
    await page.goto(`http://${HOST}:${port}/docs`)
    await expect.poll(() => page.locator('.opblock').count()).toBe(count)
    expect(new URL(page.url()).protocol).toBe('http:')
    await page.locator('.opblock-get button.opblock-summary-control').first().click()
    await page.locator('.responses-table').waitFor()
    expect(faults).toEqual([])
  })

  it('carries the name of the product, and leads back to it', async () => {
    const page = await browser.newPage()
    await page.goto(`${server.url}/docs`)
    await page.getByRole('heading', { name: /^Caseward/ }).waitFor()
    expect(await page.title()).toBe('API · Caseward')
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('favicon.svg')
    expect(await page.locator('body').innerText()).not.toMatch(/swagger/i)
    expect(await page.getByRole('link', { name: 'Open the web app' }).getAttribute('href')).toBe(`${server.url}/`)
  })

  it('has a Content-Security-Policy that allows only its own scripts, styles and forms, and does not upgrade to HTTPS', async () => {
    const policy = (await server.request('GET', '/docs')).headers.get('content-security-policy') ?? ''
    const rules = policy.split(';')
    for (const name of ['default-src', 'script-src', 'style-src', 'form-action'])
      expect(rules).toContain(`${name} 'self'`)
    expect(rules).toContain("base-uri 'none'")
    expect(policy).not.toMatch(/upgrade-insecure-requests|swagger\.io/)
  })
})
