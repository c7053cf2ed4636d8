import type { InstanceUser } from '@caseward/client/endpoints'

import { formatNumberOf } from '../../ui/format-count.ts'

/** What an administrator can do to a user after a question. */
export type UserAction =
  | 'disable'
  | 'enable'
  | 'end-sessions'
  | 'revoke-tokens'
  | 'remove-factors'
  | 'grant'
  | 'withdraw'
  | 'delete'

type ActedUser = Pick<InstanceUser, 'id' | 'name' | 'email' | 'session_count' | 'token_count'>

/** The question before an action, what follows from it, its button, and what is said when it is done. */
export interface UserQuestion {
  readonly title: string
  readonly text: string
  readonly button: string
  readonly done: string
  /** What must be typed first. */
  readonly mustType?: string
}

/** Why the caller cannot disable a user; null if they can. */
export function explainOwnAccount(user: Pick<InstanceUser, 'id'>, myId: string | undefined): string | null {
  // Whoever sees this page is an administrator: if there is only one, it is their own account.
  return user.id === myId
    ? 'This is your own account. Another administrator can disable it; the last one always stays.'
    : null
}

/** The words of the dialog that asks. Long names are shortened. @param isOwn whether it is the account of the caller */
export function describeAction(action: UserAction, user: ActedUser, isOwn = false): UserQuestion {
  const name = shorten(user.name)
  const access = joinWords([countSessions(user), countTokens(user)])
  switch (action) {
    case 'disable':
      return {
        title: `Disable ${name}?`,
        text: `${access === '' ? 'The user cannot sign in any more' : `${capitalize(access)} end at once, and the user cannot sign in any more`}. Pending invitations of the user are revoked, and CI tokens that the user created are marked for review. Memberships, and everything that the user has created, stay.`,
        button: 'Disable user',
        done: `${name} is disabled`,
      }
    case 'enable':
      return {
        title: `Enable ${name}?`,
        text: 'The user can sign in again, with the same password and the same roles. Former sessions and tokens stay invalid. The user is asked to check what someone else may have left in the account.',
        button: 'Enable user',
        done: `${name} is enabled`,
      }
    case 'end-sessions':
      return {
        title: `End all sessions of ${name}?`,
        text: isOwn
          ? 'You are signed out everywhere at once, here too, and can sign in again. Your personal tokens stay valid.'
          : 'The user is signed out everywhere at once, and can sign in again. Personal tokens stay valid.',
        button: 'End sessions',
        done: `The sessions of ${name} have ended`,
      }
    case 'revoke-tokens':
      return {
        title: `Revoke all personal tokens of ${name}?`,
        text: 'Programs that use them lose access at once, also those with tokens that were created with them. Pending invitations of the user are revoked. Sessions go on. CI tokens that the user created stay valid and are marked for review.',
        button: 'Revoke tokens',
        done: `The tokens of ${name} are revoked`,
      }
    case 'remove-factors':
      return {
        title: `Remove the second factors of ${name}?`,
        text: `For a user who has lost them. ${isOwn ? 'Your' : 'The user’s'} authenticator apps, passkeys and recovery codes no longer work, the password alone is enough to sign in, and all sessions end. Make sure that it is the user who asks.`,
        button: 'Remove second factors',
        done: `The second factors of ${name} are removed`,
      }
    case 'grant':
      return {
        title: `Make ${name} an administrator?`,
        text: 'Administrators manage all users and the settings, and read the audit log of all projects. This gives no access to the content of projects.',
        button: 'Make administrator',
        done: `${name} is an administrator`,
      }
    case 'delete':
      return {
        title: `Delete the account of ${name}?`,
        text: 'Name, email address, password, sessions, personal tokens and memberships are deleted. What the user did in projects stays, as that of a “Deleted user”. This cannot be undone: to keep the name, disable the user.',
        button: 'Delete user',
        done: `${name} is deleted`,
        mustType: user.email,
      }
    case 'withdraw':
      return {
        title: `Withdraw the administration from ${name}?`,
        text: 'The user keeps the account, and the roles in projects.',
        button: 'Withdraw administration',
        done: `${name} is no administrator any more`,
      }
  }
}

/** “2 sessions”; empty if there are none. */
export const countSessions = ({ session_count: count }: Pick<InstanceUser, 'session_count'>): string =>
  count === 0 ? '' : formatNumberOf(count, 'session')

/** “1 token”; empty if there are none. */
export const countTokens = ({ token_count: count }: Pick<InstanceUser, 'token_count'>): string =>
  count === 0 ? '' : formatNumberOf(count, 'token')

const MAX_NAME_LENGTH = 60

const shorten = (name: string) => (name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name)

const joinWords = (words: readonly string[]) => words.filter((word) => word !== '').join(' and ')

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
