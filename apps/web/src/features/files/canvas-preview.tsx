import { useEffect, useRef } from 'react'

interface CanvasPreviewProps {
  /** Returns the content; must not be new in each render. */
  getContent: () => Promise<Blob | null>
  className: string | undefined
}

/** Pixels of a preview: twice those of a tile. */
const MAX_WIDTH = 320

/** Shows a picture that is not on the server yet. As a canvas, because the page's policy allows no `blob:` addresses. */
export function CanvasPreview({ getContent, className }: CanvasPreviewProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isGone = false
    async function draw(): Promise<void> {
      const content = await getContent()
      if (content === null) return
      const bitmap = await createImageBitmap(content)
      const element = canvas.current
      if (!isGone && element !== null) {
        const scale = Math.min(1, MAX_WIDTH / bitmap.width)
        element.width = Math.max(1, Math.round(bitmap.width * scale))
        element.height = Math.max(1, Math.round(bitmap.height * scale))
        element.getContext('2d')?.drawImage(bitmap, 0, 0, element.width, element.height)
      }
      bitmap.close()
    }
    // What only looks like a picture stays blank.
    draw().catch(() => {})
    return () => {
      isGone = true
    }
  }, [getContent])
  return <canvas ref={canvas} className={className} width={4} height={3} aria-hidden="true" />
}
