import type { ImportResult } from '@caseward/client/endpoints'
import { checkChoices } from '@caseward/case-files/to-import-rows'
import { useEffect, useRef, useState } from 'react'

import { searchSchemas } from '../../search-schemas.ts'
import { Button } from '../../ui/button.tsx'
import { HelpLink } from '../../ui/help-link.tsx'
import { useMay } from '../../use-may.ts'
import { useSearch } from '../../use-search.ts'
import { lazySection } from '../../ui/lazy-section.tsx'
import { ColumnsStep } from './columns-step.tsx'
import { FileStep } from './file-step.tsx'
import styles from './import.module.css'
import { PreviewStep } from './preview-step.tsx'
import { ResultStep } from './result-step.tsx'
import { StepList } from './step-list.tsx'
import { useCustomColumns } from './use-custom-columns.ts'
import { useFile } from './use-file.ts'
import { useImport } from './use-import.ts'

const AddOptions = lazySection(async () => (await import('../fields/add-options.tsx')).AddOptions)

/** The four steps of an import. The URL has the step, so that Back returns to the one before; the file is lost on reload. */
export function ImportSteps({ projectId }: { projectId: string }) {
  const [search, change] = useSearch(searchSchemas.import)
  const custom = useCustomColumns(projectId)
  const file = useFile(custom)
  const mayManage = useMay(projectId)('project:settings')
  const transfer = useImport(projectId)
  const [result, setResult] = useState<ImportResult | null>(null)
  const step = getStep(search.step, {
    hasResult: result !== null,
    hasFile: file.summary !== null,
    hasPreview: transfer.preview !== null || transfer.isChecking || transfer.checkFailure !== null,
  })
  const body = useFocusOnStep(step)
  const check = () => {
    if (file.choices !== null) transfer.check(file.convert, file.choices)
  }
  const canCheck = file.choices !== null && checkChoices(file.choices) === null
  return (
    <>
      <header className={styles.header}>
        <h1>Import test cases</h1>
        <StepList step={step} />
        <HelpLink page="import" />
      </header>
      <div className={styles.body} ref={body} tabIndex={-1}>
        {step === 'file' && <FileStep file={file} />}
        {step === 'columns' && file.summary !== null && (
          <ColumnsStep file={file} summary={file.summary} projectId={projectId} mayAddFields={mayManage} />
        )}
        {step === 'preview' && (
          <PreviewStep
            projectId={projectId}
            transfer={transfer}
            onRetry={check}
            unknownOptions={
              mayManage && (
                <AddOptions
                  projectId={projectId}
                  options={transfer.unknownOptions}
                  onAdded={(fields) => {
                    if (file.choices === null) return
                    transfer.check(file.convert, { ...file.choices, custom: { ...custom, fields } })
                  }}
                />
              )
            }
          />
        )}
        {step === 'result' && result !== null && (
          <ResultStep
            projectId={projectId}
            result={result}
            onAgain={() => {
              setResult(null)
              change({ step: 'file' }, 'push')
            }}
          />
        )}
      </div>
      {step !== 'result' && (step !== 'file' || file.summary !== null) && (
        <footer className={styles.footer}>
          {step !== 'file' && (
            <Button size="form" onClick={() => change({ step: step === 'preview' ? 'columns' : 'file' }, 'push')}>
              Back
            </Button>
          )}
          {step === 'file' && (
            <Button size="form" variant="primary" onClick={() => change({ step: 'columns' }, 'push')}>
              Continue
            </Button>
          )}
          {step === 'columns' && (
            <Button
              size="form"
              variant="primary"
              disabled={!canCheck}
              onClick={() => {
                check()
                change({ step: 'preview' }, 'push')
              }}
            >
              Preview
            </Button>
          )}
          {step === 'preview' && (
            <StoreButton
              transfer={transfer}
              onStored={(stored) => {
                setResult(stored)
                file.clear()
                transfer.clear()
                change({ step: 'result' }, 'replace')
              }}
            />
          )}
        </footer>
      )}
    </>
  )
}

interface StoreButtonProps {
  transfer: ReturnType<typeof useImport>
  onStored: (result: ImportResult) => void
}

function StoreButton({ transfer, onStored }: StoreButtonProps) {
  const { result, isStoring, isChecking } = transfer
  const count = (result?.created ?? 0) + (result?.updated ?? 0)
  const canStore = !isChecking && count > 0 && transfer.preview?.every(({ action }) => action !== 'refused') === true
  return (
    <Button
      size="form"
      variant="primary"
      isBusy={isStoring}
      disabled={!canStore}
      onClick={() => transfer.store(onStored)}
    >
      {count === 0 ? 'Import' : `Import ${count.toLocaleString('en')} ${count === 1 ? 'test case' : 'test cases'}`}
    </Button>
  )
}

type Step = 'file' | 'columns' | 'preview' | 'result'

/** The step of the URL, or an earlier one after a reload, which loses the file. */
function getStep(
  step: Step,
  { hasResult, hasFile, hasPreview }: { hasResult: boolean; hasFile: boolean; hasPreview: boolean },
): Step {
  if (step === 'result' && hasResult) return 'result'
  if (!hasFile) return 'file'
  if (step === 'preview' || step === 'result') return hasPreview ? 'preview' : 'columns'
  return step
}

/** Moves the focus to the new step, which is where reading goes on. */
function useFocusOnStep(step: Step) {
  const body = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    body.current?.querySelector<HTMLElement>('h2')?.focus()
    body.current?.scrollTo(0, 0)
  }, [step])
  return body
}
