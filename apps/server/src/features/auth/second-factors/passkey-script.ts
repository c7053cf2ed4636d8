import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'

import type { Deps } from '../../../deps.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { createPageAsset } from '../../../platform/pages/page-asset.ts'
import { getRelyingParty } from './relying-party.ts'

/** The script of the pages on which passkeys are used. */
export const passkeyScript = createPageAsset(
  'passkey',
  'js',
  readFileSync(new URL('../../../../assets/passkey.js', import.meta.url), 'utf8'),
)

/** Whether passkeys can work at the public address: browsers do not bind them to IP addresses. */
export const arePasskeysPossible = (deps: Pick<Deps, 'getPublicUrl'>): boolean =>
  isIP(getRelyingParty(deps).id.replaceAll(/[[\]]/g, '')) === 0

interface PasskeySection {
  task: 'sign-in' | 'second-factor' | 'set-up'
  /** The button's text. */
  label: string
  isPrimary?: boolean
  /** What the page says when the user closes the question of the browser. */
  refusal: string
  /** The path of the page that follows. */
  next: string
  /** The name of a new passkey. */
  name?: string
  /** What stands above and below the button. */
  above?: Html
  below?: Html
}

/** Renders the button for a passkey. It is hidden until the script has found that the browser can use passkeys here. */
export function renderPasskeySection(deps: Pick<Deps, 'getPublicUrl'>, section: PasskeySection): Html {
  const { task, label, isPrimary = false, refusal, next, name = '', above = null, below = null } = section
  return html`<div
    id="passkey"
    class="passkey"
    data-task="${task}"
    data-host="${getRelyingParty(deps).id}"
    data-next="${next}"
    data-name="${name}"
    data-refusal="${refusal}"
    hidden
  >
    ${above}
    <button type="button" class="button${isPrimary ? ' primary' : ''}">${label}</button>
    <p class="error" role="alert"></p>
    ${below}
  </div>`
}
