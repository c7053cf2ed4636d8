import { type ComponentPropsWithRef, type RefObject, useLayoutEffect, useRef } from 'react'

import { classNames } from './class-names.ts'
import { Field, type FieldLook } from './field.tsx'
import styles from './text-area.module.css'

interface TextAreaProps extends Omit<ComponentPropsWithRef<'textarea'>, 'id' | 'ref' | 'value'>, FieldLook {
  value: string
  /** The control itself, to focus it. */
  inputRef?: RefObject<HTMLTextAreaElement | null> | undefined
  /** The height while it is empty, in lines. */
  minRows?: number
  /** The height from which on it scrolls, in lines. */
  maxRows?: number
}

/** A field for several lines that grows with its text. */
export function TextArea({
  label,
  isLabelHidden = false,
  hint,
  error,
  limit,
  minRows = 2,
  maxRows = 24,
  inputRef,
  className,
  ...props
}: TextAreaProps) {
  const ownRef = useRef<HTMLTextAreaElement>(null)
  const ref = inputRef ?? ownRef
  const { value } = props
  useLayoutEffect(() => {
    if (ref.current !== null) fitHeight(ref.current, minRows, maxRows)
  }, [ref, value, minRows, maxRows])
  return (
    <Field
      {...{ label, isLabelHidden, hint, error, className }}
      {...(limit === undefined ? {} : { limit })}
      length={value.length}
    >
      {(control) => (
        <textarea
          rows={minRows}
          {...props}
          {...control}
          ref={ref}
          className={classNames(control.className, styles.area)}
        />
      )}
    </Field>
  )
}

/** Firefox has no `field-sizing`. */
function fitHeight(area: HTMLTextAreaElement, minRows: number, maxRows: number): void {
  const { lineHeight, paddingBlockStart, paddingBlockEnd, borderBlockWidth } = getComputedStyle(area)
  const line = Number.parseFloat(lineHeight)
  const frame = Number.parseFloat(borderBlockWidth) * 2
  const padding = Number.parseFloat(paddingBlockStart) + Number.parseFloat(paddingBlockEnd)
  area.style.height = 'auto'
  const height = Math.max(area.scrollHeight, minRows * line + padding)
  area.style.height = `${Math.min(height, maxRows * line + padding) + frame}px`
}
