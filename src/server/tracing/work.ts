import type { AsyncLocalStorage } from 'node:async_hooks'
import type { TracingChannel } from 'node:diagnostics_channel'
import { SpanKind, SpanStatusCode, trace, type Attributes, type Context, type Span, type Tracer } from '@opentelemetry/api'
import { turnRequests, statements, unitsOfWork } from '../../database/connection/channels.ts'
import { sqlState } from '../../database/connection/sql-errors.ts'

interface SpanOf<Message> {
  /** Read at the start and at the end of the span. */
  name: (message: Message) => string
  kind?: SpanKind
  /** Read at the end of the span. */
  attributes?: (message: Message) => Attributes
}

/**
 * Creates spans for the events of the diagnostics channels, within the span of their request. A batch is part of the trace of its first
 * request. Each request has a span for its own wait.
 * @param active the context of the current request
 * @returns a function that ends the tracing
 */
export function traceWork (tracer: Tracer, active: AsyncLocalStorage<Context | undefined>): () => void {
  const ends = [
    traceChannel(tracer, active, turnRequests, {
      name: ({ turn }) => `turn ${turn}`,
      attributes: ({ size }) => ({ 'obra.turn.size': size })
    }),
    traceChannel(tracer, active, unitsOfWork, { name: () => 'unit of work' }),
    traceChannel(tracer, active, statements, {
      name: ({ statements }) => statements.map(({ name = 'unnamed' }) => name).join(', '),
      kind: SpanKind.CLIENT,
      attributes: ({ statements }) => ({ 'db.system.name': 'postgresql', 'db.operation.batch.size': statements.length })
    })
  ]
  return () => { for (const end of ends) end() }
}

function traceChannel<Message extends object> (
  tracer: Tracer,
  active: AsyncLocalStorage<Context | undefined>,
  channel: TracingChannel<unknown, Message>,
  { name, kind, attributes }: SpanOf<Message>
): () => void {
  const spans = new WeakMap<Message, Span>()
  const begin = (message: Message): Context | undefined => {
    const parent = active.getStore()
    // Work without a request is not traced.
    if (parent === undefined) return undefined
    const span = tracer.startSpan(name(message), { kind }, parent)
    spans.set(message, span)
    return trace.setSpan(parent, span)
  }
  const listeners = {
    asyncEnd (message: Message) {
      const span = spans.get(message)
      if (span === undefined) return
      span.updateName(name(message)).setAttributes(attributes?.(message) ?? {}).end()
    },
    // The message of an error can contain a row, so only its code is recorded.
    error (message: Message) {
      const { error }: { error?: unknown } = message
      spans.get(message)?.setAttribute('error.type', sqlState(error) ?? 'other').setStatus({ code: SpanStatusCode.ERROR })
    }
  }
  channel.start.bindStore(active, begin)
  const { asyncEnd, error } = listeners as Record<keyof typeof listeners, (message: unknown) => void> // the channel's own messages
  channel.asyncEnd.subscribe(asyncEnd)
  channel.error.subscribe(error)
  return () => {
    channel.start.unbindStore(active)
    channel.asyncEnd.unsubscribe(asyncEnd)
    channel.error.unsubscribe(error)
  }
}
