import { fileURLToPath } from 'node:url'

import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

import { addThemeScript } from './build/add-theme-script.ts'
import { copyTraceViewer } from './build/copy-trace-viewer.ts'
import { compressAssets } from './build/compress-assets.ts'

/** What many pages need: one file of these, instead of forty small ones, makes each page 6 KB smaller. */
const smallParts =
  /lucide-react|infiniteQueryOptions|ui\/(?:count|format-count|visually-hidden|skeleton|split|banner|checkbox|empty-state|time|search-field|bulk-bar|use-media-query)|use-narrow|use-search|use-settled/

/** Development builds contain `/ui`, the page of all components, and are not compressed: files must not become stale. */
export default defineConfig(({ mode }) => ({
  // The sources of the workspace's packages, so that their builds cannot be stale.
  resolve: {
    conditions: ['caseward-source', ...defaultClientConditions],
    alias: [
      { find: /^fflate$/, replacement: fileURLToPath(new URL('src/features/transfer/unzip-here.ts', import.meta.url)) },
    ],
  },
  plugins: [react(), addThemeScript(), ...(mode === 'production' ? [compressAssets(), copyTraceViewer()] : [])],
  // Workers load code when it is needed, too.
  worker: { format: 'es' },
  build: {
    outDir: mode === 'development' ? 'dist/development' : 'dist/app',
    // The first that know light-dark(), which the tokens use.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    sourcemap: mode === 'development',
    modulePreload: { polyfill: false },
    // One stylesheet of 14 KB: many small ones take twice that, and their order would depend on what was opened before.
    cssCodeSplit: false,
    // The Content-Security-Policy allows data: for images only.
    assetsInlineLimit: (file) => (file.endsWith('.svg') ? undefined : false),
    rolldownOptions: {
      output: {
        // The entry must know all names, of which the digests compress least: 42 bits tell the versions of a file apart.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            { name: 'parts', test: smallParts, minShareCount: 7, priority: 1 },
            // Each would be a file of 300 bytes, with a name that the entry must know. None depends on more than `parts`.
            {
              name: 'frame',
              test: /src\/(?:drafts\/(?:drafts|use-drafts|unsent-cases|use-unsent-cases)|outbox\/(?:outbox-entry|describe-outbox|watch-browser|use-outbox)|undo\/(?:use-undo|undo-stack)|ui\/toast|rights)\./,
              minShareCount: 2,
            },
            {
              name: 'lists',
              test: /src\/(?:ui\/(?:progress-line|table\/selection|status\/statuses)|row-index\/search-text|features\/test-cases\/group-by-folder)\./,
              minShareCount: 2,
            },
            { name: 'icons', test: /lucide-react/, minShareCount: 2 },
          ],
        },
      },
    },
    manifest: true,
    reportCompressedSize: false,
  },
}))
