import { html } from '../http/html.ts'
import type { PlainPage } from '../http/plain-page.ts'
import type { Issuers } from './reason-of.ts'
import { type Reason, refusals } from './refusals.ts'

export type Destination = { returnTo: string; isPopup: boolean }

export function signInPath({ returnTo, isPopup }: Destination): string {
  return `/sign-in?${new URLSearchParams({ returnTo, ...(isPopup ? { popup: '1' } : {}) })}`
}

const withoutRetry: readonly Reason[] = ['not-set-up', 'not-of-this-machine', 'not-there']

export function refusalPage(
  reason: Reason,
  destination: Destination,
  issuers: Issuers | null = null,
): PlainPage {
  const { heading, text } = refusals[reason]
  const canRetry = !withoutRetry.includes(reason)
  const content = html`<h1>${heading}</h1>
<p>${text}</p>
${issuers && html`<p>Expected: <code>${issuers.expected}</code></p><p>Received: <code>${nameOf(issuers)}</code></p>`}
${
  (reason === 'not-set-up' || reason === 'not-of-this-machine') &&
  html`<p>If you run this server, set <code>OIDC_ISSUER</code> and <code>OIDC_CLIENT_ID</code> to use an OpenID
Connect provider, as described in <code>docs/configuration.md</code> under “Signing in”. The built-in demo provider is for
evaluation, and only runs if <code>HOST</code> and <code>PUBLIC_URL</code> are addresses of this
machine.</p>`
}
<p class="ways">
${canRetry && html`<a class="button primary" href="${signInPath(destination)}">Try again</a>`}
<a class="button" href="/">Go to the map</a>
</p>`
  return { title: heading, content }
}

/** Only URLs: text of the provider is not shown. */
function nameOf({ received }: Issuers): string {
  return received !== null && /^https?:\/\/\S+$/.test(received) ? received : 'no address'
}

/** `opener` is lost after visiting another site, so a broadcast channel notifies the page. */
export function signedInPage(): PlainPage {
  return {
    title: 'Signed in',
    content: html`<h1>Signed in</h1>
<p>You can close this window.</p>`,
    script: `new BroadcastChannel('poa-session').postMessage({ type: 'signed-in' }); window.close()`,
  }
}
