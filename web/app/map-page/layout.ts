// Shared with the map that starts before the page.

export const sidebarKey = 'poa.sidebar.collapsed'

/** Repeated in `sidebar.module.css`. */
export const sidebarWidth = (isCollapsed: boolean) => (isCollapsed ? '3.5rem' : '22.5rem')

export const phoneLayout = {
  '--head-height': '3rem',
  '--half-sheet': '50dvh',
  '--beside-width': 'clamp(17.5rem, 45vw, 21.25rem)',
} as const
