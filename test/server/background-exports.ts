import type { BackgroundExportsTable } from '#server/database/tables.ts'

export function aBackgroundExportRow(fields: Partial<BackgroundExportsTable> = {}): BackgroundExportsTable {
  const now = Date.now()
  return {
    map_id: 'oak-hills',
    id: '5b0f3f0e-6f4a-4d9c-9d5e-0d6f6c6f7a11',
    person_id: 'maya',
    question: '{"format":"gpkg"}',
    selection: null,
    file_name: 'oak-hills-features-2026-05-21.gpkg',
    state: 'done',
    attempt: 1,
    rows_read: 1,
    total: 1,
    pieces: JSON.stringify([aPiece.length]),
    problem: null,
    created_at: now - 60_000,
    finished_at: now - 60_000,
    ...fields,
  }
}

export const aPiece = Buffer.from('a file')

export const pieceOf = ({ map_id, id, attempt }: BackgroundExportsTable) =>
  `${map_id}/exports/${id}.${attempt}.0`
