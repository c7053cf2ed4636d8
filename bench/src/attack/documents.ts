/** Documents of 10 MB, each of which costs a server much more than it costs its sender. */

const LIMIT_BYTES = 10 * 1024 * 1024

/** Repeats an item as often as 10 MB allow, between a start and an end. */
function fill(start: string, item: string, end: string): Buffer {
  const [first, bytes, last] = [Buffer.from(start), Buffer.from(item), Buffer.from(end)]
  const count = Math.floor((LIMIT_BYTES - first.length - last.length) / bytes.length)
  return Buffer.concat([first, Buffer.alloc(count * bytes.length, bytes), last])
}

/** Joins items that differ, up to 10 MB or up to a number of items. */
function join(start: string, createItem: (index: number) => string, end: string, maxCount = LIMIT_BYTES): Buffer {
  const parts = [start]
  let length = start.length + end.length
  for (let index = 0; index < maxCount; index += 1) {
    const item = createItem(index)
    length += item.length
    if (length > LIMIT_BYTES) break
    parts.push(item)
  }
  return Buffer.from([...parts, end].join(''))
}

/** Joins JSON items that differ. */
const joinJson = (start: string, createItem: (index: number) => string, end: string, maxCount?: number): Buffer =>
  join(start, (index) => (index === 0 ? '' : ',') + createItem(index), end, maxCount)

const repeat = (item: string, count: number) => `${`${item},`.repeat(count - 1)}${item}`

export const deepLists = () => fill('{"results":', '[', '')
export const deepObjects = () => fill('{"results":', '{"a":', '')
export const emptyObjects = () => fill('{"results":[{}', ',{}', ']}')
/** As many as JSON in a request may have, with a long text up to 10 MB. */
export const emptyObjectsAtTheLimit = () => fill(`{"results":[${repeat('{}', 499_000)}],"future":"`, 'x', '"}')
/** The same where the body cannot be divided between items of a list. */
export const valuesInUnknownFields = () =>
  fill(`{"results":[],"future":[${repeat(`{"a":[${repeat('{}', 49_000)}]}`, 10)}],"more":"`, 'x', '"}')
export const wideObject = () => joinJson('{', (index) => `"key ${index}":0`, '}')
/** Objects that all have another shape. */
export const distinctKeys = () => joinJson('{"results":[', (index) => `{"key ${index}":0}`, ']}', 499_000)
export const longText = () => fill('{"results":[{"test_case_id":"WEB-1","status":"failed","note":"', 'x', '"}]}')
export const longEscapedText = () =>
  fill('{"results":[{"test_case_id":"WEB-1","status":"failed","note":"', String.raw`\ud83d\ude00`, '"}]}')
/** Small results with unknown ids, which all become errors. */
export const unknownResults = () =>
  joinJson('{"results":[', (index) => `{"test_case_id":"WEB-9${index}","status":"failed"}`, ']}', 330_000)
/** As many test case ids as a run may have, of no test case. */
export const unknownIds = () =>
  joinJson('{"name":"x","test_case_ids":[', (index) => `"WEB-${index}${'9'.repeat(90)}"`, ']}', 100_000)
export const results = () =>
  joinJson(
    '{"results":[',
    (index) =>
      `{"test_case_id":"WEB-${index + 1}","status":"failed","note":"expected ${index}, got 500","elapsed":${index % 60}}`,
    ']}',
  )

export const nestedXml = () => fill('<testsuite>', '<a>', '')
export const nestedXmlInJson = () => fill('{"junit_xml":"<testsuite>', '<a>', '"}')
export const emptyTests = () => fill('<testsuite>', '<testcase/>', '</testsuite>')
/** As many as a report may have. */
export const testsAtTheLimit = () =>
  join('<testsuite>', (index) => `<testcase name="test ${index}"/>`, '</testsuite>', 250_000)
export const emptyFailures = () => fill('<testsuite><testcase name="WEB-1">', '<failure/>', '</testcase></testsuite>')
export const attemptsOfOneTest = () =>
  fill(
    '<testsuite>',
    '<testcase classname="shop.Cart" name="WEB-1" time="1"><failure message="expected 1">at shop</failure></testcase>',
    '</testsuite>',
  )
/** Names that consist of different ids of test cases, each as long as a name can be. */
export const namesOfIds = () => {
  const createName = (index: number) =>
    Array.from({ length: 13_000 }, (_, id) => `WEB-${100_000 + 13_000 * index + id}`).join(' ')
  return join('<testsuite>', (index) => `<testcase name="${createName(index)}"/>`, '</testsuite>', 70)
}
export const report = () =>
  join(
    '<testsuite>',
    (index) => `<testcase classname="shop.checkout" name="[WEB-${index + 1}] pays by card" time="0.25"/>\n`,
    '</testsuite>',
  )
/** Rows of an import, as a file with test cases has them. */
export const importedRows = () =>
  joinJson(
    '{"rows":[',
    (index) =>
      `{"title":"Imported ${index}","steps":[{"position":1,"action":"Open page ${index}","expected":"It is there"}]}`,
    ']}',
    3000,
  )
