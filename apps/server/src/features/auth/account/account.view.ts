import type { UserProject } from '../../members/members.queries.ts'
import type { SessionRow } from '../session/session.queries.ts'
import type { IdentityRow } from '../single-sign-on/single-sign-on.queries.ts'
import type { insertToken, selectPersonalTokens } from '../../tokens/tokens.queries.ts'
import type { UserRow } from '../users/users.queries.ts'
import type { Problem } from '../../../platform/http/problems.ts'
import { renderAlert, renderField, renderNewPasswordField } from '../../../platform/pages/forms.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { renderDate, renderDateTime, formatDateTime } from '../../../platform/pages/format-time.ts'
import { formatBrowser } from './format-browser.ts'

/** The result of the form that was submitted. */
export interface AccountFormResult {
  successMessage?: string
  passwordProblem?: Problem | null
  tokenProblem?: Problem | null
  newToken?: Awaited<ReturnType<typeof insertToken>>
}

type TokenRow = Awaited<ReturnType<typeof selectPersonalTokens>>[number]

interface AccountContent {
  user: UserRow
  projects: UserProject[]
  sessions: SessionRow[]
  currentSessionId: string
  tokens: TokenRow[]
  identities: IdentityRow[]
}

export function renderAccount(
  { user, projects, sessions, currentSessionId, tokens, identities }: AccountContent,
  { successMessage, newToken, tokenProblem = null, passwordProblem = null }: AccountFormResult,
): Html {
  return html`<p class="lead subtitle"><strong>${user.name}</strong> <span>${user.email}</span></p>
    ${successMessage === undefined ? null : html`<p class="success" role="status">${successMessage}</p>`}
    ${newToken === undefined ? null : renderNewToken(newToken)} ${renderProjects(projects)}
    ${renderTokens(tokens, tokenProblem)} ${renderSessions(sessions, currentSessionId)}
    ${renderPassword(user, passwordProblem)} ${renderIdentities(identities, user)}`
}

function renderProjects(projects: UserProject[]): Html {
  const renderProject = ({ id, name, prefix, role }: UserProject) =>
    html`<li>
      <div>
        <strong>${name}</strong> <span class="badge">${role}</span>
        <span class="hint">${prefix} · <code>${id}</code></span>
      </div>
    </li>`
  return html`<section aria-labelledby="projects">
    <h2 id="projects">Your projects</h2>
    ${
      projects.length === 0
        ? html`<p class="hint">
            You are not a member of any project yet. A project admin can invite you. To create a project,
            <a href="#tokens">create a token</a> and <a href="/docs">use the API</a>.
          </p>`
        : html`<ul class="items">
            ${projects.map(renderProject)}
          </ul>`
    }
  </section>`
}

function renderTokens(tokens: TokenRow[], problem: Problem | null): Html {
  return html`<section aria-labelledby="tokens">
    <h2 id="tokens">Personal tokens</h2>
    <p class="hint">
      With a personal token, a program can access all your projects on your behalf. To upload results from CI, use a CI
      token of the project instead. Revoking a token also revokes the tokens that were created with it.
    </p>
    ${
      tokens.length === 0
        ? null
        : html`<ul class="items">
              ${tokens.map(renderToken)}
            </ul>
            <form method="post" action="/plain/account/tokens/revoke-all">
              <button class="quiet danger">Revoke all tokens</button>
            </form>`
    }
    <h3>New token</h3>
    ${renderAlert(problem)}
    <form method="post" action="/plain/account/tokens">
      ${renderField({ name: 'name', label: 'Token name', type: 'text', autocomplete: 'off', hint: 'For example, the program that uses it.' }, problem)}
      <div class="pair">
        <div class="field">
          <label for="access">Access</label>
          <select id="access" name="access">
            <option value="write">Read and write</option>
            <option value="read">Read only</option>
          </select>
        </div>
        <div class="field">
          <label for="days">Expires</label>
          <select id="days" name="days">
            <option value="90">In 90 days</option>
            <option value="30">In 30 days</option>
            <option value="365">In 1 year</option>
            <option value="">Never</option>
          </select>
        </div>
      </div>
      <button>Create token</button>
    </form>
  </section>`
}

const renderNewToken = ({ name, token }: { name: string; token: string }): Html =>
  html`<div class="success" role="status">
    <p>Token <strong>${name}</strong> created. Copy it now: it is shown only once.</p>
    <p><code class="secret">${token}</code></p>
  </div>`

const renderToken = ({ id, name, access, created_at, last_used_at, expires_at }: TokenRow): Html =>
  html`<li>
    <div>
      <strong>${name}</strong>${access === 'read' ? html` <span class="badge">read only</span>` : null}
      <span class="hint"
        >Created ${renderDate(created_at)} ·
        ${last_used_at === null ? 'never used' : html`last used ${renderDate(last_used_at)}`} ·
        ${expires_at === null ? 'never expires' : html`${expires_at <= new Date() ? 'expired' : 'expires'} ${renderDate(expires_at)}`}</span
      >
    </div>
    <form method="post" action="/plain/account/tokens/${id}/revoke">
      <button class="quiet danger" aria-label="Revoke token ${name}">Revoke</button>
    </form>
  </li>`

function renderSessions(sessions: SessionRow[], currentSessionId: string): Html {
  const renderSession = ({ id, user_agent, created_at, last_seen_at }: SessionRow) =>
    html`<li>
      <div>
        <strong>${formatBrowser(user_agent)}</strong
        >${id === currentSessionId ? html` <span class="badge good">this browser</span>` : null}
        <span class="hint">Signed in ${renderDateTime(created_at)} · last used ${renderDateTime(last_seen_at)}</span>
      </div>
      ${id === currentSessionId ? null : html`<form method="post" action="/plain/account/sessions/${id}/end"><button class="quiet danger" aria-label="End session of ${formatBrowser(user_agent)}, signed in ${formatDateTime(created_at)}">End session</button></form>`}
    </li>`
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">Where you are signed in</h2>
    <ul class="items">
      ${sessions.map(renderSession)}
    </ul>
  </section>`
}

function renderPassword({ email, password_hash }: UserRow, problem: Problem | null): Html {
  const form = html`<p class="hint">
      Changing the password signs you out everywhere else. Tokens remain valid: revoke those that you no longer trust.
    </p>
    ${renderAlert(problem)}
    <form method="post" action="/plain/account/password">
      <input type="email" name="username" value="${email}" autocomplete="username" readonly hidden />
      ${renderField({ name: 'current_password', label: 'Current password', type: 'password', autocomplete: 'current-password', maxLength: 1024 }, problem)}
      ${renderNewPasswordField(problem, 'password', 'New password')}
      <button>Change password</button>
    </form> `
  return html`<section aria-labelledby="password-heading">
    <h2 id="password-heading">Password</h2>
    ${password_hash === null ? html`<p>Your account has no password because you sign in with single sign-on. <a href="/reset">Request a link</a> to set one.</p>` : form}
  </section>`
}

/** The host of a provider, which is all of its URL that users know. */
const formatIssuer = (issuer: string) => (URL.canParse(issuer) ? new URL(issuer).host : issuer)

function renderIdentities(identities: IdentityRow[], { password_hash }: UserRow): Html | null {
  if (identities.length === 0) return null
  const renderIdentity = ({ id, issuer, created_at }: IdentityRow) =>
    html`<li>
      <div>
        <strong>${formatIssuer(issuer)}</strong>
        <span class="hint">Linked ${renderDate(created_at)}</span>
      </div>
      ${password_hash === null ? null : html`<form method="post" action="/plain/account/identities/${id}/remove"><button class="quiet danger" aria-label="Remove link with ${formatIssuer(issuer)}">Remove link</button></form>`}
    </li>`
  return html`<section aria-labelledby="identities">
    <h2 id="identities">Single sign-on</h2>
    <p class="hint">Your account is linked with your user at this sign-in provider.</p>
    <ul class="items">
      ${identities.map(renderIdentity)}
    </ul>
  </section>`
}
