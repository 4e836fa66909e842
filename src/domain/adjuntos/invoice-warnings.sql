-- How the attached invoices of an estimate differ from it. It must have at least one.
-- An invoice can bill the repaid advance, which a credit note then subtracts (SAT, guide of Anexo 20, appendix 6), or subtract it itself.
-- Each deduction after tax is a withheld tax in the invoice, or only lowers the payment.
create or replace function invoice_warnings(
  of_company int, of_contract bigint, of_estimate bigint, invoice_uuid uuid, subtotal numeric, amortizacion numeric, iva numeric,
  iva_porcentaje numeric, derechos numeric, retencion numeric, cargos numeric
) returns text[]
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare invoice record; contract record; taxes numeric; whole numeric := subtotal + amortizacion;
begin
  select a.cfdi_emisor, a.cfdi_receptor, a.cfdi_total, a.cfdi_moneda into invoice
  from adjuntos a
  where a.company_id = of_company and a.estimate_id = by_index(of_estimate) and a.cfdi_tipo = 'I'
    and a.cfdi_uuid = invoice_uuid
  order by a.id limit 1;
  if not found then
    return array_remove(array['factura_distinta', case when exists (
      select from (
        select a.cfdi_uuid from adjuntos a
        where a.company_id = of_company and a.estimate_id = by_index(of_estimate) and a.cfdi_tipo = 'I'
        order by a.id) a
      cross join lateral (
        select e.id from estimates e
        where e.company_id = of_company and e.factura_uuid = a.cfdi_uuid and e.id <> of_estimate
          and e.estado not in ('rechazada', 'cancelada') offset 0) e) then 'factura_repetida' end], null);
  end if;
  select c.moneda, p.rfc, p.tipo into contract
  from (
    select c.moneda, c.contraparte_id from contracts c
    where c.company_id = of_company and c.id = by_index(of_contract) limit 1) c
  left join lateral (
    select p.rfc, p.tipo from contrapartes p
    where p.company_id = of_company and p.id = by_index(c.contraparte_id) limit 1) p on true;
  select coalesce(sum(case m.sentido when 'cargo' then m.importe else -m.importe end), 0.00) into taxes
  from (
    select m.sentido, coalesce(m.importe, movement_amount(of_company, of_estimate, m.base, m.porcentaje)) as importe
    from movimientos m
    where m.company_id = of_company and m.estimate_id = by_index(of_estimate) and m.tipo = 'impuesto' and not m.antes_iva) m;
  return array_remove(array[
    -- Amounts in two currencies are not compared.
    case when invoice.cfdi_moneda = contract.moneda and not exists (
      select from unnest(array[subtotal + iva, whole + round(whole * iva_porcentaje * 0.01, 2)]) billed
      cross join unnest(array[0.00, derechos]) fee
      cross join unnest(array[0.00, retencion]) retained
      cross join unnest(array[0.00, taxes, cargos]) charged
      where billed - fee - retained - charged = invoice.cfdi_total) then 'factura_total' end,
    -- The client receives the invoice, suppliers and subcontractors issue it. Of others, Obra does not know.
    case when contract.rfc is not null and not case contract.tipo
      when 'cliente' then invoice.cfdi_receptor = contract.rfc
      when 'otro' then contract.rfc in (invoice.cfdi_emisor, invoice.cfdi_receptor)
      else invoice.cfdi_emisor = contract.rfc end then 'factura_rfc' end,
    case when invoice.cfdi_moneda <> contract.moneda then 'factura_moneda' end], null);
end
$$;
