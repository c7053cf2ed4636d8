import type { ComponentType, ReactNode } from 'react'

import { ErrorMessage } from './error-message.tsx'
import { lazyPart } from './lazy-part.tsx'

/**
 * Makes a section of a page whose code is loaded when it is first shown. If that fails, the section says so, and the rest of
 * the page works: results can be set while the browser is offline.
 * @param fallback what is shown while the code is loaded; nothing by default
 */
export const lazySection = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: (props: Props) => ReactNode = () => null,
) =>
  lazyPart(load, {
    fallback,
    renderFailure: (retry) => <ErrorMessage title="This part could not be loaded." onRetry={retry} />,
  })
