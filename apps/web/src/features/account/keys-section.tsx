import { useQuery } from '@tanstack/react-query'

import { queries } from '../../api.ts'
import { keyPlaces } from '../../key-words.ts'
import type { KeyPlace } from '../../keys.ts'
import type { Preferences } from '../../preferences.ts'
import { KeyList } from '../../shell/key-list.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { preferences, themes, usePreference } from '../../use-preferences.ts'
import styles from '../../ui/form-page.module.css'
import { describeFailure } from '../../problems.ts'
import { useUpdateMe } from './use-update-me.ts'

const allPlaces = Object.keys(keyPlaces) as KeyPlace[]

/** What the user has chosen for this browser, and all keys. */
export function KeysSection() {
  const theme = usePreference('theme')
  const density = usePreference('density')
  const singleLetterKeys = usePreference('singleLetterKeys')
  const timer = usePreference('timer')
  const noteAfterFailed = usePreference('noteAfterFailed')
  return (
    <div className={styles.settings}>
      <p className={styles.muted}>These settings apply to this browser, at once.</p>
      <div className={styles.setting}>
        <span className={styles.name}>Theme</span>
        <Segmented<Preferences['theme']>
          label="Theme"
          value={theme}
          options={themes}
          onChange={(value) => preferences.set({ theme: value })}
        />
      </div>
      <div className={styles.setting}>
        <span className={styles.name}>Rows of lists</span>
        <Segmented<Preferences['density']>
          label="Rows of lists"
          value={density}
          options={[
            { value: 'compact', label: 'Compact' },
            { value: 'comfortable', label: 'Comfortable' },
          ]}
          onChange={(value) => preferences.set({ density: value })}
        />
      </div>
      <Checkbox
        label="Measure the time in execution"
        hint="The time is stored with each result. You can correct it."
        checked={timer}
        onChange={(value) => preferences.set({ timer: value })}
      />
      <Checkbox
        label="Go to the note after “Failed”"
        hint="Otherwise the next test case opens."
        checked={noteAfterFailed}
        onChange={(value) => preferences.set({ noteAfterFailed: value })}
      />
      <Checkbox
        label="Keys without Ctrl, Alt or ⌘"
        hint="Switch them off if speech input or typing by mistake triggers them."
        checked={singleLetterKeys}
        onChange={(value) => preferences.set({ singleLetterKeys: value })}
      />
      <EmailSetting />
      <div className={styles.part}>
        <h2>Keys</h2>
        <KeyList places={allPlaces} headingLevel={3} />
      </div>
    </div>
  )
}

/** Which emails the user gets, in all browsers. */
function EmailSetting() {
  const { data: me } = useQuery(queries.me())
  const update = useUpdateMe()
  if (me === undefined) return null
  return (
    <div className={styles.part}>
      <h2>Emails</h2>
      <Checkbox
        label="Email me when a comment mentions me"
        hint={
          update.error === null
            ? 'At most one in five minutes, with all that is new. This setting applies to your account.'
            : `Not saved: ${describeFailure(update.error).message}`
        }
        checked={update.isPending ? update.variables.mention_emails !== false : me.mention_emails}
        onChange={(value) => update.mutate({ mention_emails: value })}
      />
    </div>
  )
}
