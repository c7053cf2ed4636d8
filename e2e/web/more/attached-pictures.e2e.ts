import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { makeRunScenario } from '../run-scenario.ts'
import { drawPicture } from '../test-files.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

it('a text of a test case shows a picture that is attached, on its page and in a run, and says that another one is gone', async () => {
  const { project, runId } = await makeRunScenario(server)
  const { token } = project.admin
  const page = await browser.newPage()
  const path = `/v1/projects/${project.id}/test-cases/WEB-1`
  const { body } = await server.request<{ data: { id: string } }>('POST', `${path}/attachments?name=basket.png`, {
    token,
    body: await drawPicture(page, '#b42318'),
    headers: { 'content-type': 'application/octet-stream' },
  })
  const precondition = `See ![Basket](attachment:${body.data.id})\n\n![Till](attachment:019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40)`
  await server.request('PATCH', path, { token, body: { precondition } })
  const expectPicture = async (place: string) => {
    const picture = page.getByRole('img', { name: 'Basket', exact: true })
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth), { timeout: 15_000 })
      .toBeGreaterThan(0)
    await page.getByText('Picture: Till').waitFor()
    await checkPage(page, `attached picture ${place}`)
  }
  await openAs(page, server, project, `/projects/${project.id}/cases/WEB-1`)
  await expectPicture('of a test case')
  await openAs(page, server, project, `/runs/${runId}?result=WEB-1`)
  const rows = page.getByRole('grid', { name: 'Results' })
  await rows.getByRole('row', { name: /WEB-1\b/ }).click()
  await expectPicture('of a run')
})
