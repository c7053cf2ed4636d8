import { findFreePort } from '@caseward/embedded-postgres/find-free-port'
import { makeProject, makeRun } from '@caseward/test-support/factories'
import { type TestServer, useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { openAs } from '../open-as.ts'
import { recordTrace, TRACED_TEXT } from '../record-trace.ts'
import { useBrowser } from '../use-browser.ts'

const browser = useBrowser()
/** The files of the second server are at `files.localhost`, which browsers look for on their own machine. */
let port: number
beforeAll(async () => {
  port = await findFreePort()
})
const getFilesOrigin = () => `http://files.localhost:${port}`

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

async function attachAll(server: TestServer) {
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

/** A window whose console may report what a policy blocks: that is what the tests are about. */
async function openPlainPage(): Promise<Page> {
  const context = await (await browser.newPage()).context().browser()?.newContext()
  if (context === undefined) throw new Error('There is no browser')
  onTestFinished(() => context.close())
  return await context.newPage()
}

/** Where a browser is sent for the contents. */
async function getAddresses(page: Page, server: TestServer, urls: readonly string[]): Promise<string[]> {
  const responses = await Promise.all(urls.map((url) => page.request.get(server.url + url, { maxRedirects: 0 })))
  return responses.map((response) => response.headers()['location'] ?? '')
}

/** Opens a page without a policy at an origin, which shows the contents in every way, and each of them by itself. */
async function openInEveryWay(page: Page, origin: string, urls: readonly string[], seen: string[]): Promise<void> {
  await page.route(`**${HOST}`, (route) => route.fulfill({ contentType: 'text/html', body: buildHost(urls) }))
  await page.goto(origin + HOST, { waitUntil: 'load' })
  expect(seen).toEqual([])
  // The host itself would run them: the test sees what it looks for.
  await page.evaluate((code) => {
    document.head.append(Object.assign(document.createElement('script'), { textContent: code }))
  }, script)
  await expect.poll(() => seen.length).toBeGreaterThan(1)
  await page.unroute(`**${HOST}`)

  seen.length = 0
  // A download ends the navigation.
  for (const url of urls) await page.goto(new URL(url, origin).href, { waitUntil: 'load' }).catch(() => null)
  expect(seen).toEqual([])
}

describe('hostile files', () => {
  const server = useTestServer()

  it('run nothing as a picture, video, frame, object or script of a page of the same site, nor when opened', async () => {
    const { project, urls } = await attachAll(server)
    const page = await openPlainPage()
    await openAs(page, server, project, '/')
    await openInEveryWay(page, server.url, urls, await watch(page))
  })
})

describe('hostile files with FILES_ORIGIN', () => {
  const server = useTestServer(() => ({ filesOrigin: getFilesOrigin(), port }))

  it('run nothing of the other host, in pages of the app and of the other host, nor when opened', async () => {
    const { project, urls } = await attachAll(server)
    const page = await openPlainPage()
    await openAs(page, server, project, '/')
    const seen = await watch(page)
    const addresses = await getAddresses(page, server, urls)
    expect(addresses.filter((address) => address.startsWith(`${getFilesOrigin()}/content/`))).toHaveLength(urls.length)
    await openInEveryWay(page, server.url, urls, seen)
    seen.length = 0
    await openInEveryWay(page, server.url, addresses, seen)
    seen.length = 0
    await openInEveryWay(page, getFilesOrigin(), addresses, seen)
    // Nothing on the other host has set a cookie, and none of the app's is sent there.
    expect(await page.context().cookies(getFilesOrigin())).toEqual([])
  })

  it('show pictures in the app, and open a trace in a window that cannot reach the app', async () => {
    const project = await makeProject(server)
    const run = await makeRun(server, project)
    const page = await openPlainPage()
    const attach = async (name: string, body: Buffer) => {
      const path = `/v1/runs/${run.id}/attachments?name=${name}`
      return (await server.request<{ data: { id: string } }>('POST', path, { token: project.admin.token, body })).body
        .data.id
    }
    await page.goto('about:blank')
    const trace = await attach('trace.zip', await recordTrace(page))
    const picture = await attach('shot.png', await page.screenshot())
    await openAs(page, server, project, `/files/${project.id}/${picture}`)
    const image = page.getByRole('img', { name: 'shot.png' })
    await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1280)

    await page.goto(`${server.url}/files/${project.id}/${trace}`)
    const popup = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Open trace' }).click()
    const viewer = await popup
    await viewer.getByText('A customer pays').first().waitFor()
    const snapshot = viewer.frameLocator('iframe.snapshot-visible')
    await snapshot.getByText(TRACED_TEXT).waitFor()
    await page.getByText('The trace is open in another window.').waitFor()
    expect(new URL(viewer.url()).origin).toBe(getFilesOrigin())

    // What a script of a trace could try.
    const attempts = await viewer.evaluate(async (app) => {
      const outcome = async (attempt: () => unknown) => {
        try {
          return `reached: ${JSON.stringify(await attempt())}`
        } catch (error) {
          return (error as Error).name
        }
      }
      const { opener } = window as unknown as { opener: Window }
      return {
        document: await outcome(() => opener.document.title),
        storage: await outcome(() => opener.localStorage.length),
        frames: await outcome(() => opener.location.href),
        request: await outcome(async () => (await fetch(`${app}/v1/me`, { credentials: 'include' })).status),
        write: await outcome(
          async () => (await fetch(`${app}/v1/projects`, { method: 'POST', credentials: 'include' })).status,
        ),
        cookies: document.cookie,
      }
    }, server.url)
    expect(attempts).toEqual({
      document: 'SecurityError',
      storage: 'SecurityError',
      frames: 'SecurityError',
      request: 'TypeError',
      write: 'TypeError',
      cookies: '',
    })
    await viewer.close()
  })
})
