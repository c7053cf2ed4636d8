import type { Health } from '@caseward/contract/health-schemas'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { checkPage } from './page-checks.ts'

/** Every chart of Health says what the API says, under the keys and as a table. */
export async function checkHealth(page: Page, projectId: string, get: <T>(path: string) => Promise<T>): Promise<void> {
  await page.waitForURL((url) => url.pathname === `/projects/${projectId}/insight/health`)
  await page.getByRole('heading', { name: 'Automation by folder' }).waitFor()
  await checkPage(page, 'insight health')
  const zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
  const { data } = await get<{ data: Health }>(`/v1/projects/${projectId}/health?time_zone=${encodeURIComponent(zone)}`)
  await page.getByRole('img', { name: /^Is main green/ }).focus()
  await page
    .getByRole('status')
    .getByText(/^unit: red from /)
    .waitFor()
  const longest = page.getByRole('region', { name: 'Failing longest' }).getByRole('listitem')
  expect(await longest.count()).toBe(data.failing_longest.items.length)
  expect(await longest.first().innerText()).toMatch(/pays\nTypeError: total of an empty basket · 2 runs since /)
  await page
    .getByRole('region', { name: 'Newly failing' })
    .getByText('Nothing fails that did not fail before.')
    .waitFor()
  const figures = page.getByText(/1 build again in 30 days/)
  const newest = data.days.findLast(({ flaky }) => flaky !== null)
  expect(await figures.innerText()).toMatch(
    `Flaky ${newest?.flaky} · Quarantined ${newest?.quarantined} · 1 build again in 30 days`,
  )
  for (const button of await page.getByRole('button', { name: 'Table' }).all()) await button.click()
  const readRows = async (title: string) => {
    const rows = await page
      .getByRole('region', { name: `Figures: ${title}`, exact: true })
      .locator('tbody tr')
      .all()
    return await Promise.all(rows.map((row) => row.locator('th, td').allTextContents()))
  }
  const band = await readRows('Is main green?')
  expect(band.map((cells) => cells.at(-1))).toEqual(data.band[0]?.segments.map((segment) => segment.state))
  const rates = (await readRows('Pass rate, mean of a day')).map(([, rate]) => rate)
  expect(rates).toEqual(
    data.days.map(({ pass_rate: rate }) => (rate === null ? '–' : `${Math.floor(1000 * rate) / 10} %`)),
  )
  expect((await readRows('Failed tests')).map(([, failed]) => Number(failed))).toEqual(
    data.days.map(({ failed }) => failed),
  )
  const matrix = await readRows('Unstable tests in the newest runs')
  expect(matrix.map((cells) => cells.length)).toEqual(data.matrix.tests.map(() => data.matrix.runs.length + 1))
  expect(matrix.map((cells) => cells.filter((cell) => cell.startsWith('failed')).length)).toEqual(
    data.matrix.cells.map((cells) => cells.filter((cell) => cell.startsWith('failed')).length),
  )
  expect((await readRows('Automation by folder')).map((cells) => cells.slice(1).map(Number))).toEqual(
    data.automation.map((row) => [row.passing, row.failing, row.not_run, row.by_hand]),
  )
  const withoutNull = (value: number | null) => (value === null ? '–' : String(value))
  const flaky = await readRows('Flaky and quarantined tests')
  expect(flaky.map((cells) => cells.slice(1))).toEqual(
    data.days.map((day) => [withoutNull(day.flaky), withoutNull(day.quarantined), day.is_limited ? 'yes' : '']),
  )
  expect(flaky.filter((cells) => cells.includes('yes'))).toHaveLength(1)
  const lost = await readRows('Build attempts lost to flaky tests')
  expect(lost.map((cells) => Number(cells.at(-1)))).toEqual(data.weeks.map((week) => week.build_attempts))
  expect(data.weeks.reduce((sum, week) => sum + week.build_attempts, 0)).toBe(1)
  const toSeconds = (ms: number | null) => (ms === null ? '–' : `${Math.round(ms / 100) / 10} s`)
  expect((await readRows('Time of a run, all tests together')).map((cells) => cells.slice(1))).toEqual(
    data.days.map((day) => [toSeconds(day.median_ms), toSeconds(day.p95_ms)]),
  )
  // Days without a run are gaps.
  expect(rates.filter((rate) => rate === '–').length).toBeGreaterThan(20)
  await checkPage(page, 'insight health tables')
}
