import { type Unzipped, unzipSync } from 'fflate/browser'

/*
 * Takes the place of `fflate` in the build. It unzips large files in workers whose code is made from text, which the
 * Content-Security-Policy of the page does not allow; our own worker reads Excel files already.
 */

export * from 'fflate/browser'

/** As `unzip` of fflate, without another worker. */
export function unzip(data: Uint8Array, callback: (error: unknown, files: Unzipped | null) => void): void {
  let files: Unzipped
  try {
    files = unzipSync(data)
  } catch (error) {
    callback(error, null)
    return
  }
  callback(null, files)
}
