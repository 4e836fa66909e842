package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v4"
	"github.com/jackc/pgx/v4/pgxpool"
)

// The caller of a request: the active company, and the level there.
type caller struct {
	company int
	level   int
}

type claims struct {
	Sid       string `json:"sid"`
	User      int    `json:"user_id"`
	TokenType string `json:"token_type"`
	Expires   int64  `json:"exp"`
}

const findCaller = `
  select u.id, u.nivel_acceso, u.customer_id, c.id, c.customer_id, m.nivel_acceso
  from sessions s join users u on u.id = s.user_id
  left join companies c on c.id = u.company_id
  left join memberships m on m.user_id = u.id and m.company_id = c.id
  where s.id = $1 and s.revoked_at is null and s.expires_at > now() and u.activo`

// Verifies the token of a request, then reads the current rights of its session. The status is 0 if the caller may continue.
func authenticate(ctx context.Context, db *pgxpool.Pool, secret []byte, header string) (caller, int, error) {
	token, ok := verify(secret, strings.TrimPrefix(header, "Bearer "))
	if !ok || token.TokenType != "access" {
		return caller{}, http.StatusUnauthorized, nil
	}
	var user int
	var account, customer, company, companyCustomer, membership *int
	err := db.QueryRow(ctx, findCaller, token.Sid).Scan(&user, &account, &customer, &company, &companyCustomer, &membership)
	if errors.Is(err, pgx.ErrNoRows) || (err == nil && user != token.User) {
		return caller{}, http.StatusUnauthorized, nil
	}
	if err != nil {
		return caller{}, 0, err
	}
	level := levelOf(account, customer, companyCustomer, membership)
	if company == nil || level == nil {
		return caller{}, http.StatusForbidden, nil
	}
	return caller{company: *company, level: *level}, 0, nil
}

// Checks signature (HS256) and expiry of a token.
func verify(secret []byte, token string) (claims, bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return claims{}, false
	}
	var head struct {
		Alg string `json:"alg"`
	}
	var payload claims
	if !decode(parts[0], &head) || head.Alg != "HS256" || !decode(parts[1], &payload) {
		return claims{}, false
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(parts[0] + "." + parts[1]))
	return payload, err == nil && hmac.Equal(signature, mac.Sum(nil)) && payload.Expires > time.Now().Unix()
}

func decode(part string, into interface{}) bool {
	bytes, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && json.Unmarshal(bytes, into) == nil
}

func levelOf(account, customer, companyCustomer, membership *int) *int {
	if account != nil && (*account == 5 || *account == 6) {
		return account
	}
	if account != nil && *account == 4 && customer != nil && companyCustomer != nil && *customer == *companyCustomer {
		return account
	}
	return membership
}

func mayEdit(level int) bool {
	return level == 2 || level == 3 || level == 4 || level == 6
}
