import type { Task } from 'graphile-worker'

import type { Database } from '../database/connect.ts'
import { buildInvitationMail } from '../../features/invitations/invitation-mail.ts'
import { makeResetMail } from '../../features/auth/password-reset/password-reset-mail.ts'
import type { Mail, Mailer } from '../mail/mailer.ts'
import type { MailJob } from './enqueue-mail.ts'

/** Makes a mail at the moment it is sent; null when there is nothing to send any more. */
type BuildMail = (db: Database, id: string, publicUrl: string) => Promise<Mail | null>

const mailBuilders: Record<MailJob['kind'], BuildMail> = {
  invitation: buildInvitationMail,
  password_reset: makeResetMail,
}

/** Sends one mail. When that fails the job fails, and is tried again later. */
export function sendMail({ db, mailer, publicUrl }: { db: Database; mailer: Mailer; publicUrl: () => string }): Task {
  return async (payload, { abortSignal }) => {
    const { kind, id } = payload as MailJob
    const mail = await mailBuilders[kind](db, id, publicUrl())
    if (mail !== null) await mailer.send(mail, abortSignal)
  }
}
