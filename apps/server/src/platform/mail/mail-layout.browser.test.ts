import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Chromium, startChromium } from '@caseward/test-support/chromium'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import type { Tab } from '@caseward/test-support/tab'
import { renderHtmlMail, type MailContent } from './mail-layout.ts'

/** The directory for screenshots to look at; none by default. */
const pictures = process.env['PICTURES']

let chromium: Chromium
let tab: Tab
beforeAll(async () => {
  chromium = await startChromium()
  tab = await chromium.newTab()
}, INSTALL_TIMEOUT_MS)
afterAll(() => chromium.close())

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
    await tab.setAppearance(width, 'light')
    await tab.goto(`data:text/html;charset=utf-8,${encodeURIComponent(renderHtmlMail(content))}`)
    if (pictures !== undefined) {
      await mkdir(pictures, { recursive: true })
      await writeFile(join(pictures, `mail-${name}-${width}.png`), await tab.screenshot())
    }
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(width)
  })
})
