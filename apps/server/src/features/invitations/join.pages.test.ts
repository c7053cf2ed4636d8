import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

const server = useSharedServer()

async function invite(email: string) {
  const project = await makeProject(server)
  const { body } = await server.request<{ id: string; join_url: string }>(
    'POST',
    `/v1/projects/${project.id}/members/invite`,
    { token: project.admin.token, body: { email, role: 'member' } },
  )
  return { project, invitationId: body.id, path: new URL(body.join_url).pathname }
}

const newUser = { name: 'Mira', password: 'correct horse battery' }

describe('the page /join/:secret', () => {
  it('creates an account, adds it to the project and signs in', async () => {
    const { project, path } = await invite('mira@example.test')
    const browser = openBrowser(server)
    expect((await browser.get(path)).text).toContain('Web shop')
    expect((await browser.post(path, newUser)).location).toBe('/')
    expect((await browser.get(`/v1/projects/${project.id}`)).status).toBe(200)
  })

  it('shows names with markup as text', async () => {
    const name = `"'><script>alert(1)</script>`
    const project = await makeProject(server, { name })
    await server.db.updateTable('users').set({ name }).where('id', '=', project.admin.id).execute()
    const { text } = await openBrowser(server).get(`/join/${(await makeInvitation(server, project)).secret}`)
    // The project in the title and the heading, and the inviter.
    expect(text.split('&lt;script&gt;alert(1)&lt;/script&gt;')).toHaveLength(4)
    expect(text).not.toContain('<script')
  })

  it('sends a user with an account to the sign-in page and back', async () => {
    const { email } = await makeUserWithPassword(server)
    const { project, path } = await invite(email)
    const browser = openBrowser(server)
    const signIn = /href="(\/sign-in\?next=[^"]+)"/.exec((await browser.get(path)).text)?.[1] ?? ''
    expect((await browser.post(signIn, { email, password: PASSWORD })).location).toBe(path)
    expect((await browser.get(path)).text).toContain('Join as Somebody')
    expect((await browser.post(path)).location).toBe('/')
    expect((await browser.get(`/v1/projects/${project.id}`)).status).toBe(200)
  })

  it('returns 403 to a signed-in user with another email address, and does not add them', async () => {
    const { project, path } = await invite('other-user@example.test')
    const { browser } = await makeSignedInUser(server)
    expect((await browser.get(path)).text).toContain('the invitation is for other-user@example.test')
    expect((await browser.post(path)).status).toBe(403)
    expect((await browser.get(`/v1/projects/${project.id}`)).status).toBe(403)
  })

  it('offers a signed-in user with another email address to sign out and returns them', async () => {
    const { path } = await invite('newcomer@example.test')
    const { browser } = await makeSignedInUser(server)
    const next = /name="next" value="([^"]+)"/.exec((await browser.get(path)).text)?.[1] ?? ''
    const page = await browser.get(`/sign-out?next=${encodeURIComponent(next)}`)
    const signOut = /action="(\/sign-out\?next=[^"]+)"/.exec(page.text)?.[1] ?? ''
    expect((await browser.post(signOut)).location).toBe(path)
    expect((await browser.get(path)).text).toContain('Create account and join')
  })

  it('shows the error beside the invalid field, and keeps the name', async () => {
    const { path } = await invite('short@example.test')
    const { status, text } = await openBrowser(server).post(path, { name: 'Mira', password: 'short' })
    expect([status, text.includes('id="password-error"'), text.includes('value="Mira"')]).toEqual([400, true, true])
  })

  it('returns 410 for a link that was used, and for a revoked one', async () => {
    const used = await invite('used@example.test')
    await openBrowser(server).post(used.path, newUser)
    expect((await openBrowser(server).get(used.path)).status).toBe(410)
    const revoked = await invite('revoked@example.test')
    const { project, invitationId } = revoked
    const path = `/v1/projects/${project.id}/invitations/${invitationId}`
    await server.request('DELETE', path, { token: project.admin.token })
    expect((await openBrowser(server).post(revoked.path, newUser)).status).toBe(410)
  })

  it('returns 403 for a form that another site sends', async () => {
    const { path } = await invite('forged@example.test')
    expect((await openBrowser(server, { origin: 'https://evil.test' }).post(path, newUser)).status).toBe(403)
  })
})

describe('POST /v1/invitations/:secret/accept with a session', () => {
  it('adds the signed-in user, and returns 403 to requests from another origin', async () => {
    const { email, browser } = await makeSignedInUser(server)
    const { project, path } = await invite(email)
    const accept = path.replace('/join/', '/v1/invitations/').concat('/accept')
    const forged = await browser.send('POST', accept, { headers: { origin: 'https://evil.test' } })
    expect(forged.status).toBe(403)
    expect((await browser.api('POST', accept, {})).status).toBe(200)
    expect((await browser.get(`/v1/projects/${project.id}`)).status).toBe(200)
  })
})
