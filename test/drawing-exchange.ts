type Corner = readonly [x: number, y: number]

export function dxfOf(outlines: Readonly<Record<string, readonly Corner[]>>): string {
  const pairs: [code: number, value: string | number][] = [
    [0, 'SECTION'],
    [2, 'ENTITIES'],
  ]
  for (const [layer, corners] of Object.entries(outlines)) {
    pairs.push([0, 'LWPOLYLINE'], [8, layer], [90, corners.length], [70, 1])
    for (const [x, y] of corners) pairs.push([10, x], [20, y])
  }
  pairs.push([0, 'ENDSEC'], [0, 'EOF'])
  return pairs.map(([code, value]) => `${code}\n${value}\n`).join('')
}
