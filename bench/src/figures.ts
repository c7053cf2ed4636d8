/** One row of the table: a measured value, its reference and its limit. */
export interface Figure {
  what: string
  measured: string
  reference: string
  /** `measured` as a multiple of `reference`, or the measured value itself if there is no reference. */
  value: number
  limit: { at: 'most' | 'least'; value: number; unit: string }
}

/** How much slower anything may be with a thousand times the data. */
export const MAX_GROWTH = 1.2

const round = (value: number) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2))
const ms = (value: number): string => `${round(value)} ms`
const perSecond = (value: number): string => `${value.toFixed(0)}/s`

/** A time as a multiple of the reference's time. */
export function timeFigure(what: string, measuredMs: number, referenceMs: number, limit: number): Figure {
  return {
    what,
    measured: ms(measuredMs),
    reference: ms(referenceMs),
    value: measuredMs / referenceMs,
    limit: { at: 'most', value: limit, unit: '×' },
  }
}

/** A size as a multiple of the reference's. */
export function sizeFigure(what: string, measuredMb: number, referenceMb: number, limit: number): Figure {
  return {
    what,
    measured: `${round(measuredMb)} MB`,
    reference: `${round(referenceMb)} MB`,
    value: measuredMb / referenceMb,
    limit: { at: 'most', value: limit, unit: '×' },
  }
}

/** The processor time of a request as a multiple of the reference's. */
export function costFigure(what: string, measuredUs: number, referenceUs: number, limit: number): Figure {
  return {
    what,
    measured: `${round(measuredUs)} µs`,
    reference: `${round(referenceUs)} µs`,
    value: measuredUs / referenceUs,
    limit: { at: 'most', value: limit, unit: '×' },
  }
}

/** A rate as a multiple of the reference's rate. */
export function rateFigure(what: string, measured: number, reference: number, limit: number): Figure {
  return {
    what,
    measured: perSecond(measured),
    reference: perSecond(reference),
    value: measured / reference,
    limit: { at: 'least', value: limit, unit: '×' },
  }
}

/** Megabytes per second as a multiple of the reference's. */
export function volumeFigure(what: string, measured: number, reference: number, limit: number): Figure {
  return {
    what,
    measured: `${round(measured)} MB/s`,
    reference: `${round(reference)} MB/s`,
    value: measured / reference,
    limit: { at: 'least', value: limit, unit: '×' },
  }
}

/** A rate that must not fall as the database grows: the rate with less data as a multiple of the rate with more. */
export function growthFigure(
  what: string,
  measured: number,
  reference: number,
  ratio: number = reference / measured,
): Figure {
  return {
    what,
    measured: perSecond(measured),
    reference: perSecond(reference),
    value: ratio,
    limit: { at: 'most', value: MAX_GROWTH, unit: '×' },
  }
}

/** A value with an absolute limit. */
export function boundFigure(
  what: string,
  value: number,
  limit: number,
  unit: string,
  at: 'most' | 'least' = 'most',
): Figure {
  return {
    what,
    measured: `${round(value)} ${unit}`,
    reference: '',
    value,
    limit: { at, value: limit, unit: ` ${unit}` },
  }
}

/** By how many milliseconds a value exceeds that of a control, which the machine affects as much. */
export function controlledFigure(what: string, measuredMs: number, controlMs: number, limitMs: number): Figure {
  return {
    what,
    measured: ms(measuredMs),
    reference: ms(controlMs),
    value: Math.max(0, measuredMs - controlMs),
    limit: { at: 'most', value: limitMs, unit: ' ms' },
  }
}

export function meetsLimit({ value, limit }: Figure): boolean {
  return limit.at === 'most' ? value <= limit.value : value >= limit.value
}

/** Formats the figures as a Markdown table. */
export function formatTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { what, measured, reference, value, limit } = figure
    const ratio = reference === '' ? '' : `${round(value)}${limit.unit === '×' ? '×' : limit.unit}`
    const bound = `at ${limit.at} ${Number(limit.value.toFixed(2))}${limit.unit}`
    return `| ${what} | ${measured} | ${reference} | ${ratio} | ${bound} | ${meetsLimit(figure) ? 'yes' : '**no**'} |`
  })
  return [
    '| What | Caseward | Reference | Ratio | Limit | Met |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
