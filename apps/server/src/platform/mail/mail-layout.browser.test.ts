import { join } from 'node:path'

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startChromium } from '@caseward/test-support/chromium'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { renderHtmlMail, type MailContent } from './mail-layout.ts'

/** The directory for screenshots to look at; none by default. */
const pictures = process.env['PICTURES']

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await startChromium()
  page = await browser.newPage()
}, INSTALL_TIMEOUT_MS)
afterAll(() => browser.close())

const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const mails: Record<string, MailContent> = {
  ordinary: {
    heading: 'Join Web shop on Caseward',
    paragraphs: ['Ada invites you to the project Web shop, as a member.', 'The link works once, until tomorrow.'],
    button: { label: 'Join the project', url: `https://caseward.example.test/join/${'s'.repeat(43)}` },
    footer: 'This mail went to ada@example.test.',
  },
  'long-words': {
    heading: `Join ${word} on Caseward`,
    paragraphs: [`${word.repeat(2)} invites you to the project ${word}.`, 'The link works once.'],
    button: { label: word, url: `https://caseward.example.test/join/${'s'.repeat(43)}` },
    footer: `This mail went to ${word.toLowerCase()}@example.test.`,
  },
}

describe.each(Object.entries(mails))('renderHtmlMail with %s content', (name, content) => {
  it.each([320, 375, 1280])('fits a width of %i pixels without horizontal scrolling', async (width) => {
    await page.setViewportSize({ width, height: 900 })
    await page.setContent(renderHtmlMail(content))
    if (pictures !== undefined) {
      await page.screenshot({ path: join(pictures, `mail-${name}-${width}.png`), fullPage: true })
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  })
})
