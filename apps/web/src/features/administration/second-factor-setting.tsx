import { SaveMessage } from '../../ui/save-message.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import styles from './administration.module.css'
import { useUpdateSettings } from './use-update-settings.ts'

const options = [
  { value: 'optional', label: 'Optional' },
  { value: 'required', label: 'Required' },
] as const

/** Whether everybody needs a second factor. @param isRequired as it is stored */
export function SecondFactorSetting({ isRequired }: { isRequired: boolean }) {
  const update = useUpdateSettings()
  const shown = update.isPending ? (update.variables.require_second_factor ?? isRequired) : isRequired
  return (
    <>
      <h2 className={styles.settingName}>Second factor</h2>
      <Segmented
        label="Second factor"
        value={shown ? 'required' : 'optional'}
        options={options}
        onChange={(value) => update.mutate({ require_second_factor: value === 'required' })}
      />
      <p className={styles.hint}>
        If it is required, users without one can do nothing but set it up, also those who are signed in now. Single
        sign-on and tokens are exempt: there, the sign-in provider asks for it.
      </p>
      <SaveMessage mutation={update} success="Saved" />
    </>
  )
}
