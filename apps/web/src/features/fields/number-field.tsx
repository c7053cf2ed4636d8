import type { Field as CustomField } from '@caseward/client/endpoints'
import { type ReactNode, useState } from 'react'

import { Field } from '../../ui/field.tsx'

interface NumberFieldProps {
  label: string
  value: number | null
  limits?: Pick<CustomField, 'min' | 'max' | 'decimals'>
  hint?: ReactNode
  error?: string | null | undefined
  onChange: (value: number | null) => void
}

/** A number as text. What is none, or is outside of the limits, stays in the field and says so. */
export function NumberField({ label, value, limits, hint, error, onChange }: NumberFieldProps) {
  const [text, setText] = useState<string | null>(null)
  const parsed = text === null ? value : parseNumber(text, limits)
  const misfit = typeof parsed === 'string' ? parsed : ''
  function leave(): void {
    if (text === null || typeof parsed === 'string') return
    setText(null)
    if (parsed !== value) onChange(parsed)
  }
  return (
    <Field label={label} hint={hint} error={misfit === '' ? error : misfit}>
      {(control) => (
        <input
          {...control}
          // So that no form is sent with it.
          ref={(input) => input?.setCustomValidity(misfit)}
          value={text ?? (value === null ? '' : String(value))}
          inputMode="decimal"
          autoComplete="off"
          maxLength={24}
          onChange={({ target }) => setText(target.value)}
          onBlur={leave}
          onKeyDown={({ key }) => key === 'Enter' && leave()}
        />
      )}
    </Field>
  )
}

/** @returns null for nothing, or what is wrong as a sentence */
export function parseNumber(
  text: string,
  { min, max, decimals }: Pick<CustomField, 'min' | 'max' | 'decimals'> = { min: null, max: null, decimals: null },
): number | null | string {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const value = Number(trimmed.replace(',', '.'))
  if (!/^[+-]?(?:\d+[.,]?\d*|[.,]\d+)$/.test(trimmed) || !Number.isFinite(value)) return 'Enter a number such as 7.5.'
  if (min !== null && value < min) return `Enter ${min} or more.`
  if (max !== null && value > max) return `Enter ${max} or less.`
  const places = decimals ?? 6
  if (Number(value.toFixed(places)) === value) return value
  return places === 0 ? 'Enter a whole number.' : `Enter at most ${places} decimal places.`
}
