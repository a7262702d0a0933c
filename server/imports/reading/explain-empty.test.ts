import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { explainEmpty } from './explain-empty.ts'

function fileOf(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'poa-empty-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'file')
  writeFileSync(path, content)
  return path
}

const link = (href: string) => `<kml><NetworkLink><Link><href>${href}</href></Link></NetworkLink></kml>`

it.each([
  [
    'a KML of links',
    link('https://gis.example.com/lots.kml?a=1&amp;b=2'),
    /links to https:\/\/gis.example.com\/lots.kml\?a=1&b=2\. Download the linked/,
  ],
  [
    'a link without an address',
    '<kml><NetworkLink><name>A</name></NetworkLink></kml>',
    /only links to other files/,
  ],
  [
    'an icon before the link',
    `<kml><Style><Icon><href>pin.png</href></Icon></Style>${link('lots.kml').slice(5)}`,
    /links to lots.kml\./,
  ],
  ['overlays', '<kml><GroundOverlay/><Style/></kml>', /only image overlays/],
  ['styles', '<kml><Document><Style id="a"/></Document></kml>', /only styles/],
  ['a commented link', '<kml><!-- <NetworkLink> --></kml>', /^The KML has no places \(Placemarks\)/],
  [
    'an empty FeatureCollection',
    '{"type": "FeatureCollection", "features": [ ]}',
    /FeatureCollection without features/,
  ],
  ['an empty list', ' []', /empty list/],
  ['a header alone', 'Name;lat;lon\n', /only has a header \(Name, lat, lon\) and no rows/],
])('explains that a file has no rows: %s', async (_what, content, explained) => {
  expect(await explainEmpty(fileOf(content))).toMatch(explained)
})
