import { type ClientSort, clientSorts } from '#domain/clients/client-sort.ts'
import type { ClientState } from '#web/api/clients.api.ts'

/** What the address of client selection says; what is as it is by default is left out. */
export type ClientSearch = {
  text?: string | undefined
  state?: Exclude<ClientState, 'open'> | undefined
  sort?: ClientSort | undefined
}

export function readClientSearch({ text, state, sort }: Record<string, unknown>): ClientSearch {
  return {
    text: typeof text === 'string' && text.trim() !== '' ? text.slice(0, 200) : undefined,
    state: state === 'archived' ? state : undefined,
    sort: clientSorts.find((known) => known === sort && known !== 'name'),
  }
}
