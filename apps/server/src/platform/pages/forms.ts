import type { FastifyReply, FastifyRequest } from 'fastify'

import { Problem } from '../http/problems.ts'
import { type Html, html } from './html.ts'

/** What came of a form: a value, or a problem to show beside it. */
export type FormResult<T> = { value: T } | { problem: Problem }

/**
 * Does what a form asks for. A problem that its sender can do something about is shown with the form, which is then
 * answered with the problem's status and headers; anything else goes on to the error page.
 */
export async function submitForm<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  act: () => Promise<T>,
): Promise<FormResult<T>> {
  try {
    if (request.validationError !== undefined) throw request.validationError
    return { value: await act() }
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
  /** What browsers and password managers fill in. */
  autocomplete: string
  value?: string | undefined
  hint?: string
  minLength?: number
  maxLength?: number
  autofocus?: boolean
}

/** What is wrong with no field alone describes them all: there is one such form on a page. */
const ALERT_ID = 'problem'

/** A labelled field with what is wrong with it. */
export function renderField(input: Field, problem: Problem | null): Html {
  const { name, label, type, autocomplete, value = '', hint, minLength, maxLength = 255, autofocus = false } = input
  const wrong = problem?.fields.find(({ path }) => path === `/${name}`)?.message
  const concernsAll = problem !== null && problem.fields.length === 0
  const describedBy = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(wrong === undefined ? [] : [`${name}-error`]),
    ...(concernsAll ? [ALERT_ID] : []),
  ].join(' ')
  // At most one field of a page: the first that is wrong, if any is.
  const focused = problem === null || concernsAll ? autofocus : problem.fields[0]?.path === `/${name}`
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
      ${wrong === undefined ? null : html` aria-invalid="true"`}
      ${focused ? html` autofocus` : null}
      required
    />
    ${wrong === undefined ? null : html`<p class="error" id="${name}-error">${toSentence(wrong)}</p>`}
  </div>`
}

/** The API’s messages go on from a field’s name; here they stand alone. */
const toSentence = (text: string) =>
  /^(?:is|cannot) /.test(text) ? `This ${text}.` : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** What is wrong with a form as a whole; screen readers say it at once. */
export function renderAlert(problem: Problem | null): Html | null {
  if (problem === null) return null
  const text = problem.fields.length > 0 ? 'Correct the errors below.' : problem.message
  return html`<p class="alert" id="${ALERT_ID}" role="alert">${text}</p>`
}

/** A field of a new password. */
export const renderNewPasswordField = (problem: Problem | null, name = 'password', label = 'Password'): Html =>
  renderField(
    {
      name,
      label,
      type: 'password',
      autocomplete: 'new-password',
      hint: 'At least 8 characters. A few unrelated words make a good one.',
      minLength: 8,
      maxLength: 1024,
    },
    problem,
  )

/** What was typed into a field, to be shown again. Never a password. */
export function getSubmittedValue(request: FastifyRequest, name: 'name' | 'email'): string {
  const value: unknown = (request.body as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'string' ? value.slice(0, 320) : ''
}
