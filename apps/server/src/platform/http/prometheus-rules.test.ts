import { readFile } from 'node:fs/promises'

import { useTestServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[]
}

describe('docs/operating/prometheus-rules.yml', () => {
  const server = useTestServer()

  it('uses only metrics and routes that the service has', async () => {
    const file = new URL('../../../../../docs/operating/prometheus-rules.yml', import.meta.url)
    const { groups } = parse(await readFile(file, 'utf8')) as Rules
    const expressions = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)).join('\n')
    await server.request('POST', '/v1/results')
    const { body } = await server.request<string>('GET', '/metrics')
    const names = new Set(expressions.match(/\b(?:caseward|process|nodejs)_\w+/g))
    expect(names.size).toBeGreaterThan(5)
    expect([...names].filter((name) => !new RegExp(`^${name}[{ ]`, 'm').test(body))).toEqual([])
    for (const [, route] of expressions.matchAll(/route!="([^"]+)"/g)) expect(body).toContain(`route="${route}"`)
  })
})
