import { formatEstimate, parseEstimate } from '@caseward/case-files/estimate-text'
import { useState } from 'react'

import { Field } from '../../ui/field.tsx'

interface EstimateFieldProps {
  /** Seconds; null for none. */
  estimate: number | null
  /** What the server says is wrong. */
  error?: string | null | undefined
  onChange: (estimate: number | null) => void
}

/** How long a test takes, as text such as "1h 30m". What cannot be read stays in the field and says so. */
export function EstimateField({ estimate, error, onChange }: EstimateFieldProps) {
  const [text, setText] = useState<string | null>(null)
  const parsed = text === null ? estimate : parseEstimate(text)
  const misfit = typeof parsed === 'string' ? `The estimate ${parsed}.` : ''
  function leave(): void {
    if (text === null || typeof parsed === 'string') return
    setText(null)
    if (parsed !== estimate) onChange(parsed)
  }
  return (
    <Field label="Estimate" error={misfit === '' ? error : misfit}>
      {(control) => (
        <input
          {...control}
          // So that no form is sent with it.
          ref={(input) => input?.setCustomValidity(misfit)}
          value={text ?? formatEstimate(estimate)}
          placeholder="1h 30m"
          autoComplete="off"
          maxLength={50}
          onChange={({ target }) => setText(target.value)}
          onBlur={leave}
          onKeyDown={({ key }) => key === 'Enter' && leave()}
        />
      )}
    </Field>
  )
}
