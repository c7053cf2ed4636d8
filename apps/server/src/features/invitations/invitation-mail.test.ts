import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'

import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { startMailServerForTest } from '@caseward/test-support/mail-server'
import { findInvitationSecret, getMailPart, getWaitingMails } from '@caseward/test-support/mails'
import { startServerForTest } from '@caseward/test-support/test-server'

describe('the email of an invitation', () => {
  it(
    'is sent to the invitee as text and HTML, with a valid link',
    { tags: ['spec:invitations/post-a-mail-with-a-join-link-goes-to-the-invitee'] },
    async () => {
      const { url, received } = await startMailServerForTest()
      const server = await startServerForTest({
        smtpUrl: url,
        mailFrom: 'Caseward <tests@example.com>',
        publicUrl: 'http://tests.example.com',
      })
      await server.startWorker()
      const project = await makeProject(server, { name: 'Läden & <b>"Co"</b>' })
      const { email } = await makeInvitation(server, project, { email: 'Mira.Köhler@example.test', role: 'viewer' })
      await expect.poll(() => received.length).toBe(1)
      const mail = received[0]
      expect([mail?.from, mail?.to]).toEqual(['tests@example.com', [email]])
      expect(mail?.raw).toMatch(/^From: Caseward <tests@example\.com>\r$/m)
      const text = getMailPart(mail?.raw ?? '', 'text/plain')
      const html = getMailPart(mail?.raw ?? '', 'text/html')
      expect(text).toContain('invited you to the project Läden & <b>"Co"</b> as a viewer')
      expect(html).toContain('Läden &amp; &lt;b&gt;&quot;Co&quot;&lt;/b&gt;')
      expect(text).toMatch(/^http:\/\/tests\.example\.com\/join\/[\w-]{43}\r?$/m)
      const secret = findInvitationSecret(text)
      expect(html).toContain(`href="http://tests.example.com/join/${secret}"`)
      expect((await server.request('GET', `/v1/invitations/${secret}`)).body).toMatchObject({ email, role: 'viewer' })
    },
  )

  it('leaves no job in the queue after it is sent, and no secret in the log', async () => {
    const { url, received } = await startMailServerForTest()
    const server = await startServerForTest({ smtpUrl: url })
    await server.startWorker()
    await makeInvitation(server, await makeProject(server))
    await expect.poll(() => received.length).toBe(1)
    await expect
      .poll(() => sql`select from graphile_worker.jobs`.execute(server.db).then(({ rows }) => rows))
      .toEqual([])
    const secret = findInvitationSecret(getMailPart(received[0]?.raw ?? '', 'text/plain'))
    expect(secret).toHaveLength(43)
    expect(server.logged.join('')).not.toContain(secret)
  })

  it('is not sent for an invitation that was revoked meanwhile', async () => {
    const { url, received } = await startMailServerForTest()
    const server = await startServerForTest({ smtpUrl: url })
    const project = await makeProject(server)
    const { id } = await makeInvitation(server, project)
    await server.request('DELETE', `/v1/projects/${project.id}/invitations/${id}`, project.admin)
    await server.startWorker()
    await expect.poll(() => getWaitingMails(server)).toEqual([])
    expect(received).toEqual([])
  })

  it('is not queued when the invitation is refused with 409', async () => {
    const server = await startServerForTest({ smtpUrl: 'smtp://127.0.0.1:1' })
    const project = await makeProject(server)
    const { email } = await makeInvitation(server, project)
    const body = { email, role: 'member' }
    const path = `/v1/projects/${project.id}/members/invite`
    await server.expectProblem(409, 'POST', path, { token: project.admin.token, body })
    expect(await getWaitingMails(server)).toHaveLength(1)
  })

  it('has a subject in which the name of the project is quoted and cut', async () => {
    const { url, received } = await startMailServerForTest()
    const server = await startServerForTest({ smtpUrl: url })
    await server.startWorker()
    const name = `Shop" is closing, act now: ${'x'.repeat(200)}`
    await makeInvitation(server, await makeProject(server, { name }))
    await expect.poll(() => received.length).toBe(1)
    const [heading] = getMailPart(received[0]?.raw ?? '', 'text/plain').split(/\r?\n/)
    expect(heading).toBe(`Join "Shop' is closing, act now: ${'x'.repeat(32)}…" on Caseward`)
  })

  it('replaces line breaks in names that were stored before, so that they add no header and no paragraph', async () => {
    const { url, received } = await startMailServerForTest()
    const server = await startServerForTest({ smtpUrl: url })
    const project = await makeProject(server)
    await server.db.updateTable('projects').set({ name: 'Shop\r\nBcc: spam@example.test\n\nPay here' }).execute()
    await server.startWorker()
    await makeInvitation(server, project)
    await expect.poll(() => received.length).toBe(1)
    expect(received[0]?.to).toHaveLength(1)
    expect(received[0]?.raw).not.toMatch(/^Bcc:/im)
    expect(getMailPart(received[0]?.raw ?? '', 'text/plain')).toContain(
      'Join "Shop Bcc: spam@example.test Pay here" on Caseward',
    )
  })
})

describe('the email of an invitation without a mail server', () => {
  it('is written to outbox/*.eml, readable by its owner only, with a second valid link', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'caseward-outbox-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const server = await startServerForTest({ dataDir })
    await server.startWorker()
    const { email, secret: shownSecret } = await makeInvitation(server, await makeProject(server))
    const outbox = join(dataDir, 'outbox')
    await expect.poll(() => readdir(outbox).catch(() => [])).toEqual([expect.stringMatching(/\.eml$/)])
    const file = join(outbox, (await readdir(outbox))[0] ?? '')
    expect([(await stat(file)).mode & 0o777, (await stat(outbox)).mode & 0o777]).toEqual([0o600, 0o700])
    const raw = await readFile(file, 'utf8')
    expect(raw).toContain(`To: ${email}`)
    const mailedSecret = findInvitationSecret(getMailPart(raw, 'text/plain'))
    for (const secret of [mailedSecret, shownSecret]) {
      expect((await server.request('GET', `/v1/invitations/${secret}`)).body).toMatchObject({ email })
    }
    expect(mailedSecret).not.toBe(shownSecret)
  })
})
