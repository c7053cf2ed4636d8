import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

const server = useTestServer()

async function invite(email: string) {
  const project = await makeProject(server)
  const { body } = await server.request<{ id: string; join_url: string }>(
    'POST',
    `/v1/projects/${project.id}/members/invite`,
    { token: project.admin.token, body: { email, role: 'member' } },
  )
  return { project, invitationId: body.id, path: new URL(body.join_url).pathname }
}

const newcomer = { name: 'Mira', password: 'correct horse battery' }

describe('/join', () => {
  it('makes an account for who has none, joins the project and signs in', async () => {
    const { project, path } = await invite('mira@example.test')
    const browser = openBrowser(server)
    expect((await browser.get(path)).text).toContain('Web shop')
    expect((await browser.post(path, newcomer)).location).toBe('/account')
    expect((await browser.get(`/v1/projects/${project.id}`)).status).toBe(200)
  })

  it('sends who has an account to sign in, and then back', async () => {
    const { email } = await makeUserWithPassword(server)
    const { project, path } = await invite(email)
    const browser = openBrowser(server)
    const signIn = /href="(\/sign-in\?next=[^"]+)"/.exec((await browser.get(path)).text)?.[1] ?? ''
    expect((await browser.post(signIn, { email, password: PASSWORD })).location).toBe(path)
    expect((await browser.get(path)).text).toContain('Join as Somebody')
    expect((await browser.post(path)).location).toBe('/account')
    expect((await browser.get(`/v1/projects/${project.id}`)).status).toBe(200)
  })

  it('joins nobody whose address is another', async () => {
    const { project, path } = await invite('somebody-else@example.test')
    const { browser } = await makeSignedInUser(server)
    expect((await browser.get(path)).text).toContain('the invitation is for somebody-else@example.test')
    expect((await browser.post(path)).status).toBe(403)
    expect((await browser.get(`/v1/projects/${project.id}`)).status).toBe(403)
  })

  it('lets who is signed in as somebody else sign out and come back', async () => {
    const { path } = await invite('newcomer@example.test')
    const { browser } = await makeSignedInUser(server)
    const signOut = /action="(\/sign-out\?next=[^"]+)"/.exec((await browser.get(path)).text)?.[1] ?? ''
    expect((await browser.post(signOut)).location).toBe(path)
    expect((await browser.get(path)).text).toContain('Create account and join')
  })

  it('shows what is wrong beside the fields', async () => {
    const { path } = await invite('short@example.test')
    const { status, text } = await openBrowser(server).post(path, { name: 'Mira', password: 'short' })
    expect([status, text.includes('id="password-error"'), text.includes('value="Mira"')]).toEqual([400, true, true])
  })

  it('says that a link was used or revoked', async () => {
    const used = await invite('used@example.test')
    await openBrowser(server).post(used.path, newcomer)
    expect((await openBrowser(server).get(used.path)).status).toBe(410)
    const revoked = await invite('revoked@example.test')
    const { project, invitationId } = revoked
    const path = `/v1/projects/${project.id}/invitations/${invitationId}`
    await server.request('DELETE', path, { token: project.admin.token })
    expect((await openBrowser(server).post(revoked.path, newcomer)).status).toBe(410)
  })

  it('is not for another site to do', async () => {
    const { path } = await invite('forged@example.test')
    expect((await openBrowser(server, { origin: 'https://evil.test' }).post(path, newcomer)).status).toBe(403)
  })
})

describe('accepting by the API with a session', () => {
  it('joins whoever is signed in, from our own pages alone', async () => {
    const { email, browser } = await makeSignedInUser(server)
    const { project, path } = await invite(email)
    const accept = path.replace('/join/', '/v1/invitations/').concat('/accept')
    const forged = await browser.send('POST', accept, { headers: { origin: 'https://evil.test' } })
    expect(forged.status).toBe(403)
    expect((await browser.api('POST', accept, {})).status).toBe(200)
    expect((await browser.get(`/v1/projects/${project.id}`)).status).toBe(200)
  })
})
