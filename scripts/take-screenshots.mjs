import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { startChromium } from '@caseward/test-support/chromium'

/*
 * Takes the pictures of README and the user guide again: the pages of the demo at 1440 and 390 px, light and dark, as WebP
 * because PNG takes three times as much. Needs a build: `npm run build && npm run screenshots`. With names of pages as
 * arguments, only these.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'docs/screenshots')
const WEBP_QUALITY = 88
const email = 'ada@example.org'
const password = 'only for these pictures'
const ADMIN_TOKEN = 'token-for-the-pictures-of-the-documentation'

const only = new Set(process.argv.slice(2))
const data = await mkdtemp(join(tmpdir(), 'caseward-screenshots-'))
// As root, PostgreSQL runs as another user, who must be able to reach its data.
await chmod(data, 0o755)
const server = spawn(process.execPath, [join(root, 'apps/server/dist/main.js'), '--demo'], {
  env: {
    PATH: process.env.PATH,
    PORT: '0',
    DATA_DIR: data,
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
    ADMIN_TOKEN,
    SHUTDOWN_DELAY_MS: '0',
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'inherit', 'pipe'],
})
const ended = new Promise((resolve) => server.once('close', resolve))
try {
  const url = await waitForAddress()
  await takeAll(url)
} finally {
  server.kill()
  await ended
  await rm(data, { recursive: true, force: true })
}

/** @returns the address that the service prints when it is ready */
async function waitForAddress() {
  let output = ''
  server.stderr.setEncoding('utf8')
  for await (const text of server.stderr) {
    output += text
    const address = /listening on (http:[^\s,]+)/.exec(output)?.[1]
    if (address !== undefined && output.includes('demo project')) {
      server.stderr.resume()
      return address
    }
  }
  throw new Error(`The service did not start:\n${output}`)
}

async function takeAll(url) {
  const get = async (path) => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()).data
  }
  const send = async (method, path, body) => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' }
    const init = { method, headers, body: JSON.stringify(body) }
    const response = await fetch(url + path, init)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()).data
  }
  await send('PATCH', '/v1/me', { name: 'Ada Lovelace' })
  await addWhatTheDemoLacks(get, send)
  const pages = await findPages(get)
  await mkdir(target, { recursive: true })
  const browser = await startChromium()
  try {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ]) {
      for (const colorScheme of ['light', 'dark']) {
        const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' })
        const page = await context.newPage()
        const take = async (name) => {
          await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {})
          await page.waitForTimeout(700)
          const devTools = await context.newCDPSession(page)
          const { data: image } = await devTools.send('Page.captureScreenshot', {
            format: 'webp',
            quality: WEBP_QUALITY,
          })
          await writeFile(join(target, `${name}-${colorScheme}-${width}.webp`), image, 'base64')
        }
        await page.goto(`${url}/sign-in`)
        if (only.size === 0 || only.has('sign-in')) await take('sign-in')
        await page.getByLabel('Email').fill(email)
        await page.getByLabel('Password').fill(password)
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await page.waitForURL((address) => address.pathname !== '/sign-in')
        for (const [name, path, prepare] of pages) {
          if (only.size > 0 && !only.has(name)) continue
          await page.goto(url + path)
          await page.getByRole('heading', { level: 1 }).first().waitFor()
          await prepare?.(page)
          await take(name)
        }
        await context.close()
      }
    }
  } finally {
    await browser.close()
  }
}

/** Two views, and a test case that somebody has written again. */
async function addWhatTheDemoLacks(get, send) {
  const [{ id: projectId }] = await get('/v1/me/projects')
  const project = `/v1/projects/${projectId}`
  for (const [name, query, isShared] of [
    ['Critical ones', 'priority=critical', true],
    ['Mine, by title', 'sort=title', false],
  ]) {
    await send('POST', `${project}/views`, { page: 'cases', name, query, is_shared: isShared })
  }
  const [, { id, folder_id }] = await get(`${project}/test-cases?per_page=2`)
  const { title, steps } = await get(`${project}/test-cases/${id}`)
  const [first, ...others] = steps.map(({ action, expected }) => ({ action, expected }))
  const last = { action: 'Press "Back"', expected: 'The page from before is shown' }
  await send('POST', `${project}/test-cases`, { title, folder_id, steps: [first, ...others.slice(1), last] })
}

/** Finds the pages of the demo that show the product full: `[name, path, prepare]`. */
async function findPages(get) {
  const [{ id: projectId }] = await get('/v1/me/projects')
  const project = `/projects/${projectId}`
  const runs = await get(`/v1/projects/${projectId}/runs?per_page=50`)
  const open = runs.find(({ status, stats }) => status !== 'completed' && stats.passed > 0 && stats.not_tested > 0)
  const withTests = runs.find(({ test_stats: tests }) => tests.total > 0) ?? open
  const pullRequest = runs.find(({ name }) => name === 'Pull request 517')
  const milestones = await get(`/v1/projects/${projectId}/milestones?per_page=50&fields=all`)
  const milestone = milestones.find(({ name }) => name === 'Release 2.4')
  const discussed = runs.find(({ name }) => name === 'Regression 2.4')
  const results = await get(`/v1/runs/${discussed.id}/results?fields=row&per_page=2000`)
  const result = results.find(({ attachment_count: count }) => count > 0)
  const files = await get(`/v1/runs/${discussed.id}/results/${result.id}/attachments`)
  const actual = files.find(({ name }) => name === 'checkout-actual.png')
  const log = files.find(({ name }) => name === 'server.log')
  const said = await get(`/v1/runs/${discussed.id}/comments`)
  const report = said.map(({ body }) => /\/shared\/\w+/.exec(body)?.[0]).find((path) => path !== undefined)
  const rerun = runs.find(({ name }) => name.includes('rerun'))
  const [, testCase] = await get(`/v1/projects/${projectId}/test-cases?per_page=2`)
  const [edited] = await get(`/v1/projects/${projectId}/test-cases?per_page=1&search=Adding%20a%20product`)
  const [sharedStep] = await get(`/v1/projects/${projectId}/shared-steps`)
  const combined = runs.find(({ configurations }) => configurations !== undefined)
  return [
    ['projects', '/?all=1'],
    ['overview', project],
    ['cases', `${project}/cases`],
    ['case-panel', `${project}/cases?case=${testCase.id}`],
    ['case-page', `${project}/cases/${testCase.id}`],
    ['case-versions', `${project}/cases?case=${edited.id}&panel=versions`, openVersion],
    ['shared-step', `${project}/shared-steps/${sharedStep.id}`],
    ['views', `${project}/cases`, openViews],
    ['duplicates', `${project}/cases/duplicates`, compareTwo],
    ['runs', `${project}/runs`],
    ['new-run', `${project}/runs/new`],
    ['run', `/runs/${open.id}`],
    ['run-tests', `/runs/${withTests.id}/tests`],
    ['run-failures', `/runs/${pullRequest.id}/failures`],
    ['insight', `${project}/insight`],
    ['quarantine', `${project}/insight/quarantine`],
    ['execution', `/runs/${open.id}/execute`],
    ['combinations', `/runs/${combined.id}/execute`],
    ['matrix', `/runs/${combined.id}?matrix=1`],
    ['result', `/runs/${discussed.id}?result=${result.id}`, (page) => scrollTo(page, 'Files')],
    ['comments', `/runs/${discussed.id}/execute?result=${result.id}`, (page) => scrollTo(page, 'Comments')],
    ['compare-pictures', `/files/${projectId}/${actual.id}`],
    ['log', `/files/${projectId}/${log.id}`, searchLog],
    ['reruns', `/runs/${rerun.id}/together`],
    ['share', `/runs/${discussed.id}`, openShareDialog],
    ['shared-report', report],
    ['milestones', `${project}/milestones`],
    ['milestone', `${project}/milestones/${milestone.id}`],
    ['work', '/work'],
    ['members', `${project}/members`],
    ['settings', `${project}/settings/tokens`],
    ['fields', `${project}/settings/fields`],
    ['import', `${project}/cases/import`, openPreview],
    ['administration', '/admin/users'],
    ['account', '/account/sessions'],
  ]
}

/** Scrolls to a section of a panel. */
async function scrollTo(page, name) {
  const section = page.getByRole('region', { name, exact: true })
  await section.waitFor()
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {})
  // Only the panel: `scrollIntoView` would move the frame around it, too.
  await section.evaluate((element) => {
    let scroller = element.parentElement
    while (scroller !== null && !/auto|scroll/.test(getComputedStyle(scroller).overflowY)) {
      scroller = scroller.parentElement
    }
    const moved = scroller ?? document.documentElement
    moved.scrollTop += element.getBoundingClientRect().top - moved.getBoundingClientRect().top - 64
  })
}

/** Opens the version before the last one, with what it changed. */
async function openVersion(page) {
  await page.getByRole('list', { name: 'Versions' }).getByRole('listitem').nth(1).getByRole('button').click()
  await page.getByRole('region', { name: /^Version / }).waitFor()
}

async function openViews(page) {
  await page.getByRole('button', { name: 'Views' }).first().click()
}

async function compareTwo(page) {
  await page.getByRole('button', { name: 'Compare two' }).first().click()
  await page.getByRole('table').first().waitFor()
}

async function searchLog(page) {
  await page.getByRole('textbox', { name: 'Search the text' }).fill('payment')
  await page.keyboard.press('Enter')
}

async function openShareDialog(page) {
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first().click()
  await page.getByRole('menuitem', { name: 'Share…' }).click()
  await page.getByRole('dialog').waitFor()
}

/** Chooses a file with test cases, so that the page shows what an import would store. */
async function openPreview(page) {
  const rows = ['card', 'PayPal', 'voucher', 'invoice', 'gift card', 'instalments'].map(
    (means, index) =>
      `A customer pays by ${means},Checkout/Payment,${index < 2 ? 'high' : 'medium'},"1. Go to payment\n=> The form asks for the ${means}\n2. Pay\n=> The order is confirmed"`,
  )
  const buffer = Buffer.from(`title,folder,priority,steps\n${rows.join('\n')}\n`)
  await page.locator('input[type=file]').setInputFiles({ name: 'payment.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: /^Import \d+ test cases/ }).waitFor()
}
