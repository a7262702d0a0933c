import { positionName } from '#domain/values/position.ts'

/**
 * Every request carries the newest position that this browser has seen: answers have at least that change. After a minute
 * all servers have noticed it.
 */
export function notePosition(position: number) {
  const newest = new RegExp(`(?:^|; )${positionName}=(\\d+)`).exec(document.cookie)?.[1] ?? 0
  if (position <= Number(newest)) return
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS.
  document.cookie = `${positionName}=${position}; path=/; max-age=60; samesite=lax${secure}`
}
