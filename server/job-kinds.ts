import type { BlobStore } from './blob-stores/blob-store.ts'
import { backgroundExportJob } from './exports/background/background-export-job.ts'
import { bulkChangeJob } from './features/bulk/bulk-changes.commands.ts'
import { customFieldWordsJob } from './features/custom-fields/custom-fields.commands.ts'
import { importDraftJob } from './imports/drafts/import-draft-job.ts'
import type { WorkPlace } from './imports/drafts/step-process.ts'
import type { AnyJobKind } from './jobs/job-kind.ts'
import { landCheckJob } from './land-check/land-check-job.ts'
import type { MailSender } from './mail/mail-sender.ts'
import { reportNewsJob } from './reports/report-news-job.ts'
import { boardDigestJobs } from './subscriptions/board-digest-jobs.ts'
import { incidentNewsJob } from './subscriptions/incident-news-job.ts'
import { noticeJobs } from './subscriptions/notice-jobs.ts'
import { operatorsDigestJob } from './subscriptions/operators-digest-job.ts'
import { staffNewsJob } from './subscriptions/staff-news-job.ts'
import { subscriptionJobs } from './subscriptions/subscription-jobs.ts'
import { workLinkMailJob } from './work/work-link-mail-job.ts'

export const ownJobKinds: readonly AnyJobKind[] = [bulkChangeJob, customFieldWordsJob, incidentNewsJob]

type News = { sender: MailSender; publicUrl: string; operators: readonly string[] }

/** Without a mail server, news waits in its jobs. */
export const jobKindsAt = (
  place: WorkPlace,
  store: BlobStore,
  news: News | null = null,
): readonly AnyJobKind[] => [
  ...ownJobKinds,
  importDraftJob(place),
  landCheckJob(place.location),
  backgroundExportJob({ store, dataDirectory: place.location.dataDirectory }),
  ...(news
    ? [
        reportNewsJob({ ...news, store }),
        workLinkMailJob(news),
        ...subscriptionJobs(news),
        ...noticeJobs(news),
        staffNewsJob(news),
        ...boardDigestJobs(news),
        operatorsDigestJob(news, news.operators),
      ]
    : []),
]
