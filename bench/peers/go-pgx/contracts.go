package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgconn"
	"github.com/jackc/pgx/v4"
	"github.com/jackc/pgx/v4/pgxpool"
)

const pageSize = 20

type contract struct {
	terms
	ID          int64   `json:"id"`
	Company     int     `json:"company"`
	Contraparte *string `json:"contraparte"`
	Party       *int64  `json:"contraparte_id"`
	CreatedAt   string  `json:"created_at"`
	UpdatedAt   string  `json:"updated_at"`
	Version     int     `json:"version"`
}

func (c *contract) fields() []interface{} {
	return []interface{}{&c.ID, &c.Company, &c.Folio, &c.Contraparte, &c.Party, &c.Monto, &c.Parent, &c.Moneda, &c.FechaInicio, &c.FechaFin,
		&c.Anticipo, &c.Retencion, &c.Iva, &c.Estado, &c.ExternalID, &c.CreatedAt, &c.UpdatedAt, &c.Version}
}

// A single contract has sums of its subcontracts and of its authorized estimates.
type detail struct {
	contract
	Descripcion  string          `json:"descripcion"`
	Hijos        int             `json:"hijos"`
	Subcontracts string          `json:"monto_subcontratado"`
	OtherSums    json.RawMessage `json:"otras_monedas"`
	Estimated    string          `json:"monto_estimado"`
	Remaining    string          `json:"por_estimar"`
}

type page struct {
	Count    int        `json:"count"`
	Next     *string    `json:"next"`
	Previous *string    `json:"previous"`
	Results  []contract `json:"results"`
}

const instant = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`

const item = `t.id, t.company_id, t.folio, p.nombre, t.contraparte_id, t.monto::text, t.parent_id, t.moneda, t.fecha_inicio::text, t.fecha_fin::text,
  t.anticipo_porcentaje::text, t.retencion_porcentaje::text, t.iva_porcentaje::text, t.estado, t.external_id,
  to_char(t.created_at, ` + instant + `), to_char(t.updated_at, ` + instant + `), t.version`

const from = ` from contracts t left join contrapartes p on p.id = t.contraparte_id`

const findPage = `select ` + item + from + ` where t.company_id = $1 order by t.id limit 20 offset $2`

const countAll = `select count(*) from contracts where company_id = $1`

const findOne = `select ` + item + `, t.descripcion, c.hijos, c.monto::text, o.sums, e.monto::text, (t.monto - e.monto)::text` + from + `
  cross join lateral (select count(*)::int as hijos, coalesce(sum(h.monto) filter (where h.moneda = t.moneda), 0.00) as monto from contracts h where h.company_id = t.company_id and h.parent_id = t.id) c
  cross join lateral (select coalesce(json_object_agg(o.moneda, o.monto::text order by o.moneda), '{}') as sums from (
    select h.moneda, sum(h.monto) as monto from contracts h where h.company_id = t.company_id and h.parent_id = t.id and h.moneda <> t.moneda group by h.moneda) o) o
  cross join lateral (select coalesce(sum(monto), 0.00) as monto from estimates where company_id = t.company_id and contract_id = t.id and neto is not null) e
  where t.company_id = $1 and t.id = $2`

func readPage(ctx context.Context, db *pgxpool.Pool, company, number int) (page, error) {
	var found page
	batch := &pgx.Batch{}
	batch.Queue(findPage, company, (number-1)*pageSize)
	batch.Queue(countAll, company)
	results := db.SendBatch(ctx, batch)
	defer results.Close()
	rows, err := results.Query()
	if err != nil {
		return found, err
	}
	found.Results = make([]contract, 0, pageSize)
	for rows.Next() {
		var one contract
		if err := rows.Scan(one.fields()...); err != nil {
			return found, err
		}
		found.Results = append(found.Results, one)
	}
	if err := rows.Err(); err != nil {
		return found, err
	}
	return found, results.QueryRow().Scan(&found.Count)
}

// Returns nil if the company has no such contract.
func readOne(ctx context.Context, db *pgxpool.Pool, company int, id int64) (*detail, error) {
	var one detail
	err := db.QueryRow(ctx, findOne, company, id).Scan(append(one.fields(), &one.Descripcion, &one.Hijos, &one.Subcontracts, &one.OtherSums, &one.Estimated, &one.Remaining)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return &one, err
}

const insert = `
  insert into contracts (company_id, folio, contraparte_id, monto, parent_id, descripcion, moneda, fecha_inicio, fecha_fin,
    anticipo_porcentaje, retencion_porcentaje, iva_porcentaje, estado, external_id)
  values ($1, $2, $3, $4::text::numeric, $5, $6, $7, $8::text::date, $9::text::date, $10::text::numeric, $11::text::numeric, $12::text::numeric, $13, $14)
  on conflict do nothing returning id`

// Inserts a contract. Returns the field with a problem instead, if there is one.
func create(ctx context.Context, db *pgxpool.Pool, company int, given input) (*detail, string, error) {
	if given.Contraparte != nil {
		var known bool
		err := db.QueryRow(ctx, `select exists (select from contrapartes where company_id = $1 and id = $2)`, company, *given.Contraparte).Scan(&known)
		if err != nil || !known {
			return nil, "contraparte", err
		}
	}
	if given.Parent != nil {
		above, err := readOne(ctx, db, company, *given.Parent)
		if err != nil || above == nil {
			return nil, "parent", err
		}
	}
	var id int64
	err := db.QueryRow(ctx, insert, company, given.Folio, given.Contraparte, given.Monto, given.Parent, given.Descripcion, given.Moneda, given.FechaInicio, given.FechaFin,
		given.Anticipo, given.Retencion, given.Iva, given.Estado, given.ExternalID).Scan(&id)
	var refused *pgconn.PgError
	if errors.Is(err, pgx.ErrNoRows) || (errors.As(err, &refused) && refused.Code[:2] == "23") {
		return nil, "folio", nil
	}
	if err != nil {
		return nil, "", err
	}
	made, err := readOne(ctx, db, company, id)
	return made, "", err
}
