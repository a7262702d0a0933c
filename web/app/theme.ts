import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core'

/** Strong colors are reserved for data. */
const forest: MantineColorsTuple = [
  '#edf6f1',
  '#d8ebe1',
  '#b0d7c3',
  '#86c2a3',
  '#6fbf95',
  '#4b9b74',
  '#3b8361',
  '#2f6b4f',
  '#265740',
  '#1c4331',
]

export const theme = createTheme({
  colors: { forest },
  primaryColor: 'forest',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  // Mantine computes the contrast color from the light shade only.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    const isAccent = input.variant === 'filled' && (input.color ?? 'forest') === 'forest'
    return isAccent ? { ...colors, color: 'var(--mantine-primary-color-contrast)' } : colors
  },
  defaultRadius: 8,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  headings: { fontWeight: '600' },
  cursorType: 'pointer',
  respectReducedMotion: true,
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#59636a',
    '--mantine-color-error': '#b42318',
  },
  dark: {
    '--mantine-color-body': '#1b1f21',
    '--mantine-color-dimmed': '#a3adb3',
    '--mantine-color-error': '#f5a49c',
  },
})
