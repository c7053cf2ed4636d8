import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Chromium, startChromium } from '@caseward/test-support/chromium'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import type { Tab } from '@caseward/test-support/tab'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'

/** As somebody's first server is reached: by a name of its own, without HTTPS. */
const HOST = 'caseward.test'

let chromium: Chromium
let server: TestServer
let tab: Tab
beforeAll(async () => {
  server = await startTestServer()
  chromium = await startChromium({ hosts: [HOST] })
  tab = await chromium.newTab()
}, INSTALL_TIMEOUT_MS)
afterAll(async () => {
  await chromium.close()
  await server.close()
})

describe('GET /docs', () => {
  it('shows every operation also by plain HTTP at a name that is not localhost, and breaks no policy of its own', async () => {
    const { body } = await server.request<{ paths: Record<string, object> }>('GET', '/openapi.json')
    const count = Object.values(body.paths).flatMap((methods) => Object.keys(methods)).length
    const { port } = new URL(server.url)
    await tab.goto(`http://${HOST}:${port}/docs`)
    const shown = () => tab.evaluate('document.querySelectorAll(".opblock").length')
    await expect.poll(shown, { timeout: 15_000 }).toBe(count)
    expect(await tab.evaluate('location.protocol')).toBe('http:')
    expect(await tab.violations()).toEqual([])
  })

  it('sends browsers neither to HTTPS nor elsewhere, and allows no script and no form but its own', async () => {
    const policy = (await server.request('GET', '/docs')).headers.get('content-security-policy') ?? ''
    const rules = policy.split(';')
    for (const rule of ["default-src 'self'", "script-src 'self'", "form-action 'self'"]) expect(rules).toContain(rule)
    expect(policy).not.toMatch(/upgrade-insecure-requests|swagger\.io/)
  })
})
