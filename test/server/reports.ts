import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Report, ReportForReporter } from '#domain/reports/report.schema.ts'
import { aPhoto } from '#test/imports/file-bytes.ts'
import type { TestApp } from './test-app.ts'

type Headers = Record<string, string>

const map = '/api/maps/oak-hills'
export const key = 'ab'.repeat(16)
export const byKey = { 'report-key': key }
export const place = { lat: 34.05, lng: -111.09 }

export const aReport = (values: object = {}) => ({ id: randomUUID(), key, type: 'flood', place, ...values })

/** A visitor sends it. */
export async function addReport(app: TestApp, values: object = {}): Promise<ReportForReporter> {
  const response = await app.post(`${map}/reports`, aReport(values))
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

type Decision = { state: string; [field: string]: unknown }

export async function decide(app: TestApp, staff: Headers, id: string, decision: Decision): Promise<Report> {
  const response = await app.put(`${map}/reports/${id}/decision`, decision, { ...staff, 'if-match': '*' })
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

/** Returns the id of the change. */
export async function takeStep(app: TestApp, staff: Headers, id: string, step: object): Promise<string> {
  const change = { id: randomUUID(), ...step }
  const response = await app.post(`${map}/incidents/${id}/work`, change, { ...staff, 'if-match': '*' })
  expect(response.statusCode, response.body).toBe(200)
  return change.id
}

type Upload = { headers?: Headers; values?: object }

/** A photo for an address that takes uploads. */
export async function photoTo(app: TestApp, url: string, { headers = byKey, values = {} }: Upload = {}) {
  const [photo, id] = [await aPhoto(), randomUUID()]
  const sent = { ...headers, 'content-type': 'application/octet-stream' }
  return {
    id,
    announce: (others: object = {}) =>
      app.post(url, { id, size: photo.length, ...values, ...others }, headers),
    send: () => app.put(`${url}/${id}?offset=0`, photo, sent),
  }
}

/** Returns the id of the photo. */
export async function addPhoto(app: TestApp, url: string, upload: Upload = {}): Promise<string> {
  const { id, announce, send } = await photoTo(app, url, upload)
  await announce()
  const response = await send()
  expect(response.statusCode, response.body).toBe(200)
  return id
}
