import { useEffect, useRef, useState } from 'react'

/** A part of the page that takes files. */
interface Target {
  /** Files that are dropped within it are for this part; those that are pasted are for the part that was mounted last. */
  readonly getArea: () => Element | null
  readonly onFiles: (files: readonly File[], isPasted: boolean) => void
  readonly onHover: (area: Element | null) => void
}

const targets: Target[] = []
let hovered: Target | null = null

function hover(target: Target | null): void {
  if (hovered === target) return
  hovered?.onHover(null)
  hovered = target
  target?.onHover(target.getArea())
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
const findTarget = ({ target: element }: Event): Target | null =>
  targets.findLast((target) => element instanceof Node && target.getArea()?.contains(element) === true) ?? null

function handleDragOver(event: DragEvent): void {
  if (!hasFiles(event) || event.defaultPrevented) return
  // A file that is dropped beside a target would replace the page.
  event.preventDefault()
  hover(findTarget(event))
  if (event.dataTransfer !== null) event.dataTransfer.dropEffect = hovered === null ? 'none' : 'copy'
}
function handleDragLeave(event: DragEvent): void {
  if (event.relatedTarget === null) hover(null)
}
function handleDrop(event: DragEvent): void {
  if (!hasFiles(event) || event.defaultPrevented) return
  event.preventDefault()
  const target = findTarget(event)
  hover(null)
  // A directory has no content, and cannot be read as a file.
  const items = [...(event.dataTransfer?.items ?? [])]
  const isFile = (index: number) => items[index]?.webkitGetAsEntry()?.isDirectory !== true
  const files = [...(event.dataTransfer?.files ?? [])].filter((_, index) => isFile(index))
  if (files.length > 0) target?.onFiles(files, false)
}
function handlePaste(event: ClipboardEvent): void {
  const target = targets.at(-1)
  const files = [...(event.clipboardData?.files ?? [])]
  if (target === undefined || files.length === 0 || event.defaultPrevented || !isFor(target, event)) return
  event.preventDefault()
  target.onFiles(files, true)
}

/** A field takes the text of what is pasted, such as of cells of a table, which are a picture, too. */
function isFor({ getArea }: Target, { target: element, clipboardData }: ClipboardEvent): boolean {
  if (!(element instanceof Element)) return true
  const dialog = element.closest('[role=dialog],[role=alertdialog]')
  if (dialog !== null && !dialog.contains(getArea())) return false
  const isField = element.closest('input,textarea,[contenteditable]') !== null
  return !isField || clipboardData?.types.includes('text/plain') !== true
}

function register(target: Target): () => void {
  if (targets.length === 0) {
    document.addEventListener('dragover', handleDragOver)
    document.addEventListener('dragleave', handleDragLeave)
    document.addEventListener('drop', handleDrop)
    document.addEventListener('paste', handlePaste)
  }
  targets.push(target)
  return () => {
    if (hovered === target) hover(null)
    targets.splice(targets.indexOf(target), 1)
    if (targets.length > 0) return
    document.removeEventListener('dragover', handleDragOver)
    document.removeEventListener('dragleave', handleDragLeave)
    document.removeEventListener('drop', handleDrop)
    document.removeEventListener('paste', handlePaste)
  }
}

/**
 * Takes files that are dropped within an area, or pasted outside of a field.
 * @param getArea returns the area; must not be new in each render
 * @returns the area while files are dragged over it, to be highlighted
 */
export function useFileDrop(
  isEnabled: boolean,
  getArea: () => Element | null,
  onFiles: Target['onFiles'],
): Element | null {
  const [area, setArea] = useState<Element | null>(null)
  const current = useRef(onFiles)
  useEffect(() => {
    current.current = onFiles
  })
  useEffect(() => {
    if (!isEnabled) return
    return register({
      getArea,
      onFiles: (files, isPasted) => current.current(files, isPasted),
      onHover: setArea,
    })
  }, [isEnabled, getArea])
  return isEnabled ? area : null
}
