import { makeProject, makeRun } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'

import { openAs } from './open-as.ts'
import { useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

/** What every script does that runs: it would be seen from any frame and any origin. */
const script = `parent.postMessage('ran','*');opener&&opener.postMessage('ran','*');new Image().src='/ran';fetch('/ran')`
const html = `<!doctype html><script>${script}</script><img src=x onerror="${script}"><svg onload="${script}">`
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><script>${script}</script></svg>`
const xhtml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`
const styleSheet = `<?xml version="1.0"?><xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:h="http://www.w3.org/1999/xhtml"><xsl:template match="/"><h:script>${script}</h:script></xsl:template></xsl:stylesheet>`
const pdf = `%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj`

const utf7 = `+ADw-script+AD4-${script}+ADw-/script+AD4-`
const gifScript = `GIF89a/*\u0002\0\0\0\0*/=1;${script}`
const zipPage = `PK\u0003\u0004\u0014\0\0\0\0\0${'\0'.repeat(40)}${html}`

/** Contents that a browser could run something of, with the names under which it would. */
const contents: [name: string, content: string][] = [
  ['page.html', html],
  ['shot.png', html],
  ['picture.svg', svg],
  ['page.xhtml', xhtml],
  ['style.xsl', styleSheet],
  ['report.pdf', pdf],
  ['utf7.html', utf7],
  ['polyglot.gif', gifScript],
  ['trace.zip', zipPage],
  ['script.js', script],
]

async function attachAll() {
  const project = await makeProject(server)
  const run = await makeRun(server, project)
  const { token } = project.admin
  const attach = async (name: string, content: string) => {
    const path = `/v1/runs/${run.id}/attachments?name=${encodeURIComponent(name)}`
    const body = Buffer.from(content, 'latin1')
    return (await server.request<{ data: { url: string } }>('POST', path, { token, body })).body.data.url
  }
  const urls = await Promise.all(contents.map(([name, content]) => attach(name, content)))
  const styled = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${urls[4]}"?><a/>`
  return { project, urls: [...urls, await attach('data.xml', styled)] }
}

/** Notes whatever a script would do. */
async function watch(page: Page): Promise<string[]> {
  const seen: string[] = []
  page.context().on('request', (request) => {
    if (request.url().endsWith('/ran')) seen.push(`${request.url()} from ${request.frame().url()}`)
  })
  page.context().on('dialog', (dialog) => void dialog.dismiss().then(() => seen.push(dialog.message())))
  await page.exposeFunction('noteRun', () => seen.push('a message'))
  return seen
}

/** A page of the same origin without any policy, so that nothing but the headers of the files protects it. */
const HOST = '/v1/host-of-this-test'
const buildHost = (urls: readonly string[]) =>
  `<!doctype html><title>Host</title><script>addEventListener('message', ({ data }) => data === 'ran' && noteRun())</script>${urls
    .flatMap((url) => [
      `<img src="${url}">`,
      `<video src="${url}"></video>`,
      `<iframe src="${url}"></iframe>`,
      `<object data="${url}"></object>`,
      `<embed src="${url}">`,
      `<script src="${url}"></script>`,
    ])
    .join('')}`

/** A window whose console may report what the policy of the files blocks: that is what the test is about. */
async function openPlainPage(): Promise<Page> {
  const context = await (await browser.newPage()).context().browser()?.newContext()
  if (context === undefined) throw new Error('There is no browser')
  onTestFinished(() => context.close())
  return await context.newPage()
}

describe('hostile files', () => {
  it('run nothing as a picture, video, frame, object or script of a page of the same site, nor when opened', async () => {
    const { project, urls } = await attachAll()
    const page = await openPlainPage()
    await openAs(page, server, project, '/')
    const seen = await watch(page)
    await page.route(`**${HOST}`, (route) => route.fulfill({ contentType: 'text/html', body: buildHost(urls) }))
    await page.goto(server.url + HOST, { waitUntil: 'load' })
    expect(seen).toEqual([])
    // The host itself would run them: the test sees what it looks for.
    await page.evaluate((code) => {
      document.head.append(Object.assign(document.createElement('script'), { textContent: code }))
    }, script)
    await expect.poll(() => seen.length).toBeGreaterThan(1)
    await page.unroute(`**${HOST}`)

    seen.length = 0
    // A download ends the navigation.
    for (const url of urls) await page.goto(server.url + url, { waitUntil: 'load' }).catch(() => null)
    expect(seen).toEqual([])
  })
})
