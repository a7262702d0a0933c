import { describe, expect, it } from 'vitest'
import { readHtmlTable } from './read-html-table.ts'

describe('an HTML table in a description', () => {
  it('becomes names and values, without its title and styles', () => {
    const html = `<html><head><style>td { color: red }</style></head><body>
      <table border="1"><tr><td colspan=2><b>Lot 12</b></td></tr><tr><td><table>
      <tr bgcolor="#D4E4F3"><td>OWNER</td><td>Smith &amp; Sons</td></tr>
      <TR><TH>Address</TH><TD>1 Main St<br>Springfield</TD></TR>
      <tr><td>NOTE</td><td></td></tr></table></td></tr></table></body></html>`
    expect(readHtmlTable(html)).toEqual({
      pairs: [
        ['OWNER', 'Smith & Sons'],
        ['Address', '1 Main St Springfield'],
        ['NOTE', ''],
      ],
      rest: 'Lot 12',
    })
  })

  it.each(['Just a lot', '<b>bold</b>', '<table><tr><td>1</td><td>2</td><td>3</td></tr></table>', ''])(
    'is none of names and values: %s',
    (text) => expect(readHtmlTable(text)).toBeUndefined(),
  )

  it('reads tags that never end in one pass', () => {
    const started = performance.now()
    expect(readHtmlTable(`<tr>${'<'.repeat(2_000_000)}`)).toBeUndefined()
    expect(readHtmlTable(`<tr>${'<td'.repeat(500_000)}`)).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
