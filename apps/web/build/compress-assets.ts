import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import type { Plugin } from 'vite'

/** Smaller files fit into one packet, compressed or not. */
const MIN_BYTES = 1024

const compressWithBrotli = promisify(brotliCompress)
const compressWithGzip = promisify(gzip)

/** Writes `.br` and `.gz` files beside the files of the build, once, so that the service never compresses them. */
export function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const names = await readdir(dir, { recursive: true })
      const texts = names.filter((name) => /\.(?:js|css|html|svg)$/.test(name)).map((name) => join(dir, name))
      await Promise.all(texts.map(compressFile))
    },
  }
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < MIN_BYTES) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await writeFile(`${path}.br`, await compressWithBrotli(content, { params }))
  await writeFile(`${path}.gz`, await compressWithGzip(content, { level: 9 }))
}
