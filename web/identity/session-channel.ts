// Tells the tabs of one browser about the session. A BroadcastChannel does not hear its own messages.

/** The page that ends a sign-in popup posts to it too. */
const channel = new BroadcastChannel('poa-session')

export function announceSignOut() {
  channel.postMessage({ type: 'signed-out' })
}

export function onSessionNews(listener: (news: 'signed-out' | 'changed') => void): () => void {
  const onMessage = ({ data }: MessageEvent<{ type?: string } | undefined>) =>
    listener(data?.type === 'signed-out' ? 'signed-out' : 'changed')
  channel.addEventListener('message', onMessage)
  return () => channel.removeEventListener('message', onMessage)
}

// After signing out, this tab does not redirect to the next sign-in. The mark survives the redirect to the identity
// provider and back.
const signedOutKey = 'poa.signed-out'

export function markSignedOut() {
  sessionStorage.setItem(signedOutKey, 'yes')
}

export function clearSignedOut() {
  sessionStorage.removeItem(signedOutKey)
}

export function isSignedOut(): boolean {
  return sessionStorage.getItem(signedOutKey) !== null
}
