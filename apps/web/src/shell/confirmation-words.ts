import type { ConfirmationMethod, ConfirmBody } from '@caseward/client/endpoints'

/** A way to confirm that is typed into a field. */
interface TypedMethod {
  /** The field of the request. */
  readonly name: keyof ConfirmBody
  readonly label: string
  readonly type: 'password' | 'text'
  readonly autoComplete: 'current-password' | 'one-time-code' | 'off'
  readonly inputMode?: 'numeric'
  readonly hint?: string
  /** What is said if nothing was typed. */
  readonly missing: string
}

export const typedMethods: Readonly<Partial<Record<ConfirmationMethod, TypedMethod>>> = {
  password: {
    name: 'password',
    label: 'Password',
    type: 'password',
    autoComplete: 'current-password',
    missing: 'Enter your password.',
  },
  totp: {
    name: 'totp_code',
    label: 'Code of your authenticator app',
    type: 'text',
    autoComplete: 'one-time-code',
    inputMode: 'numeric',
    hint: 'Each code works once. If you have just used it, wait for the next one.',
    missing: 'Enter the code that your app shows.',
  },
  recovery_code: {
    name: 'recovery_code',
    label: 'Recovery code',
    type: 'text',
    autoComplete: 'off',
    hint: 'It is used up.',
    missing: 'Enter one of your recovery codes.',
  },
}

/** The buttons that change to another way. */
export const methodNames: Readonly<Record<ConfirmationMethod, string>> = {
  password: 'Use your password',
  totp: 'Use your authenticator app',
  passkey: 'Use a passkey',
  recovery_code: 'Use a recovery code',
  single_sign_on: 'Use single sign-on',
}
