import {
  cloneElement,
  type ComponentType,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useState,
} from 'react'

import { holdTypingForField } from '../hold-typing-for-field.ts'
import { useEarlyPress } from './use-early-press.ts'

interface LazyPartOptions<Props> {
  /** What is shown while the part is loaded; nothing by default. */
  readonly fallback?: (props: Props) => ReactNode
  /**
   * The button of the part, shown while the part is loaded. If it is pressed meanwhile, the part opens once it is there. A
   * failure leaves the button, which loads the code again.
   */
  readonly button?: (props: Props) => ReactElement<Record<string, unknown>>
  /** What is typed while the code is loaded goes into the first field, and not to the keys of the page. */
  readonly isDialog?: boolean
  /** The page works without the part: a failure leaves the fallback. By default it replaces the page. */
  readonly isOptional?: boolean
  /** What a failure leaves in the place of the part. The page works without it until `retry` loads it. */
  readonly renderFailure?: (retry: () => void) => ReactNode
}

/**
 * Makes a component whose code is loaded when it is first shown, or before that by `preload`, which never fails. It appears
 * as soon as its code is there; React would keep the fallback of `lazy` for 300 ms, and what is typed would be lost. Code that
 * the page works without is loaded again when the browser is online.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { fallback, button, isDialog = false, isOptional = false, renderFailure }: LazyPartOptions<Props> = {},
): ComponentType<Props> & { readonly preload: () => void } {
  let loaded: ComponentType<Props> | null = null
  const loadOnce = async () => (loaded ??= await load())

  function Part(props: Props) {
    const [Shown, setShown] = useState(() => loaded)
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null)
    const [attempt, setAttempt] = useState({ isPress: false })
    useEffect(() => {
      if (Shown !== null) return
      loadOnce().then(
        (component) => setShown(() => component),
        (error: unknown) => setFailure({ error }),
      )
    }, [Shown, attempt])
    useEffect(() => {
      // Until the field has the focus, which is after the code was loaded.
      if (isDialog && loaded === null) return holdTypingForField()
    }, [])
    const earlyPress = useEarlyPress(Shown !== null)
    const canWait = isOptional || ((button ?? renderFailure) !== undefined && !attempt.isPress)
    const retry = (isPress: boolean) => {
      setFailure(null)
      setAttempt({ isPress })
    }
    useEffect(() => {
      if (failure === null || !canWait) return
      const retryOnline = () => retry(false)
      window.addEventListener('online', retryOnline)
      return () => window.removeEventListener('online', retryOnline)
    }, [failure, canWait])
    if (failure !== null && !canWait) throw failure.error
    if (Shown !== null) return <Shown {...props} />
    if (failure !== null && renderFailure !== undefined) return renderFailure(() => retry(true))
    if (button === undefined) return fallback?.(props)
    const onClick = (event: MouseEvent) => {
      earlyPress.onClick(event)
      if (failure !== null) retry(true)
    }
    return cloneElement(button(props), { ...earlyPress, onClick })
  }

  return Object.assign(Part, {
    preload: () => {
      loadOnce().catch(() => {})
    },
  })
}
