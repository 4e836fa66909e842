/** A row of a catalogue. Prices and quantities are whole numbers, so all sums are exact. */
export interface Concept {
  id: number
  /** Its change order; undefined for an original row. */
  order: Order | undefined
  quantity: number
  price: number
}

/** A change order, whose amount is the sum of its rows. */
export interface Order {
  id: number
  estado: string
}

/** An estimate with measurements and payments. */
export interface Estimate {
  id: number
  estado: string
  lines: Array<{ id: number, concept: Concept, quantity: number }>
  payments: Array<{ id: number, amount: number }>
}

const sum = <T>(all: readonly T[], amount: (one: T) => number) => all.reduce((total, one) => total + amount(one), 0)
const agreed = ['autorizado', 'firmado']

/** A contract of one writer with everything that belongs to it, and the sums that follow. */
export class Works {
  readonly contract: number
  readonly concepts: Concept[] = []
  /** In the order of their numbers, as the estimates. */
  readonly orders: Order[] = []
  readonly estimates: Estimate[] = []
  /** The authorized estimates, in the order of their authorizations. */
  readonly authorized: Estimate[] = []

  constructor (contract: number) {
    this.contract = contract
  }

  /** Number of records. */
  get size (): number {
    const ofEstimates = sum(this.estimates, ({ lines, payments }) => 1 + lines.length + payments.length)
    return this.concepts.length + this.orders.length + ofEstimates
  }

  /** Whether a change order or an estimate with lines was authorized. */
  get isClosed (): boolean {
    return this.authorized.length > 0 || this.orders.some(({ estado }) => agreed.includes(estado))
  }

  /** Whether quantity and price of a row can change. */
  canChange ({ order }: Concept): boolean {
    return order === undefined ? !this.isClosed : order.estado === 'borrador'
  }

  /** Whether a row counts for authorizations. */
  counts ({ order }: Concept): boolean {
    return order === undefined || agreed.includes(order.estado)
  }

  /** The sum of original rows, or of those of a change order. */
  sumOf (order?: Order): number {
    return sum(this.concepts.filter(concept => concept.order === order), ({ quantity, price }) => quantity * price)
  }

  amountOf ({ lines }: Estimate): number {
    return sum(lines, ({ concept, quantity }) => quantity * concept.price)
  }

  paid ({ payments }: Estimate): number {
    return sum(payments, ({ amount }) => amount)
  }

  /** What can be authorized besides the present authorizations. */
  get left (): number {
    const counted = [undefined, ...this.orders.filter(({ estado }) => agreed.includes(estado))]
    return sum(counted, order => this.sumOf(order)) - sum(this.authorized, one => this.amountOf(one))
  }

  /** The columns that depend on other records. */
  * derived (): Generator<[resource: string, id: number, columns: Record<string, unknown>]> {
    const signed = this.orders.filter(({ estado }) => estado === 'firmado')
    yield ['contracts', this.contract, { monto: sum([undefined, ...signed], order => this.sumOf(order)) }]
    for (const order of this.orders) yield ['convenios', order.id, { monto: this.sumOf(order), estado: order.estado }]
    for (const estimate of this.estimates) {
      const lineas = new Set(estimate.lines.map(({ concept }) => concept)).size
      yield ['estimates', estimate.id, { monto: this.amountOf(estimate), lineas, pagado: this.paid(estimate), estado: estimate.estado }]
    }
  }
}
