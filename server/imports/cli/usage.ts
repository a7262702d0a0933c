import type { FeatureKind } from '#domain/definition/kinds.ts'
import { kindsBottomUp } from '#domain/features/kind-traits.ts'
import { fieldsOfKind } from '../mapping/fields.ts'

const fieldLine = (kind: FeatureKind) => `  ${kind.padEnd(9)} ${Object.keys(fieldsOfKind(kind)).join(', ')}`

export const usage = `Imports a file of parcels, assets or incidents into a map.

  npm run import -- FILE --map ID --kind parcel|asset|incident [options]
  npm run import -- --list --map ID
  npm run import -- --undo IMPORT_ID

FILE is GeoJSON (also newline-delimited), CSV with latitude and longitude, a JSON array of records, an Excel (xlsx) or
OpenDocument (ods) table, a Shapefile (its zip, or the .shp with its parts beside it), a File Geodatabase, GeoPackage,
FlatGeobuf, KML, KMZ, GPX or DXF.

  --map ID                the map to import into
  --kind KIND             parcel, asset or incident
  --client-name NAME      makes the client and its map, where the map does not exist
  --client-location TEXT  where that client is
  --type TYPE             incident or asset type of all rows
  --field NAME=COLUMN     fills a field from a column; as often as needed
  --omit COLUMN,COLUMN    leaves these columns out: nothing of them is kept with the feature
  --only COLUMN,COLUMN    of the columns that fill no field, keeps these alone
  --join NAME=COL,COL     fills a field from several columns, with a space between them
  --set NAME=VALUE        the value of a field in all rows
  --header-row NUMBER     the row that names the columns, where it is not recognized
  --geometry-column COL   the column with shapes, where it is not recognized (WKT, WKB, GeoJSON, or
                          latitude and longitude)
  --decimal-mark MARK     comma or point, where it is not recognized
  --dates COLUMN=ORDER    day-first or month-first, where no date of the column tells which
  --layer NAME            the layer or sheet that is meant, where there are several
  --area-unit UNIT        unit of the area column: acre (default), sqft, m2, ha
  --projection EPSG:NNNN  what the coordinates are in, where they are no longitude and latitude and
                          the file does not say it
  --swap-coordinates      the file has latitude before longitude
  --time-zone ZONE        zone of dates without one, such as America/New_York (default UTC)
  --source NAME           what the file is an edition of (default: its name without extension);
                          the same id of the same source is the same feature
  --update FIELD,FIELD    of features that are there already, changes these fields alone;
                          geometry is the shape, metadata what fills no field
  --missing RULE          what the source has made before and the file does not have:
                          keep (default), mark or remove
  --replace-edits         the file replaces what people have changed here since
  --bring-back            features that people have removed here come back
  --yes                   imports what looks wrong as a whole, without asking
  --list                  lists the imports of a map
  --undo IMPORT_ID        takes an import back
  --help                  this text

Fields:
${kindsBottomUp.map(fieldLine).join('\n')}

Columns that fill no field are kept with the feature, for staff alone. docs/importing.md has examples.`
