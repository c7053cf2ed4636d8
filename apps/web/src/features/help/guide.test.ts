import { readdir } from 'node:fs/promises'

import { describe, expect, it } from 'vitest'

import { HELP_PAGES } from '../../paths.ts'
import { guidePages, loadGuidePage, resolveGuideLink, resolveGuidePicture } from './guide.ts'

const directory = new URL('../../../../../docs/guide/', import.meta.url)

describe('the user guide', () => {
  it('lists all of its pages, and all that the app links to', async () => {
    const files = (await readdir(directory)).filter((name) => name !== 'README.md')
    expect(guidePages.map(({ name }) => `${name}.md`).toSorted()).toEqual(files.toSorted())
    expect(guidePages.map(({ name }) => name)).toEqual(expect.arrayContaining([...HELP_PAGES]))
  })

  it('has a page for each link and a picture for each image', async () => {
    for (const { name } of guidePages) {
      const text = (await loadGuidePage(name)) ?? ''
      expect(text).toMatch(/^# /)
      const targets = [...text.matchAll(/(!?)\[[^\]]*\]\(([^)]+)\)/g)]
      const pictures = targets.filter(([, isImage]) => isImage === '!').map(([, , source = '']) => source)
      expect(pictures.filter((source) => resolveGuidePicture(source) === undefined)).toEqual([])
      const links = targets.map(([, , target = '']) => resolveGuideLink(target))
      const pages = links.flatMap((link) => ('page' in link ? [link.page] : []))
      expect(guidePages.map((page) => page.name)).toEqual(expect.arrayContaining(pages))
    }
    expect(await loadGuidePage('nowhere')).toBe(null)
  })
})

it.each([
  ['keys.md', { page: 'keys' }],
  ['ci.md#when-the-server-is-down', { page: 'ci' }],
  ['https://example.com/a.md', { url: 'https://example.com/a.md' }],
  ['../operating.md', { url: 'https://github.com/caseward/caseward/blob/main/docs/operating.md' }],
  ['../../README.md', { url: 'https://github.com/caseward/caseward/blob/main/README.md' }],
])('the link %s leads to %o', (href, target) => {
  expect(resolveGuideLink(href)).toEqual(target)
})
