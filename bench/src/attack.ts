import { parseArgs } from 'node:util'

import { attacks } from './attack/attacks.ts'
import { type AttackResult, runAttacks } from './attack/run-attacks.ts'

/* `npm run attack`: attacks a service in many ways, and prints what it endures. */

const MAX_RSS_MB = 700
const MAX_HEALTH_MS = 250
const MAX_OTHER_MS = 3000

const { values: options, positionals } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    /** Part of the names of attacks that are left out. */
    except: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
})
const names = Object.keys(attacks).filter(
  (name) =>
    (positionals.length === 0 || positionals.some((part) => name.includes(part))) &&
    !options.except.some((part) => name.includes(part)),
)
const printLine = (text: string) => process.stderr.write(`${text}\n`)
printLine(`${names.length} attacks with ${Number(options.scale) * 100} % of the clients`)
const results = await runAttacks(Number(options.scale), names, (result) => printLine(formatResult(result).join('  ')))
process.stdout.write(options.json ? `${JSON.stringify(results)}\n` : `${formatTable(results)}\n`)
const failed = results.filter((result) => !meetsLimits(result))
printLine(failed.length === 0 ? 'All attacks were endured.' : `${failed.length} attacks were not endured.`)
if (!options.json && failed.length > 0) process.exitCode = 1

function meetsLimits(result: AttackResult): boolean {
  const { isAlive, peakRssMb, slowestHealthMs, healthFailures, recoveredMs, slowestOtherMs, otherFailures } = result
  const isHealthy = slowestHealthMs < MAX_HEALTH_MS && healthFailures === 0
  const sparesOthers = slowestOtherMs < MAX_OTHER_MS && otherFailures === 0
  return isAlive && peakRssMb < MAX_RSS_MB && isHealthy && sparesOthers && recoveredMs !== null
}

function formatResult(result: AttackResult): string[] {
  const statuses = Object.entries(result.statuses).map(([status, count]) => `${count} × ${status}`)
  return [
    result.name,
    statuses.join(', ') || 'none read',
    `${result.seconds.toFixed(1)} s`,
    `${Math.round(result.peakRssMb)} MB`,
    formatSlowest(result.slowestHealthMs, result.healthFailures),
    `${Math.round(result.blockedMs)} ms`,
    result.recoveredMs === null ? 'never' : `${Math.round(result.recoveredMs)} ms`,
    result.slowestOtherMs === 0 ? '' : formatSlowest(result.slowestOtherMs, result.otherFailures),
    meetsLimits(result) ? 'yes' : '**no**',
  ]
}

function formatSlowest(ms: number, failures: number): string {
  return `${Math.round(ms)} ms${failures > 0 ? `, ${failures} failed` : ''}`
}

function formatTable(rows: readonly AttackResult[]): string {
  const headings = [
    'Attack',
    'Responses',
    'Duration',
    `Peak resident memory (under ${MAX_RSS_MB} MB)`,
    `Slowest /healthz (under ${MAX_HEALTH_MS} ms)`,
    'Event loop blocked',
    'Next upload stored after',
    `Slowest request of another user (under ${MAX_OTHER_MS} ms)`,
    'Endured',
  ]
  return [headings, headings.map(() => '---'), ...rows.map(formatResult)]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}
