import type { Me } from '@caseward/client/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import ExternalLink from 'lucide-react/icons/external-link'
import { useState } from 'react'

import { browserStorage } from '../../../browser-storage.ts'
import { describeFailure } from '../../../problems.ts'
import { queryKeys } from '../../../query-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { downloadFile } from '../download-file.ts'
import { FileIcon } from '../file-icon.tsx'
import { formatBytes } from '../file-words.ts'
import type { OpenableFile } from '../shown-file.ts'
import { openTrace, PUBLIC_TRACE_VIEWER } from './open-trace.ts'
import styles from './viewer.module.css'

/** A larger trace does not fit into the memory of a window. */
const MAX_TRACE_BYTES = 500 * 1024 * 1024
/** Asked once in each browser. */
const AGREED_KEY = 'caseward:trace-viewer'

/** A trace of Playwright: opened in Playwright's viewer, on another host name and never on that of the app. */
export function TraceView({ file }: { file: OpenableFile }) {
  const [isAsking, setIsAsking] = useState(false)
  const [state, setState] = useState<'idle' | 'opening' | 'opened'>('idle')
  const [error, setError] = useState<string | null>(null)
  const ownViewer = useQueryClient().getQueryData<Me>(queryKeys.me())?.trace_viewer_url ?? null
  // The viewer of this server is on another host name, and no other site.
  const isAgreed = () => ownViewer !== null || browserStorage.read(AGREED_KEY) === true
  const canOpen = file.byte_count <= MAX_TRACE_BYTES

  async function open(): Promise<void> {
    setState('opening')
    setError(null)
    try {
      await openTrace(file.url, ownViewer ?? PUBLIC_TRACE_VIEWER)
      setState('opened')
    } catch (caught) {
      setState('idle')
      setError(
        caught instanceof Error && caught.name === 'TraceError' ? caught.message : describeFailure(caught).message,
      )
    }
  }
  return (
    <div className={styles.message}>
      <FileIcon kind="trace" />
      {canOpen ? (
        <p>A trace shows every step of the test, with the page before and after it.</p>
      ) : (
        <p>This trace is too large for a browser. Download it, and open it with Playwright.</p>
      )}
      <div className={styles.traceButtons}>
        {canOpen && (
          <Button
            variant="primary"
            size="form"
            icon={<ExternalLink />}
            isBusy={state === 'opening'}
            onClick={() => (isAgreed() ? void open() : setIsAsking(true))}
          >
            Open trace
          </Button>
        )}
        <Button size="form" icon={<Download />} onClick={() => downloadFile(file)}>
          {`Download, ${formatBytes(file.byte_count)}`}
        </Button>
      </div>
      <p className={styles.command}>
        <code>{getCommand(file.name)}</code>
        <CopyButton text={getCommand(file.name)} label="Copy command" variant="quiet" />
      </p>
      <p role="status">{state === 'opened' ? 'The trace is open in another window.' : ''}</p>
      {error !== null && (
        <p className={styles.failure} role="alert">
          {error}
        </p>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Open the trace in Playwright’s viewer?"
        confirmLabel="Open"
        isDanger={false}
        onConfirm={() => {
          browserStorage.write(AGREED_KEY, true)
          setIsAsking(false)
          void open()
        }}
      >
        {`The viewer is a page of ${new URL(PUBLIC_TRACE_VIEWER).host}. The trace stays in this browser: it is handed to the viewer’s window, and not sent to that site. This is asked once in this browser.`}
      </ConfirmDialog>
    </div>
  )
}

/** Quoted for a shell, where names may have spaces and quotes. */
const getCommand = (name: string): string =>
  `npx playwright show-trace ${/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`}`
