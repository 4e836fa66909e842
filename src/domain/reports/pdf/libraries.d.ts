declare module 'written-number' {
  export default function writtenNumber (number: number, options: { lang: 'en' | 'es', noAnd?: boolean }): string
}

// The types of DefinitelyTyped are those of an earlier version.
declare module 'pdfkit' {
  import type { Readable } from 'node:stream'

  interface Options {
    autoFirstPage: boolean
    bufferPages: boolean
    displayTitle: boolean
    font: null
    info: Record<string, string>
    lang: string
    margin: number
    size: string
  }

  export default class PDFDocument extends Readable {
    constructor (options: Options)
    page: { width: number, height: number }
    registerFont (name: string, path: string): this
    font (name: string): this
    fontSize (points: number): this
    currentLineHeight (withGap: boolean): number
    widthOfString (text: string, options: { features?: string[] }): number
    text (text: string, x: number, y: number, options: { lineBreak: false, features?: string[] }): this
    addPage (): this
    switchToPage (page: number): void
    bufferedPageRange (): { count: number }
    rect (x: number, y: number, width: number, height: number): this
    fill (color: string): this
    fillColor (color: string): this
    fillOpacity (opacity: number): this
    lineWidth (points: number): this
    moveTo (x: number, y: number): this
    lineTo (x: number, y: number): this
    stroke (color: string): this
    save (): this
    restore (): this
    rotate (degrees: number, options: { origin: [x: number, y: number] }): this
    end (): void
  }
}
