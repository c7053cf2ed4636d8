import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'

import { Button, type ButtonLook } from './button.tsx'

interface CopyButtonProps extends Omit<ButtonLook, 'icon' | 'shortcut'> {
  /** What is copied. */
  text: string
  label?: string
}

const SHOWN_MS = 2000

/** Copies a text to the clipboard, and says so. */
export function CopyButton({ text, label = 'Copy', ...look }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  return (
    <Button
      {...look}
      icon={state === 'copied' ? <Check /> : <Copy />}
      onClick={() => {
        copyText(text).then(
          () => setState('copied'),
          () => setState('failed'),
        )
      }}
    >
      <span aria-live="polite">{{ idle: label, copied: 'Copied', failed: 'Select and copy it' }[state]}</span>
    </Button>
  )
}

/** Browsers have the clipboard only for HTTPS and this machine, and many servers have neither. */
export async function copyText(text: string): Promise<void> {
  if ('clipboard' in navigator) return await navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (!isCopied) throw new Error('The browser does not allow to copy.')
}
