import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { chooseFile, openPreview, toCsv, toExcel } from '../transfer-files.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

interface Project {
  id: string
  admin: { token: string }
}

const getPath = ({ id }: Project) => `/projects/${id}/cases/import`
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const getColumn = (page: Page, name: string) => page.getByLabel(`Content of the column “${name}”`)

async function listCases({ id, admin }: Project): Promise<TestCase[]> {
  const path = `/v1/projects/${id}/test-cases?fields=all&per_page=100`
  return (await server.request<{ data: TestCase[] }>('GET', path, { token: admin.token })).body.data
}

/** Opens the page as a member of a new project. */
async function openImport() {
  const project = await makeProject(server)
  const page = await browser.newPage()
  await openAs(page, server, project, getPath(project))
  await page.getByRole('heading', { name: 'Choose a file with test cases' }).waitFor()
  return { project, page }
}

describe('the import page', () => {
  it('creates test cases with folders and steps from a CSV file, after a preview', async () => {
    const { project, page } = await openImport()
    await checkPage(page, 'import-file')
    await chooseFile(
      page,
      toCsv(
        'sep=;\r\nSection;Summary;Importance;Test Steps;Reviewer\r\nCheckout/Payment;Pays by card;High;"1. Pay\n=> Paid\n2. Leave";Ada\r\nCheckout;Pays by voucher;Low;;\r\n',
      ),
    )
    await page.getByRole('cell', { name: 'Pays by card' }).waitFor()
    await checkPage(page, 'import-sample')
    await press(page, 'Continue')
    await getColumn(page, 'Section').waitFor()
    expect(await getColumn(page, 'Importance').inputValue()).toBe('priority')
    expect(await getColumn(page, 'Reviewer').inputValue()).toBe('')
    await checkPage(page, 'import-columns')
    await press(page, 'Preview')
    await page.getByText('2 test cases will be created, 2 folders will be created. Nothing is stored yet.').waitFor()
    await checkPage(page, 'import-preview')
    expect(await listCases(project)).toEqual([])
    await press(page, 'Import 2 test cases')
    await page.getByText('2 test cases created: WEB-1 to WEB-2').waitFor()
    await checkPage(page, 'import-result')
    expect(await listCases(project)).toMatchObject([
      { title: 'Pays by card', priority: 'high', steps: [{ action: 'Pay', expected: 'Paid' }, { action: 'Leave' }] },
      { title: 'Pays by voucher', priority: 'low', steps: [] },
    ])
    await page.getByRole('link', { name: 'Show the test cases' }).click()
    await page.getByRole('treeitem', { name: /Checkout/ }).waitFor()
  })

  it('lets the user change the suggested columns', async () => {
    const { project, page } = await openImport()
    await chooseFile(page, toCsv('Name,Text,Where\nPays,Card,Shop > Basket\n'))
    await press(page, 'Continue')
    expect(await getColumn(page, 'Name').inputValue()).toBe('title')
    await getColumn(page, 'Text').selectOption('Title')
    // A field is in one column only.
    expect(await getColumn(page, 'Name').inputValue()).toBe('')
    await getColumn(page, 'Where').selectOption('Folder')
    expect(await page.getByLabel('Folders are separated by').inputValue()).toBe('>')
    await getColumn(page, 'Text').selectOption('Not imported')
    await page.getByText('Choose the column with the titles').waitFor()
    expect(await page.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true)
    await getColumn(page, 'Text').selectOption('Title')
    await press(page, 'Preview')
    await press(page, 'Import 1 test case')
    await page.getByText('1 test case created: WEB-1').waitFor()
    expect(await listCases(project)).toMatchObject([{ title: 'Card' }])
    expect(await page.getByText('2 folders created').count()).toBe(1)
  })

  it('says which new test cases are similar to others of the project, whose links leave the import as it is', async () => {
    const { project, page } = await openImport()
    await makeTestCase(server, project, { title: 'A customer pays by card' })
    await makeTestCase(server, project, { title: 'A customer pays by voucher', steps: [] })
    const long = `A customer pays by voucher ${'and by voucher '.repeat(11)}`.slice(0, 200)
    await openPreview(
      page,
      toCsv(`title,steps\na customer pays by  card,1. Pay\nLooks around,\nA customer pays by vouchers,\n${long},\n`),
    )
    await page.getByText('3 new test cases are similar to one that exists.').waitFor()
    const card = page.getByRole('row', { name: /a customer pays by card/ })
    await card.getByText('Similar to WEB-1').waitFor()
    await card.getByTitle('WEB-1 A customer pays by card').waitFor()
    expect(await page.getByRole('row', { name: /Looks around/ }).innerText()).not.toContain('Similar')
    await checkPage(page, 'import-similar')
    await page.getByRole('radio', { name: 'Similar 3' }).check()
    expect(await page.getByRole('row', { name: /Looks around/ }).count()).toBe(0)
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      page
        .getByRole('row', { name: /by vouchers/ })
        .getByRole('link', { name: 'WEB-2' })
        .click(),
    ])
    await opened.getByRole('textbox', { name: 'Title' }).waitFor()
    await opened.close()
    await press(page, 'Import 4 test cases')
    await page.getByText('4 test cases created: WEB-3 to WEB-6').waitFor()
  })

  it('lists every refused row with its reasons, and stores the others only if the user leaves these out', async () => {
    const { project, page } = await openImport()
    await makeTestCase(server, project, { title: 'Existing' })
    await makeTestCase(server, project, { title: 'Automated', automation_key: 'shop.pays' })
    await openPreview(
      page,
      toCsv(
        'id,title,priority,automation_key\n,Fine,high,\nWEB-99,Unknown,low,\n,,urgent,\n,Used,,shop.pays\nWEB-1,Changed,,\n',
      ),
    )
    await page.getByRole('heading', { name: '3 rows cannot be imported' }).waitFor()
    const list = page.getByRole('region', { name: 'Refused rows' })
    expect((await list.getByRole('listitem').allInnerTexts()).map((text) => text.split(/\s*\n\s*/))).toEqual([
      ['Row 3', 'WEB-99 Unknown', 'The ID is not a test case of this project.'],
      [
        'Row 4',
        'Without a title',
        'The title is empty.',
        'Unknown priority "urgent"; the values are critical, high, medium, low.',
      ],
      ['Row 5', 'Used', 'The automation key is already used by another test case.'],
    ])
    expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true)
    await checkPage(page, 'import-refused')
    await press(page, 'Leave out these 3 rows')
    await page.getByText('1 test case will be created, 1 test case will be updated').waitFor()
    await page.getByRole('radio', { name: 'Updated 1' }).check()
    await page.getByRole('row', { name: /WEB-1 Changed Title/ }).waitFor()
    await checkPage(page, 'import-updates')
    await press(page, 'Import 2 test cases')
    await page.getByText('1 test case updated').waitFor()
    expect((await listCases(project)).map(({ title, priority }) => [title, priority])).toEqual([
      ['Changed', 'medium'],
      ['Automated', 'medium'],
      ['Fine', 'high'],
    ])
  })

  it('stores nothing when a row was refused between preview and import', async () => {
    const { project, page } = await openImport()
    await makeTestCase(server, project, { title: 'Existing' })
    await openPreview(page, toCsv('id,title\n,New\nWEB-1,Changed\n'))
    await page.getByRole('button', { name: 'Import 2 test cases' }).waitFor()
    const { token } = project.admin
    await server.request('DELETE', `/v1/projects/${project.id}/test-cases/WEB-1`, { token })
    await press(page, 'Import 2 test cases')
    await page.getByRole('alert').filter({ hasText: 'Nothing was stored.' }).waitFor()
    expect(await listCases(project)).toEqual([])
  })

  it.each([
    ['UTF-16', Buffer.from('\uFEFFtitle\tfolder\nGröße ändern\tKüche\n', 'utf16le'), null, 'Größe ändern'],
    [
      'Windows-1252',
      // “5 € – Größe”
      Buffer.from('title,folder\n\x935 \x80 \x96 Größe\x94,Küche\n', 'latin1'),
      null,
      '“5 € – Größe”',
    ],
    [
      'Windows-1251',
      Buffer.concat([Buffer.from('title\n'), Buffer.from([0xce, 0xef, 0xeb, 0xe0, 0xf2, 0xe0]), Buffer.from('\n')]),
      'Cyrillic (Windows-1251)',
      'Оплата',
    ],
    ['GB18030', Buffer.from([...Buffer.from('title\n'), 0xb8, 0xb6, 0xbf, 0xee, 0x0a]), null, '付款'],
  ])('reads a file in %s as the preview shows it', async (_, content, encoding, title) => {
    const { project, page } = await openImport()
    await chooseFile(page, toCsv(content))
    await page.getByLabel('Encoding').waitFor()
    if (encoding !== null) await page.getByLabel('Encoding').selectOption(encoding)
    await page.getByRole('cell', { name: title }).waitFor()
    await press(page, 'Continue')
    await press(page, 'Preview')
    await press(page, 'Import 1 test case')
    await page.getByText('1 test case created').waitFor()
    expect((await listCases(project))[0]?.title).toBe(title)
  })

  it('reads an Excel file with several sheets and one step per row', async () => {
    const { project, page } = await openImport()
    const rows = [
      ['Title', 'Step', 'Expected result'],
      ['Pays by card', 'Go to payment', 'The form opens'],
      ['', 'Pay', 'The order is paid'],
      ['Returns', 'Send it back', ''],
    ]
    await chooseFile(page, await toExcel({ Notes: [['About'], ['Nothing here']], Cases: rows }))
    await page.getByLabel('Sheet').selectOption('Cases')
    await page.getByRole('cell', { name: 'Pays by card' }).waitFor()
    await checkPage(page, 'import-excel')
    await press(page, 'Continue')
    expect(await getColumn(page, 'Step').inputValue()).toBe('step_action')
    await press(page, 'Preview')
    await page.getByRole('row', { name: /Row 2 Pays by card 2 steps/ }).waitFor()
    await press(page, 'Import 2 test cases')
    await page.getByText('2 test cases created').waitFor()
    expect((await listCases(project)).map(({ steps }) => steps.map(({ action }) => action))).toEqual([
      ['Go to payment', 'Pay'],
      ['Send it back'],
    ])
  })

  it('works by keyboard alone', async () => {
    const { project, page } = await openImport()
    const choosing = page.waitForEvent('filechooser')
    let isChosen = false
    void choosing.then(
      () => (isChosen = true),
      () => {},
    )
    await expect
      .poll(
        async () => {
          // While the page opens, it may still move the focus, and the browser may not tell of the dialog yet.
          await page.getByRole('button', { name: 'Choose a file' }).focus()
          await page.keyboard.press('Enter')
          await page.waitForTimeout(500)
          return isChosen
        },
        { timeout: 20_000 },
      )
      .toBe(true)
    const chooser = await choosing
    await chooser.setFiles(toCsv('title\nPays\n'))
    const tabTo = async (name: string) => {
      const button = page.getByRole('button', { name })
      // Tab passes by what is disabled.
      await expect.poll(() => button.isEnabled()).toBe(true)
      for (let presses = 0; presses < 30; presses += 1) {
        if (await button.evaluate((element) => element === document.activeElement)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`Tab does not reach ${name}.`)
    }
    await tabTo('Continue')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
    await tabTo('Preview')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Import 1 test case' }).waitFor()
    await tabTo('Import 1 test case')
    await page.keyboard.press('Enter')
    await page.getByText('1 test case created: WEB-1').waitFor()
    expect(await listCases(project)).toHaveLength(1)
  })

  it('goes back a step with Back, and begins again after a reload', async () => {
    const { page } = await openImport()
    await openPreview(page, toCsv('title\nPays\n'))
    await page.getByRole('button', { name: 'Import 1 test case' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Choose what each column contains' }).waitFor()
    await page.goForward()
    await page.getByRole('button', { name: 'Import 1 test case' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Choose a file with test cases' }).waitFor()
  })
})
