import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

import { holdRequests } from '../case-actions.ts'
import { openAs, openWithSession } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { makeRunScenario } from '../run-scenario.ts'
import { countStored, drawPicture, transfer } from '../test-files.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

/** What must stay text: scripts, handlers, frames, forms, and addresses that run or read something. */
const HOSTILE = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 2">',
  '<iframe src="https://evil.test"></iframe>',
  '[a](javascript:window.hacked=3)',
  '[b](data:text/html,<script>window.hacked=4</script>)',
  '[c](vbscript:x) [d](file:///etc/passwd) [e](user:javascript:alert)',
  '![f](javascript:window.hacked=5)',
  '![g](attachment:019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40)',
  '@[<b>x</b>](user:019aa5b4-6a10-7b3e-8c21-5d9f3e7a1b40" onclick="window.hacked=6)',
  '<svg onload="window.hacked=7"></svg><style>*{display:none}</style>',
].join('\n\n')

describe('comments', () => {
  it('are written with a mention and a picture, kept over a reload, changed, deleted, and found by who is mentioned', async () => {
    const { project, runId } = await makeRunScenario(server)
    const grace = await makeMember(server, project.id, 'viewer')
    await server.db.updateTable('users').set({ name: 'Grace Hopper' }).where('id', '=', grace.id).execute()
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${runId}?result=WEB-1`)
    await page
      .getByRole('grid', { name: 'Results' })
      .getByRole('row', { name: /WEB-1\b/ })
      .click()
    const section = page.getByRole('region', { name: 'Comments', exact: true })
    const field = section.getByRole('textbox', { name: 'Comment' })
    await field.click()
    await page.keyboard.type('Hello @gr')
    await section.getByRole('option', { name: 'Grace Hopper' }).waitFor()
    await checkPage(page, 'comments mention')
    await field.focus()
    await page.keyboard.press('End')
    await page.keyboard.type('a')
    await section.getByRole('option', { name: 'Grace Hopper' }).waitFor()
    await page.keyboard.press('Escape')
    await section.getByRole('option').waitFor({ state: 'detached' })
    await page.keyboard.type('c')
    await section.getByRole('option', { name: 'Grace Hopper' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => field.inputValue()).toBe('Hello @Grace Hopper ')
    await page.keyboard.type('it **fails**: ')
    const shot = { name: 'image.png', type: 'image/png', content: await drawPicture(page, '#b42318') }
    // Without a network, the picture waits in this browser, and the comment waits for it.
    await page.route('**/attachments?name=*', (route) => route.abort())
    await transfer(page, 'paste', [shot], 'textarea')
    await expect.poll(() => field.inputValue()).toMatch(/fails\*\*: !\[pasted .*\]\(upload:[0-9a-f]+\)$/)
    const composer = section.getByRole('form', { name: 'New comment' })
    await composer.getByText('1 file not sent yet, trying again').waitFor()
    await field.focus()
    await page.keyboard.press('Control+Enter')
    await composer.getByText('The comment is sent after that.').waitFor()

    await page.reload()
    await expect.poll(() => field.inputValue()).toMatch(/^Hello @Grace Hopper it \*\*fails\*\*: !\[pasted/)
    expect(await countStored(page)).toBe(1)
    await page.unrouteAll({ behavior: 'wait' })
    await expect.poll(() => countStored(page)).toBe(0)
    await section.getByRole('button', { name: 'Preview' }).click()
    const preview = section.getByRole('region', { name: 'Preview' })
    await preview.getByText('@Grace Hopper').waitFor()
    await preview.locator('strong', { hasText: 'fails' }).waitFor()
    await expect.poll(() => preview.locator('img').count()).toBe(1)
    await section.getByRole('button', { name: 'Write' }).click()
    // Another user sees it at once, without the interval of the list.
    const other = await browser.newWindow()
    await openWithSession(other, server, grace, `/runs/${runId}?result=WEB-1`)
    await other
      .getByRole('grid', { name: 'Results' })
      .getByRole('row', { name: /WEB-1\b/ })
      .click()
    const otherSection = other.getByRole('region', { name: 'Comments', exact: true })
    await otherSection.waitFor()
    await other.getByText('Live', { exact: true }).waitFor()
    await field.focus()
    await page.keyboard.press('Control+Enter')
    await otherSection.getByRole('article').getByText('@Grace Hopper').waitFor({ timeout: 10_000 })
    const comment = section.getByRole('article')
    await comment.getByText('@Grace Hopper').waitFor()
    await expect.poll(() => comment.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(640)
    expect(await field.inputValue()).toBe('')

    await comment.getByRole('button', { name: 'Edit' }).click()
    const changed = comment.getByRole('textbox', { name: 'Text of the comment' })
    expect(await changed.inputValue()).toMatch(/^Hello @Grace Hopper it/)
    await changed.fill('Hello @Grace Hopper, it works again')
    await comment.getByRole('button', { name: 'Save' }).click()
    await comment.getByText('it works again').waitFor()
    await comment.getByRole('button', { name: 'Edited' }).click()
    await comment.getByRole('list', { name: 'Earlier texts' }).getByText('fails').waitFor()
    await section.getByText('Activity').click()
    await section.getByText(/commented:/).waitFor()
    await checkPage(page, 'comments')

    await field.fill('a mistake')
    await section.getByRole('button', { name: 'Comment', exact: true }).click()
    const mistake = section.getByRole('article').filter({ hasText: 'a mistake' })
    await mistake.getByRole('button', { name: 'Delete' }).click()
    await mistake.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await mistake.waitFor()
    await mistake.getByRole('button', { name: 'Delete' }).click()
    // What is deleted is sent when the page is left.
    await page.reload()
    await section.getByText(/^Comment deleted by/).waitFor()

    await page.getByRole('link', { name: 'Execute' }).click()
    await page.getByRole('heading', { level: 1, name: 'A customer pays in way 1', exact: true }).waitFor()
    await section.getByText('it works again').waitFor()
    await page.keyboard.press('m')
    await page.keyboard.type('from the keyboard')
    await page.keyboard.press('Control+Enter')
    await otherSection.getByRole('article').getByText('from the keyboard').waitFor({ timeout: 10_000 })

    await openWithSession(page, server, grace, '/work?tab=mentions')
    await page.getByText('1 not read.').waitFor()
    await checkPage(page, 'mentions')
    await page
      .getByRole('link', { name: /on A?.*/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByText('You have read all of them.').waitFor()
    await page.locator('main li').getByRole('link').first().click()
    await section.getByText('it works again').waitFor()
    expect(await section.getByRole('button', { name: /Edit$|Delete/ }).count()).toBe(0)
    expect(await section.getByRole('textbox').count()).toBe(0)
  })

  it('take what is typed after their key while their code is loaded, which sets no result', async () => {
    const { project, runId, getResult } = await makeRunScenario(server)
    const page = await browser.newPage()
    const release = await holdRequests(page, '**/assets/comment-places-*.js', 'GET')
    await openAs(page, server, project, `/runs/${runId}/execute`)
    await page.getByRole('heading', { level: 1, name: 'A customer pays in way 1', exact: true }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.keyboard.press('m')
    await page.keyboard.type('before it is')
    release()
    const field = page.getByRole('textbox', { name: 'Comment', exact: true })
    await expect.poll(() => field.inputValue()).toBe('before it is')
    await page.keyboard.type(' there')
    await expect.poll(() => field.inputValue()).toBe('before it is there')
    expect((await getResult('WEB-1')).status).toBe('not_tested')
  })

  it('stay with the name of their author when the author leaves the project, as does what the author attached', async () => {
    const { project, runId } = await makeRunScenario(server)
    const { token } = project.admin
    const [leaving, path] = [await makeMember(server, project.id, 'member'), `/v1/runs/${runId}/results/WEB-1`]
    const send = async (method: string, to: string, options: { token: string; body?: object }) =>
      expect((await server.request(method, to, options)).status).toBeLessThan(300)
    await send('POST', `${path}/comments`, { token: leaving.token, body: { body: 'I saw it twice.' } })
    const body = Buffer.from('a log of mine')
    await send('POST', `${path}/attachments?name=mine.txt`, { token: leaving.token, body })
    await send('DELETE', `/v1/projects/${project.id}/members/${leaving.id}`, { token })
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${runId}/execute`)
    const comment = page.getByRole('article', { name: /^Comment by Person \d+$/ })
    await comment.getByText('I saw it twice.').waitFor()
    await page
      .getByRole('button', { name: /mine\.txt/ })
      .first()
      .click()
    const viewer = page.getByRole('dialog')
    await viewer.getByText('a log of mine').waitFor()
    await page.keyboard.press('i')
    await viewer.getByText(/^Person \d+$/).waitFor()
  })

  it('run nothing that they contain, and page backwards through a thousand', async () => {
    const { project, runId } = await makeRunScenario(server)
    const { token } = project.admin
    const path = `/v1/projects/${project.id}/test-cases/WEB-1/comments`
    for (let number = 1; number <= 45; number += 1) {
      await server.request('POST', path, { token, body: { body: number === 45 ? HOSTILE : `comment ${number}.` } })
    }
    await server.request('POST', `/v1/runs/${runId}/comments`, { token, body: { body: 'We **release** it.' } })
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy|violates/i.test(message.text())) errors.push(message.text())
    })
    await openAs(page, server, project, `/projects/${project.id}/cases?case=WEB-1`)
    const section = page.getByRole('region', { name: 'Comments', exact: true })
    const hostile = section.getByRole('article').last()
    await hostile.getByText('window.hacked = 1').waitFor()
    expect(
      await hostile.locator('script,iframe,svg:not([aria-hidden]),style,form,[onerror],[onload],[onclick]').count(),
    ).toBe(0)
    const addresses = await hostile
      .locator('a,img')
      .evaluateAll((elements) =>
        elements.map((element) => element.getAttribute('href') ?? element.getAttribute('src') ?? ''),
      )
    expect(addresses.filter((address) => !/^(?:https?:|mailto:|\/|#|$)/.test(address))).toEqual([])
    await hostile.getByText('Removed: g').waitFor()
    for (const letter of ['a', 'b', 'c', 'd']) {
      const link = hostile.getByRole('link', { name: letter, exact: true })
      expect(await link.count()).toBe(0)
    }
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    expect(errors).toEqual([])
    expect(await section.getByRole('article').count()).toBe(20)
    await section.getByRole('button', { name: 'Show earlier comments' }).click()
    await expect.poll(() => section.getByRole('article').count()).toBe(40)
    await section.getByRole('button', { name: 'Show earlier comments' }).click()
    await section.getByText('comment 1.', { exact: true }).waitFor()
    await section.getByRole('button', { name: 'Show earlier comments' }).waitFor({ state: 'detached' })

    await page.goto(`${server.url}/runs/${runId}`)
    await page.getByRole('button', { name: '1 comment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Comments on the run' })
    await dialog.getByText('release').waitFor()
    await checkPage(page, 'comments run')
  })
})
