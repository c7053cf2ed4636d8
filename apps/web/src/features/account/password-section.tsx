import type { Me } from '@caseward/client/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'

import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from '../../ui/form-page.module.css'
import { IdentitiesSection } from './identities-section.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import { SecondFactorsSection } from './second-factors-section.tsx'
import { useUpdateMe } from './use-update-me.ts'

const MIN_LENGTH = 8
const empty = { current: '', next: '' }

/** The ways to sign in: the password, if the user has one, single sign-on, and second factors. */
export const PasswordSection = ({ me }: { me: Me }) => (
  <>
    {me.has_password ? (
      <PasswordForm email={me.email} />
    ) : (
      <p className={styles.muted}>
        {me.can_have_password ? (
          <>
            Your account has no password because you sign in with single sign-on.{' '}
            <a href={paths.resetPassword()}>Request a link</a> to set one.
          </>
        ) : (
          'This server uses no passwords. You sign in with single sign-on.'
        )}
      </p>
    )}
    <IdentitiesSection hasPassword={me.has_password} canSetPassword={me.can_have_password} />
    <SecondFactorsSection />
  </>
)

function PasswordForm({ email }: { email: string }) {
  const queryClient = useQueryClient()
  const [{ current, next }, setValues] = useState(empty)
  const [isChecked, setIsChecked] = useState(false)
  const update = useUpdateMe()
  const fields = update.error === null ? null : describeFailure(update.error).fields
  const isTooShort = next.length < MIN_LENGTH
  const type = (values: Partial<typeof empty>) => {
    update.reset()
    setValues({ current, next, ...values })
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (current === '' || isTooShort) return
    const body = { current_password: current, password: next }
    update.mutate(body, {
      onSuccess() {
        setValues(empty)
        setIsChecked(false)
        void queryClient.invalidateQueries({ queryKey: queryKeys.sessions() })
      },
    })
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.muted}>
        A new password signs you out everywhere else. Tokens stay valid: revoke those that you no longer trust. Someone
        else may have used your account? <a href={paths.resetPassword()}>Request a link</a> instead, and say so there:
        that ends everything they may have left.
      </p>
      {/* For password managers. */}
      <input type="email" name="username" value={email} autoComplete="username" readOnly hidden />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        maxLength={1024}
        value={current}
        error={fields?.get('current_password') ?? (isChecked && current === '' ? 'Enter your password.' : null)}
        onChange={(event) => type({ current: event.target.value })}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        maxLength={1024}
        value={next}
        hint="At least 8 characters. Several words are easy to remember and hard to guess."
        error={fields?.get('password') ?? (isChecked && isTooShort ? `Enter at least ${MIN_LENGTH} characters.` : null)}
        onChange={(event) => type({ next: event.target.value })}
      />
      <div className={styles.buttons}>
        <Button type="submit" size="form" variant="primary" isBusy={update.isPending}>
          Change password
        </Button>
        <SaveMessage mutation={update} success="Password changed. You are signed out everywhere else." />
      </div>
    </form>
  )
}
