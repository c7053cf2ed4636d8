import { describe, expect, it } from 'vitest'

import { findProxy, getHost, getHostAndPort, getPort } from './proxy-settings.ts'

const find = (server: string, env: Record<string, string>) => findProxy(new URL(server), env)?.href ?? null

const secure = 'https://caseward.example.com'
const plain = 'http://caseward.example.com'

describe('findProxy', () => {
  it.each([
    [secure, { HTTPS_PROXY: 'http://a:1' }, 'http://a:1/'],
    [secure, { https_proxy: 'http://a:1', HTTPS_PROXY: 'http://b:2' }, 'http://a:1/'],
    [secure, { HTTP_PROXY: 'http://a:1' }, null],
    [secure, { ALL_PROXY: 'http://a:1' }, 'http://a:1/'],
    [secure, { HTTPS_PROXY: ' ' }, null],
    [plain, { HTTP_PROXY: 'http://a:1' }, 'http://a:1/'],
    [plain, { http_proxy: 'proxy.corp:3128' }, 'http://proxy.corp:3128/'],
    [plain, { HTTPS_PROXY: 'http://a:1' }, null],
    [plain, { all_proxy: 'https://user:pass@a:1' }, 'https://user:pass@a:1/'],
    [plain, {}, null],
  ])('finds for %s with %j the proxy %j', (server, env, proxy) => {
    expect(find(server, env)).toBe(proxy)
  })

  it.each(['socks5://user:secret@a:1', 'http://user:secret@', '://'])('throws without the address for %s', (proxy) => {
    expect(() => find(secure, { HTTPS_PROXY: proxy })).toThrow(/^Invalid HTTPS_PROXY: (?!.*secret)/)
  })

  it.each([
    [secure, 'caseward.example.com'],
    [secure, 'example.com'],
    [secure, '.example.com'],
    [secure, '*.example.com'],
    [secure, 'EXAMPLE.com.'],
    [secure, 'localhost, example.com'],
    [secure, 'localhost example.com'],
    [secure, 'caseward.example.com:443'],
    [secure, '*'],
    ['http://127.0.0.1:8080', '127.0.0.1'],
    ['http://10.2.3.4', '10.0.0.0/8'],
    ['http://[::1]:8080', '::1'],
    ['http://[::1]:8080', '[::1]'],
    ['http://[::1]:8080', '[::1]:8080'],
    ['http://[0:0:0:0:0:0:0:1]:8080', '::1'],
    ['http://[::1]:8080', '0:0:0:0:0:0:0:1'],
    ['http://[fd12::7]', 'fd00::/8'],
  ])('finds no proxy for %s with NO_PROXY=%j', (server, list) => {
    const proxies = { HTTPS_PROXY: 'http://a:1', HTTP_PROXY: 'http://a:1' }
    expect([find(server, { ...proxies, NO_PROXY: list }), find(server, { ...proxies, no_proxy: list })]).toEqual([
      null,
      null,
    ])
  })

  it.each([
    [secure, 'ample.com'],
    [secure, 'caseward.example.com:8443'],
    [secure, 'caseward.example.com.evil.org'],
    [secure, '.'],
    [secure, ''],
    [secure, '10.0.0.0/99'],
    ['http://127.0.0.1:8080', '127.0.0.1:80'],
    ['http://[::1]:8080', '[::1]:80'],
    ['http://[::1]:8080', '::2'],
    ['http://[::1]:8080', '::1:8080'],
    ['http://11.2.3.4', '10.0.0.0/8'],
  ])('finds the proxy for %s with NO_PROXY=%j', (server, list) => {
    expect(find(server, { HTTPS_PROXY: 'http://a:1', HTTP_PROXY: 'http://a:1', NO_PROXY: list })).toBe('http://a:1/')
  })
})

describe('getHostAndPort', () => {
  it.each([
    [secure, 'caseward.example.com:443', 'caseward.example.com', '443'],
    [plain, 'caseward.example.com:80', 'caseward.example.com', '80'],
    ['http://[::1]:3000', '[::1]:3000', '::1', '3000'],
  ])('returns for %s %s', (url, hostAndPort, host, port) => {
    expect([getHostAndPort(new URL(url)), getHost(new URL(url)), getPort(new URL(url))]).toEqual([
      hostAndPort,
      host,
      port,
    ])
  })
})
