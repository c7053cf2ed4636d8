import { encode } from 'uqr'

import { type Html, html } from './html.ts'

/** Renders a QR code, dark on light also in the dark color scheme: not every camera reads inverted ones. */
export function renderQrCode(text: string): Html {
  const { data, size } = encode(text, { border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return html`<svg viewBox="0 0 ${size} ${size}" width="220" height="220" role="img" aria-label="QR code">
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${squares.join('')}" fill="#000" shape-rendering="crispEdges" />
  </svg>`
}
