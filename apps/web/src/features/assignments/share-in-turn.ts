/** How many results each of several people gets, in turn: `5` to two are `3` and `2`. */
export const shareInTurn = (count: number, people: number): number[] =>
  Array.from({ length: people }, (_, index) => Math.max(Math.ceil((count - index) / people), 0))
