export interface WidthLimits {
  /** In pixels. */
  defaultWidth: number
  minWidth: number
  maxWidth: number
}

const STEP = 16

export const clampWidth = (width: number, { minWidth, maxWidth }: WidthLimits): number =>
  Math.round(Math.min(Math.max(width, minWidth), maxWidth))

/** Returns the width after a key on the handle of a panel, or null if the key has no meaning there. */
export function getWidthForKey(key: string, width: number, side: 'start' | 'end', limits: WidthLimits): number | null {
  const direction = side === 'start' ? 1 : -1
  switch (key) {
    case 'ArrowRight':
      return clampWidth(width + STEP * direction, limits)
    case 'ArrowLeft':
      return clampWidth(width - STEP * direction, limits)
    case 'Home':
      return limits.minWidth
    case 'End':
      return limits.maxWidth
    case 'Enter':
      return limits.defaultWidth
    default:
      return null
  }
}
