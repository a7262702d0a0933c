import compress from '@fastify/compress'
import Fastify, { type FastifyInstance, LogController, type RouteOptions } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { activityRoutes } from './activity/activity.routes.ts'
import { registerBaseMapFiles } from './base-maps/base-map-files.routes.ts'
import type { BlobStore } from './blob-stores/blob-store.ts'
import { bounceRoutes } from './bounces/bounces.routes.ts'
import { clientRoutes } from './clients/clients.routes.ts'
import type { Database } from './database/database.ts'
import type { ReadReplica } from './database/read-replica.ts'
import { drawingRoutes } from './drawings/drawings.routes.ts'
import { backgroundExportRoutes } from './exports/background/background-exports.routes.ts'
import { exportRoutes } from './exports/export.routes.ts'
import { exportDrawingsRoutes } from './exports/export-drawings.routes.ts'
import { bulkChangeRoutes } from './features/bulk/bulk-changes.routes.ts'
import { featureChangeRoutes } from './features/changes/feature-changes.routes.ts'
import { shapesInBoxRoutes } from './features/changes/shapes-in-box.routes.ts'
import { customFieldsRoutes } from './features/custom-fields/custom-fields.routes.ts'
import { featureHistoryRoutes } from './features/history/feature-history.routes.ts'
import { parcelsAsOfRoutes } from './features/history/parcels-as-of.routes.ts'
import { featureListRoutes } from './features/lists/feature-list.routes.ts'
import { dueRoutes } from './features/maintenance/due.routes.ts'
import { maintenanceRoutes } from './features/maintenance/maintenance.routes.ts'
import { metadataNameRoutes } from './features/metadata-names/metadata-names.routes.ts'
import { openRecordRoutes } from './features/open-records/open-records.routes.ts'
import { featureRoutes } from './features/rows/features.routes.ts'
import { fileRoutes } from './files/files.routes.ts'
import type { PhotoMaker } from './files/photo-maker.ts'
import { createUploadReceiver } from './files/receive-upload.ts'
import { uploadRoutes } from './files/uploads.routes.ts'
import { healthRoutes } from './health/health.routes.ts'
import { registerAccess } from './http/access.ts'
import { digestOf, openAuditLog } from './http/audit.ts'
import { registerConnections } from './http/connections.ts'
import { isReading } from './http/data-routes.ts'
import { registerDocumentation } from './http/documentation.ts'
import { registerHosts } from './http/hosts.ts'
import { acceptJson } from './http/json-bodies.ts'
import { requestParser } from './http/parse-request.ts'
import { answerClientError, answerError, answerNotFound, registerErrors } from './http/problem.ts'
import { registerSameOrigin } from './http/same-origin.ts'
import { limitTokens, registerSecurity } from './http/security.ts'
import { readTokenHolder } from './identity/api-tokens.queries.ts'
import { apiTokenRoutes } from './identity/api-tokens.routes.ts'
import { backChannelRoutes } from './identity/back-channel.routes.ts'
import { chooseProvider } from './identity/choose-provider.ts'
import { demoRoutes } from './identity/demo/demo.routes.ts'
import { peopleRoutes } from './identity/people.routes.ts'
import { sessionRoutes } from './identity/session.routes.ts'
import { readSession } from './identity/sessions.queries.ts'
import { signInRoutes } from './identity/sign-in.routes.ts'
import { importDraftRoutes } from './imports/drafts/import-drafts.routes.ts'
import { importTrialRoutes } from './imports/drafts/import-trial.routes.ts'
import { jobRoutes } from './jobs/jobs.routes.ts'
import { landCheckRoutes } from './land-check/land-check.routes.ts'
import type { ChangeFeed } from './live-updates/change-feed.ts'
import { eventRoutes } from './live-updates/events.routes.ts'
import { registerReadPositions } from './live-updates/read-positions.ts'
import { type ResolveTxt, resolveTxt } from './mail/check-domain.ts'
import { mapConfigurationRoutes } from './map-configuration/map-configuration.routes.ts'
import { mapRoutes } from './maps/maps.routes.ts'
import { registerOpenMaps } from './maps/open-map.ts'
import { ogcRoutes } from './ogc/ogc.routes.ts'
import { open311Routes } from './open311/open311.routes.ts'
import { registerPage } from './page/page.routes.ts'
import { settingsRoutes } from './page/settings.routes.ts'
import { blockedSenderRoutes } from './reports/blocked-senders.routes.ts'
import { exportReportsRoutes } from './reports/export-reports.routes.ts'
import { mergeRoutes } from './reports/merge.routes.ts'
import { ownReportRoutes } from './reports/own-reports.routes.ts'
import { reportSettingsRoutes } from './reports/report-settings.routes.ts'
import { reportRoutes } from './reports/reports.routes.ts'
import type { Configuration } from './settings/configuration.ts'
import { issuerOf } from './settings/identity-settings.ts'
import { noticeRoutes } from './subscriptions/notices.routes.ts'
import { subscriptionRoutes } from './subscriptions/subscriptions.routes.ts'
import { testMailRoutes } from './subscriptions/test-mail.routes.ts'
import type { TilePool } from './tiles/tile-pool.ts'
import { tileRoutes } from './tiles/tiles.routes.ts'
import { webhookRoutes } from './webhooks/webhooks.routes.ts'
import { workRoutes } from './work/work.routes.ts'
import { workLinkRoutes } from './work/work-links.routes.ts'

export type Dependencies = {
  configuration: Configuration
  database: Database
  changes: ChangeFeed
  tilePool: TilePool
  store: BlobStore
  photos: PhotoMaker
  pageDirectory: string | null
  /** Aborted when the server is about to close. */
  stopping?: AbortSignal
  onRoute?: (route: RouteOptions) => void
  /** Looks up TXT records of a domain. */
  resolveTxt?: ResolveTxt
}

/**
 * Proxies send requests on connections that were idle for one (nginx) or two minutes (Caddy). One that closes as a
 * request arrives is a 502 to the visitor, so the proxy has to be the first to close it.
 */
const longerThanProxiesMs = 130_000

/** Everything the server answers, registered in order. Listening, signals and settings are main's. */
export async function buildApp(dependencies: Dependencies): Promise<FastifyInstance> {
  const { configuration, database, changes, tilePool, store, photos, pageDirectory, stopping } = dependencies
  const app = Fastify({
    logger: configuration.logLevel === 'silent' ? false : { level: configuration.logLevel },
    logController: new LogController({ disableRequestLogging: true }),
    // As many hops as the operator has proxies. Addresses beyond them may be forged.
    trustProxy: (_address, hop) => hop < configuration.trustedProxies,
    bodyLimit: 1024 * 1024,
    // Disconnects clients that are slow to send their request.
    requestTimeout: 5_000,
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 500 },
    keepAliveTimeout: configuration.trustedProxies > 0 ? longerThanProxiesMs : 10_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: answerError,
    clientErrorHandler: answerClientError,
  })
  app.setValidatorCompiler(requestParser)
  app.setSerializerCompiler(serializerCompiler)
  if (dependencies.onRoute) app.addHook('onRoute', dependencies.onRoute)
  registerErrors(app)
  acceptJson(app, ['application/json', 'application/merge-patch+json'])
  await registerSecurity(app, configuration)
  registerConnections(app, configuration)
  registerHosts(app, configuration)
  registerSameOrigin(app, configuration)
  const audit = openAuditLog(app, configuration)
  const { sessionIdleMs: idleMs, identity } = configuration
  const onPrimary: ReadReplica['readPrimary'] = (work) => database.replica?.readPrimary(work) ?? work()
  await registerAccess(app, {
    configuration,
    audit,
    readSession: (id, keepsAlive) => onPrimary(() => readSession(database, id, { idleMs, keepsAlive })),
    readToken: (secret) => readTokenHolder(database, secret, { digestOf, issuer: issuerOf(identity) }),
    ...limitTokens(app, configuration),
  })
  registerReadPositions(app, { database, changes })
  registerOpenMaps(app, { database })
  app.addHook('onResponse', async ({ method }, { statusCode }) => {
    if (!isReading(method) && statusCode < 400) changes.pollSoon()
  })
  await app.register(compress, { threshold: 1024 })
  await registerDocumentation(app, configuration)

  await app.register(healthRoutes, { database, store, stopping })
  const { identityProvider, demoClient } = chooseProvider(app, configuration)
  const { publicUrl } = configuration
  if (demoClient) await app.register(demoRoutes, { publicUrl, client: demoClient, audit })
  await app.register(signInRoutes, { database, configuration, identityProvider, audit })
  if (identityProvider) await app.register(backChannelRoutes, { database, identityProvider, audit })
  await app.register(sessionRoutes, { database, configuration, identityProvider, audit })
  await app.register(apiTokenRoutes, { database, audit, issuer: issuerOf(identity) })
  await app.register(peopleRoutes, { database, identity })
  await registerBaseMapFiles(app, configuration)
  await app.register(settingsRoutes, { database, configuration })
  await app.register(clientRoutes, { database })
  await app.register(mapRoutes, { database })
  await app.register(mapConfigurationRoutes, { database })
  await app.register(featureListRoutes, { database })
  await app.register(featureRoutes, { database })
  await app.register(customFieldsRoutes, { database })
  await app.register(featureChangeRoutes, { database })
  await app.register(shapesInBoxRoutes, { database })
  await app.register(parcelsAsOfRoutes, { database })
  await app.register(bulkChangeRoutes, { database })
  await app.register(featureHistoryRoutes, { database })
  await app.register(maintenanceRoutes, { database })
  await app.register(dueRoutes, { database, configuration })
  await app.register(openRecordRoutes, { database })
  await app.register(metadataNameRoutes, { database })
  const { fileQuotaBytes: quotaBytes } = configuration
  const uploads = createUploadReceiver({ database, store, photos, quotaBytes })
  await app.register(uploadRoutes, { uploads })
  await app.register(fileRoutes, { database, store, uploads })
  await app.register(ownReportRoutes, { database, uploads, store, configuration })
  await app.register(blockedSenderRoutes, { database })
  await app.register(mergeRoutes, { database })
  await app.register(reportRoutes, { database, configuration })
  await app.register(open311Routes, { database, uploads, configuration })
  await app.register(reportSettingsRoutes, { database, configuration })
  await app.register(subscriptionRoutes, { database, configuration })
  await app.register(noticeRoutes, { database, configuration })
  await app.register(bounceRoutes, { database, configuration })
  await app.register(testMailRoutes, {
    database,
    configuration,
    resolveTxt: dependencies.resolveTxt ?? resolveTxt,
  })
  await app.register(workRoutes, { database })
  await app.register(workLinkRoutes, { database, uploads, store, configuration })
  const { dataDirectory } = configuration
  await app.register(exportRoutes, { database, dataDirectory })
  await app.register(backgroundExportRoutes, { database, store })
  await app.register(landCheckRoutes, { database })
  await app.register(exportDrawingsRoutes, { database, dataDirectory })
  await app.register(exportReportsRoutes, { database, dataDirectory })
  await app.register(importDraftRoutes, {
    database,
    store,
    dataDirectory,
    limits: configuration.importLimits,
  })
  await app.register(importTrialRoutes, { database, store, dataDirectory })
  await app.register(drawingRoutes, { database })
  await app.register(tileRoutes, {
    database,
    tilePool,
    changes,
    configuration,
  })
  await app.register(ogcRoutes, { database, configuration })
  await app.register(activityRoutes, { database })
  await app.register(webhookRoutes, { database, configuration })
  await app.register(jobRoutes, { database })
  await app.register(eventRoutes, { database, changes, configuration })
  if (pageDirectory === null) app.setNotFoundHandler({ preHandler: app.rateLimit() }, answerNotFound)
  else await registerPage(app, { database, configuration, pageDirectory })
  return app
}
