import { Type } from 'typebox'

import { booleanAliases, defineSetting } from './define-setting.ts'

/** Requests, what pages show, and the log. */
export const requestSettings = {
  requestTimeoutSeconds: defineSetting({
    env: 'REQUEST_TIMEOUT',
    schema: Type.Integer({ minimum: 1, maximum: 3600 }),
    default: 300,
    doc: 'Seconds in which a request must arrive completely.',
  }),
  bodyMemoryMb: defineSetting({
    env: 'BODY_MEMORY_MB',
    schema: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    default: null,
    doc: 'Memory in MB for the bodies of all requests together; a quarter of the heap limit of Node.js when unset. A request that does not fit waits up to 5 seconds, then the response is 503.',
  }),
  maxEventStreams: defineSetting({
    env: 'MAX_EVENT_STREAMS',
    schema: Type.Integer({ minimum: 0, maximum: 100_000 }),
    default: 2000,
    doc: 'Event streams that may be open at the same time, one for each visible tab of the web app; `0` for none. For further ones, the response is 503.',
  }),
  imageSources: defineSetting({
    env: 'IMAGE_SOURCES',
    schema: Type.String({
      pattern:
        '^(?:https:|https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?)(?: (?:https:|https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?))*$',
      description: 'addresses such as https://wiki.example.org, without paths and separated by spaces',
    }),
    default: null,
    doc: 'Other servers whose images in test cases and notes are shown, such as `https://wiki.example.org`, separated by spaces; with `https:`, those of every server after a click. Otherwise such an image is a link, so that no author learns who reads a test case.',
  }),
  allowShares: defineSetting({
    env: 'ALLOW_SHARES',
    schema: Type.Integer({ minimum: 0, maximum: 1 }),
    default: 1,
    doc: 'Whether members may share reports of runs and milestones with people without an account, and such reports can be opened: `1`, or `0` for none. Projects can turn it off for themselves.',
    aliases: booleanAliases,
  }),
  trustProxy: defineSetting({
    env: 'TRUST_PROXY',
    schema: Type.Integer({ minimum: 0, maximum: 100 }),
    default: 0,
    doc: 'Number of reverse proxies in front of the service that append to `X-Forwarded-For`; used to determine the client’s IP address.',
    aliases: booleanAliases,
  }),
  logLevel: defineSetting({
    env: 'LOG_LEVEL',
    schema: Type.Unsafe<'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'>({
      type: 'string',
      enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    }),
    default: 'info',
    doc: 'Log level: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
  }),
  logRequests: defineSetting({
    env: 'LOG_REQUESTS',
    schema: Type.Unsafe<'all' | 'errors'>({ type: 'string', enum: ['all', 'errors'] }),
    default: 'all',
    doc: 'Requests that are logged, with about 200 bytes each: `all`, or `errors` for those with a 4xx or 5xx status.',
  }),
  shutdownDelayMs: defineSetting({
    env: 'SHUTDOWN_DELAY_MS',
    schema: Type.Integer({ minimum: 0, maximum: 300_000 }),
    default: 2500,
    doc: 'Milliseconds to keep serving requests after SIGTERM while `/readyz` returns 503, so that load balancers can switch to other servers.',
  }),
}
