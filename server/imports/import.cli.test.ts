import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { exitCodeOf } from '#server/command.ts'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { dxfOf } from '#test/imports/file-bytes.ts'
import { cellOf, odsOf, workbookOf } from '#test/imports/spreadsheets.ts'
import { zipOf } from '#test/imports/zip-of.ts'
import { startNode } from '#test/server/processes.ts'
import { settingsOf } from '#test/server/server-process.ts'
import { importCommand } from './cli/import-command.ts'

const hydrants = 'id,name,lat,lng\n1,A,34,-111\n2,B,95,-111\n3,C,35,-110\n'
const oakHill = ['--map', 'oak-hill', '--kind', 'asset', '--client-name', 'Oak Hill']

onEngine('sqlite', 'npm run import', (createDatabase) => {
  let folder = ''
  let dataDirectory = ''
  let database: TestDatabase
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'poa-import-'))
    database = await createDatabase()
    dataDirectory = database.location.dataDirectory
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const start = (...args: string[]) =>
    startNode('server/imports/import.cli.ts', args, {
      env: { ...process.env, DATABASE_URL: '', ...settingsOf(database.location) },
    })

  /** Runs in this process: only the exit codes and signals need one of their own. */
  async function run(...args: string[]) {
    let output = ''
    const write = (text: string | Uint8Array) => {
      output += text
      return true
    }
    for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockImplementation(write)
    // Handlers of signals would stay.
    vi.spyOn(process, 'once').mockReturnValue(process)
    vi.stubEnv('DATABASE_URL', '')
    for (const name of ['DATA_DIR', 'TMPDIR', 'SQLITE_TMPDIR']) vi.stubEnv(name, dataDirectory)
    try {
      const code = await exitCodeOf(() => importCommand(args, process.env), 'The import failed:')
      return { code, output }
    } finally {
      vi.restoreAllMocks()
      vi.unstubAllEnvs()
    }
  }

  function fileOf(name: string, content: string | Uint8Array) {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }

  const namesOf = async () =>
    (await database.read.selectFrom('features').select('name').orderBy('name').execute()).map(
      ({ name }) => name,
    )

  it('imports, reports refused rows, lists the import and undoes it', async () => {
    const file = fileOf('hydrants.csv', hydrants)
    const process = start(file, ...oakHill)
    const imported = { code: await process.exited, output: process.output() }
    expect(imported.code).toBe(0)
    expect(imported.output).toMatch(
      /3 rows read in [\d.]+ s for map "oak-hill":\n {2}created {4}2\n {2}updated {4}0\n {2}unchanged {2}0\n {2}skipped {4}1\n {2}repaired {3}0\n/,
    )
    expect(imported.output).toContain('skipped: row 2, line 3, id 2: latitude 95 is not between -90 and 90')
    expect(imported.output).toContain(`${file}.report.csv`)
    expect(readFileSync(`${file}.report.csv`, 'utf8')).toBe(
      'row,line,id,outcome,reason\n2,3,2,refused,latitude 95 is not between -90 and 90\n',
    )
    expect(await namesOf()).toEqual(['A', 'C'])

    const [, id = ''] = /npm run import -- --undo (\w+)/.exec(imported.output) ?? []
    expect((await run('--list', '--map', 'oak-hill')).output).toMatch(
      new RegExp(`^${id}  .*done  asset  2 created  0 updated  1 skipped  hydrants\n$`),
    )
    expect(await run('--undo', id)).toEqual({
      code: 0,
      output: `Import ${id} into map "oak-hill" undone: 2 removed, 0 restored.\n`,
    })
    expect(await namesOf()).toEqual([])
    expect(await run('--undo', id)).toEqual({ code: 1, output: `Import ${id} is already undone.\n` })
  })

  it('reports that nothing changed the second time, and removes the report when no row is refused', async () => {
    const file = fileOf('hydrants.csv', hydrants)
    await run(file, ...oakHill)
    writeFileSync(file, hydrants.replace('2,B,95,-111\n', ''))
    const again = await run(file, ...oakHill)
    expect(again).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nothing changed: the map is already up to date.'),
    })
    expect(existsSync(`${file}.report.csv`)).toBe(false)
  })

  it('stores only the chosen columns, and an omitted one in no field', async () => {
    const lots =
      'OBJECTID,lat,lng,OwnerName,Owner Phone,"City, State",Ward\n' +
      '7,34,-111,Ann Zabriskie,555 0199,"Payson, AZ",3\n8,34.1,-111,Bob Quackenbush,555 0100,"Payson, AZ",4\n'
    const lotsOf = (map: string) => ['--map', map, '--kind', 'parcel', '--client-name', map]
    const stored = async (map: string) => {
      const row = await database.read
        .selectFrom('features')
        .select(['id', 'name', 'fields', 'metadata'])
        .where('map_id', '=', map)
        .orderBy('name')
        .executeTakeFirstOrThrow()
      const metadata = JSON.parse(row.metadata) as { name: string; value: unknown }[]
      const names = metadata.map(({ name }) => name)
      return {
        id: row.id,
        name: row.name,
        owner: JSON.parse(row.fields).owner,
        names,
        text: JSON.stringify(row),
      }
    }
    const file = fileOf('lots.csv', lots)
    const imported = async (map: string, ...args: string[]) => {
      const { code, output } = await run(file, ...lotsOf(map), ...args)
      expect(code, output).toBe(0)
      return stored(map)
    }
    const all = await imported('all')
    expect(all.names).toEqual(['OBJECTID', 'Owner Phone', 'City, State', 'Ward'])
    expect(all.owner).toBe('Ann Zabriskie')

    const omitted = await imported('omitted', '--omit', 'OwnerName,Owner Phone', '--omit', 'OBJECTID')
    expect(omitted.names).toEqual(['City, State', 'Ward'])
    expect({ id: omitted.id, name: omitted.name, owner: omitted.owner }).toEqual({
      id: all.id,
      name: 'Parcel 7',
      owner: null,
    })
    expect(omitted.text).not.toMatch(/zabriskie|555/i)

    const only = await imported('only', '--only', '"City, State",Ward', '--field', 'name=OwnerName')
    expect(only).toMatchObject({ name: 'Ann Zabriskie', names: ['City, State', 'Ward'] })

    for (const flag of ['--omit', '--only'])
      expect(await run(file, ...lotsOf('unknown'), flag, 'Ward,Owner')).toEqual({
        code: 1,
        output: expect.stringMatching(/\nNo row has a column "Owner". The columns are OBJECTID, .*Ward\.\n$/),
      })
    expect(
      await database.read.selectFrom('maps').select('map_id').where('map_id', '=', 'unknown').execute(),
    ).toEqual([])
  })

  it('shows the notes of the layer and of the rows', async () => {
    const shape = (x: number) => ({ attributes: { id: x }, geometry: { x, y: 1_000_000 } })
    const inNad27 = { spatialReference: { wkid: 26749 }, features: [shape(600_000), shape(600_100)] }
    const { code, output } = await run(fileOf('poles.json', JSON.stringify(inNad27)), ...oakHill)
    expect(code).toBe(0)
    expect(output).toMatch(/uses NAD27, .*may be off by up to 70 m/)
    expect(output).toContain('No column for the name. Choose one.')
  })

  it('shows help', async () => {
    for (const args of [[], ['--help']]) {
      const { code, output } = await run(...args)
      expect(code).toBe(0)
      expect(output).toContain('npm run import -- FILE --map ID --kind parcel|asset|incident')
    }
  })

  it.each([
    [['x.csv', '--map', 'm', '--kind', 'asset', '--colour'], 2, "Unknown option '--colour'. See --help.\n"],
    [['missing.csv', ...oakHill], 1, /^missing.csv cannot be read: ENOENT.*\n$/],
  ])('ends in one line and a code: %j', async (args, code, line) => {
    const process = start(...args)
    expect(await process.exited).toBe(code)
    expect(process.output()).toMatch(line)
    expect(process.output().trim().split('\n')).toHaveLength(1)
  })

  it('recognizes an unpacked File Geodatabase: a folder', async () => {
    expect(await run(folder, ...oakHill)).toEqual({ code: 1, output: `${folder} is not a file.\n` })
    const geodatabase = join(folder, 'land.gdb')
    mkdirSync(geodatabase)
    for (const name of ['a00000001.gdbtable', 'a00000001.gdbtablx', 'gdb'])
      writeFileSync(join(geodatabase, name), '')
    const { code, output } = await run(geodatabase, ...oakHill)
    expect(code).toBe(1)
    expect(output).toMatch(/^Could not read the file \(a File Geodatabase\): .*\.\n$/)
  })

  it('reads files of other programs, and removes its temporary files', async () => {
    const head = cellOf('A1', 'id') + cellOf('B1', 'lat') + cellOf('C1', 'lon') + cellOf('D1', 'name')
    const row = `<c r="A2"><v>1</v></c><c r="B2"><v>34.2</v></c><c r="C2"><v>-111.3</v></c>${cellOf('D2', 'Sheet')}`
    const workbook = workbookOf(`<row r="1">${head}</row><row r="2">${row}</row>`)
    const table = (name: string) => `id,name,lat,lon\n${name},${name},34.2,-111.3\n`
    const ods = await odsOf([
      ['id', 'name', 'lat', 'lon'],
      ['7', 'Calc', '34.2', '-111.3'],
    ])
    const files = [
      fileOf('lots.xlsx', workbook),
      fileOf('ods.csv', ods),
      fileOf('zipped.zip', zipOf([{ name: 'lots.csv', bytes: table('Zipped') }])),
    ]
    for (const file of files) {
      const { code, output } = await run(file, ...oakHill)
      expect(code, output).toBe(0)
    }
    expect(await namesOf()).toEqual(['Calc', 'Sheet', 'Zipped'])
    expect(readdirSync(folder).toSorted()).toEqual(['lots.xlsx', 'ods.csv', 'zipped.zip'])
    expect(readdirSync(dataDirectory).filter((name) => name.startsWith('poa-'))).toEqual([])

    const two = fileOf(
      'two.zip',
      zipOf(['lots', 'roads'].map((name) => ({ name: `${name}.csv`, bytes: table(name) }))),
    )
    expect(await run(two, ...oakHill)).toEqual({
      code: 1,
      output: 'The file has several layers: lots.csv, roads.csv. Choose one with --layer NAME.\n',
    })
    expect(await run(two, ...oakHill, '--layer', 'rods.csv')).toEqual({
      code: 1,
      output: 'There is no layer "rods.csv" with rows. Layers: lots.csv, roads.csv.\n',
    })
    expect((await run(two, ...oakHill, '--layer', 'roads.csv')).code).toBe(0)
    expect((await run('--list', '--map', 'oak-hill')).output).toContain('two roads.csv\n')

    const corners = [
      [949_000, 1_110_000],
      [949_200, 1_110_000],
      [949_200, 1_110_200],
    ] as const
    const drawing = fileOf('land.dxf', dxfOf({ POOL: corners }))
    expect(await run(drawing, ...oakHill)).toEqual({
      code: 1,
      output: expect.stringMatching(/^The projection of entities is unknown\. Add --projection/),
    })
    const inFeet = await run(drawing, ...oakHill, '--projection', 'EPSG:2223', '--field', 'name=Layer')
    expect(inFeet.code, inFeet.output).toBe(0)
    expect(await namesOf()).toContain('POOL')
  })

  it('applies the limits of archives, with the same messages', async () => {
    const bomb = fileOf('bomb.zip', zipOf([{ name: 'a.csv', bytes: Buffer.alloc(4 * 1024 ** 2) }]))
    expect(await run(bomb, ...oakHill)).toEqual({
      code: 1,
      output: 'a.csv in the archive unpacks to more than 200 times its size, so it may be a zip bomb.\n',
    })
  })

  it('omits the reasons of refused rows with a notice', async () => {
    const fixed = 'id,name,lat,lng,problem\n1,A,34,-111,it has no latitude\n'
    const { output } = await run(fileOf('fixed.csv', fixed), ...oakHill)
    expect(output).toContain(
      'The column problem was not imported. It has the reasons in files of skipped rows.',
    )
    expect(output).not.toContain('Stored with the features')
    const chosen = await run(fileOf('fixed.csv', fixed), ...oakHill, '--only', 'problem')
    expect(chosen.output).toContain('Stored with the features: problem')
    expect(chosen.output).not.toContain('is left out')
  })

  it('imports an export of the map without places: features keep their places', async () => {
    await run(fileOf('hydrants.csv', 'id,name,lat,lng\n1,A,34,-111\n'), ...oakHill)
    const { id } = await database.read.selectFrom('features').select('id').executeTakeFirstOrThrow()
    const rows = ['id,kind,mapId,name', `${id},asset,oak-hill,North`, 'shed,asset,oak-hill,Shed']
    const { code, output } = await run(fileOf('export.csv', rows.join('\n')), ...oakHill)
    expect(code, output).toBe(0)
    expect(output).toContain(
      'skipped: row 2, line 3, id shed: it has no location, and the map has no feature shed with a location',
    )
    const stored = await database.read.selectFrom('features').select(['name', 'geometry']).execute()
    expect(stored).toEqual([{ name: 'North', geometry: '{"type":"Point","coordinates":[-111,34]}' }])
  })

  it('reports the position of a fault after thousands of rows, and leaves nothing', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => `{"id":${index},"latitude":34,"longitude":-111}`)
    const { code, output } = await run(fileOf('cut.json', `[\n${rows.join(',\n')},\n{"id":`), ...oakHill)
    expect(code).toBe(1)
    expect(output.trim().split('\n').at(-1)).toMatch(
      /^The JSON ends too early at line 3002, column \d+ .*\.$/,
    )
    expect(await namesOf()).toEqual([])
  })

  it('names the flag that helps, whichever thread or step found the problem', async () => {
    const table = fileOf('places.csv', 'a,b\n1,2\n')
    const last = async (...args: string[]) => {
      const { code, output } = await run(...args)
      return { code, line: output.trim().split('\n').at(-1) }
    }
    expect(await last(table, ...oakHill)).toEqual({
      code: 1,
      line: 'The table has no column for latitude and longitude. Its columns are a and b. Add --field latitude=COLUMN --field longitude=COLUMN.',
    })
    expect(await last(table, '--map', 'elsewhere', '--kind', 'asset')).toEqual({
      code: 1,
      line: 'There is no map "elsewhere". Choose an existing map with --map, or add --client-name NAME to create a client with this map.',
    })
    expect(await last('--undo', 'none')).toEqual({
      code: 1,
      line: 'There is no finished import none. To list imports: --list --map ID.',
    })
  })

  it('reports bytes that are read leniently', async () => {
    const { code, output } = await run(
      fileOf('latin.csv', Buffer.from(hydrants.replace('A', 'É'), 'latin1')),
      ...oakHill,
    )
    expect(code).toBe(0)
    expect(output).toContain('UTF-8')
  })

  it('stops if the file looks wrong as a whole, unless confirmed by --yes', async () => {
    const file = fileOf('far.csv', 'id,name,lat,lng\n1,Nowhere,0.1,0.1\n')
    const stopped = await run(file, ...oakHill)
    expect(stopped.code).toBe(1)
    expect(stopped.output).toContain(
      'This looks wrong:\n  The rows are around 0.1, 0.1, in the ocean off Africa',
    )
    expect(stopped.output).toMatch(/To import it anyway, add --yes\.\nNothing was imported\.\n$/)
    expect(await namesOf()).toEqual([])
    const imported = await run(file, ...oakHill, '--yes')
    expect(imported.code).toBe(0)
    expect(imported.output).toContain('This looks wrong:')
    expect(imported.output).toContain(
      'Fields:\n  ID in the file  from id\n  Latitude        from lat\n  Longitude       from lng\n  Name            from name\n',
    )
    expect(await namesOf()).toEqual(['Nowhere'])
  })

  it.each([
    ['far.csv', 'lat,lng\n95,0\n', 'Nothing was imported: all rows were skipped.'],
    [
      'none.geojson',
      '{"type":"FeatureCollection","features":[]}',
      'Nothing was imported: the file has no rows.',
    ],
  ])('fails if %s has nothing to import', async (name, content, words) => {
    const { code, output } = await run(fileOf(name, content), ...oakHill)
    expect(code).toBe(1)
    expect(output).toContain(words)
  })

  it.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)(
    'leaves nothing visible after %s in the middle',
    async (signal) => {
      const rows = Array.from({ length: 60_000 }, (_, index) => `${index},Hydrant ${index},34,-111`)
      const file = fileOf('many.csv', `id,name,lat,lng\n${rows.join('\n')}\n`)
      const importing = start(file, ...oakHill)
      await importing.waitFor(/Reading: /)
      await importing.stop(signal)
      expect(importing.output()).not.toContain('Storing')
      expect(await namesOf()).toEqual([])
      expect(await database.read.selectFrom('maps').selectAll().execute()).toEqual([])
      expect(await database.read.selectFrom('activity').selectAll().execute()).toEqual([])
      // SQLite deletes the stage with its process, even after SIGKILL.
      expect(readdirSync(dataDirectory).filter((name) => !name.startsWith('poa.sqlite'))).toEqual([])
      expect(existsSync(`${file}.report.csv`)).toBe(false)
      expect(await run(fileOf('hydrants.csv', hydrants), ...oakHill)).toMatchObject({ code: 0 })
      expect(await namesOf()).toEqual(['A', 'C'])
    },
  )
})
