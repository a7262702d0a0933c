import { Menu } from '@mantine/core'
import { IconMessagePlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { IncidentType } from '#domain/incidents/incident-types.ts'
import { type ResponseState, responseStateLabels } from '#domain/reports/report-settings.ts'
import { reportSettingsQuery } from '#web/api/report-settings.api.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './insert-response.module.css'

type InsertResponseProps = {
  mapId: string
  states: readonly ResponseState[]
  type: IncidentType | null
  /** The note so far. */
  text: string
  maxLength: number
  fieldRef: RefObject<HTMLTextAreaElement | null>
  onInsert(text: string): void
}

/** Inserts a template of the association into a public note, where it can be edited and has the focus. */
export function InsertResponse(props: InsertResponseProps) {
  const { mapId, states, type, text, maxLength, fieldRef, onInsert } = props
  const { data } = useQuery(reportSettingsQuery(mapId))
  const templates = (data?.settings.templates ?? []).filter(
    (template) => states.includes(template.state) && (template.type === null || template.type === type),
  )
  if (templates.length === 0) return null
  function insert(added: string) {
    flushSync(() =>
      onInsert((text.trim() === '' ? added : `${text.trimEnd()}\n${added}`).slice(0, maxLength)),
    )
    fieldRef.current?.focus()
  }
  return (
    // The focus is in the field afterward.
    <Menu returnFocus={false} position="bottom-start" shadow="sm">
      <Menu.Target>
        <SmallButton icon={IconMessagePlus} iconSize={14} className={classes.button}>
          Insert response
        </SmallButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        {states.map((state) => {
          const own = templates.filter((template) => template.state === state)
          return (
            own.length > 0 && (
              <div key={state}>
                <Menu.Label>{responseStateLabels[state]}</Menu.Label>
                {own.map((template) => (
                  <Menu.Item key={template.id} onClick={() => insert(template.text)}>
                    {template.text}
                  </Menu.Item>
                ))}
              </div>
            )
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
