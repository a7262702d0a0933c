import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// Serves one file: an upper bound for Node's own server. Runs as a process of its own.

const bytes = readFileSync(process.argv[2] as string)
const headers = {
  'content-type': 'application/vnd.mapbox-vector-tile',
  'content-encoding': 'gzip',
  'content-length': bytes.length,
}
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => {
  console.log(`ready: http://localhost:${(server.address() as AddressInfo).port}`)
})
