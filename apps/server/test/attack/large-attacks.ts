/**
 * The attacks with the largest documents that are accepted, and with pages of a large run. They defend themselves as the smaller
 * ones do, in memory and in turns of the event loop, and take several times as long.
 */
export const LARGE_ATTACKS = [
  'JSON, 490,000 objects in an unknown field and a text',
  'JSON, 499,000 objects with different keys',
  'JSON, 200,000 results with unknown ids',
  'XML, 250,000 tests',
  'XML, 90,000 attempts of one test',
  'XML, 70 names of 140,000 characters of ids',
  '2,500 pages of 2,000 rows by 500 clients, compressed',
]
