/** What a column of a sheet can contain. */
export const SHEET_FIELDS = [
  'id',
  'title',
  'folder',
  'precondition',
  'steps',
  'data',
  'expected',
  'priority',
  'type',
  'state',
  'tags',
  'owner',
  'estimate',
  'links',
  'description',
] as const
export type SheetField = (typeof SHEET_FIELDS)[number]

const split = (words: string) => words.split('|')

/** Headings as they are compared: in small letters, one blank for each separator. The best come first. */
const EXACT: Readonly<Record<SheetField, readonly string[]>> = {
  id: split(
    'id|test case id|tc id|tcid|case id|testcase id|test id|key|issue key|no|№|用例编号|编号|номер|scenarioid|id кейса',
  ),
  title: split(
    'title|test case title|case title|test title|testcase title|test case name|testcase name|tc name|name|用例标题|用例名称|标题|' +
      'название|наименование|заголовок|назва|tytuł|nazwa|título|titulo|titel|titre|titolo|başlık|タイトル|제목|' +
      'summary|test summary|test case summary|test case|testcase|test case description|scenario|test scenario|objective|test description',
  ),
  folder: split(
    'folder|folder path|path|section|section hierarchy|suite|test suite|module|area|component path|feature|所属模块|模块|' +
      '一级模块|二级模块|三级模块|модуль|раздел|moduł|módulo|modul|sub module|submodule|sub feature',
  ),
  precondition: split(
    'precondition|preconditions|pre condition|pre conditions|prerequisite|prerequisites|pre requisite|pre requisites|' +
      'pre requisition|setup|предусловие|предусловия|передумови|warunki wstępne|pré condição|pré condições|precondición|' +
      'precondiciones|vorbedingung|vorbedingungen|précondition|préconditions|ön koşul|ön koşullar|前置条件|预置条件|前提条件|사전 조건',
  ),
  steps: split(
    'steps|test steps|test step|step|step action|step description|steps to execute|steps to reproduce|action|actions|test procedure|procedure|' +
      'шаги|шаги воспроизведения|кроки|kroki|passos|pasos|schritte|testschritte|étapes|passi|adımlar|步骤|操作步骤|测试步骤|手順|단계',
  ),
  data: split(
    'test data|testdata|data|input data|тестовые данные|тестові дані|dane testowe|测试数据|测试输入|dados de teste|datos de prueba|testdaten',
  ),
  expected: split(
    'expected result|expected results|expected|expected outcome|expected behavior|expected behaviour|expected result er|' +
      'ожидаемый результат|очікуваний результат|oczekiwany rezultat|oczekiwania|resultado esperado|erwartetes ergebnis|' +
      'résultat attendu|risultato atteso|beklenen sonuç|预期|预期结果|期望结果|期待結果|예상 결과|step expected result',
  ),
  priority: split(
    'priority|importance|severity|p|优先级|用例等级|приоритет|пріоритет|priorytet|prioridade|prioridad|priorität|priorité|öncelik|優先度',
  ),
  type: split('type|test type|case type|test case type|用例类型|тип|typ'),
  state: split('state|case status|workflow state'),
  tags: split('tags|tag|labels|label|keywords|关键词|关键字|теги|etiquetas'),
  owner: split('owner|case owner|assigned to|assignee'),
  estimate: split('estimate|estimated time|estimated duration|time estimate'),
  links: split('references|requirement|requirements|requirement id|requirement ids|jira|defect id|links'),
  description: split('description|test case objective|用例摘要|описание|опис|opis|descrição|descripción|beschreibung'),
}

/** Words that are enough within a longer heading. */
const CONTAINED: Partial<Readonly<Record<SheetField, RegExp>>> = {
  title: /\b(?:title|summary)\b|标题|用例名/,
  precondition: /\bpre ?(?:condition|requisit)|предуслов|前置/,
  steps: /\bsteps?\b|(?:^| )шаги|步骤/,
  data: /\btest ?data\b/,
  expected: /\bexpected\b|ожидаем|预期|期望/,
  priority: /\bpriority\b|优先级/,
}

/** What a heading says: the field, and how well it says so (0 is best); null if no word is known. */
export function readHeading(heading: string): { field: SheetField; rank: number } | null {
  for (const field of SHEET_FIELDS) {
    const rank = EXACT[field].indexOf(heading)
    if (rank >= 0) return { field, rank }
  }
  const isResult = /\b(?:actual|status)\b/.test(heading)
  for (const field of SHEET_FIELDS) {
    if (!isResult && CONTAINED[field]?.test(heading) === true) return { field, rank: 1000 }
  }
  return null
}
