import { describe, expect, it } from 'vitest'
import { readOwnFile } from './read-own-file.ts'

const point = { type: 'Point', coordinates: [-111, 34] }
const read = (feature: object) =>
  readOwnFile('land.geojson', JSON.stringify({ type: 'FeatureCollection', features: [feature] }), 'oak-hill')
const asset = (properties: object, changes: object = {}) => ({
  type: 'Feature',
  id: 'pump-1',
  properties: { kind: 'asset', name: 'Pump', ...properties },
  geometry: point,
  ...changes,
})

describe('a file in our own format', () => {
  it('keeps ids, fills every field by its key, including lists, and stores the rest as metadata', async () => {
    const maintenanceHistory = [
      { date: '2024-05-01', description: 'Greased.' },
      { date: '2025-05-01', description: 'Painted.' },
    ]
    const [feature] = await read(
      asset({ parcelId: 'parcel-1', maintenanceHistory, volts: 240, title: 'No. 1' }),
    )
    expect(feature).toEqual({
      kind: 'asset',
      id: 'pump-1',
      mapId: 'oak-hill',
      geometry: point,
      name: 'Pump',
      description: '',
      status: 'operational',
      type: null,
      installDate: null,
      lastMaintenance: null,
      parcelId: 'parcel-1',
      maintenanceHistory: maintenanceHistory.toReversed(),
      maintenancePlan: null,
      own: null,
      metadata: [
        { name: 'volts', value: 240 },
        { name: 'title', value: 'No. 1' },
      ],
    })
  })

  it('can have general features with their feature type', async () => {
    const general = (values: object) => {
      const properties = { kind: 'feature', name: 'Wash', flag: true, ...values }
      return read({ type: 'Feature', id: 'feature-1', properties, geometry: point })
    }
    expect(await general({ featureType: 'road' })).toMatchObject([
      { kind: 'feature', featureType: 'road', metadata: [{ name: 'flag', value: true }] },
    ])
    const date = '2026-05-20T10:00:00.000Z'
    expect(await general({ featureType: 'incident', type: 'fire', date })).toMatchObject([
      { featureType: 'incident', type: 'fire', date, metadata: [{ name: 'flag', value: true }] },
    ])
    const wrong = (values: object, why: string) => expect(general(values)).rejects.toThrow(why)
    await wrong(
      { featureType: 'incident', type: 'water' },
      'type "water" cannot be stored: must be one of fire, flood, fallen_tree, other if the feature type is incident',
    )
    await wrong({ featureType: 'parcel', type: 'road' }, 'must be omitted if the feature type is parcel')
    await wrong({ featureType: 'road', type: 'water' }, 'must be one of road if the feature type is road')
  })

  const wrong: [string, object, string][] = [
    [
      'a kind that is none',
      asset({ kind: 'tree' }),
      'its kind "tree" is not one of incident, asset, parcel, feature',
    ],
    ['no id', asset({}, { id: undefined }), 'its id is missing'],
    [
      'an id that is none',
      asset({}, { id: 'pump 1' }),
      'id "pump 1" cannot be stored: must consist of letters',
    ],
    ...['.', '..'].map((id): [string, object, string] => [
      `the id ${id}`,
      asset({}, { id }),
      `id "${id}" cannot be stored: must not be "." or ".."`,
    ]),
    ['a type that is none', asset({ type: 'gas' }), 'type "gas" is not one of water, electrical'],
    [
      'half an entry of a list',
      asset({ maintenanceHistory: [{ date: '2024-05-01' }] }),
      'maintenanceHistory [{"date":"2024-05-01"}] is not a JSON array of objects with date and description',
    ],
    [
      'a place nowhere',
      asset({}, { geometry: { type: 'Point', coordinates: [2000, 34] } }),
      'longitude 2000',
    ],
    [
      'a shape that crosses itself',
      asset(
        {},
        {
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [0, 0],
                [1, 1],
                [1, 0],
                [0, 1],
                [0, 0],
              ],
            ],
          },
        },
      ),
      'its polygon crosses itself',
    ],
  ]
  it.each(wrong)('is refused with %s', async (_, feature, reason) => {
    await expect(read(feature)).rejects.toThrow(`land.geojson: row 1: ${reason}`)
  })
})
