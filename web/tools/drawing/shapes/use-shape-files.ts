import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useEffectEvent, useState } from 'react'
import { withWinding } from '#domain/drawings/with-winding.ts'
import { counted } from '#domain/values/wording.ts'
import { cameraTarget } from '#web/map/camera-target.ts'
import { downloadText } from '#web/ui/download-file.ts'
import { loadChunk } from '#web/ui/load-chunk.ts'
import { cornersOf, type DrawnShape, newShapeId } from './drawn-shape.ts'
import type { News } from './task.ts'
import type { Shapes } from './use-shapes.ts'

const maxBytes = 5_000_000

export function useShapeFiles(shapes: Shapes, setNews: (news: News) => void) {
  const map = useMap().current?.getMap()
  const [isDropping, setIsDropping] = useState(false)

  async function open(files: Iterable<File>) {
    try {
      const { readShapes } = await loadChunk(() => import('./read-shapes.ts'))
      const read: DrawnShape[] = []
      for (const file of files) {
        const refuse = (why: string) => new Error(`${file.name}: ${why}`)
        if (file.size > maxBytes) throw refuse('The file is larger than 5 MB.')
        const text = await file.text()
        try {
          read.push(...readShapes(text, newShapeId))
        } catch (error) {
          throw refuse((error as Error).message)
        }
      }
      shapes.create(read)
      show(read)
      setNews({
        text: `${counted(read.length, 'shape')} opened`,
        isProblem: false,
      })
    } catch (error) {
      setNews({ text: `No shapes opened. ${(error as Error).message}`, isProblem: true })
    }
  }

  function show(opened: readonly DrawnShape[]) {
    const corners = opened.flatMap(({ geometry }) => cornersOf(geometry)) as [number, number][]
    const view = map?.getBounds()
    if (!map || !view || corners.every((corner) => view.contains(corner))) return
    const lngs = corners.map(([lng]) => lng)
    const lats = corners.map(([, lat]) => lat)
    const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b))
    const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b))
    const extent = { west: least(lngs), south: least(lats), east: most(lngs), north: most(lats) }
    cameraTarget(map).fitExtent(extent, { padding: 60, maxZoom: 16 })
  }

  const drop = useEffectEvent((files: FileList) => void open(files))
  useEffect(() => {
    const area = map?.getContainer()
    if (!area) return
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsDropping(true)
    }
    const leave = (event: DragEvent) => {
      if (!area.contains(event.relatedTarget as Node | null)) setIsDropping(false)
    }
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return
      event.preventDefault()
      setIsDropping(false)
      drop(event.dataTransfer.files)
    }
    // Otherwise a file dropped beside the map replaces the page.
    const refuse = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    }
    document.addEventListener('dragover', refuse)
    document.addEventListener('drop', refuse)
    area.addEventListener('dragover', over)
    area.addEventListener('dragleave', leave)
    area.addEventListener('drop', onDrop)
    return () => {
      document.removeEventListener('dragover', refuse)
      document.removeEventListener('drop', refuse)
      area.removeEventListener('dragover', over)
      area.removeEventListener('dragleave', leave)
      area.removeEventListener('drop', onDrop)
    }
  }, [map])

  return {
    isDropping,
    open: (files: Iterable<File>) => void open(files),
    download(fileName: string) {
      const features = shapes.all.map((shape) => ({ ...shape, geometry: withWinding(shape.geometry) }))
      const collection = { type: 'FeatureCollection', features }
      downloadText(`${fileName}.geojson`, 'application/geo+json', JSON.stringify(collection, null, 2))
    },
  }
}
