import { render, screen } from '@testing-library/react'
import { type ReactNode, useMemo, useState } from 'react'
import { expect, it } from 'vitest'
import { type PluggedMode, ToolboxContext, useToolMode } from './tool.ts'

function Toolbox({ children }: { children: ReactNode }) {
  const [active, setActive] = useState<PluggedMode | null>(null)
  const toolbox = useMemo(
    () => ({
      plug: () => () => {},
      turnOn(mode: PluggedMode) {
        setActive(mode)
        return () => setActive(null)
      },
    }),
    [],
  )
  return (
    <ToolboxContext value={toolbox}>
      {children}
      <p>{active ? 'The tool takes clicks' : 'The map takes clicks'}</p>
    </ToolboxContext>
  )
}

function Tool() {
  const [isOn, setIsOn] = useState(false)
  useToolMode({ isOn, turnOff: () => setIsOn(false), unsaved: null })
  return (
    <button type="button" onClick={() => setIsOn(!isOn)}>
      Tool
    </button>
  )
}

it('turns a tool on and off within the click, so that the next click does not go to the wrong part', async () => {
  render(
    <Toolbox>
      <Tool />
    </Toolbox>,
  )
  for (const text of ['The tool takes clicks', 'The map takes clicks']) {
    screen.getByRole('button').click()
    // Browsers run these after each listener.
    await Promise.resolve()
    expect(screen.getByText(text)).toBeDefined()
  }
})
