import type { UserProject } from '../../members/members.queries.ts'
import type { SessionRow } from '../session/session.queries.ts'
import type { insertToken, selectTokens } from '../../tokens/tokens.queries.ts'
import type { UserRow } from '../users/users.queries.ts'
import type { Problem } from '../../../platform/http/problems.ts'
import { renderAlert, renderField, renderNewPasswordField } from '../../../platform/pages/forms.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { renderDate, renderDateTime, formatDateTime } from '../../../platform/pages/format-time.ts'

/** What the last form on the page came to. */
export interface AccountContent {
  done?: string
  passwordProblem?: Problem
  tokenProblem?: Problem
  newToken?: Awaited<ReturnType<typeof insertToken>>
}

type TokenRow = Awaited<ReturnType<typeof selectTokens>>[number]

interface Account {
  user: UserRow
  projects: UserProject[]
  sessions: SessionRow[]
  currentId: string
  tokens: TokenRow[]
}

export function accountBody({ user, projects, sessions, currentId, tokens }: Account, content: AccountContent): Html {
  return html`<p class="lead who"><strong>${user.name}</strong> <span>${user.email}</span></p>
    ${content.done === undefined ? null : html`<p class="done" role="status">${content.done}</p>`}
    ${content.newToken === undefined ? null : tokenMade(content.newToken)} ${projectsSection(projects)}
    ${tokensSection(tokens, content.tokenProblem ?? null)} ${sessionsSection(sessions, currentId)}
    ${passwordSection(user, content.passwordProblem ?? null)}`
}

function projectsSection(projects: UserProject[]): Html {
  const item = ({ id, name, prefix, role }: UserProject) =>
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
            You belong to none yet. Whoever runs one can invite you. To begin one of your own,
            <a href="#tokens">make a token</a>, then create the project <a href="/docs">by the API</a>.
          </p>`
        : html`<ul class="items">
            ${projects.map(item)}
          </ul>`
    }
  </section>`
}

function tokensSection(tokens: TokenRow[], problem: Problem | null): Html {
  return html`<section aria-labelledby="tokens">
    <h2 id="tokens">Personal tokens</h2>
    <p class="hint">
      A token lets a program act as you, in all your projects. CI uploads need a token of their project instead.
    </p>
    ${
      tokens.length === 0
        ? null
        : html`<ul class="items">
            ${tokens.map(tokenItem)}
          </ul>`
    }
    <h3>New token</h3>
    ${renderAlert(problem)}
    <form method="post" action="/account/tokens">
      ${renderField({ name: 'name', label: 'What it is for', type: 'text', autocomplete: 'off', hint: 'For example the program that uses it.' }, problem)}
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
            <option value="365">In a year</option>
            <option value="">Never</option>
          </select>
        </div>
      </div>
      <button>Make a token</button>
    </form>
  </section>`
}

const tokenMade = ({ name, token }: { name: string; token: string }): Html =>
  html`<div class="done" role="status">
    <p>Your token <strong>${name}</strong> is made. Copy it now: it is shown only this once.</p>
    <p><code class="secret">${token}</code></p>
  </div>`

const tokenItem = ({ id, name, access, created_at, last_used_at, expires_at }: TokenRow): Html =>
  html`<li>
    <div>
      <strong>${name}</strong>${access === 'read' ? html` <span class="badge">read only</span>` : null}
      <span class="hint"
        >Made ${renderDate(created_at)} ·
        ${last_used_at === null ? 'never used' : html`last used ${renderDate(last_used_at)}`} ·
        ${expires_at === null ? 'never expires' : html`${expires_at <= new Date() ? 'expired' : 'expires'} ${renderDate(expires_at)}`}</span
      >
    </div>
    <form method="post" action="/account/tokens/${id}/revoke">
      <button class="quiet danger" aria-label="Revoke the token ${name}">Revoke</button>
    </form>
  </li>`

function sessionsSection(sessions: SessionRow[], currentId: string): Html {
  const item = ({ id, user_agent, created_at, last_seen_at }: SessionRow) =>
    html`<li>
      <div>
        <strong>${browserName(user_agent)}</strong
        >${id === currentId ? html` <span class="badge good">this browser</span>` : null}
        <span class="hint">Signed in ${renderDateTime(created_at)} · last seen ${renderDateTime(last_seen_at)}</span>
      </div>
      ${id === currentId ? null : html`<form method="post" action="/account/sessions/${id}/end"><button class="quiet danger" aria-label="End the session of ${browserName(user_agent)}, signed in ${formatDateTime(created_at)}">End</button></form>`}
    </li>`
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">Where you are signed in</h2>
    <ul class="items">
      ${sessions.map(item)}
    </ul>
  </section>`
}

function passwordSection({ email, password_hash }: UserRow, problem: Problem | null): Html {
  const form = html`<p class="hint">
      A new password ends all other sessions. Tokens stay: revoke those that you no longer trust.
    </p>
    ${renderAlert(problem)}
    <form method="post" action="/account/password">
      <input type="email" name="username" value="${email}" autocomplete="username" readonly hidden />
      ${renderField({ name: 'current_password', label: 'Current password', type: 'password', autocomplete: 'current-password', maxLength: 1024 }, problem)}
      ${renderNewPasswordField(problem, 'password', 'New password')}
      <button>Change the password</button>
    </form> `
  return html`<section aria-labelledby="password-heading">
    <h2 id="password-heading">Password</h2>
    ${password_hash === null ? html`<p>You have none, as you sign in elsewhere. <a href="/reset">Ask for a link</a> to set one.</p>` : form}
  </section>`
}

// Every browser calls itself several others: the first of these that is found is the one.
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const
const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** What people know a browser by: `Firefox on Linux`; its own words where they are none of these. */
export function browserName(userAgent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (browser === undefined) return userAgent.slice(0, 60) || 'An unknown browser'
  return system === undefined ? browser : `${browser} on ${system}`
}
