import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const isOwnSource = (id) => id.startsWith(root) && !id.includes('node_modules')

/**
 * For a bundler: files beside a module are found from the place of the module that reads them, which stays as it was.
 * @param {string} output path of the directory that the bundle is found in
 */
export const keepModuleUrls = (output) => ({
  name: 'keep-module-urls',
  transform: {
    filter: { code: 'import.meta.url' },
    handler(code, id) {
      if (!isOwnSource(id)) return null
      const path = relative(output, id).split(sep).join('/')
      return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`)
    },
  },
})
