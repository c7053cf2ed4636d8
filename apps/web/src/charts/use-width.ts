import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Measures the width of what a chart scrolls in, now and when it changes. The newest days, at the end, are in sight first. */
export function useWidth<E extends HTMLElement>(first: number): [ref: RefObject<E | null>, width: number] {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(first)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    let frame = 0
    const measure = () => {
      setWidth(element.clientWidth)
      cancelAnimationFrame(frame)
      // Once the chart has its new width.
      frame = requestAnimationFrame(() => element.scrollTo({ left: element.scrollWidth }))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
    }
  }, [])
  return [ref, width]
}
