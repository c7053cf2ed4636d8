import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createProgressBar, renderBar } from './progress-bar.ts'

const progress = { filesDone: 1, files: 4, bytesDone: 500, bytes: 1000, current: 'results/pay.xml' }

describe('renderBar', () => {
  it('fills in proportion to the bytes sent and names the current file', () => {
    expect(renderBar(progress, 0, 80)).toBe('████████████░░░░░░░░░░░░ 1/4 results/pay.xml')
  })

  it('fills in proportion to the files if their sizes are unknown', () => {
    expect(renderBar({ ...progress, bytes: 0, bytesDone: 0 }, 0, 80)).toMatch(/^█{6}░{18} 1\/4/)
  })

  it('shows the seconds after a file has taken 3 seconds', () => {
    expect(renderBar(progress, 2, 80)).not.toContain('s)')
    expect(renderBar(progress, 12, 80)).toMatch(/pay\.xml \(12 s\)$/)
  })

  it('is always shorter than the line, so that it does not wrap', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 1, max: 200 }), (current, columns) => {
        expect(renderBar({ ...progress, current }, 0, columns).length).toBeLessThan(Math.max(columns, 2))
      }),
    )
  })
})

describe('createProgressBar', () => {
  it('clears the bar before other lines, redraws it below them, and clears it at the end', () => {
    let screen = ''
    const stream = { columns: 80, write: (text: string) => (screen += text) }
    const bar = createProgressBar(stream)
    bar.show(progress)
    bar.hideDuring(() => stream.write('a line\n'))
    bar.end()
    bar.hideDuring(() => stream.write('the end\n'))
    expect(screen.split('\r\u001b[2K')).toEqual([
      '',
      expect.stringContaining('1/4'),
      'a line\n',
      expect.stringContaining('1/4'),
      'the end\n',
    ])
  })
})
