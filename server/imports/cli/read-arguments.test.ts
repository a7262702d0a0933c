import { describe, expect, it } from 'vitest'
import { defaultImportSettings } from '#domain/imports/import-draft.schema.ts'
import { UsageError } from '../../command.ts'
import { readArguments } from './read-arguments.ts'

const line = (text: string) => text.split(' ').filter(Boolean)
const needed = 'data/fires.csv --map oak-hill --kind incident'

describe('readArguments', () => {
  it('reads what an import needs, and names the source after the file', () => {
    expect(readArguments(line(needed))).toEqual({
      command: 'import',
      file: 'data/fires.csv',
      isConfirmed: false,
      hasSource: false,
      settings: { ...defaultImportSettings, kind: 'incident', source: 'fires' },
      options: { mapId: 'oak-hill', timeZone: 'UTC' },
    })
  })

  it('reads every option', () => {
    const args = [
      ...line(
        'lots.geojson --map oak-hill --kind parcel --source lots-2014 --area-unit sqft --time-zone America/New_York',
      ),
      ...[
        '--client-name',
        'Oak Hill',
        '--client-location',
        'Payson, AZ',
        '--field',
        'name=Street address',
        '--field',
        'zoning.type=a=b',
      ],
    ]
    expect(readArguments(args)).toMatchObject({
      settings: {
        source: 'lots-2014',
        columns: { name: 'Street address', 'zoning.type': 'a=b' },
      },
      options: {
        areaUnit: 'sqft',
        timeZone: 'America/New_York',
        client: { name: 'Oak Hill', location: 'Payson, AZ' },
      },
    })
    expect(readArguments(line(`${needed} --type Fallen-Tree`))).toMatchObject({
      settings: { type: 'fallen_tree' },
    })
  })

  it.each<[string[], unknown]>([
    [['--omit', 'OwnerName, Owner Phone', '--omit', 'a=b'], { omit: ['OwnerName', 'Owner Phone', 'a=b'] }],
    [['--only', 'Ward,"City, State"'], { only: ['Ward', 'City, State'] }],
    [['--only', '"say ""ah"""'], { only: ['say "ah"'] }],
  ])('reads the stored columns: %j', (args, columns) => {
    expect(readArguments([...line(needed), ...args])).toMatchObject({ options: { kept: columns } })
  })

  it.each([
    [['--omit', 'a', '--only', 'b'], '--omit and --only cannot be combined'],
    [['--omit', ''], '--omit must list columns'],
    [['--only', 'a,,b'], '--only must list columns'],
    [['--only', '"a,b'], 'quotation mark that is never closed'],
  ])('refuses %j', (args, message) => {
    const read = () => readArguments([...line(needed), ...args])
    expect(read).toThrow(UsageError)
    expect(read).toThrow(message)
  })

  it('reads the other commands', () => {
    expect(readArguments([])).toEqual({ command: 'help' })
    expect(readArguments(['--help'])).toEqual({ command: 'help' })
    expect(readArguments(line('--list --map oak-hill'))).toEqual({ command: 'list', mapId: 'oak-hill' })
    expect(readArguments(line('--undo 1f2e'))).toEqual({
      command: 'undo',
      importId: '1f2e',
      mapId: undefined,
      isConfirmed: false,
    })
  })

  it('reads the layout of the file', () => {
    const flags =
      '--header-row 4 --geometry-column the_geom --decimal-mark comma --dates Seen=day-first --dates Due=month-first ' +
      '--join title=AddNum,Street --set severity=low'
    expect(readArguments(line(`${needed} ${flags}`))).toMatchObject({
      settings: {
        layout: {
          headerRow: 4,
          geometryColumn: 'the_geom',
          decimalMark: 'comma',
          dates: { Seen: 'day-first', Due: 'month-first' },
          joined: { title: ['AddNum', 'Street'] },
          constants: { severity: 'low' },
        },
      },
    })
  })

  it.each([
    ['--header-row first', '--header-row: '],
    ['--dates Seen=yearly', '--dates "yearly" is not one of day-first, month-first'],
    ['--dates Seen', '--dates "Seen" must look like COLUMN=day-first'],
    ['--join nick=A,B', '--join nick: is not a field of incident'],
    ['--set severity=low --field severity=S', '--field severity= is given, and --join or --set as well'],
  ])('refuses a layout: %s', (flags, message) => {
    expect(() => readArguments(line(`${needed} ${flags}`))).toThrow(message)
  })

  it.each([
    ['fires.csv --kind incident', '--map ID is missing: the map to import into'],
    [
      'fires.csv --map Oak_Hill --kind incident',
      '--map "Oak_Hill" must be lowercase letters, digits, and hyphens',
    ],
    ['--map oak-hill --kind incident', 'the file to import is missing'],
    ['fires.csv --map oak-hill', '--kind is missing: one of incident, asset, parcel'],
    ['fires.csv --map oak-hill --kind tree', '--kind "tree" is not one of incident, asset, parcel'],
    [`${needed} other.csv`, 'only one file can be imported at a time; unexpected "other.csv"'],
    [`${needed} --colour red`, "Unknown option '--colour'"],
    [`${needed} --type`, "Option '--type <value>' argument missing"],
    [`${needed} --type water`, '--type "water" is not one of fire, flood, fallen_tree, other'],
    ['a.csv --map m --kind parcel --type fire', '--type cannot be used: parcels have no type'],
    [`${needed} --type fire --field type=TYPE`, '--type and --field type= cannot be combined'],
    [`${needed} --field title`, '--field "title" must look like name=COLUMN'],
    [`${needed} --field title=`, '--field "title=" must look like name=COLUMN'],
    [`${needed} --field owner=X`, '--field owner: is not a field of incident'],
    [`${needed} --field title=A --field title=B`, '--field title= is given twice'],
    [`${needed} --area-unit ha`, '--area-unit is only for parcels'],
    ['a.csv --map m --kind parcel --area-unit rood', '--area-unit "rood" is not one of acre, sqft, m2, ha'],
    [`${needed} --time-zone Boston`, '--time-zone "Boston" is not a known zone'],
    [`${needed} --client-location Boston`, '--client-location requires --client-name'],
    ['--list', '--map ID is missing'],
    ['--list --map m x.csv', '--list does not take a file; unexpected "x.csv"'],
    ['--undo 1 x.csv', '--undo does not take a file; unexpected "x.csv"'],
  ])('cannot follow %j: %s', (args, message) => {
    expect(() => readArguments(line(args))).toThrow(UsageError)
    expect(() => readArguments(line(args))).toThrow(message)
  })

  it('requires a name after a flag that takes one', () => {
    expect(() => readArguments([...line(needed), '--client-name', ' '])).toThrow('--client-name: ')
    expect(() => readArguments([...line(needed), '--source', ''])).toThrow('--source: must not be empty')
  })

  it('reads the rules for existing features', () => {
    const args = ['lots.csv', '--map', 'oak-hills', '--kind', 'parcel']
    const rules = ['--update', 'owner,zoning.type', '--missing', 'mark', '--replace-edits', '--bring-back']
    expect(readArguments([...args, ...rules])).toMatchObject({
      settings: {
        onlyFields: ['owner', 'zoning.type'],
        missing: 'mark',
        keepsEdits: false,
        bringsBack: true,
      },
    })
    expect(() => readArguments([...args, '--update', 'colour'])).toThrow(
      '--update: colour is not a field of parcel',
    )
    expect(() => readArguments([...args, '--missing', 'burn'])).toThrow(/is not one of keep, mark, remove/)
  })
})
