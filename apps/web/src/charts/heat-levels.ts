/** From which value on a square of a heat map is larger and darker. */
export const LEVELS = [1, 2, 5, 20] as const

/** How many kinds of squares are smaller: 0 for the smallest. */
export const getLevel = (value: number): number => LEVELS.filter((from) => value >= from).length - 1
