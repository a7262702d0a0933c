export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | Html | readonly Html[] | false | null

export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(String.raw({ raw: strings }, ...pieces.map(textOf)))
}

function textOf(piece: Piece): string {
  if (piece === false || piece === null) return ''
  if (piece instanceof Html) return piece.text
  return typeof piece === 'string' ? escapeText(piece) : piece.map(({ text }) => text).join('')
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
