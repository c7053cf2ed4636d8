import { Toast as Base } from '@base-ui/react/toast'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'

import { Button } from './button.tsx'
import styles from './toast.module.css'

/** How long a change can be undone. */
export const UNDO_MS = 8000

interface ToastOptions {
  /** What has happened: “Moved 3 test cases”. */
  message: string
  /** Reverts it. The toast closes. */
  onUndo?: () => void
  /** Called once when the toast is gone, however that happened; not after Undo. */
  onExpire?: () => void
}

const manager = Base.createToastManager<{ undoLabel?: string }>()

/** Shows what has happened, for 8 seconds; the time stops while the pointer or the focus is on it. Returns how to close it. */
export function showToast({ message, onUndo, onExpire }: ToastOptions): () => void {
  let isUndone = false
  const id = manager.add({
    title: message,
    timeout: UNDO_MS,
    onRemove: () => {
      if (!isUndone) onExpire?.()
    },
    ...(onUndo === undefined
      ? {}
      : {
          actionProps: {
            children: 'Undo',
            onClick: () => {
              isUndone = true
              onUndo()
              manager.close(id)
            },
          },
        }),
  })
  return () => manager.close(id)
}

/** Contains the toasts. Once in the app. */
export const ToastProvider = ({ children }: { children: ReactNode }) => (
  <Base.Provider toastManager={manager} limit={3}>
    {children}
    <Base.Portal>
      <Base.Viewport className={styles.viewport}>
        <Toasts />
      </Base.Viewport>
    </Base.Portal>
  </Base.Provider>
)

function Toasts() {
  const { toasts } = Base.useToastManager()
  return toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} className={styles.toast}>
      <Base.Title className={styles.message} render={<p />} />
      {toast.actionProps !== undefined && (
        <Base.Action className={styles.undo} render={<Button variant="quiet" shortcut="$mod+Z" />} />
      )}
      <Base.Close className={styles.close} aria-label="Dismiss">
        <X />
      </Base.Close>
    </Base.Root>
  ))
}
