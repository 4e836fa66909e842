declare module 'written-number' {
  export default function writtenNumber (number: number, options: { lang: 'en' | 'es', noAnd?: boolean }): string
}

// The types of DefinitelyTyped include those of browsers, which contradict those of Node.js.
declare module 'pdfmake' {
  /** A part of a document, with the properties of https://pdfmake.github.io/docs/. */
  export type Content = string | { [property: string]: unknown }

  export interface DocumentDefinition {
    content: Content[]
    footer: (current: number, all: number) => Content
    [property: string]: unknown
  }

  const pdfmake: {
    setFonts: (fonts: Record<string, Record<string, string>>) => void
    setUrlAccessPolicy: (isAllowed: (url: string) => boolean) => void
    setLocalAccessPolicy: (isAllowed: (path: string) => boolean) => void
    createPdf: (definition: DocumentDefinition) => { getBuffer: () => Promise<Uint8Array> }
  }
  export default pdfmake
}
