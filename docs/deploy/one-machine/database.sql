-- As a superuser: sudo -u postgres psql --file=database.sql. Replace both passwords, also in /etc/obra/env and /etc/obra/owner.env.
create role obra login createrole password 'owner-password';
create database obra owner obra;
create role obra_server login password 'server-password';
