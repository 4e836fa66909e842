//! Contracts: their columns and their JSON.
pub mod create;
pub mod find;
pub mod page;

use serde::Serialize;
use serde_json::value::RawValue;
use tokio_postgres::Row;

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
