//! Contracts: their statements and their JSON.
use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;
use tokio_postgres::{types::ToSql, Error, Row};

use crate::database::Database;
use crate::input::Input;
use crate::turn::Question;

pub const PAGE_SIZE: i64 = 20;

/// The columns of a contract, first in each statement.
const ITEM: &str = "t.id, t.company_id, t.folio, p.nombre, t.contraparte_id, t.monto::text, t.parent_id, t.moneda,
  t.fecha_inicio::text, t.fecha_fin::text,
  t.anticipo_porcentaje::text, t.retencion_porcentaje::text, t.iva_porcentaje::text, t.derechos_porcentaje::text, t.retencion_antes_iva,
  t.estado, t.external_id, t.created_at::text, t.updated_at::text, t.version";

#[derive(Serialize)]
pub struct Contract<'a> {
    id: i64,
    company: i32,
    folio: &'a str,
    contraparte: Option<&'a str>,
    contraparte_id: Option<i64>,
    monto: &'a str,
    parent: Option<i64>,
    moneda: &'a str,
    fecha_inicio: Option<&'a str>,
    fecha_fin: Option<&'a str>,
    anticipo_porcentaje: &'a str,
    retencion_porcentaje: &'a str,
    iva_porcentaje: &'a str,
    derechos_porcentaje: &'a str,
    retencion_antes_iva: bool,
    estado: &'a str,
    external_id: Option<&'a str>,
    created_at: String,
    updated_at: String,
    version: i32,
}

impl<'a> From<&'a Row> for Contract<'a> {
    fn from(row: &'a Row) -> Self {
        Self {
            id: row.get(0),
            company: row.get(1),
            folio: row.get(2),
            contraparte: row.get(3),
            contraparte_id: row.get(4),
            monto: row.get(5),
            parent: row.get(6),
            moneda: row.get(7),
            fecha_inicio: row.get(8),
            fecha_fin: row.get(9),
            anticipo_porcentaje: row.get(10),
            retencion_porcentaje: row.get(11),
            iva_porcentaje: row.get(12),
            derechos_porcentaje: row.get(13),
            retencion_antes_iva: row.get(14),
            estado: row.get(15),
            external_id: row.get(16),
            created_at: instant(row.get(17)),
            updated_at: instant(row.get(18)),
            version: row.get(19),
        }
    }
}

/// Formats PostgreSQL's `2026-03-01 15:04:05.12+00` as `2026-03-01T15:04:05.120000Z`.
fn instant(text: &str) -> String {
    let fraction = text[19..].trim_end_matches("+00").trim_start_matches('.');
    format!("{}T{}.{fraction:0<6}Z", &text[..10], &text[11..19])
}

/// A single contract has sums of its subcontracts, change orders and estimates.
#[derive(Serialize)]
pub struct Detail<'a> {
    #[serde(flatten)]
    contract: Contract<'a>,
    descripcion: &'a str,
    hijos: i32,
    monto_subcontratado: &'a str,
    otras_monedas: &'a RawValue,
    monto_original: &'a str,
    fecha_fin_original: Option<&'a str>,
    extra_autorizado: &'a str,
    monto_estimado: &'a str,
    por_estimar: &'a str,
}

impl<'a> From<&'a Row> for Detail<'a> {
    fn from(row: &'a Row) -> Self {
        Self {
            contract: row.into(),
            descripcion: row.get(20),
            hijos: row.get(21),
            monto_subcontratado: row.get(22),
            otras_monedas: serde_json::from_str(row.get(23)).expect("JSON"),
            monto_original: row.get(24),
            fecha_fin_original: row.get(25),
            extra_autorizado: row.get(26),
            monto_estimado: row.get(27),
            por_estimar: row.get(28),
        }
    }
}

pub fn find_contracts() -> String {
    format!(
        "
  select {ITEM}, t.descripcion, s.hijos, s.monto::text, s.otras::text,
    (t.monto - coalesce(e.convenios, 0.00))::text, (t.fecha_fin - coalesce(e.dias, 0))::text, coalesce(e.extra, 0.00)::text,
    coalesce(e.autorizado, 0.00)::text, (t.monto - coalesce(e.autorizado, 0.00))::text, q.place
  from unnest($1::int[], $2::bigint[]) with ordinality q (company, id, place)
  join contracts t on t.company_id = q.company and t.id = q.id
  left join contrapartes p on p.id = t.contraparte_id
  left join contract_sums e on e.company_id = t.company_id and e.contract_id = t.id
  cross join lateral (
    select coalesce(sum(h.hijos), 0)::int as hijos, coalesce(sum(h.monto) filter (where h.moneda = t.moneda), 0.00) as monto,
      coalesce(json_object_agg(h.moneda, h.monto::text) filter (where h.moneda <> t.moneda), '{{}}') as otras
    from subcontract_sums h where h.company_id = t.company_id and h.parent_id = t.id and h.hijos > 0) s"
    )
}

/// Asks for a contract of a company.
#[derive(Clone)]
pub struct Find {
    pub company: i32,
    pub id: i64,
}

impl Question for Find {
    type Answer = Option<Row>;

    async fn answer(database: &Database, questions: &[Self]) -> Result<Vec<Option<Row>>, Error> {
        let companies: Vec<i32> = questions.iter().map(|find| find.company).collect();
        let ids: Vec<i64> = questions.iter().map(|find| find.id).collect();
        let mut found: Vec<_> = questions.iter().map(|_| None).collect();
        for row in database.query(|s| &s.find_contracts, &[&companies, &ids]).await? {
            let place = row.get::<_, i64>(29) as usize;
            found[place - 1] = Some(row);
        }
        Ok(found)
    }
}

/// An empty page has one row without a contract.
pub fn find_pages() -> String {
    format!(
        "
  select {ITEM}, n.count, q.place
  from unnest($1::int[], $2::bigint[]) with ordinality q (company, skip, place)
  cross join lateral (select count(*) from contracts where company_id = q.company) n
  left join lateral (select * from contracts where company_id = q.company order by id limit {PAGE_SIZE} offset q.skip) t on true
  left join contrapartes p on p.id = t.contraparte_id
  order by q.place, t.id"
    )
}

/// Asks for a page of a company, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PageNumber {
    pub company: i32,
    pub number: i64,
}

#[derive(Default)]
pub struct Page {
    pub count: i64,
    rows: Vec<Row>,
}

impl Page {
    pub fn contracts(&self) -> Vec<Contract<'_>> {
        self.rows.iter().map(Contract::from).collect()
    }
}

impl Question for PageNumber {
    type Answer = Arc<Page>;

    /// Reads each page once, for all requests that ask for it.
    async fn answer(database: &Database, questions: &[Self]) -> Result<Vec<Arc<Page>>, Error> {
        let mut places = HashMap::new();
        let (mut companies, mut skips) = (Vec::new(), Vec::new());
        for page in questions {
            places.entry(page).or_insert_with(|| {
                companies.push(page.company);
                skips.push((page.number - 1) * PAGE_SIZE);
                companies.len() - 1
            });
        }
        let mut pages: Vec<Page> = companies.iter().map(|_| Page::default()).collect();
        for row in database.query(|s| &s.find_pages, &[&companies, &skips]).await? {
            let page = &mut pages[row.get::<_, i64>(21) as usize - 1];
            page.count = row.get(20);
            if row.get::<_, Option<i64>>(0).is_some() {
                page.rows.push(row);
            }
        }
        let pages: Vec<_> = pages.into_iter().map(Arc::new).collect();
        Ok(questions.iter().map(|page| pages[places[page]].clone()).collect())
    }
}

/// The ids are drawn before the insert, so that each new row is the answer of its own question. A new contract has sums of zero.
pub fn create() -> String {
    format!(
        "
  with q as (
    select nextval('contracts_id_seq') as id, q.*,
      contraparte is null or exists (select from contrapartes p where p.company_id = q.company and p.id = q.contraparte) as party_known,
      parent is null or exists (select from contracts c where c.company_id = q.company and c.id = q.parent) as parent_known
    from unnest($1::int[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[],
      $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::bool[])
      with ordinality q (company, folio, contraparte, monto, parent, descripcion, moneda, inicio, fin,
        anticipo, retencion, iva, estado, external_id, derechos, antes_iva, place)
  ), t as (
    insert into contracts (id, company_id, folio, contraparte_id, monto, parent_id, descripcion, moneda, fecha_inicio, fecha_fin,
      anticipo_porcentaje, retencion_porcentaje, iva_porcentaje, estado, external_id, derechos_porcentaje, retencion_antes_iva)
    select id, company, folio, contraparte, monto::numeric, parent, descripcion, moneda, inicio::date, fin::date,
      anticipo::numeric, retencion::numeric, iva::numeric, estado, external_id, derechos::numeric, antes_iva
    from q where party_known and parent_known
    on conflict do nothing returning *
  )
  select {ITEM}, t.descripcion, 0, '0.00', '{{}}', t.monto::text, t.fecha_fin::text, '0.00', '0.00', t.monto::text,
    q.place, q.party_known, q.parent_known
  from q left join t on t.id = q.id left join contrapartes p on p.id = t.contraparte_id
  order by q.place"
    )
}

/// Asks for a new contract. The answer is the contract, or the field with a problem.
#[derive(Clone)]
pub struct Create {
    pub company: i32,
    pub input: Input,
}

impl Question for Create {
    type Answer = Result<Row, &'static str>;

    async fn answer(database: &Database, questions: &[Self]) -> Result<Vec<Self::Answer>, Error> {
        fn all<'a, T>(questions: &'a [Create], value: fn(&'a Input) -> T) -> Vec<T> {
            questions.iter().map(|create| value(&create.input)).collect()
        }
        let companies: Vec<i32> = questions.iter().map(|create| create.company).collect();
        let values: [&(dyn ToSql + Sync); 16] = [
            &companies,
            &all(questions, |given| &given.folio),
            &all(questions, |given| given.contraparte),
            &all(questions, |given| &given.monto),
            &all(questions, |given| given.parent),
            &all(questions, |given| &given.descripcion),
            &all(questions, |given| &given.moneda),
            &all(questions, |given| &given.fecha_inicio),
            &all(questions, |given| &given.fecha_fin),
            &all(questions, |given| &given.anticipo_porcentaje),
            &all(questions, |given| &given.retencion_porcentaje),
            &all(questions, |given| &given.iva_porcentaje),
            &all(questions, |given| &given.estado),
            &all(questions, |given| &given.external_id),
            &all(questions, |given| &given.derechos_porcentaje),
            &all(questions, |given| given.retencion_antes_iva),
        ];
        Ok(database.query(|s| &s.create, &values).await?.into_iter().map(made).collect())
    }
}

fn made(row: Row) -> Result<Row, &'static str> {
    match (row.get(30), row.get(31), row.get::<_, Option<i64>>(0)) {
        (false, _, _) => Err("contraparte"),
        (_, false, _) => Err("parent"),
        (_, _, None) => Err("folio"),
        _ => Ok(row),
    }
}
