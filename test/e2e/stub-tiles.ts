import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PNG } from 'pngjs'

// Replaces the public tile services by solid squares and records the requests.

export type TileServiceName = 'street' | 'satellite' | 'terrain' | 'labels'

/** Differs from all palette colors. */
export const stubTileColors: Record<TileServiceName, [red: number, green: number, blue: number]> = {
  street: [205, 214, 208],
  satellite: [58, 74, 58],
  terrain: [214, 206, 186],
  labels: [230, 230, 230],
}

export type StubTiles = {
  origin: string
  address(service: TileServiceName): string
  /** Returns the services requested since the last call. */
  takeAskedServices(): TileServiceName[]
  close(): Promise<void>
}

export async function startStubTiles(): Promise<StubTiles> {
  const tiles = new Map<string, Buffer>(
    Object.entries(stubTileColors).map(([service, color]) => [service, plainTile(color)]),
  )
  const requested = new Set<string>()
  const server = createServer((request, response) => {
    const service = request.url?.split('/')[1] ?? ''
    const tile = tiles.get(service)
    requested.add(service)
    response.writeHead(tile ? 200 : 404, {
      'content-type': 'image/png',
      'access-control-allow-origin': '*',
      // Disables the cache.
      'cache-control': 'no-store',
    })
    response.end(tile)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    address: (service) => `${origin}/${service}/{z}/{x}/{y}.png`,
    takeAskedServices() {
      const services = [...requested] as TileServiceName[]
      requested.clear()
      return services
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function plainTile([red, green, blue]: [number, number, number]): Buffer {
  const png = new PNG({ width: 256, height: 256 })
  for (let index = 0; index < png.data.length; index += 4) png.data.set([red, green, blue, 255], index)
  return PNG.sync.write(png)
}
