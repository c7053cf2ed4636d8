import type { Link } from '@caseward/contract/link-schemas'
import { MAX_LINKS } from '@caseward/contract/link-schemas'
import { describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'

const server = useSharedServer()
const DEFECT = 'https://acme.atlassian.net/browse/SHOP-41'
const attempts = [{ status: 'passed' }]

async function makeScenario() {
  const scenario = await makeUploadScenario(server)
  const { run, token } = scenario
  const list = async (id: string) =>
    (await server.request<{ data: Link[] }>('GET', `/v1/runs/${run.id}/results/${id}/links`, { token })).body.data
  return { ...scenario, list }
}

const link = (name: string, ...urls: string[]) => ({ name, attempts, links: urls.map((url) => ({ url })) })

describe('the links that an upload names', () => {
  it('are added to the results of test cases, each once, and an upload without them removes none', async () => {
    const { upload, list } = await makeScenario()
    const tests = [
      link('[WEB-1] pays', DEFECT, `${DEFECT}#`, ' HTTPS://ACME.atlassian.net/browse/SHOP-41 '),
      { ...link('[WEB-2] [WEB-3] ships'), links: [{ url: 'https://wiki.test/ship', kind: 'other' }] },
    ]
    const first = await upload({ format: 'tests', tests })
    expect(first.body.links).toEqual({ added: 4, known: 0, refused_count: 0, refused: [] })
    expect(await list('WEB-1')).toMatchObject([
      { kind: 'defect', url: DEFECT, label: 'SHOP-41', created_by: null },
      { url: `${DEFECT}#` },
    ])
    expect(await list('WEB-3')).toMatchObject([{ kind: 'other', label: 'wiki.test ship' }])
    const again = await upload({ format: 'tests', tests })
    expect(again.body.links).toMatchObject({ added: 0, known: 4 })
    const without = await upload({ format: 'tests', tests: [{ name: '[WEB-1] pays', attempts }] })
    expect(without.body.links).toBeUndefined()
    expect(await list('WEB-1')).toHaveLength(2)
  })

  it('are those of a JUnit report, too, and those of items of format json', async () => {
    const { upload, uploadXml, list, run, token } = await makeScenario()
    const property = `<properties><property name="issue" value="${DEFECT}"/></properties>`
    const xml = `<testsuite name="s"><testcase name="[WEB-1] pays">${property}</testcase></testsuite>`
    expect((await uploadXml(xml)).body.links).toMatchObject({ added: 1 })
    const others = [
      'SHOP-41',
      `https://acme.test/${'a'.repeat(3000)}`,
      ...Array.from({ length: 51 }, (_, n) => `https://acme.test/${n}`),
    ]
    const properties = others.map((url) => `<property name="issue" value="${url}"/>`).join('')
    const many = await uploadXml(
      `<testsuite name="s"><testcase name="[WEB-3] ships"><properties>${properties}</properties></testcase></testsuite>`,
    )
    expect(many.body.links).toMatchObject({ added: MAX_LINKS, refused_count: 3 })
    expect(many.body.links?.refused.map(({ code, url }) => [code, url.length])).toEqual([
      ['invalid_link', 7],
      ['invalid_link', 2048],
      ['too_many_links', 20],
    ])
    await upload({ results: [{ test_case_id: 'WEB-2', status: 'failed', links: [{ url: DEFECT }] }] })
    expect(await list('WEB-1')).toMatchObject([{ label: 'SHOP-41' }])
    expect(await list('WEB-2')).toMatchObject([{ label: 'SHOP-41' }])
    const rows = await server.request('GET', `/v1/runs/${run.id}/results?fields=row&defect=SHOP-41`, { token })
    expect(rows.body).toMatchObject({ data: [{ link_count: 1 }, { link_count: 1 }] })
  })

  it('are refused without their results if they are no addresses or have nowhere to go, and counted', async () => {
    const { upload, list, results } = await makeScenario()
    const bad = ['javascript:alert(1)', 'https://ada:secret@acme.test/', `https://acme.test/${'a'.repeat(3000)}`]
    const { body, status } = await upload({
      format: 'tests',
      tests: [link('[WEB-1] pays', ...bad), link('without a test case', DEFECT)],
    })
    expect(status).toBe(200)
    expect(body.links).toMatchObject({ added: 0, known: 0, refused_count: 4 })
    expect(body.links?.refused.map(({ code }) => code)).toEqual([
      'invalid_link',
      'invalid_link',
      'invalid_link',
      'result_not_stored',
    ])
    expect((await results()).get('WEB-1')?.status).toBe('passed')
    expect(await list('WEB-1')).toEqual([])
  })

  it('fill a result up to its limit', async () => {
    const { upload, list, run, token } = await makeScenario()
    const path = `/v1/runs/${run.id}/results/WEB-1/links`
    await server.request('POST', path, { token, body: { url: 'https://acme.test/by-hand' } })
    const urls = Array.from({ length: MAX_LINKS + 1 }, (_, index) => `https://acme.test/${index}`)
    const { body } = await upload({ format: 'tests', tests: [link('[WEB-1] pays', ...urls)] })
    expect(body.links).toMatchObject({
      added: MAX_LINKS - 1,
      refused_count: 2,
      refused: [{ code: 'too_many_links' }, {}],
    })
    expect(await list('WEB-1')).toHaveLength(MAX_LINKS)
  })

  it('are only counted in a dry run', async () => {
    const { upload, list } = await makeScenario()
    const tests = [link('[WEB-1] pays', DEFECT), link('[WEB-1] pays again', DEFECT)]
    const { body } = await upload({ format: 'tests', tests, dry_run: true })
    expect(body.links).toEqual({ added: 1, known: 0, refused_count: 0, refused: [] })
    expect(await list('WEB-1')).toEqual([])
  })
})
