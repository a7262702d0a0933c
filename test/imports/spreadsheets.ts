import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { zipOf } from './zip-of.ts'

export const xmlDeclaration = '<?xml version="1.0"?>'
const office = 'http://schemas.openxmlformats.org'

/**
 * A workbook with one sheet. `options` are workbook properties, `before` is XML before the sheet data, `formats` are
 * number formats: cells with `s="1"` use the first.
 */
export function workbookOf(
  rows: string,
  { options = '', before = '', formats = [] as readonly string[] } = {},
): Buffer {
  const types = `${office}/package/2006/content-types`
  const relations = `${office}/package/2006/relationships`
  const relation = (...targets: (readonly [type: string, target: string])[]) => {
    const each = targets.map(
      ([type, target], index) =>
        `<Relationship Id="r${index + 1}" Type="${office}/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    )
    return `${xmlDeclaration}<Relationships xmlns="${relations}">${each.join('')}</Relationships>`
  }
  const main = `xmlns="${office}/spreadsheetml/2006/main"`
  return zipOf([
    {
      name: '[Content_Types].xml',
      bytes: `${xmlDeclaration}<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    },
    { name: '_rels/.rels', bytes: relation(['officeDocument', 'xl/workbook.xml']) },
    {
      name: 'xl/workbook.xml',
      bytes: `${xmlDeclaration}<workbook ${main} xmlns:r="${office}/officeDocument/2006/relationships">${options}<sheets><sheet name="Lots" sheetId="1" r:id="r1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      bytes: relation(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml']),
    },
    {
      name: 'xl/styles.xml',
      bytes: `${xmlDeclaration}<styleSheet ${main}>${stylesOf(formats)}</styleSheet>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      bytes: `${xmlDeclaration}${before}<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`,
    },
  ])
}

function stylesOf(formats: readonly string[]): string {
  const numbers = formats.map((code, index) => `<numFmt numFmtId="${index + 170}" formatCode="${code}"/>`)
  const styles = ['0', ...formats.map((_, index) => String(index + 170))].map(
    (id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`,
  )
  return `<numFmts count="${numbers.length}">${numbers.join('')}</numFmts><cellXfs count="${styles.length}">${styles.join('')}</cellXfs>`
}

export const numberCellOf = (at: string, value: string, style = 0) =>
  `<c r="${at}" s="${style}"><v>${value}</v></c>`

export const cellOf = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`

export function odsOf(table: readonly (readonly string[])[]): Promise<Buffer> {
  const namespace = (name: string) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`
  const cells = (row: readonly string[]) =>
    row.map(
      (text) => `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`,
    )
  const rows = table.map((row) => `<table:table-row>${cells(row).join('')}</table:table-row>`)
  const zip = new ZipFile()
  // The MIME type must be the first, uncompressed entry.
  zip.addBuffer(Buffer.from('application/vnd.oasis.opendocument.spreadsheet'), 'mimetype', {
    compress: false,
  })
  zip.addBuffer(
    Buffer.from(
      `${xmlDeclaration}<office:document-content ${['office', 'table', 'text'].map(namespace).join(' ')} office:version="1.2"><office:body><office:spreadsheet><table:table table:name="Lots">${rows.join('')}</table:table></office:spreadsheet></office:body></office:document-content>`,
    ),
    'content.xml',
  )
  zip.end()
  return buffer(zip.outputStream)
}
