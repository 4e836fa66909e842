-- As root: runuser -u postgres -- psql < FILE. Replace both passwords, here, in /etc/obra/owner.env and in /etc/obra/env.
create role obra login createrole password 'owner-password';
create database obra owner obra;
create role obra_server login password 'server-password';
