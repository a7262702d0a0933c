import { expect, it } from 'vitest'
import { writeMail } from './mail-html.ts'

it('writes the same message as text and as HTML, in which markup of others has no effect', () => {
  const url = 'https://land.example/?a=1&b="2"'
  const { text, html } = writeMail('Leak <b>', [
    { text: 'One\nTwo' },
    { quote: '<img src=x>\nnext' },
    { link: 'Open', url },
    { picture: 'map', alt: 'A "map"' },
    { heading: 'New', list: [{ text: 'A & B', url }] },
    { small: 'You follow ‘Leak’.', link: 'Stop', url },
    { small: 'No link' },
  ])
  expect(text).toBe(
    `Leak <b>\n\nOne\nTwo\n\n> <img src=x>\n> next\n\nOpen:\n${url}\n\nNew\n- A & B\n  ${url}\n\n` +
      `You follow ‘Leak’.\nStop:\n${url}\n\nNo link\n`,
  )
  const address = 'https://land.example/?a=1&amp;b=&quot;2&quot;'
  expect(html).toContain('<h1 style="font-size:20px;margin:0 0 16px">Leak &lt;b&gt;</h1>')
  expect(html).toContain('>&lt;img src=x&gt;\nnext</blockquote>')
  expect(html).toContain('One<br>Two')
  expect(html).toContain(`>You follow ‘Leak’. <a href="${address}">Stop</a></p>`)
  expect(html).toContain(`<a href="${address}">A &amp; B</a>`)
  expect(html).toContain('alt="A &quot;map&quot;"')
  expect(html).toContain('>No link</p>')
})
