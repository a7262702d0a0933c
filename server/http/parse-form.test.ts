import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseForm } from './parse-form.ts'

const type = 'multipart/form-data; boundary=x'
const part = 'Content-Disposition: form-data; name="a"\r\n\r\n1'
const read = async (body: string, contentType = type) =>
  (await parseForm(Buffer.from(body), contentType)).map(({ field, fileName, bytes }) => [
    field,
    fileName,
    `${bytes}`,
  ])

it('reads any file of a form of a browser', async () => {
  const file = fc.tuple(fc.stringMatching(/^[^"\r\n/\\]+\.jpg$/), fc.uint8Array())
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 1 }), async (files) => {
      const form = new FormData()
      for (const [name, bytes] of files) form.append(name, new File([new Uint8Array(bytes)], name))
      const sent = new Response(form)
      const parts = await parseForm(
        Buffer.from(await sent.arrayBuffer()),
        `${sent.headers.get('content-type')}`,
      )
      expect(parts).toEqual(
        files.map(([name, bytes]) => ({ field: name, fileName: name, bytes: Buffer.from(bytes) })),
      )
    }),
  )
})

it.each([
  ['--x--', type, []],
  [`before\r\n--x\r\n${part}\r\n--x--\r\nafter`, type, [['a', null, '1']]],
  [`--x y\r\n${part}\r\n--x y--`, 'Multipart/Form-Data; a=b; Boundary="x y"', [['a', null, '1']]],
])('reads %j', async (body, contentType, parts) => {
  expect(await read(body, contentType)).toEqual(parts)
})

it.each([
  ['', type],
  [`--x\r\n${part}`, type],
  [`--x\r\n${part}\r\n--x--`, 'multipart/form-data'],
  [`${`--x\r\n${part}\r\n`.repeat(101)}--x--`, type],
])('rejects a malformed form: %.20j %s', async (body, contentType) => {
  await expect(read(body, contentType)).rejects.toThrow('The form is malformed')
})

it('does other work between pieces of a large form, and stops at its first fault', async () => {
  const turnsDuring = async (body: string) => {
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    await read(body).catch(() => {})
    isDone = true
    return turns
  }
  expect(await turnsDuring(`--x\r\n${'A: b\r\n'.repeat(1_000_000)}--x--`)).toBeGreaterThan(90)
  expect(await turnsDuring(`--x\r\n${part}\r\n`.repeat(200_000))).toBeLessThan(9)
})
