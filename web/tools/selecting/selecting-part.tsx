import { ActionIcon, Button } from '@mantine/core'
import { IconLasso, IconMarquee2, IconMaximize, IconX } from '@tabler/icons-react'
import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useRef, useState } from 'react'
import { countOfKinds, type KindCounts, maxSelected } from '#domain/features/bulk-change.ts'
import type { FeaturesWithin } from '#domain/features/features-within.schema.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import { findFeaturesWithin } from '#web/api/features.api.ts'
import { MarkedLayers } from '#web/map/marked-layers.tsx'
import { useIsPhone, usePressWord } from '#web/ui/device.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { showError } from '#web/ui/toasts.tsx'
import { type Marking, useMarking } from '#web/workspace/marking.ts'
import { type ToolProps, useToolMode } from '#web/workspace/tool.ts'
import status from '#web/workspace/tool-status.module.css'
import { ToolButton, Toolbar } from '#web/workspace/toolbar.tsx'
import { boxBetween, type LngLat, ringOf } from './area-ring.ts'
import { type AreaKind, AreaSketch, useDrawnArea } from './drawn-area.tsx'

const areas = [
  {
    kind: 'box',
    label: 'Select by box',
    Icon: IconMarquee2,
    hint: 'Drag a box around records to select them.',
  },
  { kind: 'lasso', label: 'Select by lasso', Icon: IconLasso, hint: 'Draw around records to select them.' },
] as const

export function SelectingPart({ mapId }: ToolProps) {
  const marking = useMarking()
  return marking && <Selecting mapId={mapId} marking={marking} />
}

type News = { text: string } & Pick<Marking, 'marks' | 'filter'>

function Selecting({ mapId, marking }: { mapId: string; marking: Marking }) {
  const map = useMap().current?.getMap()
  const isPhone = useIsPhone()
  const isByFinger = usePressWord() === 'Tap'
  const [kind, setKind] = useState<AreaKind | null>(null)
  const [isAdding, setIsAdding] = useState(false)
  const [areToolsOpen, setAreToolsOpen] = useState(false)
  const [news, setNews] = useState<News | null>(null)
  const { isLooking, select } = useSelecting(mapId, marking, setNews)
  const area = useDrawnArea(kind, (corners, { shiftKey }) => void select(corners, isAdding || shiftKey))
  function turnTo(next: AreaKind | null) {
    setNews(null)
    setKind(next)
  }
  const turnOff = () => turnTo(null)
  useToolMode({
    isOn: kind !== null,
    turnOff,
    onKey(event) {
      const isTyping = (event.target as HTMLElement).matches('input, textarea, select')
      if (kind === null || event.key !== 'Escape' || isTyping) return false
      if (!area.giveUp()) turnOff()
      return true
    },
    unsaved: null,
  })

  function selectView(isAdded: boolean) {
    if (!map) return
    const view = map.getBounds()
    void select(boxBetween(view.getSouthWest(), view.getNorthEast()), isAdded)
  }
  const chosen = areas.find((one) => one.kind === kind)
  const fold = () => setAreToolsOpen(false)
  const shownNews = news && news.marks === marking.marks && news.filter === marking.filter ? news.text : null
  const hint = chosen ? `${chosen.hint}${isByFinger ? '' : ' Hold Shift to add.'}` : null
  const text = isLooking ? 'Searching…' : (shownNews ?? hint)
  return (
    <>
      <MarkedLayers {...marking} kind={marking.filter.kind} />
      <AreaSketch corners={area.corners} />
      <Toolbar
        label="Selection tools"
        folding={
          isPhone
            ? {
                label: chosen ? `Selection tools, active: ${chosen.label}` : 'Selection tools',
                Icon: chosen?.Icon ?? IconMarquee2,
                isInUse: chosen !== undefined,
                isOpen: areToolsOpen,
                onFold: () => setAreToolsOpen(!areToolsOpen),
              }
            : null
        }
      >
        {areas.map(({ kind: one, label, Icon }) => (
          <ToolButton
            key={one}
            label={label}
            Icon={Icon}
            isPressed={one === kind}
            onClick={() => {
              turnTo(one === kind ? null : one)
              fold()
            }}
          />
        ))}
        <ToolButton
          label="Select all in view"
          Icon={IconMaximize}
          onClick={({ shiftKey }) => {
            selectView(isAdding || shiftKey)
            fold()
          }}
        />
      </Toolbar>
      <section className={status.bar} aria-label="Map selection" data-open={text !== null || undefined}>
        <div className={status.words}>
          <p role="status">{text}</p>
        </div>
        {text !== null && (
          <div className={status.actions}>
            <Button.Group aria-label="Selection mode">
              {[false, true].map((isAdded) => (
                <Button
                  key={String(isAdded)}
                  size="compact-sm"
                  h={30}
                  variant={isAdded === isAdding ? 'light' : 'default'}
                  aria-pressed={isAdded === isAdding}
                  onClick={() => setIsAdding(isAdded)}
                >
                  {isAdded ? 'Add' : 'Replace'}
                </Button>
              ))}
            </Button.Group>
            {chosen ? (
              <SmallButton size="compact-sm" h={30} onClick={turnOff}>
                Done
              </SmallButton>
            ) : (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={30}
                aria-label="Dismiss"
                onClick={() => setNews(null)}
              >
                <IconX size={16} />
              </ActionIcon>
            )}
          </div>
        )}
      </section>
    </>
  )
}

function useSelecting(mapId: string, marking: Marking, onNews: (news: News) => void) {
  const [isLooking, setIsLooking] = useState(false)
  const latest = useRef(marking)
  useEffect(() => {
    latest.current = marking
  })
  const areasDrawn = useRef(0)

  async function select(corners: readonly LngLat[], isAdded: boolean) {
    areasDrawn.current += 1
    const number = areasDrawn.current
    const { filter } = marking
    setIsLooking(true)
    try {
      const found = await findFeaturesWithin(mapId, ringOf(corners), filter)
      // The filters have changed meanwhile.
      if (number === areasDrawn.current && latest.current.filter === filter)
        onNews(put(latest.current, found, isAdded))
    } catch (error) {
      if (number === areasDrawn.current) showError('Could not select records', error as Error)
    } finally {
      if (number === areasDrawn.current) setIsLooking(false)
    }
  }
  return { isLooking, select }
}

function put({ filter, marks, put }: Marking, { items, isAll }: FeaturesWithin, isAdded: boolean): News {
  const done = isAll ? put(new Map(items.map(({ id, kind }) => [id, kind])), isAdded) : null
  if (!done)
    return {
      text: `You can select up to ${counted(maxSelected, 'record')} on the map. This area has more, so the selection did not change.`,
      filter,
      marks,
    }
  const kinds: KindCounts = {}
  for (const { kind } of items) kinds[kind] = (kinds[kind] ?? 0) + 1
  const count = countOfKinds(kinds, items.length)
  const text =
    items.length === 0
      ? isAdded
        ? 'No records here.'
        : 'No records here. Selection cleared.'
      : isAdded
        ? `${count} found, ${formatNumber(done.more)} added to the selection.`
        : `${count} selected.`
  return { text, filter, marks: done.marks }
}
