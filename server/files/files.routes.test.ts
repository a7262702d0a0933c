import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeConfiguration } from '#test/databases/feature-builders.ts'
import {
  aPdf,
  aPhoto,
  aPngOf,
  packedPngChunk,
  photoPlace,
  sha256Of,
  zipEnd,
} from '#test/imports/file-bytes.ts'
import { startFiles } from '#test/server/files.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem } from '#test/server/test-app.ts'
import { removeUnusedFiles } from './remove-unused-files.ts'

type Files = Awaited<ReturnType<typeof startFiles>>

const dayMs = 86_400_000
let photo: Buffer
beforeAll(async () => {
  photo = await aPhoto()
})

onEachEngine('files', (createDatabase, { engine }) => {
  let database: TestDatabase
  let files: Files
  beforeEach(async () => {
    database = await createDatabase()
    files = await startFiles(database)
    mkdirSync(join(database.location.dataDirectory, 'files'), { recursive: true })
    return () => files.app.close()
  })

  it('receives a file in pieces, which may be repeated', async () => {
    const id = randomUUID()
    const announced = { id, featureId: 'pump', name: 'Pump.jpg', size: photo.length, sha256: sha256Of(photo) }
    const half = Math.floor(photo.length / 2)
    const started = { id, size: photo.length, received: 0, file: null }
    expect((await files.begin(announced)).json()).toEqual(started)
    expect((await files.put(id, 0, photo.subarray(0, half))).json()).toEqual({ ...started, received: half })
    for (const end of [half, 10, 0])
      expect((await files.put(id, 0, photo.subarray(0, end))).json()).toMatchObject({ received: half })
    expect((await files.begin(announced)).json()).toMatchObject({ received: half })
    const head = await files.app.send({
      method: 'HEAD',
      url: `/api/maps/oak-hills/uploads/${id}`,
      headers: files.rosa,
    })
    expect(head.headers).toMatchObject({
      'upload-offset': String(half),
      'upload-length': String(photo.length),
    })

    for (const wrong of [half - 1, half + 1]) {
      const refused = expectProblem(await files.put(id, wrong, photo.subarray(wrong)), 409)
      expect(refused.detail).toBe(`Continue at byte ${half}.`)
    }
    const more = Buffer.concat([photo.subarray(half), Buffer.from('x')])
    expect(expectProblem(await files.put(id, half, more), 400).detail).toContain('exceed its size')

    const ends = await Promise.all([1, 2].map(() => files.put(id, half, photo.subarray(half))))
    const done = ends.find(({ statusCode }) => statusCode === 200)?.json()
    expect(done).toMatchObject({ received: photo.length, file: { id, name: 'Pump.jpg', isPublic: false } })
    expect((await files.put(id, half, photo.subarray(half))).json()).toEqual(done)
    expect((await files.begin(announced)).json()).toEqual(done)
    expect((await files.list()).items).toEqual([done.file])
    expect(await files.activities()).toEqual([
      {
        action: 'file.added',
        subject: 'pump',
        details: { file: 'photo', isPublic: false, kind: 'asset', name: 'Pump' },
      },
    ])
    // The original and its two versions, and no piece.
    expect(files.stored()).toHaveLength(3)
    expect(
      files.stored().every((path) => /^oak-hills.[0-9a-f]{2}.[0-9a-f]{2}.[0-9a-f]{64}$/.test(path)),
    ).toBe(true)
  })

  it('rejects files that are too large, empty, or too many', async () => {
    const announce = (size: number, featureId = 'pump') =>
      files.begin({ id: randomUUID(), featureId, name: 'a', size })
    expect(expectProblem(await announce(25 * 1024 * 1024 + 1), 400).detail).toBe(
      'size: the file is larger than 25 MB',
    )
    expect(expectProblem(await announce(0), 400).detail).toBe('size: the file is empty')
    expectProblem(await announce(10, 'nowhere'), 404)
    for (let count = 0; count < 10; count++) await files.add(aPdf(String(count)))
    expect(expectProblem(await announce(10), 400).detail).toBe(
      'featureId: the feature has 10 files, which is the limit. Remove one first',
    )
    const [first] = (await files.list()).items
    await files.remove(first?.id ?? '')
    expect((await announce(10)).statusCode).toBe(201)
    await files.add(aPdf('eleventh'))
    expect(expectProblem(await files.putBack(first?.id ?? ''), 400).detail).toContain('10 files')
  })

  it('rejects files beyond the quota of a map', async () => {
    const small = await startFiles(await createDatabase(), { settings: { FILE_QUOTA_MB: '1' } })
    await using _ = small.app
    const large = Buffer.concat([aPdf(), Buffer.alloc(600_000, 32), Buffer.from('%%EOF')])
    await small.add(large)
    const { detail } = expectProblem(await small.send(large), 400)
    expect(detail).toMatch(
      /^size: the files of this map would take 2 MB, but the limit is 1 MB \(FILE_QUOTA_MB\)/,
    )
    expect((await small.send(large, { mapId: 'elm-park' })).statusCode).toBe(200)
  })

  it('shows a file to visitors once it is public, but never the original of a photo', async () => {
    await storeConfiguration(database, 'oak-hills', 1, { showPersonalData: false })
    const shown = await files.add(photo, { name: 'Rosa at the pump.jpg' })
    const deed = await files.add(aPdf(), { name: 'Deed.pdf' })
    await files.add(await aPhoto({ color: '#22c' }))
    expect(await files.list(null)).toEqual({ items: [], removed: [] })
    expectProblem(await files.get(shown.id, 'small', null), 404)
    const staffAnswer = await files.get(shown.id, 'small')
    expect(staffAnswer.headers['cache-control']).toBe('private, no-cache')

    for (const { id } of [shown, deed])
      expect((await files.change(id, { isPublic: true }, '"1"')).json()).toMatchObject({
        version: 2,
        isPublic: true,
      })
    const hidden = { name: null, place: null, takenAt: null, addedBy: null }
    const { items } = await files.list(null)
    expect(items).toEqual([
      { ...shown, ...hidden, isPublic: true, version: 2 },
      { ...deed, addedBy: null, isPublic: true, version: 2 },
    ])
    const seen = await files.get(shown.id, 'large', null)
    expect(seen.headers).toMatchObject({
      'cache-control': 'private, max-age=86400, immutable',
      'content-type': 'image/jpeg',
    })
    const again = await files.app.get(`/api/maps/oak-hills/files/${shown.id}/large`, {
      'if-none-match': String(seen.headers.etag),
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expectProblem(await files.get(shown.id, 'original', null), 404)
    expect((await files.get(deed.id, 'original', null)).statusCode).toBe(200)
    expect((await files.get(shown.id, 'original')).headers['cache-control']).toBe('private, no-cache')

    await files.change(shown.id, { isPublic: false })
    expectProblem(await files.get(shown.id, 'large', null), 404)
    const recorded = (await files.activities()).map(({ action }) => action)
    expect(recorded.slice(3)).toEqual(['file.published', 'file.published', 'file.hidden'])
    expect(JSON.stringify(await files.activities())).not.toContain('Rosa at')
  })

  it('hides files of a removed feature until it is restored', async () => {
    const { id } = await files.add(photo)
    await files.change(id, { isPublic: true })
    const featureRequest = {
      url: '/api/maps/oak-hills/features/pump',
      headers: { ...files.rosa, 'if-match': '*' },
    }
    await files.app.send({ method: 'DELETE', ...featureRequest })
    expectProblem(await files.get(id, 'small', null), 404)
    expectProblem(await files.app.get(`${featureRequest.url}/files`), 404)
    await files.app.send({
      method: 'POST',
      url: '/api/maps/oak-hills/removed-features/pump/put-back',
      headers: files.rosa,
    })
    expect((await files.get(id, 'small', null)).statusCode).toBe(200)
  })

  it('changes captions and order, with If-Match', async () => {
    const [a, b, c] = [await files.add(aPdf('a')), await files.add(aPdf('b')), await files.add(aPdf('c'))]
    const order = async () =>
      (await files.list()).items.map(({ id }) => [a, b, c].findIndex((one) => one.id === id))
    expect(await order()).toEqual([0, 1, 2])
    await files.change(c.id, { index: 0 })
    expect(await order()).toEqual([2, 0, 1])
    await files.change(c.id, { index: 99 })
    expect(await order()).toEqual([0, 1, 2])
    const changed = await files.change(b.id, { caption: 'Valve, from the north' }, '"1"')
    expect([changed.json(), changed.headers.etag]).toEqual([
      { ...b, caption: 'Valve, from the north', version: 2 },
      '"2"',
    ])
    const { current } = expectProblem(await files.change(b.id, { caption: 'other' }, '"1"', files.grace), 412)
    expect(current).toEqual(changed.json())
    expectProblem(await files.change(b.id, { caption: 'x' }, null), 428)
    expectProblem(await files.change(b.id, { caption: 'x'.repeat(501) }), 400)
    expect((await files.change(b.id, { caption: 'Valve, from the north', index: 1 })).json()).toEqual(
      changed.json(),
    )
  })

  it('restores a removed file for 30 days, and then deletes it', async () => {
    const retained = await files.add(aPdf('kept'))
    const file = await files.add(photo)
    expectProblem(await files.remove(file.id, null), 428)
    expectProblem(await files.remove(file.id, '"7"'), 412)
    expect((await files.remove(file.id, '"1"')).statusCode).toBe(200)
    expectProblem(await files.remove(file.id), 404)
    const { items, removed } = await files.list()
    expect(items).toEqual([retained])
    expect(removed).toMatchObject([{ id: file.id, removedBy: 'Rosa Delgado' }])
    expect(Date.parse(removed[0]?.keptUntil ?? '')).toBe(Date.parse(removed[0]?.removedAt ?? '') + 30 * dayMs)
    const tidy = (days: number) => removeUnusedFiles(database, files.app.store, Date.now() + days * dayMs)
    await tidy(29)
    expect((await files.putBack(file.id)).json()).toMatchObject({ id: file.id, version: 3 })
    await tidy(31)
    expect((await files.list()).items).toHaveLength(2)
    expect(files.stored()).toHaveLength(4)

    await files.remove(file.id)
    await tidy(31)
    expectProblem(await files.putBack(file.id), 404)
    expect(await files.list()).toEqual({ items: [retained], removed: [] })
    expect(files.stored()).toHaveLength(1)
    expect(await rowsOf(database)).toEqual({ files: 1, blobs: 1, uploads: 0 })
  })

  it('stores equal bytes once, until their last file is deleted', async () => {
    const [one, other] = [await files.add(aPdf()), await files.add(aPdf(), { featureId: 'well' })]
    expect(files.stored()).toHaveLength(1)
    const tidy = () => removeUnusedFiles(database, files.app.store, Date.now() + 31 * dayMs)
    await files.remove(one.id)
    await tidy()
    expect((await files.get(other.id, 'original')).rawPayload.equals(aPdf())).toBe(true)
    await files.remove(other.id)
    await tidy()
    expect(files.stored()).toEqual([])
  })

  it('deletes abandoned uploads after a day, and blobs without a row', async () => {
    const id = randomUUID()
    await files.begin({ id, featureId: 'pump', name: '', size: photo.length })
    await files.put(id, 0, photo.subarray(0, 100))
    await files.app.store.put('oak-hills/ab/cd/abcd', Buffer.from('left behind'))
    const tidy = (hours: number) =>
      removeUnusedFiles(database, files.app.store, Date.now() + hours * 3_600_000)
    await tidy(23)
    expect(files.stored()).toHaveLength(2)
    await tidy(25)
    expect(files.stored()).toEqual([])
    expect(await rowsOf(database)).toEqual({ files: 0, blobs: 0, uploads: 0 })
    expectProblem(await files.put(id, 100, photo.subarray(100)), 404)
  })

  it('removes and restores files with their maintenance entry, and counts them for its feature', async () => {
    const log = '/api/maps/oak-hills/features/pump/maintenance'
    const ask = (method: 'POST' | 'DELETE', url: string, payload?: object) =>
      files.app.send({
        method,
        url,
        headers: { ...files.rosa, 'if-match': '*' },
        ...(payload ? { payload } : {}),
      })
    const removeEntry = async () =>
      (await ask('DELETE', `${log}/valve`)).json<{ changeId: string }>().changeId
    const undo = (changeId: string) =>
      ask('POST', `/api/maps/oak-hills/changes/${changeId}/undo`, { id: randomUUID() })
    await ask('POST', log, { id: 'valve', date: '2025-05-01', text: 'Valve replaced' })
    const missingEntry = await files.send(photo, { maintenanceId: 'other' })
    expect(expectProblem(missingEntry, 404).detail).toContain('has no maintenance entry other')
    expectProblem(await files.send(photo, { featureId: 'well', maintenanceId: 'valve' }), 404)
    const own = await files.add(aPdf('of the pump'))
    const file = await files.add(photo, { maintenanceId: 'valve' })
    expect(file).toMatchObject({ featureId: 'pump', maintenanceId: 'valve' })
    await files.change(file.id, { isPublic: true })
    const shown = (await files.list()).items
    expect(shown.map(({ maintenanceId }) => maintenanceId)).toEqual([null, 'valve'])
    expect((await files.list(null)).items).toMatchObject([{ id: file.id, maintenanceId: null }])

    const tidy = (days: number) => removeUnusedFiles(database, files.app.store, Date.now() + days * dayMs)
    for (const isTidied of [false, true]) {
      const changeId = await removeEntry()
      expect((await files.list()).items).toEqual([own])
      expect((await files.list()).removed).toEqual([])
      expectProblem(await files.get(file.id, 'small', null), 404)
      expectProblem(await files.change(file.id, { caption: 'x' }), 404)
      if (isTidied) {
        await tidy(0)
        await tidy(29)
      }
      await undo(changeId)
      expect((await files.list()).items).toEqual(shown)
      await tidy(31)
      expect((await files.list()).items).toEqual(shown)
      expect((await files.get(file.id, 'small', null)).statusCode).toBe(200)
    }
    for (let count = 2; count < 10; count++) await files.add(aPdf(String(count)), { maintenanceId: 'valve' })
    expect(expectProblem(await files.send(aPdf('more')), 400).detail).toContain('10 files')
    const last = (await files.list()).items.at(-1)?.id ?? ''
    await files.remove(last)
    const id = randomUUID()
    await files.begin({ id, featureId: 'pump', maintenanceId: 'valve', name: '', size: photo.length })
    await removeEntry()
    expectProblem(await files.put(id, 0, photo), 404)
    await tidy(0)
    await tidy(31)
    expect(await rowsOf(database)).toEqual({ files: 1, blobs: 1, uploads: 0 })
    expect(files.stored()).toHaveLength(1)
  })

  it('deletes files with their feature after 30 days', async () => {
    await files.add(aPdf())
    await database.write((transaction) =>
      transaction.deleteFrom('features').where('id', '=', 'pump').execute(),
    )
    const tidy = (days: number) => removeUnusedFiles(database, files.app.store, Date.now() + days * dayMs)
    await tidy(0)
    expect(files.stored()).toHaveLength(1)
    await tidy(31)
    expect(files.stored()).toEqual([])
    expect(await rowsOf(database)).toEqual({ files: 0, blobs: 0, uploads: 0 })
  })

  it('shows an upload only to its sender, and rejects uploads on the sample map', async () => {
    const id = randomUUID()
    const announced = { id, featureId: 'pump', name: '', size: photo.length }
    await files.begin(announced)
    expectProblem(await files.begin({ ...announced, size: 7 }), 409)
    expectProblem(await files.begin(announced, files.grace), 409)
    expectProblem(await files.put(id, 0, photo, files.grace), 409)
    expectProblem(await files.put(randomUUID(), 0, photo), 404)
    const admin: Record<string, string> = await signIn(database)
    expectProblem(await files.begin({ ...announced, id: randomUUID() }, admin, 'sample'), 403)
    const tooMuch = await files.put(id, 0, Buffer.alloc(5 * 1024 * 1024 + 1))
    expectProblem(tooMuch, 413)
  })

  if (engine === 'postgres') return

  it('makes versions of a photo without metadata', async () => {
    const large = await aPhoto({ width: 3000, height: 2000, color: '#283' })
    const file = await files.add(large, { name: 'Pump.jpg', pieceBytes: 5 * 1024 * 1024 })
    expect(file).toMatchObject({ kind: 'photo', width: 1365, height: 2048, takenAt: '2026-10-05T14:03:11' })
    expect(file.place).toEqual(photoPlace)
    for (const [version, type, width] of [
      ['large', 'image/jpeg', 1365],
      ['small', 'image/webp', 266],
    ] as const) {
      const { headers, rawPayload } = await files.get(file.id, version)
      expect(headers['content-type']).toBe(type)
      const seen = await sharp(rawPayload).metadata()
      expect(seen).toMatchObject({ width })
      for (const more of ['orientation', 'exif', 'xmp', 'iptc']) expect(seen).not.toHaveProperty(more)
      expect(rawPayload.toString('latin1')).not.toMatch(/Brownie|Delgado/)
    }
    const original = await files.get(file.id, 'original')
    expect(original.rawPayload.equals(large)).toBe(true)
    expect(original.headers['content-disposition']).toBe(`attachment; filename*=UTF-8''Pump.jpg`)
  })

  it.each(['png', 'webp'] as const)('take %s, too', async (format) => {
    const file = await files.add(await aPhoto({ format }), { name: 'nothing.exe' })
    expect(file).toMatchObject({ kind: 'photo', name: 'nothing.exe' })
    expect((await files.get(file.id, 'original')).headers['content-type']).toBe(`image/${format}`)
  })

  it('serves PDFs as downloads in a sandbox', async () => {
    const name = 'Deed "Lot 4"/ä.pdf'
    const file = await files.add(aPdf(), { name })
    expect(file).toMatchObject({ kind: 'pdf', name, width: null, place: null })
    const { headers, rawPayload } = await files.get(file.id, 'original')
    expect(rawPayload.equals(aPdf())).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename*=UTF-8''Deed%20_Lot%204__%C3%A4.pdf`,
      'content-security-policy': expect.stringMatching(/^sandbox;/),
      'x-content-type-options': 'nosniff',
    })
    expectProblem(await files.get(file.id, 'large'), 404)
  })

  it('rejects other formats with a reason, and stores nothing', async () => {
    const refused: [string, Buffer, RegExp][] = [
      ['a program that calls itself a photo', Buffer.from(`MZ${'\0'.repeat(90)}`), /is a program/],
      ['a program of Linux', Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), /is a program/],
      [
        'an SVG',
        Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
        /is a drawing \(SVG\)/,
      ],
      ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), /is a GIF/],
      ['a HEIC photo', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'), /HEIC photo.*Most compatible/],
      ['a web page', Buffer.from('<!doctype html><script>1</script>'), /is a web page/],
      ['noise', Buffer.alloc(500, 7), /of an unknown type/],
      ['a bomb of 100 megapixels', aPngOf(10_000, 10_000), /has 100 megapixels, more than the limit of 50/],
      ['a photo of 100 megapixels', withSize(10_000), /has 100 megapixels, more than the limit of 50/],
      [
        'a PNG with a color profile of 8 MB',
        aPngOf(10, 10, [packedPngChunk('iCCP', 8 * 1024 ** 2)]),
        /a color profile larger than 4 MB/,
      ],
      ['an animation', await animation(), /is an animation/],
      ['a photo of which half came', photo.subarray(0, photo.length - 200), /damaged or incomplete/],
      ['a photo that is damaged', Buffer.concat([photo.subarray(0, 20), Buffer.alloc(900, 1)]), /damaged/],
      [
        'a photo that is a web page, too',
        withComment('<html><script>1</script>'),
        /a JPEG file and a web page/,
      ],
      ['a photo that is a PDF, too', withComment('%PDF-1.4 '), /a JPEG file and a PDF/],
      ['a photo that is an archive, too', Buffer.concat([photo, zipEnd]), /a JPEG file and a ZIP archive/],
      ['a PDF that is an archive, too', Buffer.concat([aPdf(), zipEnd]), /a PDF file and a ZIP archive/],
      ['a PDF whose end is missing', aPdf().subarray(0, 60), /a damaged or incomplete PDF/],
    ]
    for (const [what, bytes, words] of refused) {
      expect(bytes.length, what).toBeLessThan(20_000)
      const { errors } = expectProblem(await files.send(bytes), 400)
      expect(errors).toEqual([{ in: 'body', name: 'file', message: expect.stringMatching(words) }])
      expect(files.stored(), what).toEqual([])
      expect(await rowsOf(database), what).toEqual({ files: 0, blobs: 0, uploads: 0 })
    }
    expect((await files.send(photo)).statusCode).toBe(200)
  })

  it('rejects bytes with another hash than announced', async () => {
    const id = randomUUID()
    const other = sha256Of(Buffer.from('other'))
    await files.begin({ id, featureId: 'pump', name: '', size: photo.length, sha256: other })
    const { errors } = expectProblem(await files.put(id, 0, photo), 400)
    expect(errors).toMatchObject([
      { name: 'sha256', message: expect.stringContaining('Upload the file again') },
    ])
    expect(files.stored()).toEqual([])
    expect(await rowsOf(database)).toEqual({ files: 0, blobs: 0, uploads: 0 })
    expectProblem(await files.put(id, 0, photo), 404)
  })

  function withSize(pixels: number): Buffer {
    const changed = Buffer.from(photo)
    const frame = changed.indexOf(Buffer.from([0xff, 0xc0]))
    changed.writeUInt16BE(pixels, frame + 5)
    changed.writeUInt16BE(pixels, frame + 7)
    return changed
  }

  async function animation(): Promise<Buffer> {
    const frames = await Promise.all(['#a53', '#2a5'].map((color) => aPhoto({ color, format: 'png' })))
    return sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer()
  }

  function withComment(text: string): Buffer {
    const body = Buffer.from(text, 'latin1')
    const head = Buffer.from([0xff, 0xfe, 0, body.length + 2])
    return Buffer.concat([photo.subarray(0, 2), head, body, photo.subarray(2)])
  }
})

async function rowsOf({ read }: TestDatabase) {
  const count = async (table: 'files' | 'blobs' | 'uploads') =>
    (await read.selectFrom(table).select('map_id').execute()).length
  return { files: await count('files'), blobs: await count('blobs'), uploads: await count('uploads') }
}
