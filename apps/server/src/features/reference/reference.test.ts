import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Chromium, startChromium } from '@caseward/test-support/chromium'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import type { Tab } from '@caseward/test-support/tab'
import { useTestServer } from '@caseward/test-support/test-server'

/** A server that is reached by a host name without HTTPS, as a new installation is. */
const HOST = 'caseward.test'

const server = useTestServer()

let chromium: Chromium
let tab: Tab
beforeAll(async () => {
  chromium = await startChromium({ hosts: [HOST] })
  tab = await chromium.newTab()
}, INSTALL_TIMEOUT_MS)
afterAll(() => chromium.close())

describe('GET /docs', () => {
  it('shows every operation over plain HTTP at a host that is not localhost, without policy violations', async () => {
    const { body } = await server.request<{ paths: Record<string, object> }>('GET', '/openapi.json')
    const count = Object.values(body.paths).flatMap((methods) => Object.keys(methods)).length
    const { port } = new URL(server.url)
    await tab.goto(`http://${HOST}:${port}/docs`)
    const countShownOperations = () => tab.evaluate('document.querySelectorAll(".opblock").length')
    await expect.poll(countShownOperations, { timeout: 15_000 }).toBe(count)
    expect(await tab.evaluate('location.protocol')).toBe('http:')
    expect(await tab.violations()).toEqual([])
  })

  it('has a Content-Security-Policy that allows only its own scripts and forms, and does not upgrade to HTTPS', async () => {
    const policy = (await server.request('GET', '/docs')).headers.get('content-security-policy') ?? ''
    const rules = policy.split(';')
    for (const rule of ["default-src 'self'", "script-src 'self'", "form-action 'self'"]) expect(rules).toContain(rule)
    expect(policy).not.toMatch(/upgrade-insecure-requests|swagger\.io/)
  })
})
