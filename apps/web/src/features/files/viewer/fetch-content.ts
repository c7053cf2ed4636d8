/**
 * Loads the bytes of a file from the app's own server, which answers browsers otherwise with an address of another host: from
 * there, the policy of the page lets only pictures and videos be shown.
 */
export const fetchContent = (url: string, signal?: AbortSignal): Promise<Response> =>
  fetch(url, { headers: { accept: 'application/octet-stream' }, ...(signal === undefined ? {} : { signal }) })
