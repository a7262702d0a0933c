import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseForm } from './parse-form.ts'

const type = 'multipart/form-data; boundary=x'
const part = 'Content-Disposition: form-data; name="a"\r\n\r\n1'
const read = (body: string, contentType = type) =>
  parseForm(Buffer.from(body), contentType).map(({ field, fileName, bytes }) => [field, fileName, `${bytes}`])

it('reads any file of a form of a browser', async () => {
  const file = fc.tuple(fc.stringMatching(/^[^"\r\n]+$/), fc.uint8Array())
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 1 }), async (files) => {
      const form = new FormData()
      for (const [name, bytes] of files) form.append(name, new File([new Uint8Array(bytes)], name))
      const sent = new Response(form)
      const parts = parseForm(Buffer.from(await sent.arrayBuffer()), `${sent.headers.get('content-type')}`)
      expect(parts).toEqual(
        files.map(([name, bytes]) => ({ field: name, fileName: name, bytes: Buffer.from(bytes) })),
      )
    }),
  )
})

const inOtherWords = 'A: b\r\ncontent-disposition: form-data; name=a; filename*=b\r\n\r\n--x\r'
it.each([
  ['--x--', type, []],
  [`before\r\n--x\r\n${part}\r\n--x--\r\nafter`, type, [['a', null, '1']]],
  [`--x y\r\n${part}\r\n--x y--`, 'Multipart/Form-Data; a=b; Boundary="x y"', [['a', null, '1']]],
  [`--x\r\n${inOtherWords}\r\n--x--`, type, [['a', 'b', '--x\r']]],
])('reads %j', (body, contentType, parts) => {
  expect(read(body, contentType)).toEqual(parts)
})

it.each([
  ['', type],
  [`--x\r\n${part}`, type],
  [`--x\r\n${part}\r\n--x--`, 'multipart/form-data'],
  ['--x\r\n\r\n1\r\n--x--', type],
  [`--x\r\n${part.replace('form-data', 'attachment')}\r\n--x--`, type],
  [`--x\r\nA: ${'b'.repeat(3_000)}\r\n${part}\r\n--x--`, type],
  [`${`--x\r\n${part}\r\n`.repeat(101)}--x--`, type],
])('rejects a malformed form: %.20j %s', (body, contentType) => {
  expect(() => read(body, contentType)).toThrow('The form is malformed')
})
