import { html } from '../../http/html.ts'
import type { PlainPage } from '../../http/plain-page.ts'
import { demoPassword, demoPeople } from './demo-people.ts'

/** Every button works without a script. */
export function demoSignInPage(failure: { name: string } | null): PlainPage {
  return {
    title: 'Choose a demo user',
    content: html`<h1>Choose a demo user</h1>
<p class="dimmed">These users are for demonstration only. In production, users sign in with your identity
provider.</p>
<form method="post">
<ul class="people">
${demoPeople.map(
  ({ id, name, may }) => html`<li><button name="person" value="${id}"><span><strong>${name}</strong>
<span class="dimmed">${may}</span></span></button></li>
`,
)}</ul>
</form>
<details${failure !== null && html` open`}>
<summary>Sign in with name and password</summary>
<form method="post">
<p class="dimmed">Names: ${demoPeople.map(({ id }, index) => html`${index > 0 && ', '}<code>${id}</code>`)}. The
password is <code>${demoPassword}</code>.</p>
${failure !== null && html`<p class="alarm" role="alert">Wrong name or password.</p>`}
<div class="fields">
<label>Name <input name="name" autocomplete="username" autocapitalize="none" required value="${failure?.name ?? ''}"></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required${failure !== null && html` autofocus`}></label>
<div><button class="primary">Sign in</button></div>
</div>
</form>
</details>
<form method="post"><button name="cancel" value="1">Cancel</button></form>`,
  }
}

export function demoSignOutPage(action: string, xsrf: string): PlainPage {
  return {
    title: 'Sign out of the demo',
    content: html`<h1>Sign out of the demo?</h1>
<p>You are still signed in to the demo identity provider in this browser.</p>
<form class="ways" method="post" action="${action}">
<input type="hidden" name="xsrf" value="${xsrf}">
<button class="primary" name="logout" value="yes">Sign out</button>
<a class="button" href="/">Go to the map</a>
</form>`,
  }
}

export function demoRefusalPage(): PlainPage {
  return {
    title: 'Could not continue the sign-in',
    content: html`<h1>Could not continue the sign-in</h1>
<p>It took too long, was finished in another window, or started before the server restarted. Try
again.</p>
<p class="ways">
<a class="button primary" href="/sign-in">Try again</a>
<a class="button" href="/">Go to the map</a>
</p>`,
  }
}

export function demoSignedOutPage(): PlainPage {
  return {
    title: 'Signed out',
    content: html`<h1>Signed out</h1>
<p>You signed out of the demo.</p>
<p class="ways"><a class="button primary" href="/">Go to the map</a></p>`,
  }
}
