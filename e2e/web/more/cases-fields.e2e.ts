import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { expectFocus, paste, withClipboard } from '../case-actions.ts'
import { type CaseScenario, getPanel, getState, getTitle, makeCaseScenario } from '../case-scenario.ts'
import { follow } from '../follow.ts'
import { openAs } from '../open-as.ts'
import { takePicture } from '../take-picture.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

async function openCase(query = '?case=WEB-1'): Promise<{ page: Page; scenario: CaseScenario }> {
  const scenario = await makeCaseScenario(server)
  const page = await browser.newPage(withClipboard)
  await openAs(page, server, scenario.project, scenario.path + query)
  await getPanel(page).waitFor()
  return { page, scenario }
}

describe('the editor of a test case', () => {
  it('keeps what was typed in the title with Esc, and closes the panel with a second one', async () => {
    const { page, scenario } = await openCase()
    await getTitle(page).fill('Something else')
    await page.keyboard.press('Escape')
    await getState(page, 'Saved').waitFor()
    expect((await scenario.read('WEB-1')).title).toBe('Something else')
    await page.keyboard.press('Escape')
    await getPanel(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Something else')
  })

  it.each([
    ['action of step 1', 'Open the shop twice'],
    ['expected result of step 1', ' twice'],
    ['precondition', ' twice'],
  ])('keeps what was typed in the %s with Esc, and takes it back with Ctrl+Z in the field', async (name, text) => {
    const { page, scenario } = await openCase()
    const edit = page.getByRole('button', { name: `Edit ${name}`, exact: true })
    const field = page.getByRole('textbox', { name, exact: true })
    await edit.press('Enter')
    await expectFocus(page, name)
    const before = await field.inputValue()
    await page.keyboard.type(' twice')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await getState(page, 'Saved').waitFor()
    await getPanel(page).getByText(text.trim()).first().waitFor()
    const { steps, precondition } = await scenario.read('WEB-1')
    expect(JSON.stringify([steps, precondition])).toContain(`${before} twice`)
    await edit.press('Enter')
    await expectFocus(page, name)
    await page.keyboard.insertText(' or more')
    await page.keyboard.press('Control+z')
    await expect.poll(() => field.inputValue()).toBe(`${before} twice`)
  })

  it('previews pasted lines as steps, and adds them with Enter', async () => {
    const { page, scenario } = await openCase()
    await page.getByRole('button', { name: 'Add a step' }).click()
    await expectFocus(page, 'action of step 2')
    await paste(page, '1. One\n2. Two => Second\n3. Three\tThird\n4. Four\n\n5. Five\n6. Six')
    await page.getByText('6 steps in what you pasted').waitFor()
    await page.keyboard.press('Enter')
    await getState(page, 'Saved').waitFor()
    await expect.poll(async () => (await scenario.read('WEB-1')).steps.length).toBe(7)
    const { steps } = await scenario.read('WEB-1')
    expect(steps[2]).toEqual({ position: 3, action: 'Two', expected: 'Second' })
    expect(steps[3]).toEqual({ position: 4, action: 'Three', expected: 'Third' })
  })

  it('merges the changes of two editors in different fields', async () => {
    const { page, scenario } = await openCase()
    await getTitle(page).fill('Mine')
    await scenario.changeAsOther('WEB-1', { precondition: 'A guest' })
    await page.keyboard.press('Tab')
    await getState(page, 'Saved').waitFor()
    await expect.poll(async () => (await scenario.read('WEB-1')).title).toBe('Mine')
    expect((await scenario.read('WEB-1')).precondition).toBe('A guest')
    await getPanel(page).getByText('A guest').waitFor()
  })

  it('shows Markdown with tables, images and task lists, and no HTML', async () => {
    const { page, scenario } = await openCase()
    const precondition =
      '| Card | Country |\n|---|---|\n| Visa | Germany |\n\n- [x] done\n\n![A card](https://images.example/card.png)\n\n<b id="raw">raw</b><script>throw 1</script>'
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await scenario.changeAsOther('WEB-1', { precondition })
    await page.reload()
    await getPanel(page).getByRole('cell', { name: 'Germany' }).waitFor()
    const image = getPanel(page).getByRole('link', { name: 'Image: A card images.example' })
    expect(await image.getAttribute('href')).toBe('https://images.example/card.png')
    await takePicture(page, 'case-with-image')
    await expect.poll(() => getPanel(page).getByRole('checkbox').isChecked()).toBe(true)
    expect(await page.locator('#raw').count()).toBe(0)
    await expect.poll(() => getPanel(page).getByText('<b id="raw">').count()).toBe(1)
    expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([])
  })

  it('creates a test case in the folder as soon as it has a title, and keeps the focus', async () => {
    const { page, scenario } = await openCase()
    await follow(page, `${scenario.path}?folder=${scenario.folders.account}`)
    // Rows of other folders go once the folder is shown, in which the new test case is created.
    await page.getByRole('row', { name: /WEB-1\b/ }).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /WEB-5/ }).waitFor()
    await page.keyboard.press('c')
    await getState(page, 'Draft').waitFor()
    await getTitle(page).fill('A password can be reset')
    await page.keyboard.press('Tab')
    await expect.poll(() => new URL(page.url()).searchParams.get('case')).toBe('WEB-7')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT')
    expect(await scenario.read('WEB-7')).toMatchObject({
      title: 'A password can be reset',
      folder_id: scenario.folders.account,
    })
    await page.getByRole('row', { name: /A password can be reset/ }).waitFor()
  })

  it('goes on from the title of a new test case to its first step with Enter, and creates it once', async () => {
    const { page, scenario } = await openCase('?case=new')
    await expectFocus(page, 'Title')
    await page.keyboard.type('Written without a mouse')
    await page.keyboard.press('Enter')
    await expectFocus(page, 'action of step 1')
    await page.keyboard.type('Do it')
    await page.keyboard.press('Tab')
    await expectFocus(page, 'expected result of step 1')
    await page.keyboard.type('It is done')
    await page.keyboard.press('Enter')
    await expectFocus(page, 'action of step 2')
    await page.keyboard.press('Escape')
    await getState(page, 'Saved').waitFor()
    await expect
      .poll(async () => (await scenario.read('WEB-7')).steps)
      .toEqual([{ position: 1, action: 'Do it', expected: 'It is done' }])
    expect(await scenario.readOrder()).toHaveLength(7)
  })

  it('says that an automation key is taken, beside its field, and saves one key per line', async () => {
    const { page, scenario } = await openCase()
    await scenario.changeAsOther('WEB-2', { automation_key: 'checkout.pays' })
    const key = getPanel(page).getByRole('textbox', { name: 'Automation key' })
    await key.fill('checkout.pays')
    await key.blur()
    await getState(page, 'Not saved').waitFor()
    await expect.poll(() => key.getAttribute('aria-invalid')).toBe('true')
    await key.fill('checkout.pays by card')
    await key.press('Enter')
    await page.keyboard.type('checkout.pays in time')
    await getState(page, 'Saved').waitFor()
    await expect
      .poll(async () => (await scenario.read('WEB-1')).automation_keys)
      .toEqual(['checkout.pays by card', 'checkout.pays in time'])
  })
})
