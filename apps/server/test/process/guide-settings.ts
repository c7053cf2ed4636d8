import { readFile } from 'node:fs/promises'

/**
 * Returns the settings of a load balancer in docs/operating/load-balancers.md, for servers on other ports.
 * @param language of the block: `nginx`, `haproxy`
 */
export async function readGuideSettings(
  language: string,
  port: number,
  serverPorts: readonly [number, number],
): Promise<string> {
  const guide = await readFile(new URL('../../../../docs/operating/load-balancers.md', import.meta.url), 'utf8')
  const [, block = ''] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(guide) ?? []
  const addresses = ['10.0.0.1:3000', '10.0.0.2:3000', '127.0.0.1:8080']
  const missing = addresses.filter((address) => !block.includes(address))
  if (missing.length > 0) throw new Error(`The settings of ${language} do not contain ${missing.join(', ')}`)
  return [...serverPorts, port].reduce(
    (text, replacement, index) => text.replaceAll(addresses[index] ?? '', `127.0.0.1:${replacement}`),
    block,
  )
}
