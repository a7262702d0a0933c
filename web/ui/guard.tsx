import { Button, Loader } from '@mantine/core'
import {
  Component,
  type ContextType,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react'
import { ConnectionContext } from './connection-context.ts'
import { ErrorState } from './error-state.tsx'
import classes from './guard.module.css'
import { ChunkError } from './load-chunk.ts'

type Layout = 'page' | 'panel' | 'note' | 'inline' | 'dialog'

type GuardProps = {
  /** The content as the subject of a sentence, such as 'The map'. */
  what: string
  layout: Layout
  /** Identifies the content: a change clears the error. */
  subject?: string
  waiting?: ReactNode
  onClose?(): void
  children: ReactNode
}

export function Guard({ what, layout, subject = '', waiting, onClose, children }: GuardProps) {
  return (
    <Boundary
      subject={subject}
      render={(error, retry) => (
        <Failure
          what={what}
          layout={layout}
          error={error}
          onRetry={retry}
          {...(onClose ? { onClose } : {})}
        />
      )}
    >
      <Suspense fallback={waiting === undefined ? <Waiting what={what} layout={layout} /> : waiting}>
        {children}
      </Suspense>
    </Boundary>
  )
}

type BoundaryProps = {
  subject: string
  render(error: Error, retry: () => void): ReactNode
  children: ReactNode
}

class Boundary extends Component<BoundaryProps, { error: Error | null }> {
  static override contextType = ConnectionContext
  declare context: ContextType<typeof ConnectionContext>
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: unknown) {
    if (error instanceof ChunkError) this.context.doubt()
  }

  override componentDidUpdate({ subject }: BoundaryProps) {
    if (this.state.error && subject !== this.props.subject) this.retry()
  }

  readonly retry = () => {
    const { error } = this.state
    if (error instanceof ChunkError) error.forget()
    this.setState({ error: null })
  }

  override render() {
    const { error } = this.state
    return error ? this.props.render(error, this.retry) : this.props.children
  }
}

type FailureProps = {
  what: string
  layout: Layout
  error: Error
  onRetry(): void
  onClose?(): void
}

function Failure({ what, layout, error, onRetry, onClose }: FailureProps) {
  const { isAway, isOutdated } = useContext(ConnectionContext)
  const isChunk = error instanceof ChunkError
  const retry = useEffectEvent(onRetry)
  const wasAway = useRef(isAway)
  useEffect(() => {
    if (isChunk && wasAway.current && !isAway) retry()
    wasAway.current = isAway
  }, [isAway, isChunk])
  const words = (
    <ErrorState
      title={isChunk ? `${what} could not be loaded.` : `${what} could not be shown.`}
      reason={isChunk ? reasonOf(isAway, isOutdated) : brokenReasons[layout === 'page' ? 'page' : 'part']}
      onRetry={isOutdated ? null : onRetry}
    >
      {!isAway && (
        <Button variant="default" size="xs" onClick={() => window.location.reload()}>
          Reload
        </Button>
      )}
      {onClose && (
        <Button variant="default" size="xs" onClick={onClose}>
          Close
        </Button>
      )}
    </ErrorState>
  )
  if (layout !== 'dialog') return <Box layout={layout}>{words}</Box>
  return (
    <FailedDialog label={what} onClose={onClose}>
      {words}
    </FailedDialog>
  )
}

const brokenReasons = {
  page: 'Something went wrong. Your saved data is not affected.',
  part: 'The rest of the page still works.',
}

function reasonOf(isAway: boolean, isOutdated: boolean): string {
  if (isAway) return 'No connection. It loads as soon as you are back online.'
  if (isOutdated) return 'A new version is available. Reload the page to use it.'
  return 'The server returned an error.'
}

/** The native dialog: the library's may have failed to load. */
function FailedDialog(props: { label: string; onClose: (() => void) | undefined; children: ReactNode }) {
  const { label, onClose, children } = props
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => void ref.current?.showModal(), [])
  return (
    <dialog ref={ref} className={classes.dialog} aria-label={label} onClose={onClose}>
      {children}
    </dialog>
  )
}

function Waiting({ what, layout }: { what: string; layout: Layout }) {
  const sign = (
    <div className={classes.waiting}>
      <Loader size="sm" aria-label={`${what} is loading`} />
    </div>
  )
  return layout === 'dialog' ? null : <Box layout={layout}>{sign}</Box>
}

/** A failed page is the main landmark of screen readers. */
function Box({ layout, children }: { layout: Exclude<Layout, 'dialog'>; children: ReactNode }) {
  const Element = layout === 'page' ? 'main' : 'div'
  return <Element className={classes[layout]}>{children}</Element>
}
