import { createEmailChangeLink } from '@caseward/server/features/auth/email-change/email-changes.queries'
import { updateReviewSince } from '@caseward/server/features/auth/recovery/review.queries'
import { insertToken, markCiTokensForReview } from '@caseward/server/features/tokens/tokens.queries'
import { makeProject } from '@caseward/test-support/factories'
import { insertPasskey } from '@caseward/test-support/passkeys'
import { useTestServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { openAs, openAsNewUser } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

describe('the email address of the account', () => {
  it('changes with the link that is sent to the new one, and the change can be canceled', async () => {
    const page = await browser.newPage()
    const { id, email } = await openAsNewUser(page, server, '/account/profile')
    const change = page.getByRole('button', { name: 'Change email address' })
    await change.click()
    const dialog = page.getByRole('dialog', { name: 'Change email address' })
    await dialog.getByRole('button', { name: 'Send link' }).click()
    await dialog.getByText('Enter an email address.').waitFor()
    await dialog.getByLabel('New email address').fill(email)
    await page.keyboard.press('Enter')
    await dialog.getByText(/email address of your account already/).waitFor()
    await checkPage(page, 'account-email-dialog')
    await dialog.getByLabel('New email address').fill(`new-${id}@example.test`)
    await page.keyboard.press('Enter')
    await page.getByText('We sent a link to').waitFor()
    await checkPage(page, 'account-email-pending')
    const link = await createEmailChangeLink(server.db, id)
    await page.getByRole('button', { name: 'Cancel change' }).click()
    await page.getByText('Canceled', { exact: true }).waitFor()
    const other = await browser.newPage()
    await other.goto(`${server.url}/confirm-email/${link?.secret}`)
    await other.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  })
})

describe('the review of an account that was secured', () => {
  it('lists what to check, leads to where it can be removed, and ends when the user is done', async () => {
    const page = await browser.newPage()
    const project = await makeProject(server, { name: 'Web shop' })
    const { id } = await openAs(page, server, project, '/account/review', 'admin')
    await page.getByText('There is nothing to check.').waitFor()
    await insertPasskey(server, id)
    const input = { name: 'Pipeline of Eve', access: 'write', expiresAt: null, createdBy: id } as const
    await insertToken(server.db, { kind: 'ci', projectId: project.id }, input)
    await server.db.transaction().execute(async (tx) => {
      await markCiTokensForReview(tx, id)
      await updateReviewSince(tx, id)
    })
    await page.reload()
    await page.getByText('Your account was secured').waitFor()
    await page.getByText('Laptop').waitFor()
    await checkPage(page, 'account-review')
    await page.getByRole('link', { name: 'Open CI tokens: Pipeline of Eve' }).click()
    await page.getByText('its creator has secured their account since').waitFor()
    await checkPage(page, 'ci-tokens-review')
    await page.getByRole('button', { name: 'Keep token Pipeline of Eve' }).click()
    await page.getByText('Kept', { exact: true }).waitFor()
    await page.goto(`${server.url}/account`)
    await page.getByRole('link', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'I have checked everything' }).click()
    await page.getByText('There is nothing to check.').waitFor()
  })
})

describe('deleting the account', () => {
  it('asks for the email address, says what stays, and signs out', async () => {
    const page = await browser.newPage()
    const { email } = await openAs(page, server, await makeProject(server), '/account/profile')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' })
    const confirm = dialog.getByRole('button', { name: 'Delete account' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByLabel(/^Type /).fill(email)
    await checkPage(page, 'account-delete')
    await confirm.click()
    await page.waitForURL('**/sign-in**')
  })

  it('names the projects that would have no admin', async () => {
    const page = await browser.newPage()
    const { id, email } = await openAsNewUser(page, server, '/account/profile')
    const { id: projectId, admin } = await makeProject(server, { name: 'Web shop' })
    await server.db.insertInto('memberships').values({ project_id: projectId, user_id: id, role: 'admin' }).execute()
    await server.db.deleteFrom('memberships').where('user_id', '=', admin.id).execute()
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel(/^Type /).fill(email)
    await dialog.getByRole('button', { name: 'Delete account' }).click()
    await dialog.getByText(/last admin of “Web shop”/).waitFor()
    await checkPage(page, 'account-delete-last-admin')
  })
})
