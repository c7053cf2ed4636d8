import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { getPanel, getRow, makeCaseScenario } from '../case-scenario.ts'
import { openAs } from '../open-as.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

// live-connections.e2e.ts has more tabs than a browser has connections.
it('two tabs both show what others and the first of them change', async () => {
  const scenario = await makeCaseScenario(server)
  const first = await browser.newPage()
  await openAs(first, server, scenario.project, scenario.path)
  const second = await first.context().newPage()
  await second.goto(server.url + scenario.path)
  const tabs = [first, second]
  await Promise.all(tabs.map((page) => getRow(page, 'WEB-6').waitFor()))
  await Promise.all(tabs.map((page) => page.getByText('Live', { exact: true }).waitFor()))
  await scenario.changeAsOther('WEB-1', { title: 'Seen in both tabs' })
  await Promise.all(tabs.map((page) => page.getByText('Seen in both tabs').waitFor()))
  await getRow(first, 'WEB-2').click()
  await getPanel(first).getByRole('textbox', { name: 'Title' }).fill('Typed in the first tab')
  await first.keyboard.press('Enter')
  await second.getByText('Typed in the first tab').waitFor()
  expect((await scenario.read('WEB-2')).title).toBe('Typed in the first tab')
})
