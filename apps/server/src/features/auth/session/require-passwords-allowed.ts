import type { Deps } from '../../../deps.ts'
import { forbiddenProblem } from '../../../platform/http/problems.ts'

type PasswordDeps = Pick<Deps, 'singleSignOn' | 'getPublicUrl'>

/** Whether users may sign in with a password, and set one. */
export const arePasswordsAllowed = ({ singleSignOn }: Pick<Deps, 'singleSignOn'>): boolean =>
  singleSignOn === null || !singleSignOn.isRequired

/**
 * Checked on every way to use a password or to set one.
 * @throws {Problem} 403 `single_sign_on_required`
 */
export function requirePasswordsAllowed(deps: PasswordDeps): void {
  if (arePasswordsAllowed(deps)) return
  const name = deps.singleSignOn?.name ?? 'single sign-on'
  throw forbiddenProblem(
    `This server does not use passwords. Sign in with ${name} at ${deps.getPublicUrl()}/sign-in/oidc.`,
    'single_sign_on_required',
  )
}
