package main

import (
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// Fields of a contract that a client sends and gets in the same form.
type terms struct {
	Folio       string  `json:"folio"`
	Monto       string  `json:"monto"`
	Parent      *int64  `json:"parent"`
	Moneda      string  `json:"moneda"`
	FechaInicio *string `json:"fecha_inicio"`
	FechaFin    *string `json:"fecha_fin"`
	Anticipo    string  `json:"anticipo_porcentaje"`
	Retencion   string  `json:"retencion_porcentaje"`
	Iva         string  `json:"iva_porcentaje"`
	Estado      string  `json:"estado"`
	ExternalID  *string `json:"external_id"`
}

type input struct {
	terms
	Contraparte *int64 `json:"contraparte"`
	Descripcion string `json:"descripcion"`
}

var money = regexp.MustCompile(`^\d{1,16}\.\d\d$`)
var percentage = regexp.MustCompile(`^(100\.00|\d{1,2}\.\d\d)$`)

// Reads the body of a create. Returns the first field with a problem, or "body".
func readInput(body io.Reader) (input, string) {
	given := input{terms: terms{Monto: "0.00", Moneda: "MXN", Anticipo: "0.00", Retencion: "0.00", Iva: "16.00", Estado: "vigente"}}
	decoder := json.NewDecoder(body)
	decoder.DisallowUnknownFields()
	if decoder.Decode(&given) != nil {
		return given, "body"
	}
	given.Folio = strings.TrimSpace(given.Folio)
	checks := []struct {
		field string
		valid bool
	}{
		{"folio", given.Folio != "" && utf8.RuneCountInString(given.Folio) <= 64},
		{"monto", money.MatchString(given.Monto)},
		{"descripcion", utf8.RuneCountInString(given.Descripcion) <= 2000},
		{"moneda", oneOf(given.Moneda, "MXN", "USD", "EUR")},
		{"fecha_inicio", isDate(given.FechaInicio)},
		{"fecha_fin", isDate(given.FechaFin) && (given.FechaInicio == nil || given.FechaFin == nil || *given.FechaInicio <= *given.FechaFin)},
		{"anticipo_porcentaje", percentage.MatchString(given.Anticipo)},
		{"retencion_porcentaje", percentage.MatchString(given.Retencion)},
		{"iva_porcentaje", percentage.MatchString(given.Iva)},
		{"estado", oneOf(given.Estado, "vigente", "suspendido", "terminado", "cancelado")},
		{"external_id", given.ExternalID == nil || (*given.ExternalID != "" && utf8.RuneCountInString(*given.ExternalID) <= 128)},
	}
	for _, check := range checks {
		if !check.valid {
			return given, check.field
		}
	}
	return given, ""
}

func oneOf(value string, choices ...string) bool {
	for _, choice := range choices {
		if value == choice {
			return true
		}
	}
	return false
}

func isDate(value *string) bool {
	if value == nil {
		return true
	}
	_, err := time.Parse("2006-01-02", *value)
	return err == nil
}
