import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router'

import { queries } from '../../api.ts'
import { paths } from '../../paths.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { Time } from '../../ui/time.tsx'
import { FileDrop } from '../transfer/file-drop.tsx'
import styles from '../transfer/import.module.css'
import { importsQuery } from './import-queries.ts'
import { STATE_WORDS } from './import-words.ts'
import { useImportSender } from './use-import-sender.ts'

const KINDS = {
  text: 'Drop an export of another tool here, or',
  accept: '.xml,.csv,.tsv,.xlsx,.xls,.json,.zip,.feature,.md,.markdown',
}

/** How to export in the tools that most people come from. */
const HOW_TO = [
  ['TestRail', 'Test Cases → Export → Export to XML. It keeps steps, sections, ids and custom fields.'],
  ['Qase', 'Repository → Export → CSV, of all suites.'],
  ['Zephyr Scale', 'Test Cases → select all → Export → XML, or Excel.'],
  ['Xray', 'Export the tests of the Test Repository as CSV.'],
  ['TestLink', 'Test Specification → Actions → Export All Test Suites, as XML with keywords.'],
  ['Other tools', 'CSV or Excel with headings, Gherkin features or Markdown, also many of them in a ZIP file.'],
] as const

/** Takes a file of another tool, and lists the imports that there were. */
export function ChooseImport({ projectId }: { projectId: string }) {
  const me = useQuery(queries.me())
  return (
    <section className={styles.section} aria-labelledby="choose-import">
      <h2 id="choose-import" className={styles.stepTitle}>
        Choose an export
      </h2>
      <LoadedPart query={me} noun="user">
        {({ id }) => <SendImport userId={id} projectId={projectId} />}
      </LoadedPart>
      <div className={styles.help}>
        <p>
          The format is recognized by the content of the file. Before anything is stored, you see what would be created,
          and by name what would get lost. The same file can be imported again: only what has changed there is changed,
          and what was edited here stays.
        </p>
        <ul>
          {HOW_TO.map(([tool, way]) => (
            <li key={tool}>
              {tool}: {way}
            </li>
          ))}
        </ul>
        <p>
          To choose yourself what each column of a CSV or Excel file contains, use{' '}
          <Link to={paths.importCases(projectId)}>the import of test cases</Link>.
        </p>
      </div>
      <EarlierImports projectId={projectId} />
    </section>
  )
}

/** Takes a file, and sends it: on after the page was left or loaded again. */
function SendImport({ userId, projectId }: { userId: string; projectId: string }) {
  const navigate = useNavigate()
  const [sender, { name, isSending, share, failure, importId }] = useImportSender(userId, projectId)
  useEffect(() => {
    if (importId === null) return
    sender.clear()
    void navigate(paths.imports(projectId, importId))
  }, [importId, sender, navigate, projectId])
  return (
    <>
      <FileDrop
        fileName={name}
        isReading={isSending}
        progress={share}
        kinds={KINDS}
        onChoose={(file) => sender.send(file)}
      />
      {isSending && (
        <div className={styles.helpEnd}>
          <Button size="form" onClick={() => sender.cancel()}>
            Cancel
          </Button>
        </div>
      )}
      {failure !== null && (
        <Banner
          tone="error"
          actions={
            failure.canRetry ? (
              <>
                <Button onClick={() => sender.resume()}>Send again</Button>
                <Button onClick={() => sender.cancel()}>Cancel</Button>
              </>
            ) : undefined
          }
        >
          {failure.message}
        </Banner>
      )}
    </>
  )
}

function EarlierImports({ projectId }: { projectId: string }) {
  const query = useQuery(importsQuery(projectId))
  return (
    <LoadedPart query={query} noun="imports">
      {(imports) =>
        imports.length > 0 && (
          <>
            <h2 className={styles.stepTitle}>Imports</h2>
            <ul className={styles.columns}>
              {imports.map(({ id, name, state, source, created_at: at }) => (
                <li key={id} className={styles.column}>
                  <Link className={styles.columnName} to={paths.imports(projectId, id)}>
                    {name}
                  </Link>
                  <span className={styles.muted}>
                    {STATE_WORDS[state]}
                    {source === null ? '' : ` · ${source}`} · <Time at={at} />
                  </span>
                </li>
              ))}
            </ul>
          </>
        )
      }
    </LoadedPart>
  )
}
