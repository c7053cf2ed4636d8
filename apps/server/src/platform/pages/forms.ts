import type { FastifyReply, FastifyRequest } from 'fastify'

import { Problem } from '../http/problems.ts'
import { type Html, html } from './html.ts'

/** The result of a form: a value, or a problem to show in the form. */
export type FormResult<T> = { value: T } | { problem: Problem }

/**
 * Runs the action of a form. A problem that the user can fix is returned, and its headers are set, so that the form can be
 * shown again with it. Any other error is thrown and leads to the error page.
 */
export async function submitForm<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  action: () => Promise<T>,
): Promise<FormResult<T>> {
  try {
    if (request.validationError !== undefined) throw request.validationError
    return { value: await action() }
  } catch (error) {
    if (!(error instanceof Problem) || error.statusCode >= 500) throw error
    void reply.headers(error.headers)
    return { problem: error }
  }
}

export interface Field {
  name: string
  label: string
  type: 'text' | 'email' | 'password'
  /** Tells browsers and password managers what to fill in. */
  autocomplete: string
  value?: string | undefined
  hint?: string
  minLength?: number
  maxLength?: number
  autofocus?: boolean
}

/** Id of the alert of a page, which has one form. A problem without field errors describes all fields. */
const ALERT_ID = 'problem'

/** Renders a field with its label and its error. */
export function renderField(input: Field, problem: Problem | null): Html {
  const { name, label, type, autocomplete, value = '', hint, minLength, maxLength = 255, autofocus = false } = input
  const error = problem?.fields.find(({ path }) => path === `/${name}`)?.message
  const affectsAllFields = problem !== null && problem.fields.length === 0
  const describedBy = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(error === undefined ? [] : [`${name}-error`]),
    ...(affectsAllFields ? [ALERT_ID] : []),
  ].join(' ')
  // At most one field of a page has the focus: the first with an error, if any.
  const hasFocus = problem === null || affectsAllFields ? autofocus : problem.fields[0]?.path === `/${name}`
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      maxlength="${maxLength}"
      ${minLength === undefined ? null : html` minlength="${minLength}"`}
      ${describedBy === '' ? null : html` aria-describedby="${describedBy}"`}
      ${error === undefined ? null : html` aria-invalid="true"`}
      ${hasFocus ? html` autofocus` : null}
      required
    />
    ${error === undefined ? null : html`<p class="error" id="${name}-error">${toSentence(error)}</p>`}
  </div>`
}

/** Converts a message of the API, which continues the name of a field, to a sentence. */
const toSentence = (text: string) =>
  /^(?:is|cannot) /.test(text) ? `This ${text}.` : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Renders the problem of a form; screen readers announce it at once. */
export function renderAlert(problem: Problem | null): Html | null {
  if (problem === null) return null
  const text = problem.fields.length > 0 ? 'Correct the errors below.' : problem.message
  return html`<p class="alert" id="${ALERT_ID}" role="alert">${text}</p>`
}

/** Separates two ways to do the same. */
export const orSeparator: Html = html`<p class="or"><span>or</span></p>`

export interface Checkbox {
  name: string
  label: string
  hint: string
  isChecked: boolean
}

/** Renders a checkbox. Browsers send its value, `yes`, only if it is checked. */
export const renderCheckbox = ({ name, label, hint, isChecked }: Checkbox): Html =>
  html`<div class="field checkbox">
    <input
      id="${name}"
      name="${name}"
      type="checkbox"
      value="yes"
      aria-describedby="${name}-hint"
      ${isChecked ? html` checked` : null}
    />
    <label for="${name}">${label}</label>
    <p class="hint" id="${name}-hint">${hint}</p>
  </div>`

/** Renders a field for a new password. */
export const renderNewPasswordField = (problem: Problem | null, label = 'Password'): Html =>
  renderField(
    {
      name: 'password',
      label,
      type: 'password',
      autocomplete: 'new-password',
      hint: 'At least 8 characters. A few unrelated words make a good password.',
      minLength: 8,
      maxLength: 1024,
    },
    problem,
  )

/** Returns the submitted value of a field, to show it again. Never used for passwords. */
export function getSubmittedValue(request: FastifyRequest, name: 'name' | 'email'): string {
  const value: unknown = (request.body as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'string' ? value.slice(0, 320) : ''
}
