import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { getPanel, getRow, makeCaseScenario } from './case-scenario.ts'
import { openAs } from './open-as.ts'
import { useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

// HTTP/1.1 allows a browser six connections to a host: a stream of each tab would leave none.
it('eight tabs stay usable, and all show what others and the first of them change', async () => {
  const scenario = await makeCaseScenario(server)
  const first = await browser.newPage()
  await openAs(first, server, scenario.project, scenario.path)
  const others = await Promise.all(
    Array.from({ length: 7 }, async () => {
      const page = await first.context().newPage()
      await page.goto(server.url + scenario.path)
      return page
    }),
  )
  const tabs = [first, ...others]
  await Promise.all(tabs.map((page) => getRow(page, 'WEB-6').waitFor()))
  await Promise.all(tabs.map((page) => page.getByText('Live', { exact: true }).waitFor()))
  await scenario.changeAsOther('WEB-1', { title: 'Seen in eight tabs' })
  await Promise.all(tabs.map((page) => page.getByText('Seen in eight tabs').waitFor()))
  await getRow(first, 'WEB-2').click()
  await getPanel(first).getByRole('textbox', { name: 'Title' }).fill('Typed in the first tab')
  await first.keyboard.press('Enter')
  await Promise.all(others.map((page) => page.getByText('Typed in the first tab').waitFor()))
  expect((await scenario.read('WEB-2')).title).toBe('Typed in the first tab')
})
