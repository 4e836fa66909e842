// A service with Go's HTTP server and pgx.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v4/pgxpool"
)

const contractsPath = "/api/v1/contracts"

type service struct {
	db     *pgxpool.Pool
	secret []byte
}

func main() {
	config, err := pgxpool.ParseConfig(os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	config.MaxConns = 10
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	db, err := pgxpool.ConnectConfig(context.Background(), config)
	if err != nil {
		log.Fatal(err)
	}
	server := &http.Server{Addr: os.Getenv("HOST") + ":" + os.Getenv("PORT"), Handler: &service{db: db, secret: []byte(os.Getenv("JWT_SECRET"))}}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	go func() {
		<-ended
		server.Shutdown(context.Background())
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
	db.Close()
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	status, body, err := s.answer(r)
	if err != nil {
		log.Print(err)
		status, body = http.StatusInternalServerError, map[string]string{"detail": "Internal server error."}
	}
	bytes, err := json.Marshal(body)
	if err != nil {
		log.Print(err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(bytes)))
	w.WriteHeader(status)
	w.Write(bytes)
}

func problem(field string) interface{} {
	return map[string]interface{}{"detail": "Invalid input.", "errors": map[string][]string{field: {"Invalid."}}}
}

func (s *service) answer(r *http.Request) (int, interface{}, error) {
	detailOf := func(status int) interface{} { return map[string]string{"detail": http.StatusText(status)} }
	if !strings.HasPrefix(r.URL.Path, contractsPath) {
		return http.StatusNotFound, detailOf(http.StatusNotFound), nil
	}
	by, refused, err := authenticate(r.Context(), s.db, s.secret, r.Header.Get("Authorization"))
	if err != nil || refused != 0 {
		return refused, detailOf(refused), err
	}
	rest := strings.Trim(strings.TrimPrefix(r.URL.Path, contractsPath), "/")
	switch {
	case r.Method == http.MethodGet && rest == "":
		return s.list(r, by)
	case r.Method == http.MethodGet:
		id, err := strconv.ParseInt(rest, 10, 64)
		if err != nil {
			return http.StatusNotFound, detailOf(http.StatusNotFound), nil
		}
		one, err := readOne(r.Context(), s.db, by.company, id)
		if err != nil || one == nil {
			return http.StatusNotFound, detailOf(http.StatusNotFound), err
		}
		return http.StatusOK, one, nil
	case r.Method == http.MethodPost && rest == "":
		if !mayEdit(by.level) {
			return http.StatusForbidden, detailOf(http.StatusForbidden), nil
		}
		given, field := readInput(r.Body)
		if field != "" {
			return http.StatusBadRequest, problem(field), nil
		}
		made, field, err := create(r.Context(), s.db, by.company, given)
		if err != nil || field != "" {
			return http.StatusBadRequest, problem(field), err
		}
		return http.StatusCreated, made, nil
	}
	return http.StatusMethodNotAllowed, detailOf(http.StatusMethodNotAllowed), nil
}

func (s *service) list(r *http.Request, by caller) (int, interface{}, error) {
	number := 1
	if given := r.URL.Query().Get("page"); given != "" {
		parsed, err := strconv.Atoi(given)
		if err != nil || parsed < 1 || parsed > 1_000_000 {
			return http.StatusBadRequest, problem("page"), nil
		}
		number = parsed
	}
	found, err := readPage(r.Context(), s.db, by.company, number)
	if err != nil {
		return 0, nil, err
	}
	if len(found.Results) == 0 && number > 1 {
		return http.StatusNotFound, map[string]string{"detail": "Invalid page."}, nil
	}
	link := func(number int) *string {
		url := fmt.Sprintf("http://%s%s", r.Host, r.URL.Path)
		if number > 1 {
			url += fmt.Sprintf("?page=%d", number)
		}
		return &url
	}
	if number*pageSize < found.Count {
		found.Next = link(number + 1)
	}
	if number > 1 {
		found.Previous = link(number - 1)
	}
	return http.StatusOK, found, nil
}
