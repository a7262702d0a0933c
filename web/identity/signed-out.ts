// Whoever signed out is not sent straight into the next sign-in. Remembered by the tab, since the way out leads
// over the identity provider.

const key = 'poa.signed-out'

export function noteSignedOut() {
  sessionStorage.setItem(key, 'yes')
}

export function forgetSignedOut() {
  sessionStorage.removeItem(key)
}

export function isSignedOut(): boolean {
  return sessionStorage.getItem(key) !== null
}
