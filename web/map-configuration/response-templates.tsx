import { ActionIcon, NativeSelect, Textarea } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type IncidentType, incidentTypeLabels } from '#domain/incidents/incident-types.ts'
import {
  maxTemplates,
  maxTemplateText,
  type ResponseState,
  type ResponseTemplate,
  responseStateLabels,
} from '#domain/reports/report-settings.ts'
import { newKey } from '#web/api/http.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import classes from './configuration-panel.module.css'
import { FieldGroup } from './field-group.tsx'

type ResponseTemplatesProps = {
  templates: ResponseTemplate[]
  problems: ReadonlyMap<string, string>
  conflict: ReactNode
  onChange(templates: ResponseTemplate[]): void
}

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

export function ResponseTemplates({ templates, problems, conflict, onChange }: ResponseTemplatesProps) {
  const [addedId, setAddedId] = useState<string | null>(null)
  const addedRef = useRef<HTMLTextAreaElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each added template
  useEffect(() => addedRef.current?.focus(), [addedId])
  function add() {
    const id = newKey()
    setAddedId(id)
    onChange([...templates, { id, state: 'accepted', type: null, text: '' }])
  }
  const title = 'Response templates'
  return (
    <FieldGroup
      title={title}
      action={
        <SmallButton icon={IconPlus} iconSize={14} disabled={templates.length >= maxTemplates} onClick={add}>
          Add template
        </SmallButton>
      }
    >
      {conflict}
      <p className={classes.help}>Staff insert these into public notes, and can change them there.</p>
      {templates.map((template, index) => {
        const set = (changed: Partial<ResponseTemplate>) =>
          onChange(templates.with(index, { ...template, ...changed }))
        const name = `Template ${index + 1}`
        return (
          <fieldset key={template.id} className={classes.template} aria-label={name}>
            <div className={classes.templateHead}>
              <NativeSelect
                label="State"
                value={template.state}
                data={optionsOf(responseStateLabels)}
                onChange={(event) => set({ state: event.currentTarget.value as ResponseState })}
              />
              <NativeSelect
                label="Type"
                value={template.type ?? ''}
                data={[{ value: '', label: 'All types' }, ...optionsOf(incidentTypeLabels)]}
                onChange={(event) =>
                  set({ type: (event.currentTarget.value || null) as IncidentType | null })
                }
              />
              <ActionIcon
                variant="default"
                size={36}
                aria-label={`Remove ${name.toLowerCase()}`}
                onClick={() => onChange(templates.toSpliced(index, 1))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </div>
            <Textarea
              {...(template.id === addedId ? { ref: addedRef } : {})}
              label="Text"
              autosize
              minRows={1}
              maxLength={maxTemplateText}
              value={template.text}
              error={problems.get(`templates.${index}.text`)}
              onChange={(event) => set({ text: event.currentTarget.value })}
            />
          </fieldset>
        )
      })}
    </FieldGroup>
  )
}
