const STEPS = [1, 2, 5] as const

/** Chooses the values that an axis names: from zero, whole and round, up to `max` or a little more. */
export function chooseValueTicks(max: number, count = 4): number[] {
  let unit = 1
  for (;;) {
    for (const factor of STEPS) {
      const step = unit * factor
      const steps = Math.ceil(max / step)
      if (steps <= count) return Array.from({ length: steps + 1 }, (_, index) => index * step)
    }
    unit *= 10
  }
}

const MINUTE = 60
const HOUR = 3600

/** Chooses the seconds that an axis names: whole minutes or hours as soon as there are two of them. */
export function chooseTimeTicks(maxSeconds: number): number[] {
  const unit = [HOUR, MINUTE].find((seconds) => maxSeconds >= 2 * seconds) ?? 1
  return chooseValueTicks(maxSeconds / unit).map((value) => value * unit)
}
