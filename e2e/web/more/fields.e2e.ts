import { makeRun } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { type CaseScenario, getPanel } from '../case-scenario.ts'
import { openAs, type Role } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'
import { allTypes, makeFieldScenario, severity } from '../field-scenario.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

async function open(scenario: CaseScenario, path: string, role: Role = 'member'): Promise<Page> {
  const page = await browser.newPage()
  await openAs(page, server, scenario.project, path, role)
  return page
}

const getButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const readFields = async (scenario: CaseScenario, id: string) => (await scenario.read(id)).fields

describe('the fields of a project', () => {
  it('are added with options and a default for existing test cases, moved by key, changed, retired and deleted', async () => {
    const scenario = await makeFieldScenario(server)
    const settings = `/projects/${scenario.project.id}/settings/fields`
    const page = await open(scenario, settings, 'admin')
    await page.getByText('No fields yet').waitFor()
    await checkPage(page, 'fields none')

    await getButton(page, 'New field').click()
    const dialog = page.getByRole('dialog', { name: 'New field' })
    await getButton(page, 'Add field').click()
    await dialog.getByText('Enter a name.').waitFor()
    await dialog.getByLabel('Name').fill('Severity')
    expect(await dialog.getByLabel('Key').inputValue()).toBe('severity')
    await getButton(page, 'Add an option').click()
    const paste = async (text: string) =>
      await page.evaluate((pasted) => {
        const data = new DataTransfer()
        data.setData('text/plain', pasted)
        document.activeElement?.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        )
      }, text)
    await dialog.getByLabel('Option 1', { exact: true }).focus()
    await paste('Blocker\nMinor')
    await dialog.getByLabel('Option 2', { exact: true }).press('Enter')
    // The line has the focus once it is drawn.
    await dialog.getByLabel('Option 3', { exact: true }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Trivial')
    await dialog.getByLabel('Default').selectOption('Minor')
    await dialog.getByLabel('Set it on the 6 existing test cases').check()
    await checkPage(page, 'fields new')
    await getButton(page, 'Add field').click()
    await page.getByText('Severity of 6 test cases set').waitFor()
    expect(await readFields(scenario, 'WEB-4')).toEqual({ severity: 'minor' })
    await page.keyboard.press('Control+z')
    await expect.poll(() => readFields(scenario, 'WEB-4')).toBeUndefined()

    await scenario.send('POST', '/fields', allTypes[1])
    // The other one appears by itself.
    const handle = page.getByRole('button', { name: 'Move Risk, place 2 of 2' })
    await handle.press('Alt+ArrowUp')
    await expect.poll(async () => (await scenario.listFields()).map(({ key }) => key)).toEqual(['risk', 'severity'])
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Move Risk, place 1 of 2')
    const severityRow = page.getByRole('listitem').filter({ hasText: 'Severity' })
    await severityRow
      .getByRole('button', { name: /^Move/ })
      .dragTo(page.getByRole('listitem').filter({ hasText: 'Risk' }), {
        targetPosition: { x: 100, y: 4 },
      })
    await expect.poll(async () => (await scenario.listFields()).map(({ key }) => key)).toEqual(['severity', 'risk'])
    await checkPage(page, 'fields some')

    await getButton(page, 'Change Severity').click()
    const change = page.getByRole('dialog', { name: 'Change “Severity”' })
    await change.getByLabel('Option 1', { exact: true }).fill('Stops everything')
    await getButton(page, 'Retire option 3').click()
    await change.getByText('6 test cases without a value can still be changed.', { exact: false }).waitFor()
    await getButton(page, 'Save').click()
    await page.getByText('One option: Stops everything, Minor').waitFor()
    expect((await scenario.listFields())[0]?.options).toEqual([
      { key: 'blocker', label: 'Stops everything', is_retired: false },
      { key: 'minor', label: 'Minor', is_retired: false },
      { key: 'trivial', label: 'Trivial', is_retired: true },
    ])

    await scenario.changeAsOther('WEB-2', { fields: { severity: 'minor' } })
    await getButton(page, 'More about Severity').click()
    await page.getByRole('menuitem', { name: 'Merge options…' }).click()
    const merge = page.getByRole('dialog', { name: 'Merge options of “Severity”' })
    await merge.getByLabel('This option').selectOption('Minor')
    await merge.getByLabel('becomes').selectOption('Stops everything')
    await checkPage(page, 'fields merge')
    await getButton(page, 'Merge').click()
    await page.getByText('“Minor” merged into “Stops everything” in 1 test case').waitFor()
    expect(await readFields(scenario, 'WEB-2')).toEqual({ severity: 'blocker' })
    expect((await scenario.listFields())[0]).toMatchObject({
      default: 'blocker',
      options: [{}, { is_retired: true }, {}],
    })
    await page.keyboard.press('Control+z')
    await expect.poll(() => readFields(scenario, 'WEB-2')).toEqual({ severity: 'minor' })
    expect((await scenario.listFields())[0]).toMatchObject({
      default: 'minor',
      options: [{}, { is_retired: false }, {}],
    })

    const retire = async () => {
      await getButton(page, 'More about Risk').click()
      await page.getByRole('menuitem', { name: 'Retire' }).click()
      await page.getByText('“Risk” retired').waitFor()
    }
    await retire()
    await page.keyboard.press('Control+z')
    await getButton(page, 'Change Risk').waitFor()
    await retire()
    await checkPage(page, 'fields retired')
    await getButton(page, 'Delete Risk').click()
    const confirm = page.getByRole('alertdialog')
    await confirm.getByLabel('Type “Risk” to confirm').fill('Risk')
    await confirm.getByRole('button', { name: 'Delete field' }).click()
    await expect.poll(async () => (await scenario.listFields()).map(({ key }) => key)).toEqual(['severity'])
  })

  it('are at most 30, with names and labels of any length', async () => {
    const scenario = await makeFieldScenario(server)
    const options = Array.from({ length: 200 }, (_, index) => ({
      key: `o${index}`,
      label: `${index} ${'x'.repeat(90)}`,
    }))
    for (let index = 0; index < 30; index += 1) {
      const name = index === 0 ? 'A name '.repeat(36).trim() : `Field ${index}`
      const type = index === 1 ? { type: 'select', options } : { type: 'text' }
      await scenario.send('POST', '/fields', { key: `f${index}`, name, ...type })
    }
    await scenario.changeAsOther('WEB-1', { fields: { f1: 'o199' } })
    const page = await open(scenario, `/projects/${scenario.project.id}/settings/fields`, 'admin')
    await page.getByText('There are 30 fields in use, the most.', { exact: false }).waitFor()
    expect(await getButton(page, 'New field').isDisabled()).toBe(true)
    await checkPage(page, 'fields overfull')
    await page.goto(`${server.url}${scenario.path}?case=WEB-1`)
    await getPanel(page)
      .getByRole('button', { name: /^Field 1: 199/ })
      .click()
    await page.getByPlaceholder('Find among 200 options').fill('17 xx')
    await checkPage(page, 'fields many options')
  })
})

describe('the fields of a test case', () => {
  it('save as they are chosen and typed, in every type; a conflict is decided for each; members read them while they test', async () => {
    const scenario = await makeFieldScenario(server, allTypes)
    const page = await open(scenario, `${scenario.path}?case=WEB-1`)
    const panel = getPanel(page)
    await panel.getByLabel('Severity').selectOption('Blocker')
    const risk = panel.getByLabel('Risk')
    await risk.fill('11')
    await risk.blur()
    await panel.getByText('Enter 10 or less.').waitFor()
    await risk.fill('7,5')
    await panel.getByLabel('Component').fill('Checkout')
    await panel.getByRole('button', { name: 'Browsers: none' }).click()
    await page.getByRole('checkbox', { name: 'Minor' }).check()
    await page.getByRole('checkbox', { name: 'Blocker' }).check()
    await page.keyboard.press('Escape')
    await panel.getByLabel('Due').fill('2026-12-24')
    await panel.getByLabel('Can be automated').selectOption('No')
    const design = panel.getByLabel('Design')
    await design.fill('ftp://example.org')
    await design.blur()
    await panel.getByText('This must be an address that begins with http:// or https://.').waitFor()
    await checkPage(page, 'fields of a test case')
    await design.fill('https://example.org/card')
    await panel.getByRole('button', { name: 'Edit Background' }).click()
    await page.keyboard.type('Why **this** matters')
    await page.keyboard.press('Escape')
    const values = {
      severity: 'blocker',
      risk: 7.5,
      browsers: ['blocker', 'minor'],
      component: 'Checkout',
      due: '2026-12-24',
      automatable: false,
      design: 'https://example.org/card',
      background: 'Why **this** matters',
    }
    await expect.poll(() => readFields(scenario, 'WEB-1')).toEqual(values)
    await panel.getByLabel('Can be automated').selectOption('—')
    await expect.poll(() => readFields(scenario, 'WEB-1')).not.toHaveProperty('automatable')

    // Offline, so that what the other user changes is not seen first.
    await page.context().setOffline(true)
    await panel.getByLabel('Component').fill('Basket')
    await panel.getByLabel('Severity').selectOption('Minor')
    await panel.getByText('Not saved', { exact: true }).waitFor()
    await scenario.changeAsOther('WEB-1', { fields: { component: 'Payment', risk: 1 } })
    await page.context().setOffline(false)
    const conflict = page.getByRole('region', { name: 'Two versions' })
    await conflict.getByRole('heading', { name: 'Component' }).waitFor()
    expect(await conflict.getByRole('heading', { level: 3 }).count()).toBe(1)
    await conflict.getByText('Keep mine').click()
    await getButton(page, 'Save the choice').click()
    await expect
      .poll(() => readFields(scenario, 'WEB-1'))
      .toMatchObject({ component: 'Basket', severity: 'minor', risk: 1 })

    await scenario.changeAsOther('WEB-1', { steps: [], precondition: '' })
    const run = await makeRun(server, scenario.project)
    await page.goto(`${server.url}/runs/${run.id}/execute`)
    await page.getByRole('option', { name: /WEB-1/ }).click()
    await page.getByRole('term').filter({ hasText: 'Component' }).waitFor()
    await page.getByText('Dec 24, 2026').waitFor()
    await page.getByRole('heading', { name: 'Background' }).waitFor()
    await checkPage(page, 'fields while testing')
  })

  it('have their defaults in a new one, in which a required one must be there; viewers read them, retired ones, too', async () => {
    const scenario = await makeFieldScenario(server, [
      { ...severity, default: 'minor' },
      { ...allTypes[3], is_required: true },
      { ...allTypes[8], default: 'Nothing yet' },
    ])
    const page = await open(scenario, scenario.path)
    await page.getByRole('button', { name: /^New case/ }).click()
    const panel = getPanel(page)
    expect(await panel.getByLabel('Severity').inputValue()).toBe('minor')
    await panel.getByRole('textbox', { name: 'Title' }).fill('A refund')
    await panel.getByLabel('Severity').selectOption('—')
    await panel.getByText('This is required.').waitFor()
    await panel.getByLabel('Component (required)').fill('Payment')
    await page.keyboard.press('Tab')
    await expect
      .poll(async () => readFields(scenario, 'WEB-7').catch(() => null))
      .toEqual({ component: 'Payment', background: 'Nothing yet' })
    const retiredId = (await scenario.listFields()).find(({ key }) => key === 'component')?.id
    await scenario.send('POST', `/fields/${retiredId}/retire`)
    const viewer = await open(scenario, `${scenario.path}/WEB-7`, 'viewer')
    await viewer.getByText('Component (retired)').waitFor()
    await viewer.getByText('Nothing yet').waitFor()
    expect(await viewer.getByLabel('Severity').count()).toBe(0)
  })
})
