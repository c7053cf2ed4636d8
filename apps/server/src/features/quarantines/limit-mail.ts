import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { MailDefinition } from '../../platform/jobs/mail-jobs.ts'
import { type MailContent, quoteName, renderHtmlMail, renderTextMail } from '../../platform/mail/mail-layout.ts'
import type { Mail } from '../../platform/mail/mailer.ts'

/** The email to an admin that more tests became flaky than are quarantined automatically. Its id: project and user. */
export const limitMail: MailDefinition = { kind: 'quarantine_limit', build: buildLimitMail }

async function buildLimitMail(db: Database, id: string, publicUrl: string): Promise<Mail | null> {
  const [projectId = '', userId = ''] = id.split(' ')
  const { rows } = await sql<{ email: string; project_name: string }>`
    select u.email, p.name as project_name
    from memberships m join users u on u.id = m.user_id join projects p on p.id = m.project_id
    where m.project_id = ${projectId} and m.user_id = ${userId} and m.role = 'admin' and u.disabled_at is null
      and p.auto_quarantine`.execute(db)
  const [recipient] = rows
  if (recipient === undefined) return null
  const { email, project_name: projectName } = recipient
  const content: MailContent = {
    heading: `No more tests are quarantined automatically in ${quoteName(projectName)}`,
    paragraphs: [
      'More tests became flaky than the project quarantines by itself: 5, or 1 % of the tests of the last 7 days if that is more.',
      'Further flaky tests block again until some of these quarantines have ended. So many flaky tests often have one cause, such as a slow machine or a service that is down.',
    ],
    button: { label: 'Open the tests', url: `${publicUrl}/projects/${projectId}/tests` },
    footer: `This email was sent to ${email} because you are an admin of the project. It is sent once, until the project is below the limit again.`,
  }
  return { to: email, subject: content.heading, text: renderTextMail(content), html: renderHtmlMail(content) }
}
