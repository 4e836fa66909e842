import { BadRequestException, Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { QueryFailedError, Repository } from 'typeorm'
import type { CreateContractDto } from './contract.dto.ts'
import { Contract, Contraparte } from './entities.ts'

export const pageSize = 20

const children = 'from contracts child where child.company_id = contract.company_id and child.parent_id = contract.id'
const estimated = `select coalesce(sum(e.monto), 0.00) from estimates e
  where e.company_id = contract.company_id and e.contract_id = contract.id and e.neto is not null`

/** Contracts of one company, the first argument of every method. */
@Injectable()
export class ContractsService {
  constructor (
    @InjectRepository(Contract) private readonly contracts: Repository<Contract>,
    @InjectRepository(Contraparte) private readonly parties: Repository<Contraparte>
  ) {}

  async page (company: number, page: number) {
    const [found, count] = await this.contracts.findAndCount({
      where: { company_id: company },
      relations: { contraparte: true },
      order: { id: 'asc' },
      skip: (page - 1) * pageSize,
      take: pageSize
    })
    return [found.map(asItem), count] as const
  }

  async findOne (company: number, id: number) {
    const { entities: [contract], raw: [sums] } = await this.contracts.createQueryBuilder('contract')
      .leftJoinAndSelect('contract.contraparte', 'contraparte')
      .addSelect(`(select count(*)::int ${children})`, 'hijos')
      .addSelect(`(select coalesce(sum(child.monto) filter (where child.moneda = contract.moneda), 0.00) ${children})`, 'monto_subcontratado')
      .addSelect(`(select coalesce(json_object_agg(moneda, monto::text order by moneda), '{}') from (select child.moneda, sum(child.monto) as monto ${children} and child.moneda <> contract.moneda group by child.moneda) other)`, 'otras_monedas')
      .addSelect(`(${estimated})`, 'monto_estimado')
      .addSelect(`contract.monto - (${estimated})`, 'por_estimar')
      .where({ company_id: company, id })
      .getRawAndEntities()
    if (contract === undefined) return undefined
    return {
      ...asItem(contract),
      descripcion: contract.descripcion,
      hijos: sums.hijos,
      monto_subcontratado: sums.monto_subcontratado,
      otras_monedas: sums.otras_monedas,
      monto_estimado: sums.monto_estimado,
      por_estimar: sums.por_estimar
    }
  }

  async create (company: number, { contraparte, parent, ...fields }: CreateContractDto) {
    const [party, above] = await Promise.all([
      contraparte == null ? null : this.parties.findOneBy({ company_id: company, ...typeof contraparte === 'number' ? { id: contraparte } : { nombre: contraparte } }),
      parent == null ? null : this.contracts.findOneBy({ company_id: company, id: parent })
    ])
    if (contraparte != null && party === null) throw new BadRequestException('contraparte: not found.')
    if (parent != null && above === null) throw new BadRequestException('parent: not found.')

    const { id } = await this.save({ ...fields, company_id: company, contraparte_id: party?.id ?? null, parent_id: parent ?? null })
    return await this.findOne(company, id)
  }

  private async save (values: Partial<Contract>) {
    try {
      return await this.contracts.save(this.contracts.create(values))
    } catch (error) {
      if (error instanceof QueryFailedError && /^23/.test(error.driverError.code)) throw new BadRequestException('The folio is taken, or a rule is broken.')
      throw error
    }
  }
}

function asItem ({ company_id: company, parent_id: parent, contraparte, descripcion: _, ...fields }: Contract) {
  return { ...fields, company, parent, contraparte: contraparte?.nombre ?? null }
}
