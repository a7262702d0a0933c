// What the tabs of one browser tell each other about the session. One object for both directions: it does not hear
// itself.

/** The page in which a popup's sign-in ends uses it too. */
const channel = new BroadcastChannel('poa-session')

export function tellSignedOut() {
  channel.postMessage({ type: 'signed-out' })
}

/** Returns how to stop. */
export function onSessionNews(listener: (news: 'signed-out' | 'changed') => void): () => void {
  const onMessage = ({ data }: MessageEvent<{ type?: string } | undefined>) =>
    listener(data?.type === 'signed-out' ? 'signed-out' : 'changed')
  channel.addEventListener('message', onMessage)
  return () => channel.removeEventListener('message', onMessage)
}
