//! The body of a create.
use serde::Deserialize;

#[derive(Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Input {
    pub folio: String,
    pub contraparte: Option<i64>,
    pub monto: String,
    pub parent: Option<i64>,
    pub descripcion: String,
    pub moneda: String,
    pub fecha_inicio: Option<String>,
    pub fecha_fin: Option<String>,
    pub anticipo_porcentaje: String,
    pub retencion_porcentaje: String,
    pub iva_porcentaje: String,
    pub derechos_porcentaje: String,
    pub retencion_antes_iva: bool,
    pub estado: String,
    pub external_id: Option<String>,
}

impl Default for Input {
    fn default() -> Self {
        Self {
            folio: String::new(),
            contraparte: None,
            monto: "0.00".into(),
            parent: None,
            descripcion: String::new(),
            moneda: "MXN".into(),
            fecha_inicio: None,
            fecha_fin: None,
            anticipo_porcentaje: "0.00".into(),
            retencion_porcentaje: "0.00".into(),
            iva_porcentaje: "16.00".into(),
            derechos_porcentaje: "0.00".into(),
            retencion_antes_iva: true,
            estado: "vigente".into(),
            external_id: None,
        }
    }
}

impl Input {
    /// Parses and checks a body. The error is the first field with a problem, or "body".
    pub fn read(body: &[u8]) -> Result<Self, &'static str> {
        let mut given: Self = serde_json::from_slice(body).map_err(|_| "body")?;
        for text in [Some(&mut given.folio), Some(&mut given.descripcion), given.external_id.as_mut()].into_iter().flatten() {
            *text = text.trim().to_owned();
        }
        let (start, end) = (given.fecha_inicio.as_deref(), given.fecha_fin.as_deref());
        let checks = [
            ("folio", !given.folio.is_empty() && is_text(&given.folio, 64)),
            ("monto", is_decimal(&given.monto, 16)),
            ("descripcion", is_text(&given.descripcion, 2000)),
            ("moneda", ["MXN", "USD", "EUR"].contains(&given.moneda.as_str())),
            ("fecha_inicio", start.is_none_or(is_date)),
            ("fecha_fin", end.is_none_or(is_date) && start.zip(end).is_none_or(|(start, end)| start <= end)),
            ("anticipo_porcentaje", is_percentage(&given.anticipo_porcentaje)),
            ("retencion_porcentaje", is_percentage(&given.retencion_porcentaje)),
            ("iva_porcentaje", is_percentage(&given.iva_porcentaje)),
            ("derechos_porcentaje", is_percentage(&given.derechos_porcentaje)),
            ("estado", ["vigente", "suspendido", "terminado", "cancelado"].contains(&given.estado.as_str())),
            ("external_id", given.external_id.as_deref().is_none_or(|id| !id.is_empty() && is_text(id, 128))),
        ];
        match checks.iter().find(|(_, valid)| !valid) {
            Some((field, _)) => Err(field),
            None => Ok(given),
        }
    }
}

/// PostgreSQL stores no NUL characters.
fn is_text(value: &str, max: usize) -> bool {
    value.chars().count() <= max && !value.contains('\0')
}

fn is_decimal(value: &str, max_digits: usize) -> bool {
    value.split_once('.').is_some_and(|(whole, cents)| is_number(whole, 1..=max_digits) && is_number(cents, 2..=2))
}

fn is_percentage(value: &str) -> bool {
    value == "100.00" || is_decimal(value, 2)
}

fn is_number(value: &str, length: std::ops::RangeInclusive<usize>) -> bool {
    length.contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_date(value: &str) -> bool {
    let [year, month, day] = value.splitn(3, '-').collect::<Vec<_>>()[..] else { return false };
    if !(is_number(year, 4..=4) && is_number(month, 2..=2) && is_number(day, 2..=2)) {
        return false;
    }
    let numbers = [year, month, day].map(|part| part.parse::<u32>().unwrap_or(0));
    let days = match numbers {
        [year, 2, _] => 28 + u32::from(year % 4 == 0 && year % 100 != 0 || year % 400 == 0),
        [_, 4 | 6 | 9 | 11, _] => 30,
        [_, 1..=12, _] => 31,
        _ => 0,
    };
    numbers[0] > 0 && (1..=days).contains(&numbers[2])
}
