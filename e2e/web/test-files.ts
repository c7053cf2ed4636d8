import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { BrowserContext, Page } from 'playwright-core'

/** A picture, as a screenshot of a page is. */
export async function drawPicture(page: Page, color: string, width = 640, height = 400): Promise<Buffer> {
  const url = await page.evaluate(
    ([fill, x, y]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: x, height: y })
      const context = canvas.getContext('2d')
      if (context === null) throw new Error('no canvas')
      context.fillStyle = '#ffffff'
      context.fillRect(0, 0, x, y)
      context.fillStyle = fill
      context.fillRect(40, 40, x / 2, 60)
      context.font = '28px sans-serif'
      context.fillText('Payment failed: error 500', 40, y / 2)
      return canvas.toDataURL('image/png')
    },
    [color, width, height] as const,
  )
  return Buffer.from(url.split(',')[1] ?? '', 'base64')
}

/** A file as a user chooses it. */
interface TestFile {
  name: string
  type: string
  content: Buffer
}

/** What a browser sends for `Ctrl V` or a drop: the clipboard of the system cannot be filled in a test. */
export async function transfer(page: Page, kind: 'paste' | 'dragover' | 'drop', files: TestFile[], selector = 'main') {
  const sent = files.map(({ content, ...file }) => ({ ...file, base64: content.toString('base64') }))
  await page.evaluate(
    ([type, data, target]) => {
      const transferred = new DataTransfer()
      for (const { name, type: mediaType, base64 } of data) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
        transferred.items.add(new File([bytes], name, { type: mediaType }))
      }
      const init = { bubbles: true, cancelable: true }
      const event =
        type === 'paste'
          ? new ClipboardEvent(type, { ...init, clipboardData: transferred })
          : new DragEvent(type, { ...init, dataTransfer: transferred })
      const isOnPage = type === 'paste' && target === 'main'
      ;(isOnPage ? document.body : document.querySelector(target))?.dispatchEvent(event)
    },
    [kind, sent, selector] as const,
  )
}

/** The files of Playwright's viewer, in the build of the app. */
const traceViewer = fileURLToPath(new URL('../../apps/web/dist/app/trace-viewer/', import.meta.url))

/** Answers for https://trace.playwright.dev with Playwright's own viewer: tests use no other machine. */
export async function serveTraceViewer(context: BrowserContext): Promise<void> {
  await context.route('https://trace.playwright.dev/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    await route.fulfill({ path: join(traceViewer, pathname === '/' ? 'index.html' : pathname) })
  })
}

/** Number of files that are kept in the browser. */
export const countStored = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const request = indexedDB.open('caseward-uploads')
        request.addEventListener('error', () => reject(new Error('no database')))
        request.addEventListener('success', () => {
          const count = request.result.transaction('contents').objectStore('contents').count()
          count.addEventListener('success', () => {
            request.result.close()
            resolve(count.result)
          })
        })
      }),
  )

/** A second of a canvas that changes. */
export async function recordVideo(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 200 })
    const context = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' })
    const chunks: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => chunks.push(data))
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve))
    recorder.start()
    for (let frame = 0; frame < 15; frame += 1) {
      context?.fillRect(frame * 20, 0, 10, 200)
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    recorder.stop()
    await stopped
    const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer())
    return btoa(String.fromCharCode(...bytes))
  })
  return Buffer.from(base64, 'base64')
}
