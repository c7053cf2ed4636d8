import { useEffect } from 'react'
import { useRouteError } from 'react-router'

import { reloadWhenReady } from '../reload-when-ready.ts'
import { ErrorMessage } from '../ui/error-message.tsx'

/** Takes the place of a page that failed: its code could not be loaded, or has a fault. What was typed is stored. */
export function PageError() {
  const error = useRouteError()
  const message = error instanceof Error ? error.message : String(error)
  const reload = () => location.reload()
  const isTransient = isLoadError(message)
  useEffect(() => (isTransient ? reloadWhenReady() : undefined), [isTransient])
  if (isTransient) {
    return (
      <main>
        <ErrorMessage title="The page could not be loaded." onRetry={reload}>
          The server does not answer, or a new version was installed. The page is loaded again as soon as it answers.
        </ErrorMessage>
      </main>
    )
  }
  return (
    <main>
      <ErrorMessage title="Something went wrong in this page." copyText={describe(error)} onRetry={reload}>
        {message}
      </ErrorMessage>
    </main>
  )
}

/** Chromium, Firefox and Safari name the failed import of a module differently. */
const isLoadError = (message: string) =>
  /dynamically imported module|Importing a module script failed|Unable to preload/i.test(message)

const describe = (error: unknown): string =>
  error instanceof Error ? `${location.href}\n${error.stack ?? error.message}` : String(error)
