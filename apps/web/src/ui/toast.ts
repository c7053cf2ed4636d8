import { Toast } from '@base-ui/react/toast'

/** How long a toast is shown. */
const SHOWN_MS = 8000

interface ToastOptions {
  /** What has happened: “Moved 3 test cases”. */
  message: string
  /** Reverts it. The toast closes. */
  onUndo?: () => void
  /** Called when it has closed, also by {@link showToast}'s result. */
  onClose?: () => void
}

export const toastManager = Toast.createToastManager()

let count = 0

/** The code that shows toasts arrives after the page. Until then they wait. */
let waiting: (() => void)[] | null = []

/** Shows the toasts that wait. Called when there is a place for them. */
export function showWaitingToasts(): void {
  const shows = waiting ?? []
  waiting = null
  for (const show of shows) show()
}

/** Shows what has happened, for 8 seconds; the time stops while the pointer or the focus is on it. Returns how to close it. */
export function showToast({ message, onUndo, onClose }: ToastOptions): () => void {
  count += 1
  const id = `toast-${count}`
  const undo = () => {
    onUndo?.()
    toastManager.close(id)
  }
  const show = () => {
    toastManager.add({
      id,
      title: message,
      timeout: SHOWN_MS,
      ...(onClose === undefined ? {} : { onClose }),
      ...(onUndo === undefined ? {} : { actionProps: { children: 'Undo', onClick: undo } }),
    })
  }
  if (waiting === null) show()
  else waiting.push(show)
  return () => {
    waiting = waiting?.filter((other) => other !== show) ?? null
    toastManager.close(id)
  }
}
