//! The statement of new contracts.
use tokio_postgres::{types::ToSql, Error, Row};

use super::ITEM;
use crate::database::Database;
use crate::input::Input;
use crate::turn::Question;

/// The ids are drawn before the insert, so that each new row is the answer of its own question. A new contract has sums of zero.
pub fn statement() -> String {
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
