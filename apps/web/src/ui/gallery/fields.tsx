import { useState } from 'react'

import { Checkbox } from '../checkbox.tsx'
import { TextField } from '../field.tsx'
import { Segmented } from '../segmented.tsx'
import { Select } from '../select.tsx'
import { TabLinks } from '../tab-links.tsx'
import { TextArea } from '../text-area.tsx'
import styles from './gallery.module.css'
import { Row, Section } from './section.tsx'

const priorities = [
  { value: 'critical', label: 'Critical' },
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
] as const

export function FieldsSection() {
  const [name, setName] = useState('Web shop')
  const [long, setLong] = useState('A customer pays by card '.repeat(10))
  const [note, setNote] = useState(
    'Expected 200, got 500.\nThe log says: timeout of the payment service.\n\nSeen twice.',
  )
  const [priority, setPriority] = useState<(typeof priorities)[number]['value']>('high')
  const [isChecked, setIsChecked] = useState(true)
  return (
    <Section title="Fields and choices">
      <div className={styles.columns}>
        <TextField
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint="Others see it in lists."
        />
        <TextField label="Prefix" defaultValue="web" error="Use 2 to 5 uppercase letters." />
        <TextField
          label="Title"
          value={long}
          limit={255}
          onChange={(event) => setLong(event.target.value)}
          placeholder="What the test shows"
        />
        <TextField label="Email address" defaultValue="ada@example.org" disabled />
        <Select label="Priority" value={priority} options={priorities} onChange={setPriority} />
        <Select
          label="Role"
          value={priority}
          options={priorities}
          onChange={setPriority}
          hint="You cannot change your own role."
          disabled
        />
      </div>
      <TextArea label="Note" value={note} limit={65_536} onChange={(event) => setNote(event.target.value)} />
      <Row>
        <Checkbox label="Single-letter keys" checked={isChecked} onChange={setIsChecked} hint="P F B R in execution" />
        <Checkbox label="Some" checked="mixed" onChange={() => {}} />
        <Checkbox label="Off" checked={false} onChange={() => {}} />
        <Checkbox label="Not allowed" checked={false} onChange={() => {}} disabled />
        <Segmented label="Cases" value={priority} options={priorities} onChange={setPriority} />
      </Row>
      <TabLinks
        label="Results"
        tabs={[
          { to: '?status=', label: 'All', detail: '2,000', isCurrent: true },
          { to: '?status=failed', label: 'Failed', detail: 75, isCurrent: false },
          { to: '?new=1', label: 'New failures', detail: 6, isCurrent: false },
          { to: '?status=not_tested', label: 'Not tested', detail: '1,432', isCurrent: false },
        ]}
      />
    </Section>
  )
}
