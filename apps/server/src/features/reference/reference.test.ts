import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { startChromium } from '@caseward/test-support/chromium'
import { recordPageFaults } from '@caseward/test-support/page-faults'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { useTestServer } from '@caseward/test-support/test-server'

import { groupBy } from '../../platform/group-by.ts'

/** A server that is reached by a host name without HTTPS, as a new installation is. */
const HOST = 'caseward.test'

const server = useTestServer()

let browser: Browser
let page: Page
const faults: string[] = []
beforeAll(async () => {
  browser = await startChromium({ hosts: [HOST] })
  page = await browser.newPage()
  // Only the limits of hooks and tests count: on a busy machine, drawing the schemas of an operation takes long.
  page.setDefaultTimeout(0)
  recordPageFaults(page, faults)
  await page.goto(`http://${HOST}:${new URL(server.url).port}/docs`)
  await page.locator('.opblock-tag').first().waitFor()
}, INSTALL_TIMEOUT_MS)
afterAll(() => browser.close())

interface OpenApi {
  paths: Record<string, Record<string, { operationId: string; tags: string[] }>>
}

describe('GET /docs', () => {
  it('carries the name of the product, and leads back to it', async () => {
    await page.getByRole('heading', { name: /^Caseward/ }).waitFor()
    expect(await page.title()).toBe('API · Caseward')
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('favicon.svg')
    expect(await page.locator('body').innerText()).not.toMatch(/swagger/i)
    const home = page.getByRole('link', { name: 'Open the web app' })
    expect(await home.getAttribute('href')).toBe(new URL('/', page.url()).href)
  })

  it('draws no operation before its tag is opened', async () => {
    expect(await page.locator('.opblock').count()).toBe(0)
  })

  it('shows every tag, and its operations when it is opened, over plain HTTP at a host that is not localhost, without policy violations', async () => {
    const { body } = await server.request<OpenApi>('GET', '/openapi.json')
    const operations = Object.values(body.paths).flatMap((methods) => Object.values(methods))
    const idsByTag = groupBy(
      operations.flatMap(({ operationId, tags }) => tags.map((tag) => ({ operationId, tag }))),
      ({ tag }) => tag,
    )
    const tags: string[] = await page
      .locator('.opblock-tag')
      .evaluateAll((shown) => shown.map((tag) => tag.dataset['tag'] ?? ''))
    expect(tags.toSorted()).toEqual([...idsByTag.keys()].toSorted())
    // All of them would take a browser half a minute: the page draws one as another.
    for (const tag of tags.filter((_, index) => index % 7 === 0)) {
      await page.locator(`.opblock-tag[data-tag="${tag}"]`).click()
      const drawn = page.locator('.opblock')
      await drawn.first().waitFor()
      const expected = (idsByTag.get(tag) ?? []).map(
        ({ operationId }) => `operations-${tag.replaceAll(' ', '_')}-${operationId}`,
      )
      const shown: string[] = await drawn.evaluateAll((blocks) => blocks.map(({ id }) => id))
      expect(shown.toSorted()).toEqual(expected.toSorted())
      await page.locator(`.opblock-tag[data-tag="${tag}"]`).click()
      await expect.poll(() => drawn.count()).toBe(0)
    }
    await page.locator('.opblock-tag').first().click()
    expect(new URL(page.url()).protocol).toBe('http:')
    await page.locator('.opblock button.opblock-summary-control').first().click()
    await page.locator('.responses-table').waitFor()
    expect(faults).toEqual([])
  })
})

describe('GET /docs/yaml', () => {
  it('returns the same document as YAML, compressed and with an ETag', async () => {
    const [{ body: json }, yaml] = await Promise.all([
      server.request('GET', '/openapi.json'),
      server.request<string>('GET', '/docs/yaml', { headers: { 'accept-encoding': 'gzip' } }),
    ])
    expect([yaml.status, yaml.headers.get('content-type'), yaml.headers.get('content-encoding')]).toEqual([
      200,
      'application/yaml; charset=utf-8',
      'gzip',
    ])
    expect(yaml.headers.get('etag')).toMatch(/^W\/"[\w-]{43}"$/)
    expect(parse(yaml.body)).toEqual(json)
  })
})
