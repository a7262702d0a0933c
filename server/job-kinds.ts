import type { BlobStore } from './blob-stores/blob-store.ts'
import { backgroundExportJob } from './exports/background/background-export-job.ts'
import { bulkChangeJob } from './features/bulk/bulk-changes.commands.ts'
import { customFieldWordsJob } from './features/custom-fields/custom-fields.commands.ts'
import { importDraftJob } from './imports/drafts/import-draft-job.ts'
import type { WorkPlace } from './imports/drafts/step-process.ts'
import type { AnyJobKind } from './jobs/job-kind.ts'
import { landCheckJob } from './land-check/land-check-job.ts'

export const ownJobKinds: readonly AnyJobKind[] = [bulkChangeJob, customFieldWordsJob]

export const jobKindsAt = (place: WorkPlace, store: BlobStore): readonly AnyJobKind[] => [
  ...ownJobKinds,
  importDraftJob(place),
  landCheckJob(place.location),
  backgroundExportJob({ store, dataDirectory: place.location.dataDirectory }),
]
