import { unsupportedEncoding } from '../problems.ts'
import type { App } from './request.ts'

/** Reads JSON bodies. Many clients send the header without a body (a DELETE, say): that is no body, not bad JSON. What is compressed is taken nowhere. */
export function parseJsonBodies(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    done(encoding === 'identity' ? null : unsupportedEncoding())
  })
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    if (text.length === 0) done(null, undefined)
    else void parse(request, text, done)
  })
}
