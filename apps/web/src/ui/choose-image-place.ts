/**
 * Where an image is shown: `here`, `after-click`, or in a tab of its own, because the policy of the page does not allow its
 * server.
 */
export interface ImagePlace {
  readonly place: 'here' | 'after-click' | 'new-tab'
  /** The server that it is loaded from; empty for an address that is not one of the web. */
  readonly host: string
}

/**
 * Chooses where an image is shown.
 * @param origin the origin of the page
 * @param sources other servers that the policy of the page allows for images; `https:` for all of them
 */
export function choosePlace(src: string, origin: string, sources: readonly string[]): ImagePlace {
  if (src.startsWith('data:')) return { place: 'here', host: '' }
  const url = URL.canParse(src, origin) ? new URL(src, origin) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return { place: 'new-tab', host: '' }
  if (url.origin === origin || sources.some((source) => source !== 'https:' && new URL(source).origin === url.origin)) {
    return { place: 'here', host: url.host }
  }
  const isAllowed = url.protocol === 'https:' && sources.includes('https:')
  return { place: isAllowed ? 'after-click' : 'new-tab', host: url.host }
}
