import { type FeatureKind, type FeatureShape, featureKinds } from '#domain/definition/kinds.ts'
import { featureTypes } from '#domain/features/filters.ts'
import { severityKinds } from '#domain/features/kind-traits.ts'
import { useInView } from '#web/map/in-view.ts'
import { BareDots, LegendGroup, NothingInView } from './legend-frame.tsx'
import { ShapeIcon } from './shape-icon.tsx'
import { typeLabel } from './type-label.ts'

type ShapeRow = { shape: FeatureShape; kinds: readonly FeatureKind[]; label: string }

const shapes: readonly ShapeRow[] = [
  { shape: 'line', kinds: featureKinds, label: 'Line' },
  { shape: 'polygon', kinds: featureKinds.filter((kind) => !severityKinds.includes(kind)), label: 'Polygon' },
  { shape: 'polygon', kinds: severityKinds, label: 'Polygon of an incident' },
]

const points = featureKinds.flatMap((kind) => [...featureTypes, null].map((type) => ({ kind, type })))

export function ShapeLegend() {
  const inView = useInView()
  if (inView === null) return null
  const { symbols, hasBareDots } = inView
  if (symbols.length === 0) return <NothingInView />
  const shownPoints = points.filter(({ kind, type }) =>
    symbols.some((one) => one.group === 'point' && one.kind === kind && one.type === type),
  )
  const shownShapes = shapes.filter(({ shape, kinds }) =>
    symbols.some(({ group, kind }) => group === shape && kinds.includes(kind)),
  )
  return (
    <>
      {shownPoints.length > 0 && (
        <LegendGroup title="Points">
          {shownPoints.map(({ kind, type }) => (
            <li key={`${kind}-${type}`}>
              <ShapeIcon kind={kind} shape="point" type={type} size={20} />
              {typeLabel(kind, type)}
            </li>
          ))}
        </LegendGroup>
      )}
      {shownShapes.length > 0 && (
        <LegendGroup title="Shapes">
          {shownShapes.map(({ shape, kinds, label }) => (
            <li key={label}>
              <ShapeIcon kind={kinds[0] ?? 'asset'} shape={shape} type={null} size={20} />
              {label}
            </li>
          ))}
        </LegendGroup>
      )}
      {hasBareDots && <BareDots />}
    </>
  )
}
