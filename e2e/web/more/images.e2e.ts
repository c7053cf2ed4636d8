import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { getPanel, makeCaseScenario } from '../case-scenario.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

/* Images of other servers, where the operator allows them. Without that: cases-editing.e2e.ts. */

const server = useTestServer({ imageSources: 'https: https://wiki.example.test' })
const browser = useBrowser()

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

it('an image of a named server is loaded at once, and one of another server after a click, until the page is left', async () => {
  const scenario = await makeCaseScenario(server)
  const precondition = [
    '![Of the wiki](https://wiki.example.test/card.png)',
    '![Elsewhere](https://images.example/card.png)',
    '[![Within a link](https://images.example/badge.png)](https://wiki.example.test/)',
  ].join('\n\n')
  await scenario.changeAsOther('WEB-1', { precondition })
  const page = await browser.newPage()
  const asked: string[] = []
  await page.route(
    (url) => url.origin !== server.url,
    async (route) => {
      asked.push(route.request().url())
      await route.fulfill({ contentType: 'image/gif', body: PIXEL })
    },
  )
  await openAs(page, server, scenario.project, `${scenario.path}?case=WEB-1`)
  const panel = getPanel(page)
  await panel.getByRole('img', { name: 'Of the wiki' }).waitFor()
  await panel.getByRole('link', { name: 'Image: Within a link images.example' }).waitFor()
  await checkPage(page, 'case-with-images')
  await expect.poll(() => asked).toEqual(['https://wiki.example.test/card.png'])
  const placeholder = panel.getByRole('button', { name: 'Image: Elsewhere images.example' })
  await placeholder.click()
  await panel.getByRole('img', { name: 'Elsewhere' }).waitFor()
  await expect.poll(() => asked).toContain('https://images.example/card.png')
  expect(
    await panel.getByRole('img', { name: 'Elsewhere' }).evaluate((image: HTMLImageElement) => image.naturalWidth),
  ).toBe(1)
  await page.reload()
  await placeholder.waitFor()
  expect(asked.filter((url) => url === 'https://images.example/card.png')).toHaveLength(1)
})
