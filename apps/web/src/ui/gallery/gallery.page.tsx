import { preferences, usePreference } from '../../use-preferences.ts'
import { Segmented } from '../segmented.tsx'
import { ButtonsSection } from './buttons.tsx'
import { FieldsSection } from './fields.tsx'
import styles from './gallery.module.css'
import { LabelsSection } from './labels.tsx'
import { MessagesSection } from './messages.tsx'
import { OverlaysSection } from './overlays.tsx'
import { StatusSection } from './statuses.tsx'
import { TableSection } from './tables.tsx'
import { TreeSection } from './trees.tsx'

/** `/ui`, in development only: every component in every state. */
export function GalleryPage() {
  const theme = usePreference('theme')
  const density = usePreference('density')
  return (
    <main className={styles.page}>
      <title>Components · Caseward</title>
      <div className={styles.head}>
        <h1>Components</h1>
        <div className={styles.choices}>
          <Segmented
            label="Theme"
            value={theme}
            options={[
              { value: 'system', label: 'System' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            onChange={(value) => preferences.set({ theme: value })}
          />
          <Segmented
            label="Density"
            value={density}
            options={[
              { value: 'compact', label: 'Compact' },
              { value: 'comfortable', label: 'Comfortable' },
            ]}
            onChange={(value) => preferences.set({ density: value })}
          />
        </div>
      </div>
      <ButtonsSection />
      <FieldsSection />
      <StatusSection />
      <LabelsSection />
      <TableSection />
      <TreeSection />
      <OverlaysSection />
      <MessagesSection />
    </main>
  )
}
