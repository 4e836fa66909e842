import { IsDateString, IsIn, IsInt, IsOptional, IsString, Length, Matches, MaxLength, Min, ValidateBy, ValidateIf } from 'class-validator'

/** Validates a field unless it is absent; null is validated too. */
const IfGiven = () => ValidateIf((_body, value) => value !== undefined)
const IsMoney = () => Matches(/^\d{1,16}\.\d\d$/)
const IsPercentage = () => Matches(/^(100\.00|\d{1,2}\.\d\d)$/)
const IsDay = () => IsDateString({ strict: true })
const IsIdOrName = () => ValidateBy({
  name: 'isIdOrName',
  validator: { validate: value => typeof value === 'string' ? value.length > 0 : Number.isInteger(value) && value > 0 }
})

/** The body of POST. */
export class CreateContractDto {
  @IsString() @Length(1, 64)
  folio: string

  @IsOptional() @IsIdOrName()
  contraparte?: number | string | null

  @IfGiven() @IsMoney()
  monto?: string

  @IsOptional() @IsInt() @Min(1)
  parent?: number | null

  @IfGiven() @IsString() @MaxLength(2000)
  descripcion?: string

  @IfGiven() @IsIn(['MXN', 'USD', 'EUR'])
  moneda?: string

  @IsOptional() @Length(10, 10) @IsDay()
  fecha_inicio?: string | null

  @IsOptional() @Length(10, 10) @IsDay()
  fecha_fin?: string | null

  @IfGiven() @IsPercentage()
  anticipo_porcentaje?: string

  @IfGiven() @IsPercentage()
  retencion_porcentaje?: string

  @IfGiven() @IsPercentage()
  iva_porcentaje?: string

  @IfGiven() @IsIn(['vigente', 'suspendido', 'terminado', 'cancelado'])
  estado?: string

  @IsOptional() @IsString() @Length(1, 128)
  external_id?: string | null
}
