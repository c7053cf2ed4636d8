import { describe, expect, it } from 'vitest'

import type { LossCode } from '../losses.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'
import { settlePictures } from './settle-pictures.ts'

const HASH = 'f3a1c0de-1111-4222-8333-444455556666'
const PICTURES = [
  { id: '12', name: 'basket.png', attachment: 'id-of-12' },
  { id: HASH, name: 'shop.png', attachment: 'id-of-hash' },
]

function settle(text: string) {
  const losses: LossCode[] = []
  return [settlePictures(text, PICTURES, losses), losses]
}

describe('a picture in a text', () => {
  it.each([
    ['![](index.php?/attachments/get/12)', '![basket.png](attachment:id-of-12)'],
    ['![The basket](index.php?/attachments/get/12 =300x)', '![The basket](attachment:id-of-12)'],
    [
      'See ![](basket.png) and ![](my%20shop.png)',
      'See ![basket.png](attachment:id-of-12) and _Picture not in the file: my shop.png_',
    ],
    [`![](https://dev.example/_apis/wit/attachments/${HASH}?fileName=a.png)`, '![shop.png](attachment:id-of-hash)'],
    ['![](https://files.example/x?a=1&fileName=shop.png)', '![shop.png](attachment:id-of-hash)'],
    ['[tlInlineImage]12[/tlInlineImage]', '![basket.png](attachment:id-of-12)'],
  ])('is that of the attached file: %s', (text, expected) => {
    expect(settle(text)[0]).toBe(expected)
  })

  it.each([
    ['![](index.php?/attachments/get/120)', '_Picture not in the file: 120_', ['image_not_in_file']],
    ['![Basket](a/b.png)', '_Picture not in the file: Basket_', ['image_not_in_file']],
    ['![](embedded)', '_Picture not in the file: embedded picture_', ['image_not_in_file']],
    ['[tlInlineImage]9[/tlInlineImage]', '_Picture not in the file: 9_', ['image_not_in_file']],
    [
      '![](https://a.example/secure/attachment/9/x.png)',
      '![](https://a.example/secure/attachment/9/x.png)',
      ['image_needs_login'],
    ],
    ['![](https://a.example/x.png)', '![](https://a.example/x.png)', []],
    ['![](data:image/png;base64,iVBORw0KGgo=)', '![](data:image/png;base64,iVBORw0KGgo=)', []],
    ['`![](a.png)` and\n```\n![](b.png)\n```', '`![](a.png)` and\n```\n![](b.png)\n```', []],
  ])('without a content is its name or address: %s', (text, expected, losses) => {
    expect(settle(text)).toEqual([expected, losses])
  })

  it('takes time that grows with the text only', () => {
    for (const part of ['![](', '![a](b "', '[tlInlineImage]1', '`', '![](((((']) {
      const text = part.repeat(200_000)
      expect(settle(text)).toEqual([text, []])
    }
  })

  it('stays in a text of HTML that contains it', () => {
    const source = 'data:image/png;base64,iVBORw0KGgo='
    expect(htmlToMarkdown(`<p>See <img src="${source}"></p>`).text).toBe(`See ![](${source})`)
    expect(htmlToMarkdown('<img src="data:text/html,x"><img src="a (1).png">').text).toBe(
      '![](embedded)![](a%20%281%29.png)',
    )
  })
})
