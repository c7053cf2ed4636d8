import type { Deps } from '../../../deps.ts'
import { forbiddenProblem } from '../../../platform/http/problems.ts'

type PasswordDeps = Pick<Deps, 'singleSignOn' | 'getPublicUrl'>

/** Whether users may sign in with a password or a passkey alone, and set a password. */
export const arePasswordsAllowed = ({ singleSignOn }: Pick<Deps, 'singleSignOn'>): boolean =>
  singleSignOn === null || !singleSignOn.isRequired

/**
 * Checked on every way to use a password or to set one, and to sign in with a passkey alone.
 * @throws {Problem} 403 `single_sign_on_required`
 */
export function requirePasswordsAllowed(deps: PasswordDeps): void {
  if (arePasswordsAllowed(deps)) return
  const name = deps.singleSignOn?.name ?? 'single sign-on'
  throw forbiddenProblem(
    `This server accepts only single sign-on. Sign in with ${name} at ${deps.getPublicUrl()}/sign-in/oidc.`,
    'single_sign_on_required',
  )
}
