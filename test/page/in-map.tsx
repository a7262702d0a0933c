import type { ReactNode } from 'react'
// The package does not export it.
import { MapContext } from '../../node_modules/@vis.gl/react-maplibre/dist/components/map.js'
import type { StubMap } from './stub-map.ts'

export const InMap = ({ map, children }: { map: StubMap; children: ReactNode }) => (
  <MapContext value={{ map: { getMap: () => map }, mapLib: null } as never}>{children}</MapContext>
)
