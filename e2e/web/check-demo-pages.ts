import { useTestServer } from '@caseward/test-support/test-server'
import { beforeAll, describe, expect, it } from 'vitest'

import { openAsInstanceAdmin } from './administration-scenario.ts'
import { type Demo, demoPages, makeDemo, UNKNOWN_PATH } from './demo-pages.ts'
import { follow } from './follow.ts'
import { joinProject } from './open-as.ts'
import { checkPage, type CheckOptions } from './page-checks.ts'
import { useBrowser } from './use-browser.ts'
import { LEFT_OPEN } from './window-pool.ts'

/**
 * Registers a test for each page of a demo project. Each is read by an admin of the project, to whom it offers most.
 * @param claim what the tests prove, for their names
 */
export function checkDemoPages(claim: string, options: CheckOptions = {}): void {
  const server = useTestServer()
  const browser = useBrowser()

  let demo: Demo
  beforeAll(async () => {
    demo = await makeDemo(server)
  })

  const getPage = browser.sharePage(async (page) => {
    const user = await openAsInstanceAdmin(page, server, '/account/profile')
    await joinProject(server, demo, user, 'admin')
    await page.reload()
    await page.getByRole('main').waitFor()
  })

  describe.each(Object.entries(demoPages))('the pages of the route %s', (_, pages) => {
    it.each(Object.entries(pages))(`${claim}: %s`, async (name, getPath) => {
      const page = getPage()
      const main = page.getByRole('main')
      const lost = main.getByRole('heading', { name: 'Page not found' })
      // What is seen then is not left of the page before.
      await follow(page, LEFT_OPEN)
      await lost.waitFor()
      const path = getPath(demo)
      await follow(page, path)
      if (path !== UNKNOWN_PATH) await lost.waitFor({ state: 'detached' })
      await main.getByRole('heading').first().waitFor()
      await checkPage(page, `page-${name.replaceAll(' ', '-')}`, options)
      expect(await main.getByText('could not be loaded').count()).toBe(0)
    })
  })
}
