import { useTestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { openAsInstanceAdmin } from '../administration-scenario.ts'
import { failUntilTriedAgain } from '../fail-until-tried-again.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

describe('the users page of the instance', () => {
  it('is readable while the server does not answer, and with 10,000 users with long names, of which more arrive while scrolling', async () => {
    const page = await browser.newPage()
    const tryAgain = await failUntilTriedAgain(page, '**/v1/admin/users?*')
    await openAsInstanceAdmin(page, server)
    await page.getByText('The users could not be loaded.').waitFor()
    await checkPage(page, 'administration-error')
    await tryAgain()
    await page.getByRole('grid', { name: 'Users' }).waitFor()

    await sql`insert into users (id, email, name, disabled_at, is_instance_admin)
      select ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, 'tester.' || i || '@a-company-with-a-long-name.example.test',
        case when i % 50 = 0 then repeat('Augusta ', 24) else 'Tester ' || i end,
        case when i % 7 = 0 then now() - i * interval '1 hour' end, i % 90 = 0
      from generate_series(1, 10000) i`.execute(server.db)
    await page.reload()
    const grid = page.getByRole('grid', { name: 'Users' })
    await grid.getByRole('row').nth(5).waitFor()
    expect(await grid.getAttribute('aria-rowcount')).toBe('-1')
    await checkPage(page, 'administration-users')
    await grid.getByRole('row').nth(1).focus()
    await page.keyboard.press('End')
    await expect
      .poll(() => page.getByRole('row').last().getAttribute('aria-rowindex').then(Number))
      .toBeGreaterThan(100)
    const tryMoreAgain = await failUntilTriedAgain(page, '**/v1/admin/users?*')
    await expect
      .poll(async () => {
        await page.keyboard.press('End')
        return await page.getByText('The list is not complete, or not up to date.').count()
      })
      .toBe(1)
    await checkPage(page, 'administration-users-more-failed', { widths: [1440] })
    await tryMoreAgain()
    await page.getByText('The list is not complete, or not up to date.').waitFor({ state: 'detached' })
  })
})
