import { quoteName } from '../../../platform/mail/mail-layout.ts'

/** What a notice names. Texts that users chose are quoted when they are shown. */
export type NoticeDetail = Record<string, string>

interface NoticeKind {
  /** The subject of an email with this notice alone. */
  title: string
  describe(detail: NoticeDetail): string
  /** Who can help: the user can secure the account, or only an administrator can. */
  help: 'user' | 'administrator'
}

const quote = (text = '') => quoteName(text)

/** Every event that users are told about. The keys are stored. */
export const noticeKinds = {
  new_browser: {
    title: 'New sign-in to your Caseward account',
    describe: () => 'There was a sign-in to your account in a new browser.',
    help: 'user',
  },
  personal_token: {
    title: 'New personal token',
    describe: ({ name }) => `A personal token was created: ${quote(name)}.`,
    help: 'user',
  },
  ci_token: {
    title: 'New CI token',
    describe: ({ name, project }) => `A CI token of the project ${quote(project)} was created: ${quote(name)}.`,
    help: 'user',
  },
  password_change: {
    title: 'Your Caseward password was changed',
    describe: () => 'Your password was changed. All other sessions have ended.',
    help: 'user',
  },
  password_reset: {
    title: 'Your Caseward password was reset',
    describe: () => 'A new password was set with a reset link. All other sessions have ended.',
    help: 'user',
  },
  account_secured: {
    title: 'Your Caseward password was reset',
    describe: () =>
      'A new password was set with a reset link. All other sessions, your personal tokens and your pending invitations have ended. Open “Review” in your account to check what stays.',
    help: 'user',
  },
  second_factor_missing: {
    title: 'A sign-in to your account stopped at the second factor',
    describe: () =>
      'Someone gave your password, or signed on as you, but not your second factor. They were not signed in. If this happens again within a day, we do not repeat this email.',
    help: 'user',
  },
  sign_on_link: {
    title: 'Single sign-on was linked with your account',
    describe: ({ issuer }) => `Your account was linked with a user of the sign-in provider ${quote(issuer)}.`,
    help: 'user',
  },
  sign_on_unlink: {
    title: 'Single sign-on was removed from your account',
    describe: ({ issuer }) => `The link with a user of the sign-in provider ${quote(issuer)} was removed.`,
    help: 'user',
  },
  factor_add: {
    title: 'Two-factor authentication: method added',
    describe: ({ name }) => `A second factor was added to your account: ${quote(name)}.`,
    help: 'user',
  },
  factor_remove: {
    title: 'Two-factor authentication: method removed',
    describe: ({ name }) => `A second factor was removed from your account: ${quote(name)}.`,
    help: 'user',
  },
  factors_reset: {
    title: 'Two-factor authentication was reset',
    describe: () =>
      'All second factors and recovery codes of your account were removed, and your sessions were ended. Sign-in asks for no second factor now.',
    help: 'administrator',
  },
  recovery_codes: {
    title: 'New recovery codes',
    describe: () => 'New recovery codes were created. The earlier ones are no longer valid.',
    help: 'user',
  },
  recovery_code_use: {
    title: 'A recovery code was used',
    describe: () => 'A recovery code was used to sign in to your account.',
    help: 'user',
  },
  email_change_request: {
    title: 'A change of your email address was requested',
    describe: ({ to }) => `A change of the email address of your account to ${quote(to)} was requested.`,
    help: 'user',
  },
  email_change: {
    title: 'Your Caseward email address was changed',
    describe: ({ to }) => `The email address of your account was changed to ${quote(to)}. Emails now go there.`,
    help: 'administrator',
  },
  sessions_end: {
    title: 'Your Caseward sessions were ended',
    describe: () => 'All your sessions were ended. Sign in again to continue.',
    help: 'administrator',
  },
  tokens_revoke: {
    title: 'Your personal tokens were revoked',
    describe: () =>
      'All your personal tokens and pending invitations were revoked. Programs that use the tokens have stopped working.',
    help: 'administrator',
  },
  account_disable: {
    title: 'Your Caseward account was disabled',
    describe: () => 'Your account was disabled. Your sessions, personal tokens and pending invitations have ended.',
    help: 'administrator',
  },
  account_delete: {
    title: 'Your Caseward account was deleted',
    describe: () => 'Your account was deleted. What you did in projects stays there without your name.',
    help: 'administrator',
  },
} as const satisfies Record<string, NoticeKind>

export type NoticeKindName = keyof typeof noticeKinds

/** Returns undefined for a kind that another version of the service stored. */
export const findNoticeKind = (name: string): NoticeKind | undefined =>
  Object.hasOwn(noticeKinds, name) ? noticeKinds[name as NoticeKindName] : undefined
