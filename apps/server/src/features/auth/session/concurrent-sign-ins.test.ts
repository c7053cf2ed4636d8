import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'

const server = useSharedServer()

describe('sign-ins to one account at the same moment', () => {
  it('all succeed: they update the user one after the other, without a deadlock', async () => {
    const { email } = await makeUserWithPassword(server)
    const attempts = Array.from({ length: 10 }, () =>
      openBrowser(server).api('POST', '/v1/session', { email, password: PASSWORD }),
    )
    expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201))
  })

  it('succeed beside password changes of the same account', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = await openSignedInBrowser(server, email)
    const statuses = await Promise.all([
      ...Array.from({ length: 4 }, () => browser.api('POST', '/v1/session', { email, password: PASSWORD })),
      browser.api('PATCH', '/v1/me', { current_password: PASSWORD, password: 'another long password' }),
    ])
    // A sign-in after the change has the wrong password; a change after a sign-in may have lost its session.
    for (const { status } of statuses) expect([200, 201, 400, 401]).toContain(status)
  })
})
