import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { declare } from '@caseward/test-support/declared-files'
import { makeCiToken } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { makeRunScenario, type RunScenario } from '../run-scenario.ts'
import { drawPicture, recordVideo } from '../test-files.ts'
import { useBrowser } from '../use-browser.ts'

let filesDir: string
beforeAll(async () => {
  filesDir = await mkdtemp(join(tmpdir(), 'caseward-states-'))
})
afterAll(() => rm(filesDir, { recursive: true }))
const server = useTestServer(() => ({ filesDir }))
const browser = useBrowser()

interface Attached {
  id: string
  file_id: string
}

async function attach({ project, runId }: RunScenario, name: string, body: Buffer): Promise<Attached> {
  const path = `/v1/runs/${runId}/results/WEB-1/attachments?name=${encodeURIComponent(name)}`
  const response = await server.request<{ data: Attached }>('POST', path, { token: project.admin.token, body })
  if (response.status !== 201) throw new Error(`${name}: ${response.status}`)
  return response.body.data
}

it('files > are shown in every state, 24 of many at first, whatever the length of their names', async () => {
  const scenario = await makeRunScenario(server)
  const { project, runId } = scenario
  const token = await makeCiToken(server, project)
  const attachments = ['waiting.png', 'never.png'].map((name) => declare(name, name))
  const results = [{ test_case_id: 'WEB-1', status: 'failed', attachments }]
  await server.request('POST', '/v1/results', { token, body: { run_id: runId, results } })
  const lost = await attach(scenario, 'lost.txt', Buffer.from('lost'))
  const removed = await attach(scenario, 'removed.txt', Buffer.from('removed'))
  await sql`update run_attachments set removed_at = now() where run_id = ${runId} and name = 'never.png'`.execute(
    server.db,
  )
  await sql`update files set is_lost = true where id = ${lost.file_id}`.execute(server.db)
  await sql`update run_attachments set removed_at = now(), file_id = null where id = ${removed.id}`.execute(server.db)
  const long = `${'a very long name of a file '.repeat(10).slice(0, 251)}.txt`
  await attach(scenario, long, Buffer.from('long'))
  for (let number = 1; number <= 25; number += 1) await attach(scenario, `log ${number}.txt`, Buffer.from(`${number}`))

  const page = await browser.newPage()
  await openAs(page, server, project, `/runs/${runId}?status=all`)
  await page
    .getByRole('grid', { name: 'Results' })
    .getByRole('row', { name: /WEB-1\b/ })
    .click()
  const section = page.getByRole('region', { name: 'Files', exact: true })
  await section.getByText('Files (30)').waitFor()
  for (const words of [/^On its way/, 'Never arrived', 'Removed to free space', /^Lost: ask/]) {
    await section.getByText(words).first().waitFor()
  }
  for (const name of ['waiting.png', 'never.png', 'lost.txt', 'removed.txt']) {
    expect(await section.getByRole('button', { name: `Open ${name}` }).count()).toBe(0)
  }
  await section.getByRole('button', { name: `Open ${long}` }).waitFor()
  expect(await section.getByRole('listitem').count()).toBe(24)
  await checkPage(page, 'files states')
  await section.getByRole('button', { name: 'Show all 30' }).click()
  await expect.poll(() => section.getByRole('listitem').count()).toBe(30)
})

it('files > are photographed on a phone', async () => {
  const scenario = await makeRunScenario(server)
  const viewport = { width: 390, height: 844 }
  const page = await browser.newPage({ hasTouch: true, isMobile: true, viewport })
  await openAs(page, server, scenario.project, `/runs/${scenario.runId}/execute`)
  const section = page.getByRole('region', { name: 'Files', exact: true })
  await section.getByRole('button', { name: 'Photo' }).waitFor()
  const camera = section.getByLabel('Photo to attach')
  expect(await camera.getAttribute('capture')).toBe('environment')
  const photo = { name: 'photo.png', mimeType: 'image/png', buffer: await drawPicture(page, '#b42318') }
  await camera.setInputFiles([photo])
  await section.getByRole('button', { name: 'Open photo.png' }).waitFor()
})

it('files > of a video are loaded by ranges', async () => {
  const scenario = await makeRunScenario(server)
  const page = await browser.newPage()
  await page.goto(`${server.url}/sign-in`)
  const { id } = await attach(scenario, 'clip.webm', await recordVideo(page))
  const ranges: (string | undefined)[] = []
  page.on('response', (response) => {
    if (response.status() === 206) ranges.push(response.headers()['content-range'])
  })
  await openAs(page, server, scenario.project, `/files/${scenario.project.id}/${id}`)
  const video = page.locator('video')
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState)).toBeGreaterThan(1)
  const at = await video.evaluate(async (element: HTMLVideoElement) => {
    element.currentTime = 0.4
    await new Promise((resolve) => element.addEventListener('seeked', resolve, { once: true }))
    return element.currentTime
  })
  expect(at).toBeCloseTo(0.4, 1)
  expect(ranges).toContainEqual(expect.stringMatching(/^bytes \d+-\d+\/\d+$/))
})

const LOG_BYTES = 1_073_741_824
const PART_BYTES = 16 * 1_048_576
/** What a page may take for windows of a text, however long it is. */
const MAX_HEAP_MB = 150

it('files > of a log of 1 GB are opened, searched and scrolled in windows', async () => {
  const scenario = await makeRunScenario(server)
  const { project } = scenario
  const { id, file_id: fileId } = await attach(scenario, 'server.log', Buffer.from('is replaced by a longer one'))
  const path = join(filesDir, project.id, fileId.slice(-2), fileId)
  const line = '12:00:00 a request to /payments took 17 ms, and that was not expected\n'
  const part = Buffer.from(line.repeat(Math.ceil(PART_BYTES / line.length))).subarray(0, PART_BYTES)
  const [first, last] = ['the first line\n', '\nthe last line']
  await writeFile(path, first)
  for (let written = 0; written < LOG_BYTES; written += PART_BYTES) await appendFile(path, part)
  await appendFile(path, last)
  const byteCount = LOG_BYTES + first.length + last.length
  await sql`update files set byte_count = ${byteCount} where id = ${fileId}`.execute(server.db)

  const page = await browser.newPage()
  await openAs(page, server, project, `/files/${project.id}/${id}`)
  await page.getByText('the first line').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('payments took')
  await page.getByText(/^1 of [\d,]+ in what is loaded$/).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await page.getByText('the last line').waitFor()
  await page.getByText('100 %', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Earlier' }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByText('the first line').waitFor()
  const heap = await page.evaluate(
    () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize / 1_048_576,
  )
  expect(heap).toBeLessThan(MAX_HEAP_MB)
})
