import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

interface LazyPartOptions<Props> {
  /** What is shown while the part is loaded; nothing by default. */
  readonly fallback?: (props: Props) => ReactNode
  /** The page works without the part: a failure leaves the fallback. By default it replaces the page. */
  readonly isOptional?: boolean
}

/**
 * Makes a component whose code is loaded when it is first shown, or before that by `preload`, which never fails. It appears
 * as soon as its code is there; React would keep the fallback of `lazy` for 300 ms, and what is typed would be lost.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { fallback, isOptional = false }: LazyPartOptions<Props> = {},
): ComponentType<Props> & { readonly preload: () => void } {
  let loaded: ComponentType<Props> | null = null
  const loadOnce = async () => (loaded ??= await load())

  function Part(props: Props) {
    const [Shown, setShown] = useState(() => loaded)
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null)
    useEffect(() => {
      if (Shown !== null) return
      loadOnce().then(
        (component) => setShown(() => component),
        (error: unknown) => setFailure({ error }),
      )
    }, [Shown])
    if (failure !== null && !isOptional) throw failure.error
    return Shown === null ? fallback?.(props) : <Shown {...props} />
  }

  return Object.assign(Part, {
    preload: () => {
      loadOnce().catch(() => {})
    },
  })
}
