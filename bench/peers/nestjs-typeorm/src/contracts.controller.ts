import { Body, Controller, DefaultValuePipe, Get, NotFoundException, Param, ParseIntPipe, Post, Query, Req } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'
import { Company, Levels } from './auth.guard.ts'
import { CreateContractDto } from './contract.dto.ts'
import { ContractsService, pageSize } from './contracts.service.ts'

@Controller('contracts')
export class ContractsController {
  constructor (private readonly contracts: ContractsService) {}

  @Get()
  async list (@Company() company: number, @Query('page', new DefaultValuePipe(1), ParseIntPipe) page: number, @Req() request: FastifyRequest) {
    if (page < 1) throw new NotFoundException('Invalid page.')
    const [results, count] = await this.contracts.page(company, page)
    if (results.length === 0 && page > 1) throw new NotFoundException('Invalid page.')
    const link = (number: number) => `${request.protocol}://${request.host}/api/v1/contracts/${number > 1 ? `?page=${number}` : ''}`
    return {
      count,
      next: page * pageSize < count ? link(page + 1) : null,
      previous: page > 1 ? link(page - 1) : null,
      results
    }
  }

  @Get(':id')
  async retrieve (@Company() company: number, @Param('id', ParseIntPipe) id: number) {
    const contract = await this.contracts.findOne(company, id)
    if (contract === undefined) throw new NotFoundException()
    return contract
  }

  @Post()
  @Levels(2, 3, 4, 6)
  async create (@Company() company: number, @Body() body: CreateContractDto) {
    return await this.contracts.create(company, body)
  }
}
