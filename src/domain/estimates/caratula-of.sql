-- The cover sheet of an estimate as the contract is now, without what payments and invoices change later. An authorized estimate counts
-- those with lower numbers that were authorized before it (decision 55).
create or replace function caratula_of(of_company int, of_estimate bigint) returns json
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
declare figures json;
begin
  with estimate as materialized (
    select e.id, e.contract_id, e.tipo, e.numero, e.autorizada_en, e.periodo_inicio, e.periodo_fin, e.descripcion, e.autorizacion,
      e.neto is not null as is_authorized, e.anticipo_porcentaje, e.retencion_porcentaje, e.iva_porcentaje, e.derechos_porcentaje,
      e.monto, e.anticipo, coalesce(e.amortizacion, a.amortizacion) as amortizacion, coalesce(e.retencion, a.retencion) as retencion,
      e.deductivas, coalesce(e.cargos_antes_iva, a.cargos_antes_iva) as cargos_antes_iva, coalesce(e.subtotal, a.subtotal) as subtotal,
      coalesce(e.iva, a.iva) as iva, coalesce(e.derechos, a.derechos) as derechos,
      coalesce(e.cargos_despues_iva, a.cargos_despues_iva) as cargos_despues_iva, coalesce(e.neto, a.neto) as neto
    from (
      select e.* from estimates e
      where e.company_id = of_company and e.id = by_index(of_estimate) limit 1) e
    left join lateral (
      select a.* from estimate_amounts(
        e.company_id, e.contract_id, e.id, e.tipo, e.monto, e.anticipo, e.sin_anticipo, e.deductivas, e.anticipo_porcentaje,
        e.retencion_porcentaje, e.iva_porcentaje, e.derechos_porcentaje, e.retencion_antes_iva, e.cargos_fijos_antes,
        e.cargos_fijos_despues, e.porcentajes) a
      where e.neto is null offset 0) a on true),
  -- The kept sheet of the authorization before, if it counts all authorizations until then, and this estimate counts them too. Its sums up
  -- to date are then those before this estimate.
  previous as materialized (
    select k.figures
    from estimate t
    cross join lateral (
      select e.id from estimates e
      where e.company_id = of_company and e.contract_id = t.contract_id and e.neto is not null
        and e.autorizacion < coalesce(t.autorizacion, 2147483647)
      order by e.autorizacion desc limit 1) e
    cross join lateral (
      select k.figures from caratulas k
      where k.company_id = of_company and k.estimate_id = by_index(e.id) limit 1) k
    where t.numero > (k.figures -> 'ultimos' ->> case t.tipo when 'anticipo' then 'anticipo' else 'ordinaria' end)::int),
  -- The other authorized estimates. After a previous sheet, only those that the same statement authorizes later.
  authorized as materialized (
    select e.*, (t.autorizacion is null or e.autorizacion < t.autorizacion)
      and (e.numero < t.numero or (e.tipo = 'anticipo') <> (t.tipo = 'anticipo')) as is_earlier
    from estimate t
    cross join lateral (
      select e.* from estimates e
      where e.company_id = of_company and e.contract_id = t.contract_id and e.neto is not null
        and e.autorizacion > case when exists (select from previous) then coalesce(t.autorizacion, 2147483647) else 0 end
      order by e.autorizacion offset 0) e
    where e.id <> t.id),
  amounts as materialized (
    select max(n.nth) as nth, n.importe, coalesce(sum(n.anterior), 0.00) as anterior, coalesce(sum(n.periodo), 0.00) as periodo
    from (
      select v.nth, v.importe, null as anterior, v.periodo
      from estimate e cross join lateral (values
        (1, 'monto', e.monto), (2, 'anticipo', e.anticipo), (3, 'amortizacion', e.amortizacion), (4, 'retencion', e.retencion),
        (5, 'deductivas', e.deductivas), (6, 'cargos_antes_iva', e.cargos_antes_iva), (7, 'subtotal', e.subtotal), (8, 'iva', e.iva),
        (9, 'derechos', e.derechos), (10, 'cargos_despues_iva', e.cargos_despues_iva), (11, 'neto', e.neto)) v (nth, importe, periodo)
      union all
      select v.nth, v.importe, v.anterior, null
      from authorized e cross join lateral (values
        (1, 'monto', e.monto), (2, 'anticipo', e.anticipo), (3, 'amortizacion', e.amortizacion), (4, 'retencion', e.retencion),
        (5, 'deductivas', e.deductivas), (6, 'cargos_antes_iva', e.cargos_antes_iva), (7, 'subtotal', e.subtotal), (8, 'iva', e.iva),
        (9, 'derechos', e.derechos), (10, 'cargos_despues_iva', e.cargos_despues_iva), (11, 'neto', e.neto)) v (nth, importe, anterior)
      where e.is_earlier
      union all
      select null, i.key, (i.value ->> 'acumulado')::numeric, null from previous p cross join json_each(p.figures -> 'importes') i
    ) n group by 2),
  -- The charges and returns that are `cargos_antes_iva` and `cargos_despues_iva`.
  movements as materialized (
    select m.antes_iva, m.tipo, m.motivo, coalesce(sum(m.importe) filter (where m.is_earlier), 0.00) as anterior,
      coalesce(sum(m.importe) filter (where not m.is_earlier), 0.00) as periodo
    from (
      select m.antes_iva, m.tipo, m.motivo, m.importe, e.is_earlier
      from (
        select id, monto, subtotal, iva, false as is_earlier from estimate
        union all select id, monto, subtotal, iva, true from authorized where is_earlier) e
      cross join lateral (
        select m.antes_iva, m.tipo, m.motivo, case m.sentido when 'abono' then -1 else 1 end
          * coalesce(m.importe, movement_percentage(
            case m.base when 'monto' then e.monto when 'subtotal' then e.subtotal else e.iva end, m.porcentaje)) as importe
        from movimientos m
        where m.company_id = of_company and m.estimate_id = by_index(e.id)) m
      union all
      select m.antes_iva, m.tipo, m.motivo, m.acumulado, true
      from previous p
      cross join json_to_recordset(p.figures -> 'movimientos') m (antes_iva boolean, tipo text, motivo text, acumulado numeric)) m
    group by 1, 2, 3),
  -- The catalogue with the sums of all authorized lines, and the lines. The lines are not joined: without statistics, a join could compare
  -- all of them. Authorized lines that are not before this estimate are subtracted.
  chapters as materialized (
    select n.capitulo, sum(n.importe) as importe, sum(n.sin_firma) as sin_firma, sum(n.anterior) as anterior, sum(n.periodo) as periodo
    from (
      select max(u.capitulo) as capitulo, sum(u.importe) as importe, sum(u.sin_firma) as sin_firma, sum(u.anterior) as anterior,
        sum(u.periodo) as periodo
      from (
        select k.id, k.capitulo, case when k.convenio_id is null or v.estado = 'firmado' then k.importe else 0.00 end as importe,
          case when v.estado = 'autorizado' then k.importe else 0.00 end as sin_firma, coalesce(s.importe, 0.00) as anterior,
          0.00 as periodo
        from estimate t
        cross join lateral (
          select k.id, k.capitulo, k.importe, k.convenio_id from conceptos k
          where k.company_id = of_company and k.contract_id = by_index(t.contract_id)) k
        left join lateral (
          select v.estado from convenios v
          where v.company_id = of_company and v.id = by_index(k.convenio_id) limit 1) v on true
        left join lateral (
          select s.importe from concepto_sums s
          where s.company_id = of_company and s.concepto_id = by_index(k.id) limit 1) s on true
        union all
        select l.concepto_id, null, 0.00, 0.00, case when e.is_authorized then -l.importe else 0.00 end,
          case when e.is_own then l.importe else 0.00 end
        from (
          select id, is_authorized, true as is_own from estimate
          union all select id, true, false from authorized where not is_earlier) e
        cross join lateral (
          select l.concepto_id, l.importe from estimate_lines l
          where l.company_id = of_company and l.estimate_id = by_index(e.id)) l) u
      group by u.id) n
    group by 1),
  -- What is planned until the end of the period. Null without a programme or a period.
  planned as materialized (
    select case when t.periodo_fin is not null and count(*) > 0
      then coalesce(sum(g.importe) filter (where g.periodo_fin <= t.periodo_fin), 0.00) end as importe
    from estimate t
    cross join lateral (
      select g.importe, g.periodo_fin, g.convenio_id from programa g
      where g.company_id = of_company and g.contract_id = by_index(t.contract_id)) g
    left join lateral (
      select v.estado from convenios v
      where v.company_id = of_company and v.id = by_index(g.convenio_id) limit 1) v on true
    where g.convenio_id is null or v.estado = 'firmado'
    group by t.periodo_fin)
  select json_build_object(
    'tipo', t.tipo, 'numero', t.numero, 'fecha', company_day(of_company, t.autorizada_en),
    'periodo_inicio', t.periodo_inicio, 'periodo_fin', t.periodo_fin, 'descripcion', t.descripcion, 'company_nombre', o.nombre,
    'contract', contract_facts(of_company, t.contract_id)::jsonb || jsonb_build_object('id', t.contract_id),
    'porcentajes', json_build_object(
      'anticipo', t.anticipo_porcentaje::text, 'retencion', t.retencion_porcentaje::text, 'iva', t.iva_porcentaje::text,
      'derechos', t.derechos_porcentaje::text),
    'importes', (
      select json_object_agg(a.importe, json_build_object(
        'anterior', a.anterior::text, 'periodo', a.periodo::text, 'acumulado', (a.anterior + a.periodo)::text) order by a.nth)
      from amounts a),
    'movimientos', (
      select coalesce(json_agg(json_build_object(
        'antes_iva', m.antes_iva, 'tipo', m.tipo, 'motivo', m.motivo,
        'anterior', m.anterior::text, 'periodo', m.periodo::text, 'acumulado', (m.anterior + m.periodo)::text)
        order by m.antes_iva desc, m.tipo, m.motivo), '[]')
      from movements m),
    'por_estimar', (c.monto - b.monto)::text,
    'anticipo', advance_facts(
      b.anticipo, round((c.monto - coalesce(s.convenios_sin_anticipo, 0.00)) * c.anticipo_porcentaje * 0.01, 2),
      s.liquidado and not exists (select from authorized where tipo = 'finiquito' and not is_earlier), b.amortizacion),
    'capitulos', (
      select coalesce(json_agg(json_build_object(
        'capitulo', k.capitulo, 'importe', k.importe::text, 'sin_firma', k.sin_firma::text, 'anterior', k.anterior::text,
        'periodo', k.periodo::text, 'acumulado', (k.anterior + k.periodo)::text,
        'avance', percent_of(k.anterior + k.periodo, k.importe)::text) order by natural_key(k.capitulo) collate "C", k.capitulo), '[]')
      from chapters k),
    'capitulos_total', (
      select json_build_object(
        'importe', k.importe::text, 'sin_firma', k.sin_firma::text, 'anterior', k.anterior::text, 'periodo', k.periodo::text,
        'acumulado', (k.anterior + k.periodo)::text, 'avance', percent_of(k.anterior + k.periodo, k.importe)::text)
      from (
        select coalesce(sum(importe), 0.00) as importe, coalesce(sum(sin_firma), 0.00) as sin_firma,
          coalesce(sum(anterior), 0.00) as anterior, coalesce(sum(periodo), 0.00) as periodo
        from chapters) k),
    'avance', percent_of(b.monto, c.monto)::text,
    'avance_programado', percent_of((select importe from planned), c.monto)::text,
    -- The highest numbers that are authorized, for the next sheet. Null if this sheet leaves out an earlier authorization.
    'ultimos', (
      select case when bool_and(n.is_earlier) then json_build_object(
        'anticipo', coalesce(max(n.numero) filter (where n.tipo = 'anticipo'), 0),
        'ordinaria', coalesce(max(n.numero) filter (where n.tipo <> 'anticipo'), 0)) end
      from (
        select t.tipo, t.numero, true as is_earlier
        union all select e.tipo, e.numero, e.is_earlier from authorized e where e.autorizacion < t.autorizacion
        union all select u.key, u.value::int, true from previous p cross join json_each_text(p.figures -> 'ultimos') u) n))
  into figures
  from estimate t
  join companies o on o.id = of_company
  cross join lateral (
    select c.monto, c.anticipo_porcentaje from contracts c
    where c.company_id = of_company and c.id = by_index(t.contract_id) limit 1) c
  left join contract_sums s on s.company_id = of_company and s.contract_id = t.contract_id
  cross join (
    select max(a.anterior + a.periodo) filter (where a.importe = 'monto') as monto,
      max(a.anterior + a.periodo) filter (where a.importe = 'anticipo') as anticipo,
      max(a.anterior + a.periodo) filter (where a.importe = 'amortizacion') as amortizacion
    from amounts a) b;
  return figures;
end
$$;
