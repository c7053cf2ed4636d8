import Bookmark from 'lucide-react/icons/bookmark'
import type { ComponentPropsWithRef } from 'react'

import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useNarrow } from '../../use-narrow.ts'

/** The name of a view has up to 255 characters; a tool bar has room for so many. */
const MAX_SHOWN = 24

type ViewsTriggerProps = ComponentPropsWithRef<'button'> & {
  /** The name of the view that is open. */
  name: string | undefined
  /** Whether the list shows something else by now. */
  isChanged: boolean
  /** `form` beside fields of that height. */
  size: 'form' | undefined
}

/** The button of the menu: its icon alone in a narrow window. */
export function ViewsTrigger({ name, isChanged, size, ...props }: ViewsTriggerProps) {
  const isNarrow = useNarrow()
  const change = isChanged ? ' · changed' : ''
  const label = name === undefined ? 'Views' : name + change
  if (isNarrow) return <IconButton {...props} label={label} icon={<Bookmark />} />
  const shown = name !== undefined && name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN - 1)}…${change}` : label
  return (
    <Button
      {...props}
      {...(size === undefined ? {} : { size })}
      icon={<Bookmark />}
      aria-label={label}
      title={shown === label ? undefined : label}
    >
      {shown}
    </Button>
  )
}
