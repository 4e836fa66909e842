import { defineEntity, p } from '@mikro-orm/core'
import { companies } from '../accounts/companies.ts'
import { users } from '../accounts/users.ts'
import { tenantWalls } from '../../resources/declaration/table.ts'

/** A device that sends mutations. It belongs to the user and company that used it first, and is forgotten 100 days after its last use. */
export const Device = defineEntity({
  name: 'Device',
  tableName: 'devices',
  ...tenantWalls,
  uniques: [{ name: 'devices_company_id_unique', properties: ['company', 'id'] }],
  indexes: [{ name: 'devices_used_at_index', properties: ['company', 'used_at'] }],
  properties: {
    id: p.uuid().primary(),
    user: p.manyToOne(users.entity).mapToPk().index().deleteRule('cascade'),
    company: p.manyToOne(companies.entity).mapToPk().deleteRule('cascade'),
    /** The device has the results of all mutations up to this id. */
    acknowledged: p.bigint('number').default(0),
    used_at: p.datetime(6).defaultRaw('clock_timestamp()')
  }
})

/** The result of a mutation, kept until the device acknowledges it or for 100 days. */
export const Mutation = defineEntity({
  name: 'Mutation',
  tableName: 'mutations',
  ...tenantWalls,
  indexes: [{ name: 'mutations_created_at_index', properties: ['company', 'created_at'] }],
  properties: {
    device: p.manyToOne(Device).mapToPk().primary().createForeignKeyConstraint(false).deleteRule('cascade'),
    /** Number of the mutation on its device. */
    id: p.bigint('number').primary(),
    // The device has the foreign key.
    company: p.manyToOne(companies.entity).mapToPk().createForeignKeyConstraint(false),
    /** SHA-256 of the mutation. */
    digest: p.blob(),
    result: p.text(),
    created_at: p.datetime(6).defaultRaw('clock_timestamp()')
  }
})

/** A record that a device has created, by the name that the device gave it. */
export const DeviceRef = defineEntity({
  name: 'DeviceRef',
  tableName: 'device_refs',
  ...tenantWalls,
  indexes: [{ name: 'device_refs_record_index', properties: ['device', 'record_id'] }],
  properties: {
    device: p.manyToOne(Device).mapToPk().primary().createForeignKeyConstraint(false).deleteRule('cascade'),
    ref: p.string().length(64).collation('C').primary(),
    company: p.manyToOne(companies.entity).mapToPk().createForeignKeyConstraint(false),
    resource: p.string().length(32),
    record_id: p.bigint('number')
  }
})
